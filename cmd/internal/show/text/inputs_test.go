package text

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
)

// TestNotMinimized checks that the page of an input that reaches a limit says that triage did not
// minimize it.
func TestNotMinimized(t *testing.T) {
	f := findingtest.SemverFinding()
	f.Kind, f.Layer, f.Minimized = "timeout", "", f.Input
	want := "As found, not minimized: each run takes the time limit (`parallax minimize 3f2a` tries smaller ones); 11 bytes:\n"
	if got := string(Markdown(f, finding.Page{Minimize: "parallax minimize 3f2a"})); !strings.Contains(got, want) || strings.Contains(got, "Minimized") {
		t.Errorf("%s", got)
	}
	f.Kind = "oom"
	if got := string(Markdown(f, finding.Page{})); !strings.Contains(got, "As found, not minimized: each run takes the memory limit; 11 bytes:\n") {
		t.Errorf("%s", got)
	}
	f.Minimized = []byte("v1")
	if got := string(Markdown(f, finding.Page{})); !strings.Contains(got, "Minimized to 2 bytes:\n") {
		t.Errorf("%s", got)
	}
}

// TestNotMinimisedYet checks the page of a finding whose triage is not complete.
func TestNotMinimisedYet(t *testing.T) {
	f := findingtest.SemverFinding()
	small := f.Minimized
	f.Minimized = f.Input
	page := finding.Page{Waits: true, Minimize: "parallax minimize 3f2a"}
	want := "As found, not minimized yet (`parallax minimize 3f2a` tries smaller ones); 11 bytes:\n"
	if got := string(Markdown(f, page)); !strings.Contains(got, want) || strings.Contains(got, "Minimized") {
		t.Errorf("%s", got)
	}
	f.Minimized = small // by the command
	if got := string(Markdown(f, page)); strings.Contains(got, "not minimized") {
		t.Errorf("%s", got)
	}
}

// TestLongInput checks that a page cuts a long input, and names the file that has all of it.
func TestLongInput(t *testing.T) {
	for _, n := range []int{dumped, dumped + 1, 5 * dumped} {
		f := &finding.Finding{Kind: "discrepancy", Shape: input.Shape{input.Bytes}, Minimized: bytes.Repeat([]byte{0xff}, n), Input: bytes.Repeat([]byte{0xff}, n)}
		for _, folder := range []string{"", "findings/one"} {
			text := string(Terminal(f, finding.Page{Folder: folder}, TextOptions{Width: 100}))
			if cut := n > dumped; strings.Contains(text, "All of it") != cut || cut && !strings.Contains(text, path.Join(folder, "minimized")) {
				t.Errorf("%d bytes: %s", n, text)
			}
			if lines := strings.Count(text, "|................|"); lines != dumped/16 {
				t.Errorf("%d bytes: %d lines of hexadecimal bytes", n, lines)
			}
		}
	}
}
