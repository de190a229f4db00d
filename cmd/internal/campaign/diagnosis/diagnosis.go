// Package diagnosis finds the inputs that end worker processes.
//
// The input in flight is not always the one that ends a process. An earlier one may have left a
// goroutine that fails later, or a locked mutex. A Diagnosis runs inputs alone, in fresh processes,
// on a copy of the corpus. It names the inputs that are to be replayed no more, and says whether
// any seed does no harm. The campaign asks for one when processes end in a row or no seed is kept.
package diagnosis

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/wire"
)

const (
	// MaxIsolated is the number of inputs that a campaign executes alone.
	MaxIsolated = 2000
	// TimeLimit is the time after which a question stays open.
	TimeLimit = 30 * time.Second

	isolateLanes = 8 // concurrent processes, which mostly wait for late failures
)

// Runner executes inputs alone. A *triage.Replayer is one.
type Runner interface {
	// Fresh has the next input executed in a fresh process.
	Fresh()
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Close()
}

// Input is an input of the corpus.
type Input struct {
	Flat []byte
	Bad  bool // no longer replayed
}

// Diagnosis asks which inputs end processes, and holds the answers.
type Diagnosis struct {
	Death   *execute.Death // of the instance's process; nil means that no seed was kept
	Counted uint64         // inputs that the process had counted
	Inputs  []Input        // a copy of the corpus
	Seeds   [][]byte

	Isolate bool // processes end in a row while they replay: which input ends them?
	Room    int  // number of inputs that may be executed alone
	Forget  bool // processes end after very few inputs: does the newest input leave something behind?
	Survive bool // does any seed do no harm alone?
	Paired  bool // the programs are two versions; a seed that one of them survives answers survive

	Isolated  int   // inputs that were executed alone
	Bad       []int // inputs of the corpus that are no longer replayed
	Found     bool  // one of them ends a process by itself
	Leaves    bool  // the newest input leaves something behind
	Unharmful bool  // the newest input leaves nothing behind
	Survived  bool
	Fails     int   // the version that failed on the survived seed; negative means none
	Tried, Of int   // tried and all seeds, then inputs of the corpus
	Err       error // of executing seeds and inputs
}

// Broken returns the error of a campaign whose seeds all fail, or the reason why that is unknown.
func (d *Diagnosis) Broken(reason string) error {
	switch {
	case d.Err != nil:
		var coded *exit.Error
		if errors.As(d.Err, &coded) {
			return d.Err
		}
		return exit.Infra("executing the seeds alone, since %s: %w", reason, d.Err)
	case d.Tried == 0 && d.Of > 0:
		return exit.Infra("%s, and no seed could be executed alone within %v to see whether it does harm by itself", reason, TimeLimit)
	case d.Tried < len(d.Seeds):
		return exit.Infra("%s, and so does each of the first %d of %d seeds alone; the others could not be executed alone within %v: "+
			"use --seeds to give fewer of them", reason, d.Tried, len(d.Seeds), TimeLimit)
	}
	return exit.Baseline("the baseline is broken: %s. Use --seeds to give seeds that every program survives, or look at the finding", reason)
}

// Barren returns the error for processes that end in a row without executing an input. If seeds do
// no harm alone, the reason is unknown.
func (d *Diagnosis) Barren() error {
	const reason = "worker processes end repeatedly without executing an input"
	if !d.Survived {
		return d.Broken(reason)
	}
	said := bytes.TrimSpace(d.Death.Text)
	if at := bytes.LastIndexByte(said, '\n'); at >= 0 {
		said = said[at+1:]
	}
	return exit.Infra(reason+" (%s: %s), and no input does so alone: a program leaves something "+
		"behind that ends the process later, or something else ends it", d.Death.Status, escape.Lines(string(said[:min(len(said), 200)])))
}

// Resolve answers the questions until ctx ends.
func (d *Diagnosis) Resolve(ctx context.Context, open func() Runner) {
	if d.Isolate {
		if d.isolateEnders(ctx, open); !d.Found {
			d.suspect()
		}
	}
	if d.Forget {
		d.testNewest(ctx, open)
	}
	if d.Survive && !d.Found {
		d.findSurvivor(ctx, open)
	}
}

// drop marks an input as no longer replayed.
func (d *Diagnosis) drop(i int) {
	d.Inputs[i].Bad = true
	d.Bad = append(d.Bad, i)
}

