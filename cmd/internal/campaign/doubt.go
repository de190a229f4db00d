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

// What harms processes is not always the input that was under way when they ended. Where that is in doubt, inputs are executed alone. It may
// take long, so a goroutine of its own does it, on a copy of the corpus. The instance waits for it and nobody else does: a campaign with one
// worker repeats, and ends at once when it is told to.

// loner executes inputs alone: a *triage.Replayer, but in tests.
type loner interface {
	Fresh()
	Run(flat []byte, flags uint64) ([]wire.RunResult, error)
	Close()
}

// loner returns one whose work ends with ctx.
func (c *Campaign) newLoner(ctx context.Context) loner { return c.replayer(ctx) }

func (c *Campaign) replayer(ctx context.Context) *triage.Replayer {
	s := c.triager().Replayer()
	s.Ctx = ctx
	return s
}

// doubt is what is to be found out, and then what was.
type doubt struct {
	death   *execute.Death // of the instance's process; nil: no seed was kept
	counted uint64         // inputs that it had counted
	inputs  []held         // a copy of the corpus
	seeds   [][]byte

	isolate bool // processes end in a row while they replay: which input does it?
	room    int  // how many inputs may be executed alone for that
	forget  bool // processes end after very few inputs: does the newest input leave something behind?
	survive bool // does any seed do no harm alone?
	paired  bool // the programs are two versions of one: a seed that one of them survives does

	isolated  int   // inputs that were executed alone
	bad       []int // inputs of the corpus that are to be replayed no more
	found     bool  // one of them ends a process by itself
	leaves    bool  // the newest input leaves something behind
	unharmful bool  // it does not
	survived  bool
	fails     int   // of two versions the one that failed on the seed that was survived; -1: none did
	tried, of int   // seeds, and inputs of the corpus after them
	err       error // of executing them
}

const (
	// A process that ends after so few inputs, so many times in a row, may have been harmed by what it replayed before. That is
	// looked into, unless it turned out to be otherwise so often.
	shortLife    = 2
	shortLives   = 3
	maxUnharmful = 4

	maxIsolated  = 2000             // inputs that a campaign executes alone to see which of them ends processes
	isolateLanes = 8                // processes that do so at once: they mostly wait for what may come late
	doubtTime    = 30 * time.Second // until what is in doubt stays so
)

// examine finds out what is in doubt, and reports as an event of the instance.
func (c *Campaign) examine(m *instance, q *doubt) {
	q.inputs, q.seeds, q.room = slices.Clone(c.known.inputs), c.first, maxIsolated-c.isolated
	q.paired = c.facts.Versions && len(c.facts.Names) == 2
	q.forget = q.forget && c.unharmful < maxUnharmful
	go func() {
		ctx, cancel := context.WithTimeout(c.doubting, doubtTime)
		defer cancel()
		q.resolve(ctx, func() loner { return c.alone(ctx) })
		c.fleet.events <- happening{instance: m, stage: stageTold, doubt: q}
	}()
}

// told takes what was found out.
func (c *Campaign) told(m *instance, q *doubt) {
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

// broken is the error of a campaign whose seeds all fail, unless that could not be found out.
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

// barren is the error of processes that end in a row without executing an input. Where seeds do no harm alone, it is not known what does.
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

// resolve finds out what is in doubt until ctx ends.
func (q *doubt) resolve(ctx context.Context, open func() loner) {
	if q.isolate {
		if q.ends(ctx, open); !q.found {
			q.suspect()
		}
	}
	if q.forget {
		q.lastLeaves(ctx, open)
	}
	if q.survive && !q.found {
		q.survivor(ctx, open)
	}
}

// drop has an input replayed no more.
func (q *doubt) drop(i int) {
	q.inputs[i].bad = true
	q.bad = append(q.bad, i)
}

// ends drops the inputs that end a process by themselves, though some time after they ran: by a goroutine that fails later,
// for example. Those that the process executed before it ended are executed again, each alone in a fresh process.
func (q *doubt) ends(ctx context.Context, open func() loner) {
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

// ran reports whether the process executed an input among its last.
func (q *doubt) ran(input []byte) bool {
	return slices.ContainsFunc(q.death.Recent, func(flat []byte) bool { return bytes.Equal(flat, input) })
}

// suspect drops the newest input that the process executed. Processes that end in a row while they replay the
// corpus are ended by something that an input leaves behind, a goroutine that fails later: the first of them ended soon
// after the input was kept.
func (q *doubt) suspect() {
	for i := len(q.inputs) - 1; i > 0; i-- {
		if in := &q.inputs[i]; !in.bad && q.ran(in.flat) {
			q.drop(i)
			return
		}
	}
}

// lastLeaves drops the newest input of the corpus if it leaves something behind, such as a locked mutex, that ends the process on another
// input, which does no harm by itself.
func (q *doubt) lastLeaves(ctx context.Context, open func() loner) {
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

// survivor looks for a seed, or an input of the corpus, that a fresh process survives alone. Where the old of two versions survives some and
// the new one none, that is a finding, and no broken baseline.
func (q *doubt) survivor(ctx context.Context, open func() loner) {
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
			// The first mostly decides. No more at once than there are processors: seeds that take long would seem to hang.
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
			for i := range batch { // in their order, so that it repeats
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

// survives takes what a seed does alone, and reports whether the others do not matter.
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

// runAlone runs an input in a fresh process, and gives it time to fail a little later.
func runAlone(s loner, flat []byte) ([]wire.RunResult, error) {
	s.Fresh()
	return s.Run(flat, wire.Settle)
}

// failsAlone reports whether an input fails in a fresh process, at once or a little later.
func failsAlone(s loner, flat []byte) (bool, error) {
	results, err := runAlone(s, flat)
	return err == nil && failed(results), err
}

// failsAfter reports whether an input fails in a fresh process that has executed another one before, if that is not nil.
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
