package report

import (
	"strings"
	"testing"
)

// A model of which nothing is in scope is none without findings: nothing of it was checked.
func TestModelsUnchecked(t *testing.T) {
	quiet := []*Summary{
		{Target: "checked", Scope: &Scope{Paths: 3, InScope: 1}},
		{Target: "unchecked", Scope: &Scope{Paths: 8, Outside: map[string]int{"dropped": 5, "declined": 1}}},
		{Target: "type"},
	}
	got := Models(quiet, &Scope{Models: 3, Extracted: 3}, false)
	want := "\nwithout findings:\n  checked  1 of 3 paths of the original in scope\n  type     \n" +
		"\nnothing in scope, so that nothing of them was checked:\n  unchecked  0 of 8 paths of the original in scope; calls that are no findings: 1 declined, 5 dropped\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	if Unmeant(quiet[0]) != "" || Unmeant(quiet[2]) != "" || !strings.HasPrefix(Unmeant(quiet[1]), "\nnothing is in scope, so that nothing of the model was checked: ") {
		t.Errorf("%q, %q, %q", Unmeant(quiet[0]), Unmeant(quiet[1]), Unmeant(quiet[2]))
	}
	if got := Models(quiet[:1], &Scope{}, false); strings.Contains(got, "nothing in scope") {
		t.Errorf("%s", got)
	}
	if got := Models(quiet[1:2], &Scope{}, false); strings.Contains(got, "without findings") {
		t.Errorf("%s", got)
	}
}

// The list says of a model that it was not checked to the end, or that candidates of it wait.
func TestModelsUnfinished(t *testing.T) {
	got := Models([]*Summary{
		{Target: "a", Scope: &Scope{}, Stopped: "interrupted"},
		{Target: "b", Scope: &Scope{Paths: 3, InScope: 1}, Stopped: "interrupted", Findings: Findings{Unjudged: 2}},
		{Target: "c", Scope: &Scope{Paths: 3, InScope: 1}, Stopped: "budget", Findings: Findings{Unjudged: 1}},
		{Target: "d", Scope: &Scope{}, Stopped: "error"},
		{Target: "e", Scope: &Scope{}, Stopped: "budget"},
	}, &Scope{Models: 5, Extracted: 5}, false)
	want := "\nwithout findings:\n  a  interrupted; its paths were not listed\n" +
		"  b  1 of 3 paths of the original in scope; interrupted; 2 candidates to judge\n" +
		"  c  1 of 3 paths of the original in scope; 1 candidate to judge\n" +
		"  d  stopped by an error; its paths were not listed\n" +
		"  e  its paths were not listed\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}
