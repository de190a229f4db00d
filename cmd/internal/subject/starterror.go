package subject

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
)

// Skipped reports a FuzzXxx that skips itself before it calls f.Fuzz, for instance because it
// cannot run on this machine.
type Skipped struct {
	Name string // with the package
	Why  string
}

// Error implements error.
func (s *Skipped) Error() string {
	if s.Why == "" {
		return s.Name + " skips itself"
	}
	return s.Name + " skips itself: " + s.Why
}

// explainUnready explains why the test did not reach its fuzz target.
func (t *InProcess) explainUnready(ctx context.Context, o *Options, err error) error {
	var start *execute.StartError
	if !errors.As(err, &start) {
		return exit.Infra("%w", err)
	}
	name := t.Test.pkg.ImportPath + "." + t.Test.fn.Name
	if start.Passed() { // it gives the reason only with -test.v
		spec := t.Spec(o)
		spec.Args = append(slices.Clone(spec.Args), "-test.v")
		w, err := execute.StartContext(ctx, spec)
		if err == nil {
			w.Close()
			return exit.Baseline("%s cannot be fuzzed: the test sometimes ends before it calls f.Fuzz", name)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errors.As(err, &start)
	}
	if why, ok := skipped(start.Text, t.Test.fn.Name); ok {
		return exit.Baseline("%w", &Skipped{name, why})
	}
	return exit.Baseline("%s cannot be fuzzed: %w", name, start)
}

// skipped finds the line by which go test reports a skipped test, and the last log line before it.
func skipped(text, test string) (why string, ok bool) {
	before, _, ok := strings.Cut(text, "--- SKIP: "+test+" ")
	if !ok {
		return "", false
	}
	lines := strings.Split(strings.TrimRight(before, "\n"), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "=== ") {
		why = strings.TrimSpace(last)
	}
	return why, true
}
