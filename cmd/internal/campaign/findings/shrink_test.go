package findings

import (
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/oracle"
)

// contents returns the files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestShrunkKeepsHoles checks that recorded holes stay until more is known about the same input.
func TestShrunkKeepsHoles(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the input", "in1")
	found.Holes = []minimize.Hole{{Start: 2, End: 3, Of: "digit"}}
	addAll(t, f, found)
	before := contents(t, folder.Dir())
	for _, test := range []struct {
		name  string
		small string
		holes []minimize.Hole
		holed bool
		want  int // holes on record then
	}{
		{"stopped before", "in1", nil, false, 1},
		{"stopped on the way", "in1", []minimize.Hole{{Start: 0, End: 1, Of: "byte"}}, false, 1},
		{"the same", "in1", found.Holes, true, 1},
		{"none any more", "in1", nil, true, 0},
		{"another input", "in", []minimize.Hole{{Start: 0, End: 1, Of: "byte"}}, false, 1},
	} {
		next := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "in1", test.small)
		next.Holes = test.holes
		if err := f.Shrink(f.buckets[findingstest.FirstID], &triage.Smaller{Result: next, Holed: test.holed}); err != nil {
			t.Fatal(err)
		}
		got := newFindings(t, folder).buckets[findingstest.FirstID].Best
		if string(got.Minimized) != test.small || len(got.Holes) != test.want || len(next.Holes) != test.want {
			t.Errorf("%s: %q with holes %v on record, %v told", test.name, got.Minimized, got.Holes, next.Holes)
		}
		if same := maps.Equal(contents(t, folder.Dir()), before); same != (test.small == "in1" && test.want == 1) {
			t.Errorf("%s: all files as before: %v", test.name, same)
		}
	}
}

// TestShrunkKeepsTheRest checks that a smaller input changes only the files that depend on it, in
// its folder and in those of similar findings.
func TestShrunkKeepsTheRest(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f,
		findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "1.0.0-01 long", "1.0.0-01"),
		findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "1.0.0-02 long", "1.0.0-02"),
		findingstest.Disagreement(findingstest.ThirdID, findingstest.ThirdID, "nothing of the kind", "nothing"))
	f = newFindings(t, folder) // as in parallax minimize
	was := *f.buckets[findingstest.SecondID]

	next := findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "1.0.0-02", "1.0.0-2")
	next.Results[0], next.Results[1] = next.Results[1], next.Results[0]
	next.Results[0].ErrorClass = "another"
	if err := f.Shrink(f.buckets[findingstest.SecondID], &triage.Smaller{Result: next, Holed: true}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Buckets{f, newFindings(t, folder)} {
		b := f.buckets[findingstest.SecondID]
		if b.Best.FoundAt != 11 || b.Best.FoundAt != was.Best.FoundAt || b.Count != was.Count || b.FirstSeen != was.FirstSeen || b.LastSeen != was.LastSeen ||
			string(b.Best.Input) != "1.0.0-02 long" || string(b.Best.Parent) != "parent" || !b.Accepted || b.BestHash != was.BestHash {
			t.Errorf("%+v, %+v", b, b.Best)
		}
		if string(b.Best.Minimized) != "1.0.0-2" || b.Outcomes["a"] != oracle.Rejected.String() || b.Classes["a"] != "another" {
			t.Errorf("%q, %v, %v", b.Best.Minimized, b.Outcomes, b.Classes)
		}
		if one, two := similarOf(f.buckets[findingstest.FirstID]), similarOf(b); one != "aaaa2 75 input" || two != "aaaa1 75 input" {
			t.Errorf("similar to %q and %q", one, two)
		}
	}
	for _, id := range []string{findingstest.FirstID, findingstest.SecondID} {
		page, err := folder.ReadFinding(id, f.buckets[id].BestHash, ReportFile)
		if err != nil || !strings.Contains(string(page), "input, 75 of 100") {
			t.Errorf("the report of %s does not tell what is similar: %v\n%s", id, err, page)
		}
	}

	// Links to buckets that are no longer similar disappear.
	if err := f.Shrink(f.buckets[findingstest.SecondID], &triage.Smaller{Result: findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "1.0.0-2", "x"), Holed: true}); err != nil {
		t.Fatal(err)
	}
	if b := newFindings(t, folder).buckets[findingstest.FirstID]; !slices.Equal(b.Similar, nil) {
		t.Errorf("similar to %v", b.Similar)
	}
	page, err := folder.ReadFinding(findingstest.FirstID, f.buckets[findingstest.FirstID].BestHash, ReportFile)
	if err != nil || strings.Contains(string(page), "## Similar") {
		t.Errorf("the report keeps a link that is gone: %v\n%s", err, page)
	}
}
