package plan

import (
	"context"
	"slices"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/flow"
)

// Edits returns the changed declarations, with the blocks of a target that use them. Program 0 of
// the target is the new version. Findings can then be attributed to edits.
func (p *Plan) Edits(space *flow.Space) []flow.Edit {
	blocks := blocksOf(space)
	return edits(p, space, func(point, block int) []int {
		pt := &p.Points[point]
		if k := slices.Index(pt.Blocks, block); k >= 0 && k < len(pt.at) {
			return blocks[pt.at[k]]
		}
		return nil
	})
}

// EditsAt is Edits for a plan of a single harness. blocks are the target's blocks of each point.
func (p *Plan) EditsAt(space *flow.Space, blocks [][]int) []flow.Edit {
	return edits(p, space, func(point, block int) []int {
		if k := slices.Index(p.Points[point].Blocks, block); k >= 0 && k < len(blocks[point]) {
			return blocks[point][k : k+1]
		}
		return nil
	})
}

// edits merges the uses of each change. in maps a point's block to the target's blocks.
func edits(p *Plan, space *flow.Space, in func(point, block int) []int) (list []flow.Edit) {
	number := map[string]int{}
	add := func(to, blocks []int) []int {
		for _, b := range blocks {
			if !slices.Contains(to, b) {
				to = append(to, b)
			}
		}
		return to
	}
	for i := range p.Points {
		for _, u := range p.Points[i].Uses {
			n, ok := number[u.Hunk]
			if !ok {
				n = len(list)
				number[u.Hunk], list = n, append(list, edit(&u))
			}
			e := &list[n]
			for _, b := range u.Blocks {
				e.Blocks = add(e.Blocks, in(i, b))
			}
			e.Follow = add(e.Follow, follow(space, e.Blocks, u.Lines))
		}
	}
	return list
}

func edit(u *change.Use) flow.Edit {
	return flow.Edit{
		Package: u.Package, Name: u.Name, ID: u.Hunk, Text: u.Text, At: u.At, Old: u.Old, Several: u.Several,
		Fixed:  u.Kind == change.Constant || u.Kind == change.Tag,
		Valued: slices.Contains([]change.Kind{change.Constant, change.Variable, change.Embedded}, u.Kind),
	}
}

// follow returns the successors of conditions in some lines that some blocks evaluate.
func follow(space *flow.Space, blocks, lines []int) (list []int) {
	for _, id := range blocks {
		succs := space.Succs(id)
		if len(succs) < 2 {
			continue
		}
		for _, to := range succs {
			if _, b := space.Block(to); slices.Contains(lines, b.Cond) {
				list = append(list, to)
			}
		}
	}
	return list
}

// blocksOf indexes the blocks of the new version by position.
func blocksOf(space *flow.Space) map[spot][]int {
	blocks := map[spot][]int{}
	space.All(func(t *flow.Table, first int, owners []int) {
		if slices.Contains(owners, 0) {
			for i := range t.Blocks {
				s := spotOf(&t.Blocks[i])
				blocks[s] = append(blocks[s], first+i)
			}
		}
	})
	return blocks
}

// Trees names the folders of two versions with a campaign on disk, with additions to the
// environment of the go command.
type Trees struct {
	New, Old       string
	NewEnv, OldEnv []string
	Module         string // the changed module, if the harness is in another one; else empty
	Tags           string
	Parallax       string // the parallax executable
}

// Between returns the edits between two folders, with the blocks of a target built from them.
func Between(ctx context.Context, t Trees, space *flow.Space) ([]flow.Edit, error) {
	q := &Request{
		Versions: &revision.Pair{Head: revision.Version{Home: t.New, Env: t.NewEnv}, Base: revision.Version{Home: t.Old, Env: t.OldEnv}},
		Module:   t.Module, Patterns: []string{"./..."}, Tags: t.Tags, Parallax: t.Parallax, Progress: func(string) {},
	}
	p := &Plan{}
	before, now, err := p.trees(ctx, q)
	if err == nil {
		err = p.compare(ctx, q, before, now)
	}
	if err != nil {
		return nil, err
	}
	return p.Edits(space), nil
}
