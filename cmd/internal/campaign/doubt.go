package campaign

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

// The input in flight is not always the one that ends a process. In case of doubt, a goroutine runs
// inputs alone, on a copy of the corpus. Only the instance waits for it, so that a campaign with
// one worker repeats, and ends at once on request.

// loner executes inputs alone. It is a *triage.Replayer, except in tests.
type loner interface {
	Fresh()
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Close()
}

// newLoner returns a loner whose work ends with ctx.
func (c *Campaign) newLoner(ctx context.Context) loner { return c.replayer(ctx) }

func (c *Campaign) replayer(ctx context.Context) *triage.Replayer {
	s := c.triager().Replayer()
	s.Ctx = ctx
	return s
}

// doubt is a question about inputs that end processes, and its answer.
type doubt struct {
	death   *execute.Death // of the instance's process; nil means that no seed was kept
	counted uint64         // inputs that the process had counted
	inputs  []held         // a copy of the corpus
	seeds   [][]byte

	isolate bool // processes end in a row while they replay: which input ends them?
	room    int  // number of inputs that may be executed alone
	forget  bool // processes end after very few inputs: does the newest input leave something behind?
	survive bool // does any seed do no harm alone?
	paired  bool // the programs are two versions; a seed that one of them survives answers survive

	isolated  int   // inputs that were executed alone
	bad       []int // inputs of the corpus that are no longer replayed
	found     bool  // one of them ends a process by itself
	leaves    bool  // the newest input leaves something behind
	unharmful bool  // the newest input leaves nothing behind
	survived  bool
	fails     int   // the version that failed on the survived seed; negative means none
	tried, of int   // tried and all seeds, then inputs of the corpus
	err       error // of executing seeds and inputs
}

const (
	// Processes that end after shortLife inputs, shortLives times in a row, may have been harmed by
	// the replay. That is examined, unless maxUnharmful suspicions were wrong.
	shortLife    = 2
	shortLives   = 3
	maxUnharmful = 4

	maxIsolated  = 2000             // inputs that a campaign executes alone
	isolateLanes = 8                // concurrent processes, which mostly wait for late failures
	doubtTime    = 30 * time.Second // after that, the question stays open
)

// examine answers a question in a goroutine, which reports by an event of the instance.
func (c *Campaign) examine(m *instance, q *doubt) {
	q.inputs, q.seeds, q.room = slices.Clone(c.known.inputs), c.first, maxIsolated-c.isolated
	q.paired = c.facts.Versions && len(c.facts.Names) == 2
	q.forget = q.forget && c.unharmful < maxUnharmful
	go func() {
		ctx, cancel := context.WithTimeout(c.doubting, doubtTime)
		defer cancel()
		q.resolve(ctx, func() loner { return c.alone(ctx) })
		c.fleet.events <- happening{instance: m, stage: stageResolved, doubt: q}
	}()
}

// handleDoubt handles the answer to a question.
func (c *Campaign) handleDoubt(m *instance, q *doubt) {
	for _, i := range q.bad {
		c.known.inputs[i].bad = true
		c.log.Warn("input no longer replayed", "hash", hashOf(c.facts.Shape, c.known.inputs[i].flat))
	}
	c.isolated += q.isolated
	if q.unharmful {
		c.unharmful++
	}
	if q.leaves {
		c.problems = appendOnce(c.problems, "an input leaves something behind, such as a locked mutex, that ends the process on the next input: "+
			"no single input reproduces it; log.txt names the inputs of the corpus that are no longer replayed")
	}
	if q.death == nil {
		switch {
		case c.stopped != "":
		case q.survived && q.fails >= 0:
			c.problems = appendOnce(c.problems, c.facts.Names[q.fails]+" fails on every seed, and "+c.facts.Names[1-q.fails]+" does not")
		case q.survived:
			c.problems = appendOnce(c.problems, "a program fails on every seed in one process, but not on each of them alone: one of them leaves something behind that does harm later")
		default:
			c.fail(c.broken(q, "a program fails on every seed"))
		}
		m.release(c.stopped == "" && c.failure == nil)
		return
	}
	if q.found {
		m.barren = 1
	}
	c.next(m, q)
}

// broken returns the error of a campaign whose seeds all fail, or the reason why that is unknown.
func (c *Campaign) broken(q *doubt, reason string) error {
	switch {
	case q.err != nil:
		var coded *exit.Error
		if errors.As(q.err, &coded) {
			return q.err
		}
		return exit.Infra("executing the seeds alone, since %s: %w", reason, q.err)
	case q.tried == 0 && q.of > 0:
		return exit.Infra("%s, and no seed could be executed alone within %v to see whether it does harm by itself", reason, doubtTime)
	case q.tried < len(q.seeds):
		return exit.Infra("%s, and so does each of the first %d of %d seeds alone; the others could not be executed alone within %v: "+
			"use --seeds to give fewer of them", reason, q.tried, len(q.seeds), doubtTime)
	}
	return c.baseline("%s", reason)
}

