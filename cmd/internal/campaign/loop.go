package campaign

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"time"

	"parallax/cmd/internal/event"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/target"
	"parallax/internal/corpus"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

const (
	pollInterval   = 5 * time.Millisecond
	statusInterval = 500 * time.Millisecond
	saveInterval   = 2 * time.Second
	cpuInterval    = 20 * time.Millisecond
	// Lines of stats.jsonl a budget, at least: runs are compared at equal inputs and at equal CPU time.
	linesBudget = 64
	// After ^C the judging of candidates goes on for so long; the rest waits for the next run.
	interruptPatience = 4 * time.Second

	startLimit  = 3  // tries to start a process that never says hello
	barrenLimit = 12 // processes in a row without an input, until an instance gives up
)

// loop fuzzes until the budget is used, then has the remaining candidates judged.
func (c *Campaign) loop(ctx context.Context, kill <-chan struct{}) error {
	judging, stopJudging := context.WithCancel(context.Background())
	defer stopJudging()
	if c.opt.NoTriage {
		close(c.triage.ended)
	} else {
		go c.triage.run(judging)
	}
	defer c.triage.wait()
	defer stopJudging() // before wait: what is being judged stays on disk
	go c.writer.run()
	defer c.writer.close()

	c.ui.Step("starting workers")
	c.enlist()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	c.begun = c.now()
	c.rate.start(c.begun, c.totals.executions)
	status, save, spent := c.now(), c.now(), c.now()
	var deadline, patience time.Time
	if c.opt.Budget.Time > 0 {
		deadline = c.begun.Add(c.opt.Budget.Time)
	}
	done := ctx.Done()
	for c.alive() > 0 || c.triage.pending() > 0 && !c.opt.NoTriage {
		select {
		case <-kill:
			c.stop("interrupted")
			c.abandon()
			c.wait(c.triage.pending())
			return nil
		case <-done:
			done = nil
			patience = c.now().Add(interruptPatience)
			c.stop("interrupted")
		case e := <-c.events:
			c.handle(e)
		case v := <-c.triage.out:
			if err := c.judged(v); err != nil {
				c.fail(err)
			}
		case <-poll.C:
			c.collect()
		}
		now := c.now()
		if !deadline.IsZero() && now.After(deadline) {
			c.stop("budget")
		}
		if now.Sub(spent) >= cpuInterval {
			spent = now
			if c.spend(); c.opt.Budget.CPU > 0 && c.totals.cpu >= c.opt.Budget.CPU {
				c.stop("budget")
			}
			if err := c.progress(now); err != nil {
				c.fail(err)
			}
		}
		if c.alive() == 0 && patience.IsZero() && c.opt.TriageTime > 0 {
			patience = now.Add(c.opt.TriageTime)
		}
		if n := c.triage.pending(); n > 0 && c.alive() == 0 && !patience.IsZero() && now.After(patience) {
			c.wait(n)
			return nil
		}
		if err := c.writer.failed(); err != nil {
			c.fail(exit.Infra("writing the corpus: %w", err))
		}
		if c.failure != nil {
			c.stop("error")
		}
		if c.alive() == 0 {
			c.triage.resume()
		}
		if c.stopped != "" {
			c.hurry()
		} else if c.alive() == 0 {
			c.stop("budget")
		}
		if now.Sub(save) >= saveInterval {
			save = now
			if err := c.save(); err != nil {
				c.fail(err)
			}
		}
		if now.Sub(status) >= statusInterval {
			status = now
			c.publish(event.Progress{Status: c.status()})
		}
		if c.failure != nil && c.alive() == 0 && exit.Code(c.failure) != exit.BaselineCode {
			c.wait(c.triage.pending())
			return nil
		}
	}
	c.stop("budget")
	c.wait(c.triage.pending())
	return nil
}

// wait notes that n candidates stay on disk.
func (c *Campaign) wait(n int) {
	if c.left = n; n > 0 {
		c.note("candidates that wait for triage: %d; the next run%s confirms them", n, map[bool]string{true: " without --no-triage"}[c.opt.NoTriage])
	}
}

// enlist starts the instances. Seeds go to the first: the others get what it keeps.
func (c *Campaign) enlist() {
	n := c.opt.Parallel
	for i := range n {
		m := &instance{index: i, mail: make(chan struct{}, 1), events: c.events, quota: ^uint64(0) >> 1}
		if b := c.opt.Budget.Inputs; b > 0 {
			m.quota = b / uint64(n)
			if uint64(i) < b%uint64(n) {
				m.quota++
			}
		}
		c.instances = append(c.instances, m)
		if m.quota == 0 {
			m.ended = true
			continue
		}
		c.start(m)
	}
}

