package text

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestModelsUnchecked checks that a model with nothing in scope is not listed as one without
// findings. Nothing of it was checked.
func TestModelsUnchecked(t *testing.T) {
	quiet := []*finding.Summary{
		{Target: "checked", Scope: &finding.Scope{Paths: 3, InScope: 1}},
		{Target: "unchecked", Scope: &finding.Scope{Paths: 8, Outside: map[string]int{"dropped": 5, "declined": 1}}},
		{Target: "type"},
	}
	got := Models(quiet, &finding.Scope{Models: 3, Extracted: 3}, false)
	want := "\nwithout findings:\n  checked  1 of 3 paths of the original in scope\n  type     \n" +
		"\nnothing in scope, so that nothing of them was checked:\n  unchecked  0 of 8 paths of the original in scope; calls that are no findings: 1 declined, 5 dropped\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	if Unmeant(quiet[0]) != "" || Unmeant(quiet[2]) != "" || !strings.HasPrefix(Unmeant(quiet[1]), "\nnothing is in scope, so that nothing of the model was checked: ") {
		t.Errorf("%q, %q, %q", Unmeant(quiet[0]), Unmeant(quiet[1]), Unmeant(quiet[2]))
	}
	if got := Models(quiet[:1], &finding.Scope{}, false); strings.Contains(got, "nothing in scope") {
		t.Errorf("%s", got)
	}
	if got := Models(quiet[1:2], &finding.Scope{}, false); strings.Contains(got, "without findings") {
		t.Errorf("%s", got)
	}
}

// TestModelsUnfinished checks that the list names models whose check was not completed, or whose
// candidates wait.
func TestModelsUnfinished(t *testing.T) {
	got := Models([]*finding.Summary{
		{Target: "a", Scope: &finding.Scope{}, Stopped: "interrupted"},
		{Target: "b", Scope: &finding.Scope{Paths: 3, InScope: 1}, Stopped: "interrupted", Findings: finding.Findings{Unjudged: 2}},
		{Target: "c", Scope: &finding.Scope{Paths: 3, InScope: 1}, Stopped: "budget", Findings: finding.Findings{Unjudged: 1}},
		{Target: "d", Scope: &finding.Scope{}, Stopped: "error"},
		{Target: "e", Scope: &finding.Scope{}, Stopped: "budget"},
	}, &finding.Scope{Models: 5, Extracted: 5}, false)
	want := "\nwithout findings:\n  a  interrupted; its paths were not listed\n" +
		"  b  1 of 3 paths of the original in scope; interrupted; 2 candidates to judge\n" +
		"  c  1 of 3 paths of the original in scope; 1 candidate to judge\n" +
		"  d  stopped by an error; its paths were not listed\n" +
		"  e  its paths were not listed\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
}
