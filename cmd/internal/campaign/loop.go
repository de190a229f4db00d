package campaign

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/quiet"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

const (
	pollInterval   = 5 * time.Millisecond
	markInterval   = 1 * time.Millisecond // while the worker waits for marks that may follow closely
	markTime       = 2 * time.Second      // after that, marks are rare
	statusInterval = 500 * time.Millisecond
	// Saving takes at most one part in saveShare of the time, and reading the CPU time one in
	// cpuShare. Neither becomes rarer than the second number. Adding up the branches of large
	// programs takes a tenth of a second, and the CPU time of thirty processes some milliseconds.
	saveInterval, saveRarely, saveShare = 2 * time.Second, 10 * time.Second, 50
	cpuInterval, cpuRarely, cpuShare    = 20 * time.Millisecond, 500 * time.Millisecond, 100
	// interruptPatience is the time of triage after ^C. Other candidates wait for the next run.
	interruptPatience = 4 * time.Second

	startLimit  = 3  // attempts to start a process that never says hello
	barrenLimit = 12 // consecutive processes without an input before an instance gives up
)

// loop fuzzes until the budget is used, then waits for the triage of the remaining candidates.
func (c *Campaign) loop(ctx context.Context, kill <-chan struct{}) {
	triaging, stopTriage := context.WithCancel(context.Background())
	defer stopTriage()
	if c.opt.NoTriage {
		c.triage.Skip()
	} else {
		go func() {
			c.builds.wait(triaging) // triage runs crashes with sanitizers
			c.triage.Run(triaging)
		}()
	}
	defer c.triage.Wait()
	defer c.fleet.intake.Abandon()
	defer stopTriage() // before wait: candidates under triage stay on disk
	go c.writer.run()
	defer c.writer.close()

	c.ui.Step("starting workers")
	if !c.opt.NoFuzz {
		c.fleet.recruit(c.opt.Parallel, c.opt.Budget.Inputs)
	}
	if err := c.share(); err != nil {
		c.fail(exit.Infra("%w", err))
	}
	defer c.fleet.claims.Close()
	for _, m := range c.fleet.instances {
		if !m.ended {
			c.start(m)
		}
	}
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	quick := c.opt.Repeats()
	if quick {
		poll.Reset(markInterval)
		c.verdicts.file.Hold()
	}
	defer c.release()
	c.phase.begun = c.now()
	c.account.rate.start(c.phase.begun, c.totals.executions)
	if c.opt.NoFuzz {
		c.stop("budget")
	}
	status, save, spent, line := c.now(), c.now(), c.now(), c.now()
	saveEvery, cpuEvery := saveInterval, cpuInterval
	var deadline time.Time
	finishing := false // triage takes no new candidate
	if c.opt.Budget.Time > 0 {
		deadline = c.phase.begun.Add(c.opt.Budget.Time)
	}
	over, ended := make(chan struct{}), make(chan struct{})
	defer close(ended)
	go c.fleet.limit(deadline, c.opt.Budget.CPU, over, ended)
	done := ctx.Done()
	for c.fleet.alive() > 0 || c.fleet.intake.Open() || c.triage.Pending() > 0 && !c.opt.NoTriage {
		select {
		case <-kill:
			c.stop("interrupted")
			c.fleet.kill(c.drainLast)
			c.wait(c.triage.Pending())
			return
		case <-done:
			done = nil
			c.stop("interrupted")
			c.phase.ends = c.phase.ends.interrupted(c.now())
		case <-over:
			over = nil
			c.stop("budget")
		case e := <-c.fleet.events:
			select {
			case <-over: // checked first, so that the event starts no other process
				over = nil
				c.stop("budget")
			default:
			}
			c.handle(e)
		case v := <-c.triage.Verdicts():
			if err := c.handleVerdict(v); err != nil {
				c.fail(err)
			}
		case e, more := <-c.fleet.intake.Late():
			c.handleLate(e, more)
		case <-poll.C:
			c.collect()
		}
		c.triage.Widen(max(1, runtime.GOMAXPROCS(0)-c.fleet.alive()))
		now := c.now()
		if quick && now.Sub(c.phase.begun) > markTime {
			quick = false
			poll.Reset(pollInterval)
		}
		if now.Sub(spent) >= cpuEvery {
			c.totals.cpu = c.fleet.cpu()
			spent = c.now()
			cpuEvery = rarely(spent.Sub(now), cpuInterval, cpuRarely, cpuShare)
		}
		if now.Sub(line) >= cpuInterval {
			line = now
			if c.opt.Repeats() && c.series.ready(c.store.Len()) || !c.opt.Repeats() && c.account.due(c.fuzzing()) {
				c.record(false, false)
			}
		}
		c.awaitBuild(now)
		if !finishing && passed(c.phase.ends.hurry, now) {
			finishing = true
			c.triage.Finish()
		}
		if finishing && c.fleet.alive() == 0 && !c.triage.Busy() {
			c.wait(c.triage.Pending())
			return
		}
		if passed(c.phase.ends.triage, now) {
			c.fleet.kill(c.drainLast) // a process may hang
			c.wait(c.triage.Pending())
			return
		}
		if err := c.writer.failed(); err != nil {
			c.fail(unwritten(err))
		}
		if c.phase.failure != nil {
			c.stop("error")
		}
		if c.fleet.alive() == 0 {
			c.triage.Resume()
			c.release()
		}
		if c.phase.stopped != "" {
			c.fleet.halt()
			c.conclude(triaging)
		} else if c.fleet.alive() == 0 {
			c.stop("budget")
		}
		if now.Sub(save) >= saveEvery {
			begun := c.now()
			c.record(true, false)
			save = c.now()
			saveEvery = rarely(save.Sub(begun), saveInterval, saveRarely, saveShare)
		}
		if now.Sub(status) >= statusInterval {
			status = now
			c.publish(event.Progress{Status: c.account.status(c.moment())})
			if c.phase.quiet.Limit != (quiet.Limit{}) && c.totals.inputs > c.totals.startInputs && c.phase.quiet.Over(now, c.totals.inputs, c.account.coveredBlocks()) {
				c.stop("quiet")
			}
		}
		if c.phase.failure != nil && c.fleet.alive() == 0 && exit.Code(c.phase.failure) != exit.BaselineCode {
			c.wait(c.triage.Pending())
			return
		}
	}
	c.stop("budget")
	c.wait(c.triage.Pending())
}

