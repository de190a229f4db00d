package archive

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/wire"
)

// TestChooseEntries checks that inputs that were new in coverage are chosen first, then the oldest
// ones. The shortest come first, since the first input that executes a line represents it.
func TestChooseEntries(t *testing.T) {
	var entries []corpus.Entry
	for i := range 6 {
		e := corpus.Entry{Hash: fmt.Sprint(i), Flat: make([]byte, 10-i)}
		if i%2 == 1 {
			e.Meta.New = []string{"fine", "coverage"}
		}
		entries = append(entries, e)
	}
	hashes := func(list []corpus.Entry) (s string) {
		for _, e := range list {
			s += e.Hash
		}
		return s
	}
	for budget, want := range map[int]string{1: "1", 2: "31", 4: "5310", 6: "543210", 100: "543210"} {
		if got := hashes(chooseEntries(entries, budget)); got != want {
			t.Errorf("of %d inputs %s are chosen, want %s", budget, got, want)
		}
	}
	if got := hashes(entries); got != "012345" {
		t.Errorf("the corpus is in the order %s", got)
	}
}

// counted returns a campaign on two programs that share a package and have one each.
func counted(t *testing.T) *Campaign {
	folder, _, err := state.Open(atomicfile.OS, filepath.Join(t.TempDir(), "out"), state.Config{
		Target: "t", Identity: state.Identity{Mode: subject.Diff, Programs: []state.Program{{Name: "a"}, {Name: "b"}}, Shape: "([]byte)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	table := func(pkg string, lines ...int) *flow.Table {
		tab := &flow.Table{Package: pkg, Funcs: []flow.Func{{Name: "F"}}}
		for i, line := range lines {
			tab.Blocks = append(tab.Blocks, flow.Block{ID: i, Kind: flow.Entry, File: "/src/" + pkg + "/f.go", Line: line, EndLine: line + 1})
		}
		return tab
	}
	target := &subject.InProcess{Facts: subject.Facts{
		Names: []string{"a", "b"}, Plan: &gobuild.Plan{}, Shape: input.Shape{input.Bytes}, BuildID: "b1",
		Space: &flow.Space{},
	}}
	target.Space.Add(table("both", 1, 3), 0, 1)
	target.Space.Add(table("own", 7), 0)
	return &Campaign{folder: folder, Shape: target.Shape, target: target, facts: target.About()}
}

func TestLineCount(t *testing.T) {
	p := counted(t)
	seen := map[string][]byte{"a": {1, 1, 1}, "b": {0, 1, 0}}
	if err := p.folder.Save(state.Snapshot{BuildID: "b1", Seen: seen}); err != nil {
		t.Fatal(err)
	}
	c := newLineCount(p, []corpus.Entry{{Hash: "h0", Flat: []byte("x")}, {Hash: "h1", Flat: []byte("yy\x00")}})
	c.count(0, []wire.RunResult{{Outcome: 1, Hits: []uint32{0}}, {Outcome: 2, Hits: []uint32{0, 2, 99}}})
	c.count(1, []wire.RunResult{{Outcome: 1, Hits: []uint32{0, 2}}, {Outcome: 1}})
	got, err := c.finish()
	if err != nil {
		t.Fatal(err)
	}
	if got.Inputs != 2 || len(got.Files) != 2 || got.Files[0].Folder != "both" || got.Files[1].Name != "f.go" {
		t.Fatalf("%+v", got)
	}
	text := ""
	for _, f := range got.Files {
		text += fmt.Sprint(f.Folder, f.Owners)
		for _, b := range f.Blocks {
			text += fmt.Sprintf(" %d:", b.Line)
			for _, h := range b.Hits {
				text += fmt.Sprintf("(%d %s %v)", h.Inputs, map[bool]string{true: "e"}[h.Ever], h.Inputs > 0 && got.Examples[h.Example].Hash == "h0")
			}
		}
		text += "\n"
	}
	want := "both[true true] 1:(2 e true)(1  true) 3:(0 e false)(0 e false)\nown[true false] 7:(1 e false)(1  true)\n"
	if text != want {
		t.Errorf("got  %q\nwant %q", text, want)
	}
	if len(got.Examples) != 2 || got.Examples[1].Hash != "h1" || got.Examples[1].Hex == "" || !slices.Equal(got.Examples[0].Outcomes, []string{"accepted", "rejected"}) {
		t.Errorf("examples %+v", got.Examples)
	}

	// Coverage of another build has no meaning for these blocks.
	if err := p.folder.Save(state.Snapshot{BuildID: "b2", Seen: seen}); err != nil {
		t.Fatal(err)
	}
	if got, err = newLineCount(p, nil).finish(); err != nil || got.Files[0].Blocks[1].Hits[0].Ever {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestLinesInterrupted checks that an interruption keeps the counts, and is reported.
func TestLinesInterrupted(t *testing.T) {
	p := counted(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := newLineCount(p, []corpus.Entry{{Hash: "h0", Flat: []byte("x")}})
	if err := c.run(ctx, func(string) {}); err != nil || c.out.Inputs != 0 || c.out.Stopped != "Then the run was interrupted." {
		t.Errorf("%v, %+v", err, c.out)
	}
}
