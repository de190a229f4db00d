package trial

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
)

// Blackbox holds the measurement of a trial without coverage guidance. It ran without
// instrumentation. A second run of the same inputs, with instrumentation, measured the coverage.
type Blackbox struct {
	CPU    float64 `json:"replay_cpu_seconds"` // of the worker of the second run
	Series Series  `json:"series"`             // of the run without instrumentation
}

// blackbox runs a trial without instrumentation, and then the same number of inputs with it. Both
// runs have the same seed, and coverage does not affect inputs, so the inputs are the same. The
// sample is that of the second run, with the clock of the first.
func (r *Run) blackbox(ctx context.Context, c *campaign, sample *Sample) error {
	plain := *sample
	first := *c
	first.args = append(slices.Clone(c.args), "--no-instrument")
	if err := r.campaign(ctx, &first, &plain); err != nil {
		return err
	}
	if err := os.RemoveAll(c.place.campaign()); err != nil {
		return exit.Infra("the folder of trials: %w", err)
	}
	second := *c
	second.args = withBudget(c.args, plain.Inputs, 0)
	if err := r.campaign(ctx, &second, sample); err != nil {
		return err
	}
	sample.Cut, sample.Wall, sample.AllCPU = sample.Cut || plain.Cut, sample.Wall+plain.Wall, sample.AllCPU+plain.AllCPU
	if err := sample.takeClock(&plain); err != nil {
		return &Failure{Code: exit.InfraCode, Text: err.Error()}
	}
	return nil
}

// withBudget replaces the budget in a command: inputs, CPU time or both.
func withBudget(args []string, inputs uint64, cpu time.Duration) (out []string) {
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if strings.HasPrefix(args[i], "-") && (name == "cputime" || name == "fuzztime") {
			if !whole {
				i++ // skip its value
			}
			continue
		}
		out = append(out, args[i])
	}
	if inputs > 0 {
		out = append(out, "--fuzztime", strconv.FormatUint(inputs, 10)+"x")
	}
	if cpu > 0 {
		out = append(out, "--cputime", cpu.String())
	}
	return out
}

// takeClock replaces the CPU time by that of the run without instrumentation. It returns an error
// if the two runs had different inputs.
func (s *Sample) takeClock(plain *Sample) error {
	if s.Inputs != plain.Inputs && !s.Cut {
		return fmt.Errorf("without instrumentation it has run %d inputs, and %d once more with it", plain.Inputs, s.Inputs)
	}
	seen := map[string]uint64{}
	for i := range plain.Buckets {
		seen[plain.Buckets[i].ID] = plain.Buckets[i].FirstSeen
	}
	for i := range s.Buckets {
		b := &s.Buckets[i]
		if at, both := seen[b.ID]; both && at != b.FirstSeen && b.Kind != "timeout" && b.Kind != "oom" {
			return fmt.Errorf("a finding %s came after %d inputs, and after %d with instrumentation: the same inputs are not made again, so that the configuration is not blackbox", b.ID, at, b.FirstSeen)
		}
	}
	s.Blackbox = &Blackbox{CPU: s.CPU, Series: plain.Series}
	for i, inputs := range s.Series.Inputs {
		s.Series.CPU[i] = byCPU.time(&plain.Series, inputs)
	}
	s.CPU = plain.CPU
	return nil
}