// rarely returns the time until the next call of an operation that took so long. The operation then
// takes one part in share of the time.
func rarely(took, least, most time.Duration, share int) time.Duration {
	return max(least, min(most, time.Duration(share)*took))
}

// release writes the log of triage, if it was held back during the fuzzing.
func (c *Campaign) release() {
	if err := c.verdicts.file.Release(); err != nil {
		c.fail(err)
	}
}

// wait records that n candidates stay on disk, in addition to those that could not be confirmed.
func (c *Campaign) wait(n int) {
	n += c.leftover.undecided + c.leftover.cutShort
	c.leftover.all = n // printed at the end of the run
	if c.triage.Refused() > 0 {
		c.note("%s candidates were not kept, since many waited already: the next run may find their like again", units.Thousands(uint64(c.triage.Refused())))
	}
}

// start launches a process for an instance with the current knowledge.
func (c *Campaign) start(m *instance) {
	l := launch{
		setup: c.setup(m), spec: c.spec, start: c.fleet.start, quota: m.quota - m.before, rest: m.rest,
		maps: append(feature.Map{}, c.known.maps...), replay: c.known.replayed(),
	}
	l.spec.Claims = c.fleet.claims
	l.tuples = func(send func(int, uint8, []uint64) error) error {
		if err := c.known.handOut(send); err != nil {
			return err
		}
		return c.account.branches.handOut(send)
	}
	if m.index == 0 { // the first instance gets the seeds, the others the kept inputs
		for _, flat := range c.seeds.left[:min(uint64(len(c.seeds.left)), l.quota)] {
			l.seeds = append(l.seeds, held{flat: flat})
		}
	}
	m.resuming = m.before == 0 && m.barren == 0 && len(l.replay) > 0
	m.known = len(c.known.inputs)
	m.fuzz = false
	m.counts, m.owed = wire.Counts{}, nil // the new process counts failures from zero
	m.proceed = make(chan bool, 1)
	l.proceed = m.proceed
	go m.run(l)
}

// handle handles an event of an instance.
func (c *Campaign) handle(e instanceEvent) {
	m := e.instance
	switch e.stage {
	case stageUp:
		c.fleet.attach(m, e.worker)
		c.fleet.operators = slices.Concat(e.worker.operators, c.arms())
		if c.phase.stopped != "" {
			m.halt()
		}
	case stageRest:
		c.handleRest(m, e.results)
	case stageResume:
		if m.resuming {
			resumed := m.worker.CPU()
			c.fleet.mu.Lock()
			m.resuming, m.resumed = false, resumed
			c.fleet.mu.Unlock()
		}
	case stageFuzz:
		m.fuzz = true
		c.drain(m)
		if m.index == 0 {
			c.publish(event.Resumed{})
			c.countSeeds(m.counts.Stats[wire.Inputs])
			if len(c.known.inputs) == 0 && c.phase.stopped == "" && (c.seeds.given || c.facts.Mode == subject.Diff) {
				c.diagnose(m, &diagnosis.Diagnosis{Survive: true})
				return
			}
		}
		m.release(true)
	case stageEnd:
		c.end(m, e.err)
	case stageResolved:
		c.handleDiagnosis(m, e.diagnosis)
	}
}