// isolateEnders drops the inputs that end a process by themselves, such as by a goroutine that
// fails later. It runs each of the process's last inputs alone in a fresh process.
func (d *Diagnosis) isolateEnders(ctx context.Context, open func() Runner) {
	var suspects []int
	for i := range d.Inputs {
		if in := &d.Inputs[i]; !in.Bad && d.ran(in.Flat) {
			suspects = append(suspects, i)
		}
	}
	suspects = suspects[:max(0, min(len(suspects), d.Room))]
	d.Isolated = len(suspects)
	fails := make([]bool, len(suspects))
	var group sync.WaitGroup
	for lane := range min(isolateLanes, len(suspects)) {
		group.Go(func() {
			s := open()
			defer s.Close()
			for k := lane; k < len(suspects) && ctx.Err() == nil; k += isolateLanes {
				failed, err := failsAlone(s, d.Inputs[suspects[k]].Flat)
				fails[k] = err == nil && failed
			}
		})
	}
	group.Wait()
	for k, i := range suspects {
		if fails[k] {
			d.drop(i)
			d.Found = true
		}
	}
}

// ran reports whether an input is among the last that the process executed.
func (d *Diagnosis) ran(input []byte) bool {
	return slices.ContainsFunc(d.Death.Recent, func(flat []byte) bool { return bytes.Equal(flat, input) })
}

// suspect drops the newest input that the process executed. In processes that end in a row, an
// input leaves something behind that fails later. The first of them ended soon after it was kept.
func (d *Diagnosis) suspect() {
	for i := len(d.Inputs) - 1; i > 0; i-- {
		if in := &d.Inputs[i]; !in.Bad && d.ran(in.Flat) {
			d.drop(i)
			return
		}
	}
}

// testNewest drops the newest input of the corpus if it leaves something behind, such as a locked
// mutex. The next input, which does no harm by itself, then ends the process.
func (d *Diagnosis) testNewest(ctx context.Context, open func() Runner) {
	last, left := -1, 0
	for i := range d.Inputs {
		if !d.Inputs[i].Bad {
			last = i
			left++
		}
	}
	if left < 2 || len(d.Death.Recent) == 0 {
		return
	}
	s := open()
	defer s.Close()
	flat := d.Death.Recent[0]
	leaves := !failsAfter(s, nil, flat) && failsAfter(s, d.Inputs[last].Flat, flat)
	if ctx.Err() != nil {
		return
	}
	if d.Leaves, d.Unharmful = leaves, !leaves; leaves {
		d.drop(last)
	}
}

// findSurvivor looks for a seed or input that a fresh process survives alone. If the old version
// survives some and the new one none, that is a finding, and no broken baseline.
func (d *Diagnosis) findSurvivor(ctx context.Context, open func() Runner) {
	var kept [][]byte
	for i := range d.Inputs {
		if !d.Inputs[i].Bad {
			kept = append(kept, d.Inputs[i].Flat)
		}
	}
	d.Of = len(d.Seeds) + len(kept)
	var lanes []Runner
	defer func() {
		for _, s := range lanes {
			s.Close()
		}
	}()
	for _, left := range [][][]byte{d.Seeds, kept} {
		for len(left) > 0 {
			// The first seed mostly decides. One slow seed per processor runs at once.
			batch := left[:min(max(d.Tried, 1), isolateLanes, runtime.NumCPU(), len(left))]
			left = left[len(batch):]
			for len(lanes) < len(batch) {
				lanes = append(lanes, open())
			}
			results, errs := make([][]wire.RunResult, len(batch)), make([]error, len(batch))
			var group sync.WaitGroup
			for i, flat := range batch {
				group.Go(func() { results[i], errs[i] = runAlone(lanes[i], flat) })
			}
			group.Wait()
			if ctx.Err() != nil {
				return
			}
			for i := range batch { // in order, so that the answer repeats
				if d.Err = errs[i]; d.Err != nil {
					return
				}
				if d.Tried++; d.survives(results[i]) {
					return
				}
			}
		}
	}
}

// survives records the results of a seed alone, and reports whether further seeds are unnecessary.
func (d *Diagnosis) survives(results []wire.RunResult) bool {
	switch {
	case !failed(results):
		d.Survived, d.Fails = true, -1
	case d.Paired && !failed(results[:1]):
		d.Survived, d.Fails = true, 1
	case d.Paired && !failed(results[1:]):
		d.Survived, d.Fails = true, 0
		return false
	default:
		return false
	}
	return true
}

// runAlone runs an input in a fresh process and waits for late failures.
func runAlone(s Runner, flat []byte) ([]wire.RunResult, error) {
	s.Fresh()
	return s.Run(flat, wire.Settle)
}

// failsAlone reports whether an input fails in a fresh process, at once or a little later.
func failsAlone(s Runner, flat []byte) (bool, error) {
	results, err := runAlone(s, flat)
	return err == nil && failed(results), err
}

// failsAfter reports whether an input fails in a fresh process, after another one or nil.
func failsAfter(s Runner, before, flat []byte) bool {
	s.Fresh()
	if before != nil {
		if results, err := s.Run(before, 0); err != nil || failed(results) {
			return false
		}
	}
	results, err := s.Run(flat, 0)
	return err == nil && failed(results)
}

func failed(results []wire.RunResult) bool {
	_, ok := triage.Failed(results)
	return ok
}
