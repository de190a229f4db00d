package findings

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"parallax/cmd/internal/finding"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/show/text"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func newFindings(t *testing.T, folder *state.Folder) *Buckets {
	t.Helper()
	f, problems, err := Load(folder, findingstest.Target(), &accept.File{Entries: []accept.Entry{{Bucket: findingstest.SecondID, Reason: "known"}}})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	f.Describe = text.Markdown
	return f
}

func addAll(t *testing.T, f *Buckets, list ...*triage.Result) {
	t.Helper()
	for i, found := range list {
		if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat, Parent: []byte("parent"), Inputs: uint64(10 + i)}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFindings(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	steps := []struct {
		name   string
		found  *triage.Result
		id     string
		fresh  bool
		count  uint64
		stored int
		best   string
	}{
		{"the first of a bucket", findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "ln"), findingstest.FirstID, true, 1, 1, "ln"},
		{"a larger one", findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "longer", "lng"), findingstest.FirstID, false, 2, 2, "ln"},
		{"a smaller one", findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "other", "z"), findingstest.FirstID, false, 3, 3, "z"},
		{"one as small, earlier in order", findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "another", "a"), findingstest.FirstID, false, 4, 4, "a"},
		{"one that was filed before a kill", findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "another", "a"), findingstest.FirstID, false, 5, 4, "a"},
		{"not minimized", findingstest.Disagreement(findingstest.FirstID, "", "huge", ""), findingstest.FirstID, false, 6, 4, "a"},
		{"another bucket, found by minimizing", findingstest.Disagreement(findingstest.ThirdID, findingstest.SecondID, "x long", "x"), findingstest.SecondID, true, 1, 1, "x"},
		{"not minimized, known under what it was before", findingstest.Disagreement(findingstest.ThirdID, "", "x huge", ""), findingstest.SecondID, false, 2, 1, "x"},
	}
	for i, s := range steps {
		b, fresh, err := f.Add(s.found, finding.Candidate{Flat: s.found.Flat, Inputs: uint64(i)})
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if b.ID != s.id || fresh != s.fresh || b.Count != s.count || b.stored != s.stored || string(b.Best.Minimized) != s.best {
			t.Errorf("%s: bucket %s, new %v, %d inputs, %d stored, best %q", s.name, b.ID, fresh, b.Count, b.stored, b.Best.Minimized)
		}
		if b.LastSeen != uint64(i) || b.Accepted != (s.id == findingstest.SecondID) {
			t.Errorf("%s: last seen %d, accepted %v", s.name, b.LastSeen, b.Accepted)
		}
	}
	if got := fmt.Sprint(f.Total(), f.Kinds()); got != "8 map[discrepancy:1]" {
		t.Errorf("total and kinds: %s", got)
	}
	// A flaky bucket stays listed, and its inputs do not count as findings.
	flaky := newFindings(t, folder)
	if err := flaky.MarkFlaky(findingstest.FirstID, "chance"); err != nil {
		t.Fatal(err)
	}
	if rows := flaky.Rows(); flaky.Total() != 2 || len(rows) != 2 || !rows[0].Flaky && !rows[1].Flaky {
		t.Errorf("%d findings in %+v", flaky.Total(), rows)
	}
	if err := f.folder.WriteBucket(f.buckets[findingstest.FirstID].Bucket); err != nil { // as it was
		t.Fatal(err)
	}
	if _, _, err := f.Add(findingstest.Disagreement("cccc00000000", "", "lost", ""), finding.Candidate{}); err == nil {
		t.Error("a bucket without any input is filed")
	}

	// A second reader of the folder sees the same.
	loaded := newFindings(t, folder)
	for id, b := range f.buckets {
		l := loaded.buckets[id]
		if l == nil || l.Count != b.Count || l.stored != b.stored || l.BestHash != b.BestHash || !bytes.Equal(l.Best.Minimized, b.Best.Minimized) {
			t.Errorf("bucket %s was %+v and is loaded as %+v", id, b, l)
		}
	}
	rows := loaded.Rows()
	if len(rows) != 2 || rows[0].ID != findingstest.FirstID || rows[1].ID != findingstest.SecondID || !rows[1].Accepted || rows[1].Reason != "known" {
		t.Errorf("rows %+v: open ones come first", rows)
	}
	for _, path := range []string{rows[0].Input, rows[0].Minimized} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestSaturatedBuckets checks that a bucket is saturated by inputs that led to it before
