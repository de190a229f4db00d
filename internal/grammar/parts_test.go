package grammar

import (
	"strings"
	"testing"

	"parallax/internal/tape"
)

// TestParts checks that fitting texts are in the language, and that texts with a small different
// part fit.
func TestParts(t *testing.T) {
	form := load(t, "json").Form(1 << 12)
	long := strings.Repeat("0, ", 100)
	text := `{"name": "x", "n": -1.5e+10, "list": [` + long + `1]}`
	p, err := form.Parts([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		fits     bool
	}{
		{`"x"`, `"magic word"`, true},
		{`"x"`, `""`, true},
		{`"x"`, `12`, true}, // another value
		{`"x"`, `"`, false},
		{`-1.5e+10`, `4711`, true},
		{`-1.5e+10`, `4711.`, false},
		{`"n"`, `"other"`, true},
		{`, "n"`, `"n"`, false},
		{`{"name"`, `{"a": 1, "name"`, false}, // in the language, but only the large whole shows it
		{"1]}", "1]", false},
		{long, "", true},
		{text, "", false},
	} {
		if got := p.Fit([]byte(strings.Replace(text, c.old, c.new, 1))); got != c.fits {
			t.Errorf("%q in the place of %q: %v", c.new, c.old, got)
		}
	}
	if p.Fit([]byte(strings.Replace(text, "x", strings.Repeat("x", 1<<12), 1))) {
		t.Error("what is longer than the limit fits")
	}
	if _, err := form.Parts([]byte("[")); err == nil {
		t.Error("a text that is none has parts")
	}
}

// TestPartsOfMutants checks that a mutated sentence fits only if it can be parsed as a whole.
func TestPartsOfMutants(t *testing.T) {
	for _, one := range realGrammars {
		g := load(t, one.name)
		form, other := g.Form(1<<12), g.Form(1<<12)
		fit := 0
		for seed := range uint64(60) {
			var src tape.Source
			src.Random(seed)
			text := g.Draw(&src, 200, nil)
			p, err := form.Parts(text)
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(text); at += 1 + len(text)/12 {
				for _, new := range []string{"", "1", "a", string(text[at:]), "(", "\xff"} {
					mutant := append([]byte(string(text[:at])+new), text[at+1:]...)
					if !p.Fit(mutant) {
						continue
					}
					fit++
					if _, err := other.Tape(mutant); err != nil {
						t.Fatalf("%s: %q in %q at %d: %v", one.name, new, text, at, err)
					}
				}
			}
		}
		if fit < 50 {
			t.Errorf("%s: only %d mutants fit", one.name, fit)
		}
	}
}
