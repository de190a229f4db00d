package model

import (
	"context"
	"path/filepath"
	"testing"

	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// TestCode checks a model in C that is stored in a file and run without a compiler: its effects,
// rejected calls, and crashes.
func TestCode(t *testing.T) {
	sources, err := csource.Compile(context.Background(), csource.Source{Dir: "../../csource/testdata", Files: []string{"stubs.c"}, Model: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PARALLAX_CLANG", "/nowhere/clang")
	for _, test := range []struct {
		prototype string
		input     string
		outcome   oracle.Outcome
		said      string
	}{
		{"int toupper(int c)", "a", oracle.Accepted, "returns 65"},
		{"int toupper(int c)", "\x80", oracle.Rejected,
			"the model crashes: out-of-bounds read in @toupper, stubs.c:92: 1 bytes at offset 128 of @upper, which has 128 bytes"},
		{"int toupper(int c)", "\xff", oracle.Rejected,
			"the model crashes: poison in @toupper, stubs.c:92: it is an address that arithmetic must not give, of 1 bytes at offset 255 of @upper, which has 128 bytes"},
		{"long strtol(const char *s, char **end, int base)", "\x08\x00\x00\x007", oracle.Declined,
			"out of scope by the model itself: klee_silent_exit is called, in @strtol, stubs.c:103"},
		{"long strtol(const char *s, char **end, int base)", "\x0a\x00\x00\x007", oracle.Accepted, "returns 7, stores s+1 in *end"},
		{"long strtol(const char *s, char **end, int base)", "\x01\x00\x00\x007", oracle.Declined,
			"out of scope by the model itself: klee_silent_exit is called, in @strtol, stubs.c:103"},
	} {
		s, err := prototype.Read(test.prototype, nil)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "extraction.json")
		if err := record.New(s, &record.Code{Model: &csource.Part{Sources: sources, Function: s.Function}}).Write(path); err != nil {
			t.Fatal(err)
		}
		e, err := open(&Settings{Extraction: path})
		if err != nil {
			t.Fatal(err)
		}
		obs := make([]program.Observation, 1)
		if err := e.Execute(context.Background(), [][]byte{[]byte(test.input)}, obs); err != nil {
			t.Fatal(err)
		}
		if said := obs[0].Message + string(obs[0].Value); obs[0].Outcome != test.outcome || said != test.said {
			t.Errorf("%s: %v: %s, not %v: %s", e.Quote([]byte(test.input)), obs[0].Outcome, said, test.outcome, test.said)
		}
		e.Close()
	}
}

// TestFailure checks that a model that exceeds the step limit is reported as endless, not as a
// crash.
func TestFailure(t *testing.T) {
	for detail, want := range map[string]string{
		"step limit in @labs, hang.c:2":   "the model does not end: step limit in @labs, hang.c:2",
		"null pointer in @labs, hang.c:2": "the model crashes: null pointer in @labs, hang.c:2",
	} {
		if got := failure(detail); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