// start launches a process for an instance with what is known now.
func (c *Campaign) start(m *instance) {
	l := launch{
		setup: c.setup(m), spec: c.spec, start: c.starter, quota: m.quota - m.before,
		maps: append(feature.Map{}, c.maps...),
	}
	// The sets change while the process starts; it gets a copy of what was known at one moment.
	sets := map[int]*feature.Set{}
	for number, s := range c.tuples {
		sets[number] = s.Clone()
	}
	l.tuples = func(send func(int, []uint64) error) error { return sendSets(sets, send) }
	for i := range c.inputs {
		if !c.inputs[i].bad {
			l.replay = append(l.replay, c.inputs[i].flat)
		}
	}
	m.known = len(c.inputs)
	if m.index == 0 {
		l.seeds = c.seeds[:min(uint64(len(c.seeds)), l.quota)]
	}
	m.fuzz = false
	m.last = [wire.NumStats]uint64{}
	m.opTried, m.opKept = nil, nil
	go m.run(l)
}

// spend brings the CPU time of the fuzzing workers up to date.
func (c *Campaign) spend() {
	total := time.Duration(0)
	for _, m := range c.instances {
		total += m.cpu
		if m.worker != nil {
			total += m.worker.CPU()
		}
	}
	c.totals.cpu = total
}

func (c *Campaign) alive() int {
	n := 0
	for _, m := range c.instances {
		if !m.ended {
			n++
		}
	}
	return n
}

// handle takes an event of an instance.
func (c *Campaign) handle(e happening) {
	m := e.instance
	switch e.stage {
	case stageUp:
		m.worker = e.worker
		c.opNames = e.worker.operators
		if c.stopped != "" {
			m.worker.mem.Stop().Store(wire.StopSoon)
		}
	case stageFuzz:
		m.fuzz = true
		c.drain(m)
		if m.index == 0 {
			c.seeded(m.last[wire.Inputs])
			if len(c.inputs) == 0 && c.stopped == "" && (c.given || c.facts.Mode == target.Diff) {
				c.fail(c.baseline("a program fails on every seed"))
			}
		}
	case stageEnd:
		c.end(m, e.err)
	}
}

// seeded notes that the first n of the remaining seeds have been executed.
func (c *Campaign) seeded(n uint64) {
	n = min(n, uint64(len(c.seeds)))
	c.seeds = c.seeds[n:]
	c.totals.counters[c.totals.seedList] += n
}