// minimizing.
func TestSaturatedBuckets(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	for i := range enoughInputs {
		if f.Saturated(findingstest.ThirdID) || f.Saturated(findingstest.FirstID) {
			t.Errorf("enough after %d", i)
		}
		addAll(t, f, findingstest.Disagreement(findingstest.ThirdID, findingstest.FirstID, fmt.Sprint("input ", i), fmt.Sprint(i)))
	}
	if !f.Saturated(findingstest.ThirdID) || !f.Saturated(findingstest.FirstID) || f.Saturated(findingstest.SecondID) {
		t.Errorf("enough: %v under the old name, %v under the new, %v of another", f.Saturated(findingstest.ThirdID), f.Saturated(findingstest.FirstID), f.Saturated(findingstest.SecondID))
	}
}

// TestSkipAccepted checks that SkipAccepted stops triage after the first input of an accepted
// difference, and of no other.
func TestSkipAccepted(t *testing.T) {
	for _, skip := range []bool{false, true} {
		f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
		f.SkipAccepted = skip
		addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "open", "o"))
		if f.AnySaturated() {
			t.Errorf("skip %v: enough of a difference that nobody accepted", skip)
		}
		addAll(t, f, findingstest.Disagreement(findingstest.ThirdID, findingstest.SecondID, "accepted", "a"))
		for id, want := range map[string]bool{findingstest.FirstID: false, findingstest.SecondID: skip, findingstest.ThirdID: skip} {
			if f.Saturated(id) != want {
				t.Errorf("skip %v: enough of %s: %v", skip, id, !want)
			}
		}
		if f.AnySaturated() != skip {
			t.Errorf("skip %v: enough of any: %v", skip, !skip)
		}
	}
}

// TestStaleIsBounded checks that a bucket that often goes and shows again keeps a bounded number of
// findings, and always the one that shows.
func TestStaleIsBounded(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	for cycle := range 8 {
		for n := range storedInputs + 2 {
			input := fmt.Sprint("cycle ", cycle, " input ", n)
			addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, input, input))
		}
		smallest := f.Find(findingstest.FirstID).BestHash
		if cycle%2 == 1 {
			f = newFindings(t, folder)
		}
		b := f.Find(findingstest.FirstID)
		if b.BestHash != smallest || b.stored != storedInputs {
			t.Fatalf("cycle %d: %s stands for the bucket, not %s, of %d", cycle, b.BestHash, smallest, b.stored)
		}
		all, _, err := folder.ReadFindings()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(all[0].Hashes); n > maxStale+storedInputs {
			t.Fatalf("cycle %d: %d findings on disk", cycle, n)
		}
		if err := f.Mark(findingstest.FirstID, true); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReappearance checks that a bucket that shows again after an edit of the programs replaces its
// record. It is not flaky and has no additional variant.
func TestReappearance(t *testing.T) {
	dir := t.TempDir()
	folder := findingstest.OpenFolder(t, dir)
	f := newFindings(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "first", "f"))
	for _, err := range []error{f.MarkFlaky(findingstest.FirstID, "chance"), f.Mark(findingstest.FirstID, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if f.Saturated(findingstest.FirstID) {
		t.Error("enough of what shows no more")
	}
	// The same input shows again, and is not smaller.
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "first", "first"))
	for range 2 {
		b := f.Find(findingstest.FirstID)
		if row := f.Row(b); row.Gone || row.Flaky || string(b.Best.Minimized) != "first" || b.Count != 1 {
			t.Errorf("gone %v, flaky %v, smallest input %q, %d inputs", row.Gone, row.Flaky, b.Best.Minimized, b.Count)
		}
		f = newFindings(t, folder)
	}
	// A larger input shows, then the one on disk.
	if err := f.Mark(findingstest.FirstID, true); err != nil {
		t.Fatal(err)
	}
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the second", "the second"))
	for range 2 {
		b := f.Find(findingstest.FirstID)
		if string(b.Best.Minimized) != "the second" || b.Count != 1 || !b.stale(corpus.Hash([]byte("first"))) || b.stored != 1 {
			t.Errorf("smallest input %q, %d inputs, %d stored, %v", b.Best.Minimized, b.Count, b.stored, b.Extra)
		}
		f = newFindings(t, folder)
	}
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "first", "f"))
	for range 2 {
		if b := f.Find(findingstest.FirstID); string(b.Best.Minimized) != "f" || b.Count != 2 || b.Extra[staleKey] != "" {
			t.Errorf("smallest input %q, %d inputs, %v", b.Best.Minimized, b.Count, b.Extra)
		}
		f = newFindings(t, folder)
	}
}

