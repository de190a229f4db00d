package check

import (
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/confirm"
	"parallax/cmd/internal/model/scope"
)

// TestNotes checks that notes on findings are kept for the next run, and that an empty one is not.
func TestNotes(t *testing.T) {
	dir := t.TempDir()
	n := readNotes(dir)
	suspect := &scope.Path{Suspect: true, Why: "suspect: so"}
	for call, note := range map[string]finding.Note{
		"f(1)": note(nil, &confirm.Verdict{Remark: "right"}), "f(2)": note(suspect, &confirm.Verdict{Remark: "right"}), "f(3)": note(&scope.Path{}, &confirm.Verdict{}),
	} {
		if err := n.add(call, note); err != nil {
			t.Fatal(err)
		}
	}
	again := readNotes(dir)
	for call, want := range map[string]finding.Note{"f(1)": {Remark: "right"}, "f(2)": {Suspect: true, Remark: "suspect: so; right"}, "f(3)": {}} {
		if got := again.by[call]; got != want {
			t.Errorf("%s: %+v, want %+v", call, got, want)
		}
	}
	if len(again.by) != 2 {
		t.Errorf("%d notes are kept", len(again.by))
	}
}
