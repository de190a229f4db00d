package archive

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/flow"
	"parallax/internal/diversity"
)

// outline returns an outline of a dependency and of a package of the code under test.
func outline(build string) *flow.Outline {
	s := &flow.Space{Tested: func(function string) bool { return strings.HasPrefix(function, "own.") }}
	blocks := func(file string) []flow.Block {
		return []flow.Block{{ID: 0, Kind: flow.Entry, File: file, Line: 3, EndLine: 9}, {ID: 1, Kind: flow.Then, File: file, Line: 5, EndLine: 6}}
	}
	funcs := []flow.Func{{Name: "F", Count: 2}}
	s.Add(&flow.Table{Package: "dep", Funcs: funcs, Blocks: blocks("/mod/dep/dep.go")}, 0)
	s.Add(&flow.Table{Package: "own", Funcs: funcs, Blocks: blocks("own/own.go")}, 0, 1)
	return &flow.Outline{Build: build, Space: s}
}

// TestExecuted checks the coverage by line of a folder, and the reasons why it has none.
func TestExecuted(t *testing.T) {
	inFolder(t)
	leaveCampaign(t, "campaign", findingstest.FirstID)
	read := func() *View {
		t.Helper()
		v, err := Follow("campaign").Read(time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	none := func(want string) {
		t.Helper()
		if c, reason := read().Executed(); c != nil || !strings.Contains(reason, want) {
			t.Errorf("%+v, %q, want %q", c, reason, want)
		}
	}
	write := func(blocks []byte) {
		t.Helper()
		folder := findingstest.OpenFolder(t, "campaign")
		defer folder.Close()
		traces := make(diversity.Record, diversity.RecordSize(4))
		traces.Count([]uint32{2}, 0, diversity.Sight{New: true, Weight: 1, Times: 1})
		s := state.Snapshot{BuildID: "one", Seen: map[string][]byte{"a": {0, 0, 1, 1}, "b": {0, 0, 1, 0}}, Branches: map[string][]byte{"a": traces.Encode(nil)}}
		if err := folder.Save(s); err != nil {
			t.Fatal(err)
		}
		if err := folder.WriteBlocks(blocks); err != nil {
			t.Fatal(err)
		}
	}
	none("does not have the places")
	write([]byte("plxlines"))
	none("cannot be read")
	write(outline("two").Encode("/home/user"))
	none("have changed")
	write(outline("one").Encode("/home/user"))
	v := read()
	c, reason := v.Executed()
	if c == nil || len(c.Files) != 2 {
		t.Fatalf("%+v, %q", c, reason)
	}
	dep, own := c.Files[0], c.Files[1]
	if dep.Own || !own.Own || own.Path != filepath.Join(v.Options.Dir, "own/own.go") || dep.Path != "/mod/dep/dep.go" || dep.Owners[1] {
		t.Errorf("%+v, %+v", dep, own)
	}
	if got := own.Covered(2); got[0] != 2 || got[1] != 1 {
		t.Errorf("covered %v", got)
	}
	if got := dep.Covered(2); got[0] != 0 || got[1] != -1 {
		t.Errorf("covered %v of the dependency", got)
	}
	if hit := own.Blocks[0].Hits[0]; hit.Traces != 1 || !hit.Ever {
		t.Errorf("%+v", hit)
	}
}