// TestFirstStays checks that of several inputs with one minimized form, the first represents the
// bucket, also after it is read again. Lists then show the same origin.
func TestFirstStays(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	for _, flat := range []string{"one", "two", "three", "four"} {
		addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, flat, "in"))
	}
	for _, f := range []*Buckets{f, newFindings(t, f.folder)} {
		if got := string(f.Find(findingstest.FirstID).Best.Input); got != "one" {
			t.Errorf("the bucket shows %q, want the first", got)
		}
	}
}

// TestWithdrawn checks announced findings whose inputs show nothing: they are gone if the programs
// have changed, and flaky otherwise.
func TestWithdrawn(t *testing.T) {
	for _, changed := range []bool{false, true} {
		f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
		found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "input")
		cand := finding.Candidate{Flat: found.Flat, Layer: found.Layer}
		found.Unfinished = f.CandidateKey(&cand)
		if _, _, err := f.Add(found, cand); err != nil {
			t.Fatal(err)
		}
		if row := f.Rows()[0]; !row.Unminimized {
			t.Errorf("before its triage is done: %+v", row)
		}
		if changed {
			f.facts.CodeID = "changed"
		}
		if err := f.Withdraw(found.Unfinished, nil, changed); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			row := f.Rows()[0]
			if row.Gone != changed || row.Flaky == changed || row.Unverified || row.Unminimized {
				t.Errorf("changed %v: %+v", changed, row)
			}
			f = newFindings(t, f.folder)
		}
	}
}

// TestFlakyOfOthers checks that a bucket that was flaky in other programs and no longer shows is
// gone. One of the same programs stays flaky.
func TestFlakyOfOthers(t *testing.T) {
	for _, changed := range []bool{false, true} {
		f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
		addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in"))
		if err := f.MarkFlaky(findingstest.FirstID, "chance"); err != nil {
			t.Fatal(err)
		}
		if changed {
			f.facts.CodeID = "changed"
		}
		if err := f.Mark(findingstest.FirstID, true); err != nil {
			t.Fatal(err)
		}
		if row := f.Rows()[0]; !row.Gone || row.Flaky == changed {
			t.Errorf("changed %v: %+v", changed, row)
		}
		if err := f.Mark(findingstest.FirstID, false); err != nil {
			t.Fatal(err)
		}
		if row := f.Rows()[0]; row.Gone || row.Flaky == changed || row.Unverified != changed {
			t.Errorf("changed %v, shows again: %+v", changed, row)
		}
	}
}

// TestFlakyIsFoundAgain checks that the inputs of a flaky bucket do not count and never saturate
// it. The next confirmed finding opens it again.
func TestFlakyIsFoundAgain(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	found := func(n int) *triage.Result {
		return findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, fmt.Sprint("input ", n), fmt.Sprint("input ", n))
	}
	for n := range enoughInputs {
		addAll(t, f, found(n))
	}
	if err := f.MarkFlaky(findingstest.FirstID, "chance"); err != nil {
		t.Fatal(err)
	}
	hash := corpus.Hash([]byte("input 0"))
	if f.Saturated(findingstest.FirstID) || f.Filed("verdict", hash) || len(f.Kinds()) > 0 {
		t.Errorf("saturated %v, filed %v, kinds %v", f.Saturated(findingstest.FirstID), f.Filed("verdict", hash), f.Kinds())
	}
	addAll(t, f, found(0))
	for range 2 {
		b := f.Find(findingstest.FirstID)
		if row := f.Row(b); row.Flaky || !row.Open() || !row.Unverified || b.Count != 1 || !f.Filed("verdict", hash) || f.Kinds()[finding.KindDiscrepancy] != 1 {
			t.Errorf("found again: %+v, %d inputs, %v", row, b.Count, b.Extra)
		}
		f = newFindings(t, folder)
	}
}

