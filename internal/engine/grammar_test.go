package engine

import (
	"strings"
	"testing"

	"parallax/internal/grammar"
	"parallax/internal/input"
	"parallax/internal/policy"
)

const sums = `
sum  ::= term (("+" | "-") term)*
term ::= [0-9]{1,4} | "(" sum ")"
`

// TestGrammar checks that every mutant is in the grammar's language, even if corpus inputs are not,
// and that new inputs are kept unchanged.
func TestGrammar(t *testing.T) {
	g, err := grammar.Parse("sums", sums)
	if err != nil {
		t.Fatal(err)
	}
	form := g.Form(256)
	made := 0
	program := func(flat []byte) run {
		if string(flat) == "1+" {
			return run{[]int{9}, reject(1)}
		}
		if _, err := form.Tape(flat); err != nil {
			t.Errorf("%q: %v", flat, err)
		}
		made++
		return run{[]int{strings.Count(string(flat), "(") % 8}, accept(0)}
	}
	f := newFake(10, program, program)
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"path-fine"}, Grammar: sums, Seed: 1}}})
	e.Seed([]byte("1+"))
	e.Seed([]byte("(1)"))
	for range 500 {
		e.Fuzz()
	}
	if made != 2*501 || len(r.kept) < 4 {
		t.Errorf("%d runs, kept %q", made, r.kept)
	}
	if allocs := testing.AllocsPerRun(50, func() { e.sources.propose(e.execution.step) }); allocs > 0 {
		t.Errorf("a proposal allocates %v times", allocs)
	}
}

func TestInvalidGrammar(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Tapes: true, Shape: input.Shape{input.Bytes}}, "drawn by a generator"},
		{Config{Shape: input.Shape{input.Int}}, "a grammar makes one text, and an input is (int)"},
		{Config{Shape: input.Shape{input.Bytes}, Setup: policy.Setup{Policy: policy.Policy{Grammar: "a ::= b"}}}, "grammar:1:7: there is no rule b"},
		{Config{Shape: input.Shape{input.Bytes}, Setup: policy.Setup{Policy: policy.Policy{Grammar: `a ::= "123"`, MaxBytes: 2}}}, "the simplest text of rule a has 3 bytes, and an input may have 2"},
	} {
		if c.cfg.Grammar == "" {
			c.cfg.Grammar = sums
		}
		if c.cfg.MaxBytes == 0 {
			c.cfg.MaxBytes = 9
		}
		c.cfg.Programs, c.cfg.Blocks, c.cfg.Mutators = 2, 1, "full"
		if _, err := New(c.cfg, newFake(1, words(), words()), &record{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
