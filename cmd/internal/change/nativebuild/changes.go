package nativebuild

import (
	"context"
	"fmt"
	"slices"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/flow"
)

// Changes finds the change points of the new version, and the blocks of each in a Space whose first
// program is the new version. The old version need not build, since only its sources are compared.
func (p *Pair) Changes(ctx context.Context, s *flow.Space) (*change.Result, [][]int, error) {
	newer := &change.Tree{Root: p.New.Root}
	older := &change.Tree{Root: p.base}
	if p.Old != nil {
		older.Root = p.Old.Root // includes sources that its build generated
	}
	if older.Root == "" {
		return &change.Result{}, nil, nil
	}
	first := map[string]int{}
	s.All(func(t *flow.Table, at int, owners []int) {
		if len(t.Files) == 0 || !slices.Equal(owners, []int{0}) {
			return
		}
		// A program and its libraries have tables with the same name, so points would be ambiguous.
		own := *t
		for n := 2; ; n++ {
			if _, taken := first[own.Package]; !taken {
				break
			}
			own.Package = fmt.Sprintf("%s~%d", t.Package, n)
		}
		first[own.Package] = at
		newer.Programs = append(newer.Programs, &own)
	})
	found, err := change.Compare(ctx, older, newer)
	if err != nil {
		return nil, nil, err
	}
	blocks := make([][]int, len(found.Points))
	for i, point := range found.Points {
		for _, b := range point.Blocks {
			blocks[i] = append(blocks[i], first[point.Package]+b)
		}
	}
	return found, blocks, nil
}