// TestNothingToShow checks that a finding whose own results do not show it leaves nothing on disk.
func TestNothingToShow(t *testing.T) {
	dir := t.TempDir()
	f := newFindings(t, findingstest.OpenFolder(t, dir))
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "ln")
	accepted, rejected := found.Results[0], found.Results[1]
	other := rejected
	other.Class, other.Value = 1, 1 // of errors, no disagreement in the verdict
	nothing := map[string][]wire.RunResult{"the same": {accepted, accepted}, "another layer": {rejected, other}}
	for name, results := range nothing {
		found.Results = results
		if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat}); err == nil || !strings.Contains(err.Error(), "do not show a discrepancy") {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "findings", "*"))
	if f.Count() > 0 || len(left) > 0 {
		t.Errorf("%d buckets, %q on disk", f.Count(), left)
	}
	// It does not replace an older input either.
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "ln"))
	before := contents(t, dir)
	for name, results := range nothing {
		small := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "ln", "l")
		small.Results = results
		err := f.Shrink(f.Find(findingstest.FirstID), &triage.Smaller{Result: small, Holed: true})
		if err == nil || !strings.Contains(err.Error(), "do not show a discrepancy") || !maps.Equal(contents(t, dir), before) {
			t.Errorf("%s: %v, or something is written", name, err)
		}
	}
}

// TestStoredInputsAreBounded checks that a bucket with many inputs stores few.
func TestStoredInputsAreBounded(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	for i := range storedInputs + 5 {
		addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, fmt.Sprint("input ", i), fmt.Sprint(i)))
	}
	entries, err := os.ReadDir(filepath.Join(folder.Dir(), "findings", findingstest.FirstID))
	if err != nil {
		t.Fatal(err)
	}
	dirs := 0
	for _, e := range entries {
		if e.IsDir() {
			dirs++
		}
	}
	if dirs != storedInputs || f.buckets[findingstest.FirstID].Count != storedInputs+5 {
		t.Errorf("%d inputs stored of %d", dirs, f.buckets[findingstest.FirstID].Count)
	}
}

// TestBrokenFindings checks that a finding that cannot be read is reported and left out. The others
// stay.
func TestBrokenFindings(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "one", "1"), findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "two", "22"), findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "three", "3"))
	for id, data := range map[string]string{findingstest.FirstID: "{", findingstest.SecondID: ""} {
		path := folder.FindingPath(id, f.buckets[id].BestHash, OutputsFile)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, problems, err := Load(folder, findingstest.Target(), &accept.File{})
	if err != nil || len(problems) != 2 || !strings.Contains(strings.Join(problems, "\n"), OutputsFile) {
		t.Errorf("%v, problems %q", err, problems)
	}
	if b := loaded.buckets[findingstest.FirstID]; b == nil || string(b.Best.Minimized) != "22" || loaded.buckets[findingstest.SecondID] != nil {
		t.Errorf("loaded %v", loaded.buckets)
	}
}

// TestBucketWithoutItsFile checks that a campaign killed before it wrote a bucket's own file loses
// no finding.
func TestBucketWithoutItsFile(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "one", "1"))
	before := f.buckets[findingstest.FirstID]
	if err := os.Remove(filepath.Join(folder.Dir(), "findings", findingstest.FirstID, "bucket.json")); err != nil {
		t.Fatal(err)
	}
	f = newFindings(t, folder)
	if got := f.buckets[findingstest.FirstID]; got == nil || got.Kind != before.Kind || !reflect.DeepEqual(got.Outcomes, before.Outcomes) || got.Count != 1 {
		t.Errorf("loaded %+v, was %+v", got, before)
	}
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "one", "1")) // it was pending, and is triaged again
	if got := f.buckets[findingstest.FirstID]; got.stored != 1 || got.Kind != finding.KindDiscrepancy {
		t.Errorf("filed again: %+v", got)
	}
}

