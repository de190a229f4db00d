package model

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// TestScript checks a model in SMT-LIB within its scope. Calls without a path are rejected, calls
// out of scope are declined, and the steps in scope are features.
func TestScript(t *testing.T) {
	answer := extracttest.Answer(t, "memchr")
	dir := t.TempDir()
	s := &Settings{Extraction: filepath.Join(dir, "extraction.json"), Scope: filepath.Join(dir, "scope.json")}
	if err := (&record.Record{Answer: *answer}).Write(s.Extraction); err != nil {
		t.Fatal(err)
	}
	sig := call.SignatureOf(answer)
	o, err := original.Musl(sig)
	if err != nil {
		t.Fatal(err)
	}
	m, err := formula.New(sig, answer.Paths, "memchr")
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(ctx context.Context, c call.Call) (formula.Answer, error) { return m.Evaluate(ctx, c, nil) }
	found, err := scope.Find(context.Background(), o, evaluate, scope.Options{Samples: 400, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// Found, not found at once, after another byte, in no bytes, and after three bytes.
	inputs := [][]byte{[]byte("a\x00\x00\x00\x04a"), []byte("b\x00\x00\x00\x04a"), []byte("b\x00\x00\x00\x04ab"), {}, []byte("b\x00\x00\x00\x04aaab")}
	run, err := o.Run(sig.Decode(inputs[1]))
	if err != nil {
		t.Fatal(err)
	}
	observed := func() []program.Observation {
		t.Helper()
		if err := found.Write(s.Scope); err != nil {
			t.Fatal(err)
		}
		e, err := open(s)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if e.Features() != len(found.Steps) {
			t.Errorf("%d features, and %d steps in scope", e.Features(), len(found.Steps))
		}
		obs := make([]program.Observation, len(inputs))
		if err := e.Execute(context.Background(), inputs, obs); err != nil {
			t.Fatal(err)
		}
		return obs
	}
	obs := observed()
	if obs[0].Outcome != oracle.Accepted || string(obs[0].Value) != "returns arg_0" || len(obs[0].Features) == 0 {
		t.Errorf("found: %v %q, features %v", obs[0].Outcome, obs[0].Value, obs[0].Features)
	}
	if obs[2].Outcome != oracle.Accepted || string(obs[2].Value) != "returns arg_0+1" || len(obs[2].Features) <= len(obs[0].Features) {
		t.Errorf("behind: %v %q, features %v", obs[2].Outcome, obs[2].Value, obs[2].Features)
	}
	counts := slices.Max(obs[2].Counts)
	if again := slices.Max(obs[4].Counts); again <= counts || !slices.Equal(obs[4].Features, obs[2].Features) {
		t.Errorf("a turn of the loop more counts %d times the steps %v, and before %d times %v", again, obs[4].Features, counts, obs[2].Features)
	}
	if obs[3].Outcome != oracle.Rejected || obs[3].Message != "the model has no path for this call" {
		t.Errorf("no bytes: %v %s", obs[3].Outcome, obs[3].Message)
	}
	if p, err := s.Prepare(nil, nil); err != nil || !strings.HasPrefix(p.Shown(), "model of memchr (1 path, scope: ") {
		t.Errorf("shown: %v %v", p, err)
	}

	p := found.Find(run.Path)
	if p == nil || !p.InScope {
		t.Fatalf("the path of %s: %+v", sig.Quote(sig.Decode(inputs[1])), p)
	}
	p.InScope, p.Why = false, "never agrees: wrong value"
	obs = observed()
	if obs[1].Outcome != oracle.Declined || obs[1].Message != "out of scope: never agrees: wrong value" || len(obs[1].Features) > 0 {
		t.Errorf("outside: %v %s, features %v", obs[1].Outcome, obs[1].Message, obs[1].Features)
	}
	found.Paths = nil
	// the judge of findings decides about it
	if obs = observed(); obs[0].Outcome == oracle.Declined {
		t.Errorf("unknown: %v %s", obs[0].Outcome, obs[0].Message)
	}
	found.Function = "strchr"
	if err := found.Write(s.Scope); err != nil {
		t.Fatal(err)
	}
	if _, err := open(s); err == nil || !strings.Contains(err.Error(), "is the scope of strchr, and the model is of memchr") {
		t.Errorf("a scope of another function: %v", err)
	}
}
