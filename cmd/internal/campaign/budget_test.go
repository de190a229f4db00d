package campaign

import (
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// TestLinesOf checks that the most used part of a budget decides the number of lines in
// stats.jsonl.
func TestLinesOf(t *testing.T) {
	for _, test := range []struct {
		budget  Budget
		inputs  uint64
		elapsed time.Duration
		cpu     time.Duration
		want    int
	}{
		{Budget{}, 1e6, time.Hour, time.Hour, 0}, // without a budget, only the clock makes lines
		{Budget{Inputs: 6400}, 99, 0, 0, 0},
		{Budget{Inputs: 6400}, 100, time.Hour, time.Hour, 1},
		{Budget{Inputs: 6400}, 6400, 0, 0, linesBudget},
		{Budget{Inputs: 6400}, 7000, 0, 0, linesBudget},
		{Budget{Time: 64 * time.Second}, 0, 32 * time.Second, 0, 32},
		{Budget{CPU: 64 * time.Second}, 0, time.Hour, 3 * time.Second, 3},
		{Budget{CPU: 64 * time.Second, Inputs: 6400}, 1600, 0, 3 * time.Second, 16},
	} {
		if got := linesOf(test.budget, test.inputs, test.elapsed, test.cpu); got != test.want {
			t.Errorf("%+v: %d lines, want %d", test, got, test.want)
		}
	}
}

func TestCheckCPUBudget(t *testing.T) {
	o := Options{
		Options: subject.Options{
			Policy: policy.Policy{
				Guidance: []string{"coverage"}, MaxBytes: 64, Layers: oracle.VerdictLayer, Schedule: "uniform", Mutators: "full",
			},
			Mode: subject.Diff, Functions: []string{"a.A", "b.B"}, Timeout: time.Second, Memory: 1 << 30,
		},
		Parallel: 1, Budget: Budget{CPU: -1},
	}
	if err := o.Check(); exit.Code(err) != exit.UsageCode {
		t.Errorf("less than nothing: %v", err)
	}
	o.Budget.CPU = time.Second
	if err := o.Check(); err != nil {
		t.Error(err)
	}
}
