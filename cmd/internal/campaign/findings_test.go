package campaign

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/accept"
	"parallax/cmd/internal/campaign/state"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/target"
	"parallax/cmd/internal/triage"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Ids of buckets in these tests.
const (
	firstID  = "aaaa00000001"
	secondID = "aaaa00000002"
	thirdID  = "bbbb00000003"
)

func testTarget() *target.InProcess {
	return &target.InProcess{Facts: target.Facts{
		Plan:  &harness.Plan{Target: "a-b", Programs: []harness.Program{{Name: "a"}, {Name: "b"}}},
		Names: []string{"a", "b"}, Shape: input.Shape{input.String},
	}}
}

func newFindings(t *testing.T, folder *state.Folder) *findings {
	t.Helper()
	f, problems, err := loadFindings(folder, testTarget(), &accept.File{Entries: []accept.Entry{{Bucket: secondID, Reason: "known"}}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return f
}

// disagreement is a judged discrepancy; small "" is one that was not minimised.
func disagreement(before, id, flat, small string) *triage.Finding {
	f := &triage.Finding{
		Kind: triage.Discrepancy, Layer: judge.VerdictLayer, Flat: []byte(flat), Minimized: []byte(small),
		Before: before, Bucket: id, Deciding: []int{triage.None, triage.None},
	}
	if small == "" {
		f.Minimized, f.Bucket = f.Flat, before
		return f
	}
	f.Results = []wire.RunResult{
		{Outcome: uint64(judge.Accepted)}, {Outcome: uint64(judge.Rejected), Error: "no", ErrorType: "T", ErrorClass: "no"},
	}
	return f
}

func addAll(t *testing.T, f *findings, list ...*triage.Finding) {
	t.Helper()
	for i, found := range list {
		if _, _, err := f.add(found, triage.Candidate{Flat: found.Flat, Parent: []byte("parent"), Inputs: uint64(10 + i)}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFindings(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	steps := []struct {
		name   string
		found  *triage.Finding
		id     string
		fresh  bool
		count  uint64
		stored int
		best   string
	}{
		{"the first of a bucket", disagreement(firstID, firstID, "long", "ln"), firstID, true, 1, 1, "ln"},
		{"a larger one", disagreement(firstID, firstID, "longer", "lng"), firstID, false, 2, 2, "ln"},
		{"a smaller one", disagreement(firstID, firstID, "other", "z"), firstID, false, 3, 3, "z"},
		{"one as small, earlier in order", disagreement(firstID, firstID, "another", "a"), firstID, false, 4, 4, "a"},
		{"one that was filed before a kill", disagreement(firstID, firstID, "another", "a"), firstID, false, 5, 4, "a"},
		{"not minimised", disagreement(firstID, "", "huge", ""), firstID, false, 6, 4, "a"},
		{"another bucket, found by minimising", disagreement(thirdID, secondID, "x long", "x"), secondID, true, 1, 1, "x"},
		{"not minimised, known under what it was before", disagreement(thirdID, "", "x huge", ""), secondID, false, 2, 1, "x"},
	}
	for i, s := range steps {
		b, fresh, err := f.add(s.found, triage.Candidate{Flat: s.found.Flat, Inputs: uint64(i)})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if b.ID != s.id || fresh != s.fresh || b.Count != s.count || b.stored != s.stored || string(b.best.Minimized) != s.best {
			t.Errorf("%s: bucket %s, new %v, %d inputs, %d stored, best %q", s.name, b.ID, fresh, b.Count, b.stored, b.best.Minimized)
		}
		if b.LastSeen != uint64(i) || b.Accepted != (s.id == secondID) {
			t.Errorf("%s: last seen %d, accepted %v", s.name, b.LastSeen, b.Accepted)
		}
	}
	if got := fmt.Sprint(f.total(), f.kinds()); got != "8 map[discrepancy:1]" {
		t.Errorf("total and kinds: %s", got)
	}
	if _, _, err := f.add(disagreement("cccc00000000", "", "lost", ""), triage.Candidate{}); err == nil {
		t.Error("a bucket without any input is filed")
	}

	// What is on disk says the same.
	loaded := newFindings(t, folder)
	for id, b := range f.buckets {
		l := loaded.buckets[id]
		if l == nil || l.Count != b.Count || l.stored != b.stored || l.bestHash != b.bestHash || !bytes.Equal(l.best.Minimized, b.best.Minimized) {
			t.Errorf("bucket %s was %+v and is loaded as %+v", id, b, l)
		}
	}
	rows := loaded.rows()
	if len(rows) != 2 || rows[0].ID != firstID || rows[1].ID != secondID || !rows[1].Accepted || rows[1].Reason != "known" {
		t.Errorf("rows %+v: open ones come first", rows)
	}
	for _, path := range []string{rows[0].Input, rows[0].Minimized} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// A bucket has enough inputs when what led to it before has led there often enough.
func TestEnough(t *testing.T) {
	f := newFindings(t, openFolder(t, t.TempDir()))
	for i := range enoughInputs {
		if f.enough(thirdID) || f.enough(firstID) {
			t.Errorf("enough after %d", i)
		}
		addAll(t, f, disagreement(thirdID, firstID, fmt.Sprint("input ", i), fmt.Sprint(i)))
	}
	if !f.enough(thirdID) || !f.enough(firstID) || f.enough(secondID) {
		t.Errorf("enough: %v under the old name, %v under the new, %v of another", f.enough(thirdID), f.enough(firstID), f.enough(secondID))
	}
}

// However many inputs a bucket gets, few are stored.
func TestStoredInputsAreBounded(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	for i := range storedInputs + 5 {
		addAll(t, f, disagreement(firstID, firstID, fmt.Sprint("input ", i), fmt.Sprint(i)))
	}
	entries, err := os.ReadDir(filepath.Join(folder.Dir(), "findings", firstID))
	if err != nil {
		t.Fatal(err)
	}
	dirs := 0
	for _, e := range entries {
		if e.IsDir() {
			dirs++
		}
	}
	if dirs != storedInputs || f.buckets[firstID].Count != storedInputs+5 {
		t.Errorf("%d inputs stored of %d", dirs, f.buckets[firstID].Count)
	}
}

// A finding that cannot be read is told and left out; the others stay.
func TestBrokenFindings(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, disagreement(firstID, firstID, "one", "1"), disagreement(firstID, firstID, "two", "22"), disagreement(secondID, secondID, "three", "3"))
	for id, data := range map[string]string{firstID: "{", secondID: ""} {
		path := folder.FindingPath(id, f.buckets[id].bestHash, outputsFile)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, problems, err := loadFindings(folder, testTarget(), &accept.File{})
	if err != nil || len(problems) != 2 || !strings.Contains(strings.Join(problems, "\n"), outputsFile) {
		t.Errorf("%v, problems %q", err, problems)
	}
	if b := loaded.buckets[firstID]; b == nil || string(b.best.Minimized) != "22" || loaded.buckets[secondID] != nil {
		t.Errorf("loaded %v", loaded.buckets)
	}
}

// A campaign killed between a finding and its bucket's own file knows all that it had found.
func TestBucketWithoutItsFile(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, disagreement(firstID, firstID, "one", "1"))
	before := f.buckets[firstID]
	if err := os.Remove(filepath.Join(folder.Dir(), "findings", firstID, "bucket.json")); err != nil {
		t.Fatal(err)
	}
	f = newFindings(t, folder)
	if got := f.buckets[firstID]; got == nil || got.Kind != before.Kind || !reflect.DeepEqual(got.Outcomes, before.Outcomes) || got.Count != 1 {
		t.Errorf("loaded %+v, was %+v", got, before)
	}
	addAll(t, f, disagreement(firstID, firstID, "one", "1")) // it was pending, and is judged again
	if got := f.buckets[firstID]; got.stored != 1 || got.Kind != triage.Discrepancy {
		t.Errorf("filed again: %+v", got)
	}
}

func TestFindingFiles(t *testing.T) {
	folder := openFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, disagreement(firstID, firstID, "the input", "in"))
	want := map[string]string{inputFile: "the input", minimizedFile: "in", parentFile: "parent"}
	for name, text := range want {
		data, err := folder.ReadFinding(firstID, f.buckets[firstID].bestHash, name)
		if err != nil || string(data) != text {
			t.Errorf("%s: %q, %v, want %q", name, data, err, text)
		}
	}
	page, err := folder.ReadFinding(firstID, f.buckets[firstID].bestHash, reportFile)
	if err != nil || !bytes.Contains(page, []byte(firstID)) || !bytes.Contains(page, []byte("parallax replay")) {
		t.Errorf("report: %v\n%s", err, page)
	}

	// Of an input that was found among those before the one in flight, the parent is not known.
	f.add(disagreement(secondID, secondID, "culprit", "c"), triage.Candidate{Flat: []byte("in flight"), Parent: []byte("p"), Deadly: true})
	if data, err := folder.ReadFinding(secondID, f.buckets[secondID].bestHash, parentFile); err != nil || data != nil {
		t.Error("the culprit is given the parent of another input")
	}
}

func TestLocation(t *testing.T) {
	target := testTarget()
	target.Space = &flow.Space{Tested: func(function string) bool { return strings.HasPrefix(function, "example.com/m/") }}
	f := &findings{target: target, facts: target.About()}
	frames := []judge.Frame{{Func: "runtime.x"}, {Func: "example.com/module.F", File: "other.go", Line: 1}, {Func: "example.com/m/p.(*T).F", File: "p.go", Line: 7}}
	crash := &triage.Finding{Kind: judge.KindCrash, Crash: judge.Crash{Frames: frames}}
	if got := f.location(crash, nil); got != "p.go:7" {
		t.Errorf("crash at %q, want the first frame of what is tested", got)
	}
	crash.Crash.Frames = frames[:2]
	if got := f.location(crash, nil); got != "" {
		t.Errorf("crash outside at %q", got)
	}
}

func TestRelative(t *testing.T) {
	tests := []struct{ base, path, want string }{
		{"/home/user", "/home/user/.parallax/a-b", ".parallax/a-b"},
		{"/home/user", "/home/user", "."},
		{"/home/user", "/tmp/out", "/tmp/out"},
		{"/home/user", "/home/user2", "/home/user2"},
		{"relative", "/tmp/out", "/tmp/out"},
		{"/", "/tmp/out", "tmp/out"},
		{"/home/user", "/home/user/..out", "..out"},
	}
	for _, test := range tests {
		if got := relative(test.base, test.path); got != test.want {
			t.Errorf("%s from %s: %q, want %q", test.path, test.base, got, test.want)
		}
	}
}

func TestSmaller(t *testing.T) {
	ordered := []string{"", "a", "b", "aa", "ab"}
	for i, a := range ordered {
		for k, b := range ordered {
			if got := smaller([]byte(a), []byte(b)); got != (i < k) {
				t.Errorf("%q smaller than %q: %v", a, b, got)
			}
		}
	}
}