// countSeeds records that the first n of the remaining seeds have been executed.
func (c *Campaign) countSeeds(n uint64) {
	n = min(n, uint64(len(c.seeds.left)))
	c.seeds.left = c.seeds.left[n:]
	c.totals.counters[c.totals.seedList] += n
}

// end handles the end of an instance's orders, or of its process.
func (c *Campaign) end(m *instance, err error) {
	if m.worker == nil { // it never started
		if m.unborn++; m.unborn < startLimit && c.phase.stopped == "" {
			c.log.Warn("worker not started", "instance", m.index, "error", err.Error())
			c.start(m)
			return
		}
		m.ended = true
		if c.phase.stopped != "" && errors.Is(err, context.Canceled) {
			return // its start was given up
		}
		var coded *exit.Error
		if !errors.As(err, &coded) {
			err = exit.Infra("starting a worker: %w", err)
		}
		c.fail(err)
		return
	}
	m.unborn = 0
	d := death(err)
	if err != nil && d == nil {
		var coded *exit.Error
		if !errors.As(err, &coded) {
			err = exit.Infra("a worker: %w", err)
		}
		c.fail(err)
	}
	c.drainLast(m)
	counted, resting := m.counts.Stats[wire.Inputs], false
	if d != nil {
		c.totals.restarts++
		c.log.Warn("worker ended", "instance", m.index, "outcome", d.Outcome.String(), "status", d.Status, "said", firstLine(d.Text))
		if said, err := c.target.Fault(d); err != nil {
			c.fail(err)
		} else if len(said) > 0 {
			c.log.Error("lockstep process ended", "text", string(said[:min(len(said), 4096)]))
		}
		var counts bool
		if counts, resting = c.handleDeath(m, d); counts {
			counted++
		}
	}
	c.fleet.intake.Ended(&m.offers)
	q := &diagnosis.Diagnosis{Death: d, Counted: counted, Isolate: d != nil && counted == 0 && m.barren > 0 && !d.Repairing && !resting}
	if m.index == 0 && !m.fuzz {
		c.countSeeds(counted)
	}
	m.before += counted
	c.fleet.drop(m)
	c.totals.cpu = c.fleet.cpu()
	if !resting {
		m.barren++
		m.short++
	}
	if counted > 0 {
		m.barren = 0
	}
	if d == nil || counted > shortLife {
		m.short = 0
	} else if m.short >= shortLives {
		m.short = 0
		q.Forget = true
	}
	q.Survive = d != nil && m.barren >= barrenLimit
	if c.phase.stopped == "" && m.before < m.quota && (q.Isolate || q.Forget || q.Survive) {
		c.diagnose(m, q)
		return
	}
	c.next(m, q)
}

// next continues with an instance whose process has ended, or ends the instance.
func (c *Campaign) next(m *instance, q *diagnosis.Diagnosis) {
	switch d, counted := q.Death, q.Counted; {
	case d == nil && c.phase.failure == nil && c.phase.stopped == "" && m.before < m.quota && counted > 0:
		c.totals.restarts++ // the process asked for a new one
		c.start(m)
	case d == nil || c.phase.stopped != "" || m.before >= m.quota && m.rest == nil:
		m.ended = true
	case m.barren >= barrenLimit:
		m.ended = true
		c.fail(q.Barren())
	default:
		c.start(m)
	}
}

// stop asks every worker to end after its input.
func (c *Campaign) stop(why string) {
	if c.phase.stopped != "" {
		return
	}
	c.phase.stopped = why
	c.diagnosing.stop()
	if c.builds.dropCmpLog != nil {
		c.builds.dropCmpLog() // fuzzing no longer needs it, and findings wait to be located
	}
	c.totals.stop(c.now().Sub(c.phase.begun))
	c.phase.ends = c.endAfter(c.now())
	c.fleet.halt()
}

// publish publishes an event. If the folder cannot keep it, the campaign stops.
func (c *Campaign) publish(e event.Event) {
	if err := c.stream.Publish(e); err != nil {
		c.fail(err)
	}
}

// fail stops the campaign because of an error of its environment. The first error counts.
func (c *Campaign) fail(err error) {
	if c.phase.failure == nil {
		c.phase.failure = err
		c.log.Error("failure", "error", err.Error())
	}
}
