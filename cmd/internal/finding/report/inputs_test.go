package report

import (
	"strings"
	"testing"
)

// What runs into a limit is not minimized by triage, and its page says so.
func TestNotMinimized(t *testing.T) {
	f := semverFinding()
	f.Kind, f.Layer, f.Minimized = "timeout", "", f.Input
	want := "As found, not minimized: each run takes the time limit (`parallax minimize 3f2a` tries smaller ones); 11 bytes:\n"
	if got := string(f.Markdown(Page{Minimize: "parallax minimize 3f2a"})); !strings.Contains(got, want) || strings.Contains(got, "Minimized") {
		t.Errorf("%s", got)
	}
	f.Kind = "oom"
	if got := string(f.Markdown(Page{})); !strings.Contains(got, "As found, not minimized: each run takes the memory limit; 11 bytes:\n") {
		t.Errorf("%s", got)
	}
	f.Minimized = []byte("v1")
	if got := string(f.Markdown(Page{})); !strings.Contains(got, "Minimized to 2 bytes:\n") {
		t.Errorf("%s", got)
	}
}

// Nor is what waits for the next run to complete its triage.
func TestNotMinimisedYet(t *testing.T) {
	f := semverFinding()
	small := f.Minimized
	f.Minimized = f.Input
	page := Page{Waits: true, Minimize: "parallax minimize 3f2a"}
	want := "As found, not minimized yet (`parallax minimize 3f2a` tries smaller ones); 11 bytes:\n"
	if got := string(f.Markdown(page)); !strings.Contains(got, want) || strings.Contains(got, "Minimized") {
		t.Errorf("%s", got)
	}
	f.Minimized = small // by the command
	if got := string(f.Markdown(page)); strings.Contains(got, "not minimized") {
		t.Errorf("%s", got)
	}
}