// barren returns the error for processes that end in a row without executing an input. If seeds do
// no harm alone, the reason is unknown.
func (c *Campaign) barren(q *doubt) error {
	const reason = "worker processes end repeatedly without executing an input"
	if !q.survived {
		return c.broken(q, reason)
	}
	said := bytes.TrimSpace(q.death.Text)
	if at := bytes.LastIndexByte(said, '\n'); at >= 0 {
		said = said[at+1:]
	}
	return exit.Infra(reason+" (%s: %s), and no input does so alone: a program leaves something "+
		"behind that ends the process later, or something else ends it", q.death.Status, escape.Lines(string(said[:min(len(said), 200)])))
}

// resolve answers the questions until ctx ends.
func (q *doubt) resolve(ctx context.Context, open func() loner) {
	if q.isolate {
		if q.isolateEnders(ctx, open); !q.found {
			q.suspect()
		}
	}
	if q.forget {
		q.testNewest(ctx, open)
	}
	if q.survive && !q.found {
		q.findSurvivor(ctx, open)
	}
}

// drop marks an input as no longer replayed.
func (q *doubt) drop(i int) {
	q.inputs[i].bad = true
	q.bad = append(q.bad, i)
}

// isolateEnders drops the inputs that end a process by themselves, such as by a goroutine that
// fails later. It runs each of the process's last inputs alone in a fresh process.
func (q *doubt) isolateEnders(ctx context.Context, open func() loner) {
	var suspects []int
	for i := range q.inputs {
		if in := &q.inputs[i]; !in.bad && q.ran(in.flat) {
			suspects = append(suspects, i)
		}
	}
	suspects = suspects[:max(0, min(len(suspects), q.room))]
	q.isolated = len(suspects)
	fails := make([]bool, len(suspects))
	var group sync.WaitGroup
	for lane := range min(isolateLanes, len(suspects)) {
		group.Go(func() {
			s := open()
			defer s.Close()
			for k := lane; k < len(suspects) && ctx.Err() == nil; k += isolateLanes {
				failed, err := failsAlone(s, q.inputs[suspects[k]].flat)
				fails[k] = err == nil && failed
			}
		})
	}
	group.Wait()
	for k, i := range suspects {
		if fails[k] {
			q.drop(i)
			q.found = true
		}
	}
}

// ran reports whether an input is among the last that the process executed.
func (q *doubt) ran(input []byte) bool {
	return slices.ContainsFunc(q.death.Recent, func(flat []byte) bool { return bytes.Equal(flat, input) })
}

// suspect drops the newest input that the process executed. In processes that end in a row, an
// input leaves something behind that fails later. The first of them ended soon after it was kept.
func (q *doubt) suspect() {
	for i := len(q.inputs) - 1; i > 0; i-- {
		if in := &q.inputs[i]; !in.bad && q.ran(in.flat) {
			q.drop(i)
			return
		}
	}
}

// testNewest drops the newest input of the corpus if it leaves something behind, such as a locked
// mutex. The next input, which does no harm by itself, then ends the process.
func (q *doubt) testNewest(ctx context.Context, open func() loner) {
	last, left := -1, 0
	for i := range q.inputs {
		if !q.inputs[i].bad {
			last = i
			left++
		}
	}
	if left < 2 || len(q.death.Recent) == 0 {
		return
	}
	s := open()
	defer s.Close()
	flat := q.death.Recent[0]
	leaves := !failsAfter(s, nil, flat) && failsAfter(s, q.inputs[last].flat, flat)
	if ctx.Err() != nil {
		return
	}
	if q.leaves, q.unharmful = leaves, !leaves; leaves {
		q.drop(last)
	}
}

// findSurvivor looks for a seed or input that a fresh process survives alone. If the old version
// survives some and the new one none, that is a finding, and no broken baseline.
func (q *doubt) findSurvivor(ctx context.Context, open func() loner) {
	var kept [][]byte
	for i := range q.inputs {
		if !q.inputs[i].bad {
			kept = append(kept, q.inputs[i].flat)
		}
	}
	q.of = len(q.seeds) + len(kept)
	var lanes []loner
	defer func() {
		for _, s := range lanes {
			s.Close()
		}
	}()
	for _, left := range [][][]byte{q.seeds, kept} {
		for len(left) > 0 {
			// The first seed mostly decides. One slow seed per processor runs at once.
			batch := left[:min(max(q.tried, 1), isolateLanes, runtime.NumCPU(), len(left))]
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
				if q.err = errs[i]; q.err != nil {
					return
				}
				if q.tried++; q.survives(results[i]) {
					return
				}
			}
		}
	}
}

// survives records the results of a seed alone, and reports whether further seeds are unnecessary.
func (q *doubt) survives(results []wire.RunResult) bool {
	switch {
	case !failed(results):
		q.survived, q.fails = true, -1
	case q.paired && !failed(results[:1]):
		q.survived, q.fails = true, 1
	case q.paired && !failed(results[1:]):
		q.survived, q.fails = true, 0
		return false
	default:
		return false
	}
	return true
}

// runAlone runs an input in a fresh process and waits for late failures.
func runAlone(s loner, flat []byte) ([]wire.RunResult, error) {
	s.Fresh()
	return s.Run(flat, wire.Settle)
}

// failsAlone reports whether an input fails in a fresh process, at once or a little later.
func failsAlone(s loner, flat []byte) (bool, error) {
	results, err := runAlone(s, flat)
	return err == nil && failed(results), err
}

// failsAfter reports whether an input fails in a fresh process, after another one or nil.
func failsAfter(s loner, before, flat []byte) bool {
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
