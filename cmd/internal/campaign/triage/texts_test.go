package triage

import (
	"strings"
	"testing"

	"parallax/internal/grammar"
	"parallax/internal/input"
)

// TestShrinkText checks that a text is minimized within its language and never longer, also with
// repair.
func TestShrinkText(t *testing.T) {
	j := &Triager{Shape: input.Shape{input.Bytes}}
	j.Speak(`list ::= "[" (item ("," item)*)? "]"
		item ::= "false" | [0-9]+ | list | '"' [a-z]* '"'`, 100)
	form, err := grammar.Parse("g", `list ::= "[" (item ("," item)*)? "]"
		item ::= "false" | [0-9]+ | list | '"' [a-z]* '"'`)
	if err != nil {
		t.Fatal(err)
	}
	other := form.Form(100)
	for _, c := range []struct {
		from, want string
		shows      func(string) bool
	}{
		{`[12,["abc",[[77,false]],"q"],"xyz"]`, `[[[7]]]`, func(s string) bool { return strings.Contains(s, "[[7") }},
		{`["hello","world",[]]`, `["w"]`, func(s string) bool { return strings.Contains(s, "w") }},
		{`[1,2,3]`, `[0,0]`, func(s string) bool { return strings.Contains(s, ",") }},
	} {
		read := j.read([]byte(c.from))
		if read == nil {
			t.Fatalf("%s is not read", c.from)
		}
		last := len(c.from)
		small, tried, done := j.shrinkText([]byte(c.from), read, 2000, func() bool { return false }, func(draft []byte) ([]byte, bool) {
			if _, err := other.Tape(draft); err != nil {
				t.Fatalf("%s leaves the language: %v", draft, err)
			}
			return draft, c.shows(string(draft))
		}, func(taken []byte) {
			if len(taken) > last || !c.shows(string(taken)) {
				t.Errorf("%s was taken after one of %d bytes", taken, last)
			}
			last = len(taken)
		})
		if len(small) > len(c.want) || !c.shows(string(small)) || !done {
			t.Errorf("%s becomes %s after %d runs, want %s", c.from, small, tried, c.want)
		}
	}
	// The repaired draft counts if it is in the language.
	read := j.read([]byte("[1,2]"))
	small, _, _ := j.shrinkText([]byte("[1,2]"), read, 100, func() bool { return false }, func(draft []byte) ([]byte, bool) {
		return []byte("?" + string(draft)[1:]), true
	}, func(taken []byte) { t.Errorf("%s was taken", taken) })
	if string(small) != "[1,2]" {
		t.Errorf("%s is none of the language", small)
	}
	if j.read([]byte("[1,")) != nil {
		t.Error("a text that is none of the language was read")
	}
	if k := (&Triager{Shape: input.Shape{input.Bool}}); k.read([]byte("[]")) != nil {
		t.Error("there is no grammar")
	}
}
