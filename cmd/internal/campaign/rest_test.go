package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"parallax/cmd/internal/finding"
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestRestOfAnInput checks that after a program ends the common process, the next process begins
// with the others, and their results are compared. Another program may end that process, and the
// budget may be used.
func TestRestOfAnInput(t *testing.T) {
	died := func(program int) *execute.Death {
		return &execute.Death{Outcome: oracle.Crashed, Status: "exit status 2", InFlight: true, Program: program, Recent: [][]byte{[]byte("deadly")}}
	}
	for _, test := range []struct {
		name    string
		quota   uint64 // inputs before the deadly one
		second  func(skip uint64) ([]wire.RunResult, error)
		started int
		want    []string // candidates: the program that fails
	}{
		{"the other one accepts", 3, func(uint64) ([]wire.RunResult, error) {
			return []wire.RunResult{{}, {Outcome: uint64(oracle.Accepted)}}, nil
		}, 2, []string{"deadly 0"}},
		{"the other one panics", 3, func(uint64) ([]wire.RunResult, error) {
			return []wire.RunResult{{}, {Outcome: uint64(oracle.Crashed), Class: 7}}, nil
		}, 2, []string{"deadly 0", "deadly 1"}},
		{"the other one ends its process", 3, func(uint64) ([]wire.RunResult, error) { return nil, died(1) }, 3, []string{"deadly 0", "deadly 1"}},
		{"at the end of the budget", 8, func(uint64) ([]wire.RunResult, error) {
			return []wire.RunResult{{}, {Outcome: uint64(oracle.Crashed), Class: 7}}, nil
		}, 2, []string{"deadly 0", "deadly 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakes{}
			f.fuzz = func(p *fake, quota uint64) error {
				if p.n > 0 {
					p.execute(quota)
					return nil
				}
				p.execute(test.quota)
				return died(0)
			}
			f.run = func(input string, skip uint64) ([]wire.RunResult, error) {
				if input != "deadly" || skip != 1 {
					t.Errorf("%q is run without %b", input, skip)
				}
				return test.second(skip)
			}
			c := live(t, f, nil)
			s, err := c.run(context.Background(), nil)
			if err != nil || s.Inputs != 10 || len(f.processes()) != test.started {
				t.Fatalf("%v, %d processes: %+v", err, len(f.processes()), s)
			}
			var got []string
			pending, _ := filepath.Glob(filepath.Join(c.opt.Out, "pending", "*"))
			for _, path := range pending {
				var cand finding.Candidate
				data, _ := os.ReadFile(path)
				if err := json.Unmarshal(data, &cand); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s %d", cand.Flat, cand.Failing-1))
			}
			if slices.Sort(got); !slices.Equal(got, test.want) {
				t.Errorf("candidates %q, want %q", got, test.want)
			}
		})
	}
}
