package tape

import (
	"strings"
	"testing"
)

// What a run has told is found among what a program has printed, which stays as it is.
func TestTold(t *testing.T) {
	var s Telling
	text := "before" + s.Begin() + s.Draws("old") + "between\n" + s.Begin() + s.Draws("n") + s.Drawn("n = 7") + "printed\nmore" + s.Draws("s") + s.Drawn("s = `a\nb`") + s.Draws("x") +
		"\nfatal error: stack overflow\n\ngoroutine 1 [running]:\n"
	rest, drawn := Told([]byte(text))
	if want := "n = 7\ns = `a\nb`\nx, unfinished"; drawn != want {
		t.Errorf("%q", drawn)
	}
	if want := "beforebetween\nprinted\nmore\nfatal error: stack overflow\n\ngoroutine 1 [running]:\n"; string(rest) != want {
		t.Errorf("%q", rest)
	}
	within := s.Begin() + s.Draws("a") + s.Deeper("a > b") + s.Deeper("a > b > c") + s.Within("a > b > c = 1") + s.Within("a > b = [1]") + s.Deeper("a > d") + s.Within("a > d = 2")
	if _, drawn := Told([]byte(within)); drawn != "a > b = [1]\na > d = 2\na, unfinished" {
		t.Errorf("%q", drawn)
	}
	if _, drawn := Told([]byte(within + s.Deeper("a > e"))); drawn != "a > b = [1]\na > d = 2\na > e, unfinished" {
		t.Errorf("%q", drawn)
	}
	if _, drawn := Told([]byte(within + s.Drawn("a = {[1] 2}") + s.Draws("f"))); drawn != "a = {[1] 2}\nf, unfinished" {
		t.Errorf("%q", drawn)
	}
	s.Begin()
	if s.Within(strings.Repeat("x", maxWithin)) == "" || s.Within("x") != "" || s.Drawn("x") == "" {
		t.Error("what is within others takes the room of all")
	}
	if rest, drawn := Told([]byte("nothing\n")); string(rest) != "nothing\n" || drawn != "" {
		t.Errorf("%q, %q", rest, drawn)
	}
	s.Begin()
	if s.Drawn(strings.Repeat("x", maxTold)) == "" || s.Drawn("x") != "" {
		t.Error("a run tells without end")
	}
	if _, drawn := Told([]byte("\n" + toldPrefix + "=\"cut off")); drawn != "" {
		t.Errorf("%q", drawn)
	}
}
