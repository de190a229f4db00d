package plan

import (
	"slices"
	"testing"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/flow"
)

// TestEdits checks that blocks of several functions use one change, and that conditions with a use
// lead to their successors.
func TestEdits(t *testing.T) {
	space := &flow.Space{}
	block := func(id, line, cond int, succs ...int) flow.Block {
		return flow.Block{ID: id, Func: id / 3, File: "f.go", Line: line, Cond: cond, Succs: succs}
	}
	table := &flow.Table{Package: "m", Funcs: []flow.Func{{Name: "F", Count: 3}, {Name: "G", First: 3, Count: 1}}, Blocks: []flow.Block{
		block(0, 1, 1, 1, 2), block(1, 3, 2), block(2, 5, 2), block(3, 7, 7),
	}}
	space.Add(&flow.Table{Blocks: make([]flow.Block, 5)}, 1)
	space.Add(table, 0)
	use := func(hunk, name string, kind change.Kind, lines []int, blocks ...int) change.Use {
		return change.Use{Hunk: hunk, Kind: kind, Package: "m", Name: name, Text: "text", Blocks: blocks, Lines: lines, At: flow.Spot{File: "f.go", Line: 9}}
	}
	p := &Plan{Points: []Point{
		{Point: change.Point{Blocks: []int{0, 1}, Uses: []change.Use{use("1", "N", change.Constant, []int{2}, 0), use("2", "T", change.Type, []int{3}, 1)}}},
		{Point: change.Point{Blocks: []int{3}, Uses: []change.Use{use("1", "N", change.Constant, []int{7}, 3)}}},
		{Point: change.Point{Blocks: []int{2}}},
	}}
	for i := range p.Points {
		for _, b := range p.Points[i].Blocks {
			p.Points[i].at = append(p.Points[i].at, spotOf(&table.Blocks[b]))
		}
	}
	for _, list := range [][]flow.Edit{p.Edits(space), p.EditsAt(space, [][]int{{5, 6}, {8}, {7}})} {
		if len(list) != 2 {
			t.Fatalf("edits %+v", list)
		}
		n, typ := list[0], list[1]
		if n.Package != "m" || n.Name != "N" || n.ID != "1" || n.Text != "text" || n.At.Line != 9 || !n.Fixed || !n.Valued || !slices.Equal(n.Blocks, []int{5, 8}) || !slices.Equal(n.Follow, []int{6, 7}) {
			t.Errorf("a constant: %+v", n)
		}
		if typ.Name != "T" || typ.Fixed || typ.Valued || !slices.Equal(typ.Blocks, []int{6}) || typ.Follow != nil {
			t.Errorf("a type: %+v", typ)
		}
	}
}
