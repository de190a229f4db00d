package main

import (
	"context"
	"fmt"
	"syscall"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/scope"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// trial is the result of one row with one function.
type trial struct {
	Executions int       `json:"executions"` // of the original, including the scope's samples
	Questions  int       `json:"questions"`  // runs of the model during fuzzing
	Kept       int       `json:"kept"`
	InScope    int       `json:"in_scope"` // paths, by the row
	CPU        float64   `json:"cpu_seconds"`
	Reports    []finding `json:"reports,omitempty"`
	Coverage   []point   `json:"coverage"`
	// Details describes reports that no earlier line has.
	Details map[string]*report `json:"details,omitempty"`
	// Calls counts the suite's calls of the function, and Fitting those that the model can answer.
	Calls   int `json:"calls,omitempty"`
	Fitting int `json:"fitting,omitempty"`
}

// run runs a trial.
func run(ctx context.Context, s *subject, r *row, number, budget int, suite []string) (*trial, error) {
	began := cpu()
	p := newProbe(ctx, s, r, budget)
	p.trial = number
	t := &trial{}
	var err error
	if r.suite {
		err = p.suite(suite, t)
	} else {
		err = p.fuzz(t)
	}
	if err == nil {
		err = p.err
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s of %s, trial %d: %w", r.name, s.function, number, err)
	}
	t.Executions, t.Questions, t.Reports, t.Details = p.executions, p.questions, p.reports, p.details
	if n := len(p.points); n == 0 || p.points[n-1].At < p.executions {
		p.point(p.executions)
	}
	t.Coverage, t.CPU = p.points, cpu()-began
	return t, nil
}

// fuzz runs a campaign.
func (p *probe) fuzz(t *trial) error {
	var seeds [][]byte
	switch p.row.scope {
	case matching:
		for i := range p.s.scopes.Paths {
			if p.s.scopes.Paths[i].Published {
				t.InScope++
			}
		}
	case agreement:
		var known []call.Call
		for _, flat := range p.s.scopes.Seeds {
			known = append(known, p.s.sig.Decode(flat))
		}
		options := scope.Options{Seed: p.scopeSeed(), Proofs: p.s.scopes.proofs(), Seeds: known, Branch: p.s.model.Branch}
		found, err := scope.Find(p.ctx, p.s.original, p.s.evaluate, options)
		if err != nil {
			return err
		}
		p.scope, p.steps, t.InScope = found, found.Steps, found.InScope()
		if p.row.seeds {
			for _, flat := range found.Sampled() { // run again to record their coverage
				run, err := p.s.original.Run(p.s.sig.Decode(flat))
				if err != nil {
					return err
				}
				p.executed(run.Trace)
			}
			seeds = found.Inputs()
		}
	}
	p.start()
	e, err := engine.New(engine.Config{
		Setup: policy.Setup{Policy: policy.Policy{
			Guidance: p.row.guidance, Schedule: p.row.schedule, Mutators: "full", Layers: oracle.VerdictLayer | oracle.ValueLayer,
			MaxBytes: max(p.s.sig.Size(), 1), Seed: uint64(p.trial),
		}},
		Shape: input.Shape{input.Bytes}, Programs: 2, Names: []string{"original", "model"}, Blocks: p.blocks(),
	}, p, noEvents{})
	if err != nil {
		return err
	}
	e.Seed(make([]byte, p.s.sig.Size()))
	for _, flat := range seeds {
		e.Seed(flat)
	}
	for p.executions < p.budget && p.err == nil && p.ctx.Err() == nil {
		e.Fuzz()
	}
	t.Kept = e.Corpus()
	return nil
}

// suite runs the calls of a regression suite.
func (p *probe) suite(lines []string, t *trial) error {
	p.start()
	traces := [2]feature.Trace{}
	for _, line := range lines {
		c, fits, err := parseCall(p.s.sig, line)
		if err != nil {
			return err
		}
		t.Calls++
		if !fits {
			continue
		}
		t.Fitting++
		p.runOriginal(p.s.sig.Encode(c), &traces[0])
		p.asked = true
		p.runModel(&traces[1])
	}
	return nil
}

// scopeSeed returns the seed of a trial's samples. It differs from that of the reference scope.
func (p *probe) scopeSeed() uint64 { return reference + uint64(p.trial) }

// counted runs the model for decisions about paths that no sample took. Each call is also a run of
// the original.
func (p *probe) counted(ctx context.Context, c call.Call) (formula.Answer, error) {
	p.executions++
	return p.s.evaluate(ctx, c)
}

// cpu returns the processor time of this process and its finished children.
func cpu() (seconds float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			seconds += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return seconds
}

// noEvents is an engine.Sink that ignores events, since the probe has recorded them.
type noEvents struct{}

func (noEvents) Novel(int, uint64)                                             {}
func (noEvents) Shown([]byte, []uint64)                                        {}
func (noEvents) Kept(engine.Item)                                              {}
func (noEvents) Provisional(engine.Item)                                       {}
func (noEvents) Candidate(engine.Item, engine.Admission, []oracle.Observation) {}
func (noEvents) Reached([]uint32)                                              {}
func (noEvents) Uncounted()                                                    {}
func (noEvents) Ran(engine.Report)                                             {}
func (noEvents) Repeated(uint64, bool)                                         {}
func (noEvents) Replayed(bool)                                                 {}
func (noEvents) Trace(uint64)                                                  {}