func TestFindingFiles(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the input", "in"))
	want := map[string]string{InputFile: "the input", MinimizedFile: "in", parentFile: "parent"}
	for name, text := range want {
		data, err := folder.ReadFinding(findingstest.FirstID, f.buckets[findingstest.FirstID].BestHash, name)
		if err != nil || string(data) != text {
			t.Errorf("%s: %q, %v, want %q", name, data, err, text)
		}
	}
	page, err := folder.ReadFinding(findingstest.FirstID, f.buckets[findingstest.FirstID].BestHash, ReportFile)
	if err != nil || !bytes.Contains(page, []byte(findingstest.FirstID)) || !bytes.Contains(page, []byte("parallax replay")) {
		t.Errorf("report: %v\n%s", err, page)
	}

	// The parent of an input from before the one in flight is unknown.
	f.Add(findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "culprit", "c"), finding.Candidate{Flat: []byte("in flight"), Parent: []byte("p"), Deadly: true})
	if data, err := folder.ReadFinding(findingstest.SecondID, f.buckets[findingstest.SecondID].BestHash, parentFile); err != nil || data != nil {
		t.Error("the culprit is given the parent of another input")
	}
}

func TestLocation(t *testing.T) {
	target := findingstest.Target()
	target.Space = &flow.Space{Tested: func(function string) bool { return strings.HasPrefix(function, "example.com/m/") }}
	f := &Buckets{target: target, facts: target.About()}
	frames := []oracle.Frame{{Func: "runtime.x"}, {Func: "example.com/module.F", File: "other.go", Line: 1}, {Func: "example.com/m/p.(*T).F", File: "p.go", Line: 7}}
	crash := &triage.Result{Kind: oracle.KindCrash, Crash: oracle.Crash{Frames: frames}}
	if got := f.location(crash, nil); got != "p.go:7" {
		t.Errorf("crash at %q, want the first frame of what is tested", got)
	}
	if got := f.caller(crash); got != "" {
		t.Errorf("crash in tested code is called at %q", got)
	}
	target.Space.Depends = func(function string) bool { return strings.HasPrefix(function, "example.com/module.") }
	if at, caller := f.location(crash, nil), f.caller(crash); at != "other.go:1" || caller != "p.go:7" {
		t.Errorf("crash in a dependency at %q, called at %q", at, caller)
	}
	crash.Kind, crash.Crash.Kind = oracle.KindFailure, oracle.KindFailure
	if at, caller := f.location(crash, nil), f.caller(crash); at != "p.go:7" || caller != "" {
		t.Errorf("failure that a dependency reports at %q, called at %q", at, caller)
	}
	target.Space.Depends, crash.Crash.Frames = nil, frames[:2]
	if got := f.location(crash, nil); got != "" {
		t.Errorf("crash outside at %q", got)
	}
}

// TestUnfinishedInBucket checks that a finding whose triage was cut short does not make the
// findings of its bucket stale.
func TestUnfinishedInBucket(t *testing.T) {
	f := newFindings(t, findingstest.OpenFolder(t, t.TempDir()))
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "first", "in"),
		findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "second", "of"))
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "a", "a")
	cand := finding.Candidate{Flat: found.Flat, Layer: found.Layer}
	found.Unfinished = f.CandidateKey(&cand)
	if b, fresh, err := f.Add(found, cand); err != nil || fresh || b.ID != findingstest.FirstID {
		t.Fatal(b, fresh, err)
	}
	found.Unfinished = ""
	if _, _, err := f.Add(found, cand); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b := f.Find(findingstest.FirstID)
		if b.Extra[staleKey] != "" || b.Count != 3 || f.Rows()[0].Unminimized || len(b.quoted) != 3 {
			t.Errorf("stale %q, %d inputs, %d on disk: %+v", b.Extra[staleKey], b.Count, len(b.quoted), f.Rows()[0])
		}
		f = newFindings(t, f.folder)
	}
}