// end takes the end of an instance's orders, or of its process.
func (c *Campaign) end(m *instance, err error) {
	if m.worker == nil { // it never started
		if m.unborn++; m.unborn < startLimit && c.stopped == "" {
			c.log.Warn("worker not started", "member", m.index, "error", err.Error())
			c.start(m)
			return
		}
		m.ended = true
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
	c.drain(m)
	c.settle(m)
	c.mergeMaps(m)
	counted := m.last[wire.Inputs]
	if d != nil {
		c.totals.restarts++
		c.log.Warn("worker ended", "member", m.index, "outcome", d.Outcome.String(), "status", d.Status)
		if said, err := c.target.Fault(d); err != nil {
			c.fail(err)
		} else if len(said) > 0 {
			c.log.Error("lockstep process ended", "text", string(said[:min(len(said), 4096)]))
		}
		if c.died(m, d) {
			counted++
		}
		if counted == 0 && m.barren > 0 && !d.Repairing {
			c.suspect(d)
		}
	}
	if m.index == 0 && !m.fuzz {
		c.seeded(counted)
	}
	m.before += counted
	m.worker.CPU() // also of its children, which end with it
	m.worker.Close()
	m.cpu += m.worker.CPU()
	m.worker = nil
	c.spend()
	m.barren++
	if counted > 0 {
		m.barren = 0
	}
	if m.short++; d == nil || counted > shortLife {
		m.short = 0
	} else if m.short >= shortLives {
		m.short = 0
		c.forget(d.Recent)
	}
	switch {
	case d == nil && c.stopped == "" && m.before < m.quota && counted > 0:
		c.totals.restarts++ // it asked for a new process
		if c.facts.Traits.Goroutines {
			c.problems = appendOnce(c.problems, "the programs leave thousands of goroutines behind: their process is replaced from time to time")
		}
		c.start(m)
	case d == nil || c.stopped != "" || m.before >= m.quota:
		m.ended = true
	case m.barren >= barrenLimit:
		m.ended = true
		c.fail(c.baseline(errBarren.Error()))
	default:
		c.start(m)
	}
}

// drain empties an instance's ring and takes its counts.
func (c *Campaign) drain(m *instance) {
	w := m.worker
	if w == nil {
		return
	}
	w.mem.Take(func(kind byte, payload []byte) {
		switch kind {
		case wire.EventNovel:
			c.novel(payload)
		case wire.EventKept:
			var e wire.Event
			if e.Read(wire.NewReader(payload)) == nil {
				m.provisional = nil
				c.keep(m, &e)
			}
		case wire.EventProvisional:
			m.provisional = bytes.Clone(payload)
		case wire.EventNote:
			c.noteRepair(string(payload))
		case wire.EventCandidate:
			var e wire.Event
			if e.Read(wire.NewReader(payload)) == nil {
				c.candidate(m, &e)
			}
		}
	})
	for s := range m.last {
		v := w.mem.Stat(wire.Stat(s)).Load()
		c.totals.add(wire.Stat(s), v-m.last[s], uint64(len(c.facts.Names)))
		m.last[s] = v
	}
	c.totals.operators(m, c.opNames)
}

// settle keeps the input that an instance was making smaller: the coverage maps know what it reached.
func (c *Campaign) settle(m *instance) {
	var e wire.Event
	if m.provisional != nil && e.Read(wire.NewReader(m.provisional)) == nil {
		c.keep(m, &e)
	}
	m.provisional = nil
}

// collect is one round over all instances.
func (c *Campaign) collect() {
	for _, m := range c.instances {
		if m.worker == nil {
			continue
		}
		c.drain(m)
		if m.fuzz && m.known < len(c.inputs) {
			c.share(m)
		}
	}
}

// share sends an instance what others have found since the last time.
func (c *Campaign) share(m *instance) {
	var flats [][]byte
	upTo, size := m.known, 0
	for ; upTo < len(c.inputs) && size < batchBytes; upTo++ {
		if k := &c.inputs[upTo]; k.from != m.index && !k.bad {
			flats = append(flats, k.flat)
			size += len(k.flat)
		}
	}
	if len(flats) == 0 || m.post(flats) {
		m.known = upTo
	}
}

func (c *Campaign) novel(payload []byte) {
	for ; len(payload) >= 9; payload = payload[9:] {
		number, h := payload[0], binary.LittleEndian.Uint64(payload[1:])
		set := c.tuples[int(number)]
		if set == nil || !set.Add(h) {
			continue
		}
		c.publish(event.Novel{Domain: number, Hash: h})
	}
}

func (c *Campaign) keep(m *instance, e *wire.Event) {
	meta := corpus.Meta{
		Version: 1, Operators: c.operators(e.Ops), Inputs: c.totals.inputsAt(m, e.Inputs), New: e.New, Worker: m.index,
	}
	if e.Parent != nil {
		meta.Parent = hashOf(c.facts.Shape, e.Parent)
	}
	flat := append([]byte{}, e.Flat...)
	c.publish(event.Kept{Flat: flat, Meta: meta})
	if !c.have[string(flat)] {
		c.have[string(flat)] = true
		c.inputs = append(c.inputs, held{flat: flat, from: m.index})
	}
}

func (c *Campaign) operators(ops []byte) []string {
	var names []string
	for _, op := range ops {
		if int(op) < len(c.opNames) {
			names = append(names, c.opNames[op])
		}
	}
	return names
}

func (c *Campaign) mergeMaps(m *instance) {
	c.maps.Merge(m.worker.mem.Maps()[:len(c.maps)])
}

// stop asks every worker to end after its input.
func (c *Campaign) stop(why string) {
	if c.stopped != "" {
		return
	}
	c.stopped = why
	if c.dropCmpLog != nil {
		c.dropCmpLog() // nobody will ask it any more, and findings wait to be located
	}
	c.totals.stop(c.now().Sub(c.begun))
	for _, m := range c.instances {
		if m.worker != nil {
			m.worker.mem.Stop().Store(wire.StopSoon)
		}
	}
}

// hurry keeps asking: a worker that started meanwhile has not heard.
func (c *Campaign) hurry() {
	for _, m := range c.instances {
		if m.worker != nil {
			m.worker.mem.Stop().Store(wire.StopSoon)
		}
	}
}

// abandon kills the workers.
func (c *Campaign) abandon() {
	for _, m := range c.instances {
		if m.worker != nil {
			m.worker.Kill()
		}
	}
	for c.alive() > 0 {
		e := <-c.events
		if e.stage == stageUp {
			e.instance.worker = e.worker
			e.worker.Kill()
		}
		if e.stage == stageEnd {
			if w := e.instance.worker; w != nil {
				c.drain(e.instance)
				c.settle(e.instance)
				c.mergeMaps(e.instance)
				w.Close()
				e.instance.worker = nil
			}
			e.instance.ended = true
		}
	}
}

// publish tells of what happened. Where the folder cannot keep it, the campaign stops.
func (c *Campaign) publish(e event.Event) {
	if err := c.stream.Publish(e); err != nil {
		c.fail(err)
	}
}

// fail stops the campaign because of what parallax runs on. The first cause counts.
func (c *Campaign) fail(err error) {
	if c.failure == nil {
		c.failure = err
		c.log.Error("failure", "error", err.Error())
	}
}
