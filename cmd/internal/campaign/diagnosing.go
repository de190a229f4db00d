package campaign

import (
	"context"

	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/triage"
)

// diagnosing holds what a campaign needs to find inputs that end processes.
type diagnosing struct {
	ctx       context.Context // ends with the fuzzing
	stop      context.CancelFunc
	open      func(context.Context) diagnosis.Runner
	isolated  int // inputs that were executed alone
	unharmful int // suspected inputs of the corpus that left nothing harmful behind
}

// Processes that end after shortLife inputs, shortLives times in a row, may have been harmed by the
// replay. That is examined, unless maxUnharmful suspicions were wrong.
const (
	shortLife    = 2
	shortLives   = 3
	maxUnharmful = 4
)

// replayer returns a replayer whose work ends with ctx.
func (c *Campaign) replayer(ctx context.Context) *triage.Replayer {
	s := c.triager().Replayer()
	s.Ctx = ctx
	return s
}

// diagnose answers a question in a goroutine, which reports by an event of the instance. Only the
// instance waits for it, so that a campaign with one worker repeats, and ends at once on request.
func (c *Campaign) diagnose(m *instance, d *diagnosis.Diagnosis) {
	for _, in := range c.known.inputs {
		d.Inputs = append(d.Inputs, diagnosis.Input{Flat: in.flat, Bad: in.bad})
	}
	d.Seeds, d.Room = c.seeds.all, diagnosis.MaxIsolated-c.diagnosing.isolated
	d.Paired = c.facts.Versions && len(c.facts.Names) == 2
	d.Forget = d.Forget && c.diagnosing.unharmful < maxUnharmful
	go func() {
		ctx, cancel := context.WithTimeout(c.diagnosing.ctx, diagnosis.TimeLimit)
		defer cancel()
		d.Resolve(ctx, func() diagnosis.Runner { return c.diagnosing.open(ctx) })
		c.fleet.events <- instanceEvent{instance: m, stage: stageResolved, diagnosis: d}
	}()
}

// handleDiagnosis handles the answer to a question.
func (c *Campaign) handleDiagnosis(m *instance, d *diagnosis.Diagnosis) {
	for _, i := range d.Bad {
		c.known.inputs[i].bad = true
		c.log.Warn("input no longer replayed", "hash", hashOf(c.facts.Shape, c.known.inputs[i].flat))
	}
	c.diagnosing.isolated += d.Isolated
	if d.Unharmful {
		c.diagnosing.unharmful++
	}
	if d.Leaves {
		c.problems = appendOnce(c.problems, "an input leaves something behind, such as a locked mutex, that ends the process on the next input: "+
			"no single input reproduces it; log.txt names the inputs of the corpus that are no longer replayed")
	}
	if d.Death == nil {
		switch {
		case c.phase.stopped != "":
		case d.Survived && d.Fails >= 0:
			c.problems = appendOnce(c.problems, c.facts.Names[d.Fails]+" fails on every seed, and "+c.facts.Names[1-d.Fails]+" does not")
		case d.Survived:
			c.problems = appendOnce(c.problems, "a program fails on every seed in one process, but not on each of them alone: one of them leaves something behind that does harm later")
		default:
			c.fail(d.Broken("a program fails on every seed"))
		}
		m.release(c.phase.stopped == "" && c.phase.failure == nil)
		return
	}
	if d.Found {
		m.barren = 1
	}
	c.next(m, d)
}
