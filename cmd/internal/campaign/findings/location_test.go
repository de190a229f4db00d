package findings

import (
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestRelocated checks that a bucket of older programs is marked until it is located again. It
// keeps its id, its count and its input, and the new variant belongs to it.
func TestRelocated(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	f.facts.CodeID = "old"
	addAll(t, f, findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "in"), findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "longer", "in2"))
	check := func(older bool) {
		t.Helper()
		for range 2 {
			b := f.Find(findingstest.FirstID)
			if row := f.Row(b); row.Older != older || f.Page(b).Older != older || row.Count != 2 || row.ID != findingstest.FirstID || string(b.Best.Input) != "long" {
				t.Errorf("want older %v: %+v", older, row)
			}
			f = newFindings(t, folder)
			f.facts.CodeID = "new"
		}
	}
	if err := f.MarkOlder(); err != nil {
		t.Fatal(err)
	}
	check(false)
	if err := f.MarkOlder(); err != nil {
		t.Fatal(err)
	}
	check(true)
	now := findingstest.Disagreement(findingstest.FirstID, findingstest.SecondID, "in", "in")
	now.Variant, now.Results[1].Error = findingstest.SecondID, "another"
	if err := f.Relocate(findingstest.FirstID, now); err != nil {
		t.Fatal(err)
	}
	check(false)
	if got := f.Find(findingstest.FirstID).Best.Programs[1].Error; got != "another" {
		t.Errorf("the error is %q", got)
	}
	again := findingstest.Disagreement(findingstest.SecondID, findingstest.SecondID, "further", "further")
	again.Variant = findingstest.SecondID
	if b, fresh, err := f.Add(again, finding.Candidate{Flat: again.Flat}); err != nil || fresh || b.ID != findingstest.FirstID {
		t.Errorf("a finding of the new variant: %+v, new %v, %v", b, fresh, err)
	}
}

// TestSameFailure checks which failures after an edit are that of the bucket.
func TestSameFailure(t *testing.T) {
	for _, test := range []struct {
		name, kind, bucket, message string
		extra                       string
		want                        bool
	}{
		{"the same id", "crash", findingstest.FirstID, "other", "", true},
		{"a renamed function", "crash", findingstest.SecondID, "index 8", "", true},
		{"another message", "crash", findingstest.SecondID, "other", "", false},
		{"another message of its place", "failure", findingstest.SecondID, "other", placedKey, true},
		{"a shared message", "failure", findingstest.SecondID, "other", sharedKey, true},
		{"a timeout elsewhere", "timeout", findingstest.SecondID, "other", "", true},
	} {
		b := &Group{Bucket: finding.Bucket{ID: findingstest.FirstID, Kind: test.kind}, Best: &finding.Finding{
			Kind: test.kind, Program: "a", Programs: []finding.Program{{Name: "a", Detail: oracle.Detail{Outcome: "crashed"}, Message: "index 7"}},
		}}
		if test.extra != "" {
			b.setExtra(test.extra, "1")
		}
		found := &triage.Result{Kind: test.kind, Bucket: test.bucket, Results: []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: test.message}}}
		if got := b.SameFailure(found); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
