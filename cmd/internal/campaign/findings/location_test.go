package findings

import (
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
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

// TestUnsettled checks that a kill between the run of a finding's best input and those of its
// variants has them run next time.
func TestUnsettled(t *testing.T) {
	folder := findingstest.OpenFolder(t, t.TempDir())
	f := newFindings(t, folder)
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "long", "in")
	addAll(t, f, found)
	for range 2 {
		f = newFindings(t, folder)
		f.facts.CodeID = "edited"
		if err := f.MarkOlder(); err != nil {
			t.Fatal(err)
		}
		if !f.Unsettled(findingstest.FirstID) {
			t.Error("its variants do not run")
		}
		if err := f.Mark(findingstest.FirstID, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Relocate(findingstest.FirstID, found); err != nil || f.Unsettled(findingstest.FirstID) {
		t.Errorf("its variants run for ever: %v", err)
	}
}

// TestSameFailure checks which failures after an edit are that of the bucket.
func TestSameFailure(t *testing.T) {
	const deref = "runtime error: invalid memory address or nil pointer dereference"
	for _, test := range []struct {
		name, kind, extra string
		was, now          string // the messages
		in, at, bucket    string // the functions, and the bucket of the new place
		want              bool
	}{
		{"the same id", "crash", "", "index 7", "other", "m.f", "m.g", findingstest.FirstID, true},
		{"a renamed function", "crash", "", "index 7", "index 8", "m.old", "m.g", findingstest.SecondID, true},
		{"a renamed function, into a known place", "crash", "", deref, deref, "m.old", "m.g", findingstest.ThirdID, false},
		{"another function", "crash", "", deref, deref, "m.f", "m.g", findingstest.SecondID, false},
		{"another function, which is known", "crash", "", deref, deref, "m.f", "m.g", findingstest.ThirdID, false},
		{"another line of the function", "crash", "", deref, deref, "m.f", "m.f", findingstest.SecondID, true},
		{"a literal of the function", "crash", "", deref, deref, "m.f.func2", "m.f.func1.3", findingstest.SecondID, true},
		{"a literal of another function", "crash", "", deref, deref, "m.f.func1", "m.g.func1", findingstest.SecondID, false},
		{"a function of another program", "crash", "", deref, deref, "m.b", "m.g", findingstest.SecondID, true},
		{"another message", "crash", "", "index 7", "other", "m.f", "m.f", findingstest.SecondID, false},
		{"another status", "crash", "", "exit status 3", "exit status 4", "", "", findingstest.SecondID, false},
		{"another index", "crash", "", "runtime error: index out of range [5] with length 2", "runtime error: index out of range [-1]", "m.f", "m.f", findingstest.SecondID, true},
		{"another message of its place", "failure", placedKey, "index 7", "other", "m.f", "m.f", findingstest.SecondID, true},
		{"a message of another place", "failure", placedKey, "index 7", "index 7", "m.f", "m.g", findingstest.SecondID, false},
		{"a shared message", "failure", sharedKey, "index 7", "other", "m.f", "m.f", findingstest.SecondID, true},
		{"a timeout elsewhere", "timeout", "", "index 7", "other", "m.f", "m.g", findingstest.SecondID, true},
	} {
		f := open(t, findingstest.OpenFolder(t, t.TempDir()))
		f.facts.Space = &flow.Space{}
		for program, names := range [][]string{{"f", "f.func1", "g", "g.func1"}, {"b"}} {
			table := &flow.Table{Package: "m"}
			for _, name := range names {
				table.Funcs = append(table.Funcs, flow.Func{Name: name})
			}
			f.facts.Space.Add(table, program)
		}
		f.buckets[findingstest.ThirdID] = &Group{Bucket: finding.Bucket{ID: findingstest.ThirdID}}
		stack := "goroutine 1 [running]:\n" + test.in + "(...)\n\tm.go:3\n"
		if test.in == "" {
			stack = ""
		}
		b := &Group{Bucket: finding.Bucket{ID: findingstest.FirstID, Kind: test.kind}, Best: &finding.Finding{
			Kind: test.kind, Program: "a", Programs: []finding.Program{{Name: "a", Detail: oracle.Detail{Outcome: "crashed"}, Message: test.was, Stack: stack}},
		}}
		if test.extra != "" {
			b.setExtra(test.extra, "1")
		}
		found := &triage.Result{
			Kind: test.kind, Bucket: test.bucket, Results: []wire.RunResult{{Outcome: uint64(oracle.Crashed), Panic: test.now}},
			Crash: oracle.Crash{Kind: test.kind, Message: test.now},
		}
		if test.at != "" {
			found.Crash.Frames = []oracle.Frame{{Func: test.at, File: "m.go", Line: 9}}
		}
		if got := f.SameFailure(b, found); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestFailing checks the function of a recorded failure.
func TestFailing(t *testing.T) {
	space := &flow.Space{}
	space.Add(&flow.Table{Package: "m", Funcs: []flow.Func{{Name: "check", Count: 2}, {Name: "f", Count: 9}}}, 0)
	stack := "goroutine 1 [running]:\nm.check(...)\n\tm.go:3\nm.f(...)\n\tm.go:9\n"
	for _, test := range []struct{ message, want string }{
		{"they disagree", "m.f"}, {"runtime error: index out of range [5] with length 2", "m.check"},
	} {
		if got := failing(space, 0, recordedCrash(oracle.KindCrash, &finding.Program{Message: test.message, Stack: stack})); got != test.want {
			t.Errorf("%s: %s, want %s", test.message, got, test.want)
		}
	}
}
