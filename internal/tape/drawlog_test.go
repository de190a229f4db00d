package tape

import (
	"strings"
	"testing"
)

// TestSplitDraws checks that a run's draws are found in a program's output, which stays as it is
// otherwise.
func TestSplitDraws(t *testing.T) {
	var s DrawLog
	text := "before" + s.Begin() + s.Start("old") + "between\n" + s.Begin() + s.Start("n") + s.Drawn("n = 7") + "printed\nmore" + s.Start("s") + s.Drawn("s = `a\nb`") + s.Start("x") +
		"\nfatal error: stack overflow\n\ngoroutine 1 [running]:\n"
	rest, drawn := SplitDraws([]byte(text))
	if want := "n = 7\ns = `a\nb`\nx, unfinished"; drawn != want {
		t.Errorf("%q", drawn)
	}
	if want := "beforebetween\nprinted\nmore\nfatal error: stack overflow\n\ngoroutine 1 [running]:\n"; string(rest) != want {
		t.Errorf("%q", rest)
	}
	within := s.Begin() + s.Start("a") + s.StartInner("a > b") + s.StartInner("a > b > c") + s.Inner("a > b > c = 1") + s.Inner("a > b = [1]") + s.StartInner("a > d") + s.Inner("a > d = 2")
	if _, drawn := SplitDraws([]byte(within)); drawn != "a > b = [1]\na > d = 2\na, unfinished" {
		t.Errorf("%q", drawn)
	}
	if _, drawn := SplitDraws([]byte(within + s.StartInner("a > e"))); drawn != "a > b = [1]\na > d = 2\na > e, unfinished" {
		t.Errorf("%q", drawn)
	}
	if _, drawn := SplitDraws([]byte(within + s.Drawn("a = {[1] 2}") + s.Start("f"))); drawn != "a = {[1] 2}\nf, unfinished" {
		t.Errorf("%q", drawn)
	}
	s.Begin()
	if s.Inner(strings.Repeat("x", maxWithin)) == "" || s.Inner("x") != "" || s.Drawn("x") == "" {
		t.Error("what is within others takes the room of all")
	}
	if rest, drawn := SplitDraws([]byte("nothing\n")); string(rest) != "nothing\n" || drawn != "" {
		t.Errorf("%q, %q", rest, drawn)
	}
	s.Begin()
	if s.Drawn(strings.Repeat("x", maxPrinted)) == "" || s.Drawn("x") != "" {
		t.Error("a run tells without end")
	}
	if _, drawn := SplitDraws([]byte("\n" + drawPrefix + "=\"cut off")); drawn != "" {
		t.Errorf("%q", drawn)
	}
}
