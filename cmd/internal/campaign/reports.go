package campaign

import (
	"bytes"
	"parallax/cmd/internal/finding"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/event"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// This file reads the events and counts that processes report in shared memory.

// collect reads the reports of all instances and sends mail to them.
func (c *Campaign) collect() {
	c.fleet.up(func(m *instance) {
		c.drain(m)
		if !m.fuzz {
			return
		}
		flats, upTo := c.known.inputsAfter(m.known, m.index)
		offers, err := c.fleet.intake.Next(&m.offers, m.counts.Stats[wire.Inputs])
		if err != nil {
			c.fail(err)
		}
		l := wire.Letter{Flats: flats, Owed: m.owed}
		for _, in := range offers {
			l.Offers = append(l.Offers, in.Offer)
		}
		sent := m.post(l)
		c.fleet.intake.Sent(&m.offers, offers, sent)
		if sent {
			m.known, m.owed = upTo, nil
		}
	})
}

// drain empties an instance's ring and updates the counts.
func (c *Campaign) drain(m *instance) {
	w := m.worker
	if w == nil {
		return
	}
	w.mem.Drain(func(kind byte, payload []byte) {
		switch kind {
		case wire.EventNovel:
			c.known.novel(payload, func(domain uint8, hash uint64) { c.publish(event.Novel{Domain: domain, Hash: hash}) })
		case wire.EventTraces:
			if keys := c.account.branches.update(payload); len(keys) > 0 {
				c.publish(event.Traces{Keys: keys})
			}
		case wire.EventShown:
			if e := wire.ReadShown(payload); c.facts.Shape.Check(e.Flat) == nil {
				c.publish(event.Shown(e))
			}
		case wire.EventKept:
			var e wire.InputEvent
			if c.readEvent(&e, payload) {
				m.provisional = nil
				c.keep(m, &e)
			}
		case wire.EventProvisional:
			m.provisional = bytes.Clone(payload)
		case wire.EventNote:
			c.handleNote(string(payload))
		case wire.EventCandidate:
			var e wire.InputEvent
			if c.readEvent(&e, payload) {
				c.handleCandidate(m, &e)
			}
		case wire.EventReached:
			c.handleReached(m, payload)
		case wire.EventMark: // the worker waits
			c.count(m)
			c.known.merge(m)
			c.series.mark(c.account.line(c.fuzzing()), !c.opt.NoTriage)
		}
	})
	c.count(m)
}

// count adds the growth of an instance's counts.
func (c *Campaign) count(m *instance) {
	had := m.counts
	if !m.worker.mem.Counts(&m.counts) {
		return // the worker is counting, or a program has overwritten the counts
	}
	for s, v := range m.counts.Stats {
		c.totals.add(wire.Stat(s), v-had.Stats[s], uint64(len(c.facts.Names)))
	}
	c.steady.Add(&had, &m.counts)
	c.totals.operators(&had, &m.counts, c.fleet.operators)
	if err := c.fleet.intake.Count(&m.offers, m.counts.Stats[wire.Offered]); err != nil {
		c.fail(err)
	}
}

// readEvent decodes an event and reports whether its inputs are valid.
func (c *Campaign) readEvent(e *wire.InputEvent, payload []byte) bool {
	return e.Read(wire.NewReader(payload)) == nil && c.facts.Shape.Check(e.Flat) == nil && (e.Parent == nil || c.facts.Shape.Check(e.Parent) == nil)
}

// drainLast handles the last reports of an ended process. It keeps the input that the process was
// shrinking, since the coverage maps already have its blocks.
func (c *Campaign) drainLast(m *instance) {
	c.drain(m)
	var e wire.InputEvent
	if m.provisional != nil && c.readEvent(&e, m.provisional) {
		c.keep(m, &e)
	}
	m.provisional = nil
	c.known.merge(m)
	c.account.branches.settle(m)
}

// keep adds an input to the corpus.
func (c *Campaign) keep(m *instance, e *wire.InputEvent) {
	meta := corpus.Meta{
		Version: 1, Operators: c.fleet.namesOf(e.Ops), Inputs: c.totals.inputsAt(m, e.Inputs), New: e.New, Worker: m.index,
	}
	if e.Parent != nil {
		meta.Parent = hashOf(c.facts.Shape, e.Parent)
	}
	flat := append([]byte{}, e.Flat...)
	hash := hashOf(c.facts.Shape, flat)
	if e.Parent == nil {
		c.lineage.Describe(hash, &meta)
	}
	c.lineage.Keep(hash, meta)
	c.publish(event.Kept{Flat: flat, Meta: meta})
	c.known.addInput(flat, e.New, m.index)
}

// handleCandidate handles an event of a candidate.
func (c *Campaign) handleCandidate(m *instance, e *wire.InputEvent) {
	cand := finding.Candidate{
		Flat: bytes.Clone(e.Flat), Operators: c.fleet.namesOf(e.Ops), Inputs: c.totals.inputsAt(m, e.Inputs), Fresh: e.Fresh,
		Worker: 1 + m.index,
	}
	for _, o := range e.Tuple {
		cand.Seen = append(cand.Seen, oracle.Observation{Outcome: oracle.Outcome(o.Outcome), Class: o.Class, Value: o.Value})
	}
	if e.Parent != nil {
		cand.Parent = append([]byte{}, e.Parent...)
	}
	if c.opt.Repeats() {
		cand.Steady = c.steady.At(&m.counts, e.Steady)
	}
	c.offer(cand, e.Failing, oracle.Layers(e.Layers))
}

// offer queues an input once per aspect: failures of programs, and layers of disagreement.
func (c *Campaign) offer(cand finding.Candidate, failing uint64, layers oracle.Layers) {
	var list []triage.Aspect
	for p := range c.facts.Names {
		if failing>>p&1 != 0 {
			list = append(list, triage.Fails(p))
		}
	}
	for ; layers != 0; layers &^= layers.First() {
		list = append(list, triage.Aspect{Layer: layers.First()})
	}
	c.offerAspects(cand, list)
}

func (c *Campaign) offerAspects(cand finding.Candidate, list []triage.Aspect) {
	for _, of := range triage.Counted(c.facts, list, cand.Seen) {
		cand.Failing, cand.Layer = of.Failing, of.Layer
		c.enqueue(cand)
	}
}

// enqueue queues a candidate. It returns false if the input was one for the same aspect before.
func (c *Campaign) enqueue(cand finding.Candidate) bool {
	if c.opt.Repeats() && cand.Steady == nil { // its process has ended, so all its counts are known
		known := c.steady.Snapshot()
		cand.Steady = &known
	}
	e, ok := c.triage.Offer(cand)
	if !ok {
		return false
	}
	c.series.offered++
	if err := c.triage.Accept(e); err != nil {
		c.leftover.unwritten = append(c.leftover.unwritten, e)
		c.fail(err)
	}
	return true
}

// rewrite writes the candidates that the disk refused, and notes those that it refuses again.
func (c *Campaign) rewrite() {
	for len(c.leftover.unwritten) > 0 && c.triage.Accept(c.leftover.unwritten[0]) == nil {
		c.leftover.unwritten = c.leftover.unwritten[1:]
		c.leftover.all++
	}
	if n := len(c.leftover.unwritten); n > 0 {
		c.note("%d candidates could not be written to %s and are lost: the next run may find their like again", n, filepath.Join(c.folder.Dir(), "pending"))
	}
}
