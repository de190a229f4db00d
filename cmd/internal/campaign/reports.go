package campaign

import (
	"bytes"
	"path/filepath"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/event"
	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// What processes report in the memory that they share: events, and counts.

// collect is one round over all instances.
func (c *Campaign) collect() {
	c.fleet.up(func(m *instance) {
		c.drain(m)
		if !m.fuzz {
			return
		}
		flats, upTo := c.known.after(m.known, m.index)
		if len(flats)+len(m.owed) == 0 || m.post(flats, m.owed) {
			m.known, m.owed = upTo, nil
		}
	})
}

// drain empties an instance's ring and takes its counts.
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
			if keys := c.branches.take(payload); len(keys) > 0 {
				c.publish(event.Traces{Keys: keys})
			}
		case wire.EventKept:
			var e wire.Event
			if c.reads(&e, payload) {
				m.provisional = nil
				c.keep(m, &e)
			}
		case wire.EventProvisional:
			m.provisional = bytes.Clone(payload)
		case wire.EventNote:
			c.noted(string(payload))
		case wire.EventCandidate:
			var e wire.Event
			if c.reads(&e, payload) {
				c.candidate(m, &e)
			}
		case wire.EventReached:
			c.reached(m, payload)
		case wire.EventMark: // the worker waits
			c.count(m)
			c.known.merge(m)
			c.series.mark(c.account.line(c.fuzzing()), !c.opt.NoTriage)
		}
	})
	c.count(m)
}

// count takes an instance's counts.
func (c *Campaign) count(m *instance) {
	had := m.counts
	if !m.worker.mem.Counts(&m.counts) {
		return // the worker is counting, or a program has written there
	}
	for s, v := range m.counts.Stats {
		c.totals.add(wire.Stat(s), v-had.Stats[s], uint64(len(c.facts.Names)))
	}
	c.steady.add(&had, &m.counts)
	c.totals.operators(&had, &m.counts, c.fleet.operators)
}

// reads reads an event, and reports whether its inputs are some.
func (c *Campaign) reads(e *wire.Event, payload []byte) bool {
	return e.Read(wire.NewReader(payload)) == nil && c.facts.Shape.Check(e.Flat) == nil && (e.Parent == nil || c.facts.Shape.Check(e.Parent) == nil)
}

// last takes what a process that has ended reported last. The input that it was making smaller is kept as it is: the coverage maps
// know what it reached.
func (c *Campaign) last(m *instance) {
	c.drain(m)
	var e wire.Event
	if m.provisional != nil && c.reads(&e, m.provisional) {
		c.keep(m, &e)
	}
	m.provisional = nil
	c.known.merge(m)
	c.branches.settle(m)
}

// keep takes an input of the corpus.
func (c *Campaign) keep(m *instance, e *wire.Event) {
	meta := corpus.Meta{
		Version: 1, Operators: c.fleet.namesOf(e.Ops), Inputs: c.totals.inputsAt(m, e.Inputs), New: e.New, Worker: m.index,
	}
	if e.Parent != nil {
		meta.Parent = hashOf(c.facts.Shape, e.Parent)
	}
	flat := append([]byte{}, e.Flat...)
	hash := hashOf(c.facts.Shape, flat)
	if e.Parent == nil {
		meta.From = c.lineage.seeds[hash]
	}
	c.lineage.keep(hash, meta)
	c.publish(event.Kept{Flat: flat, Meta: meta})
	c.known.hold(flat, e.New, m.index)
}

// candidate takes an input on which programs seem to disagree.
func (c *Campaign) candidate(m *instance, e *wire.Event) {
	cand := triage.Candidate{
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
		cand.Steady = c.steady.at(&m.counts, e.Steady)
	}
	c.offer(cand, e.Failing, oracle.Layers(e.Layers))
}

// offer has an input triaged for each aspect that it is a candidate for: the failures of a set of programs, and the layers in which the
// others disagree.
func (c *Campaign) offer(cand triage.Candidate, failing uint64, layers oracle.Layers) {
	var list []triage.Aspect
	for p := range c.facts.Names {
		if failing>>p&1 != 0 {
			list = append(list, triage.Fails(p))
		}
	}
	for ; layers != 0; layers &^= layers.First() {
		list = append(list, triage.Aspect{Layer: layers.First()})
	}
	for _, of := range counted(c.facts, list, cand.Seen) {
		cand.Failing, cand.Layer = of.Failing, of.Layer
		c.enqueue(cand)
	}
}

// enqueue has a candidate triaged, unless its input was one before for the same aspect. It reports whether it does.
func (c *Campaign) enqueue(cand triage.Candidate) bool {
	if c.opt.Repeats() && cand.Steady == nil { // its process has ended, and all that it counted is known
		known := c.steady.seen()
		cand.Steady = &known
	}
	e, ok := c.triage.offer(cand)
	if !ok {
		return false
	}
	c.series.offered++
	if err := c.stream.Publish(e); err != nil {
		c.unwritten = append(c.unwritten, e)
		c.fail(err)
	}
	return true
}

// rewrite tries again to write the candidates that the disk refused, and says how many are lost if it still does.
func (c *Campaign) rewrite() {
	for len(c.unwritten) > 0 && c.stream.Publish(c.unwritten[0]) == nil {
		c.unwritten = c.unwritten[1:]
		c.left++
	}
	if n := len(c.unwritten); n > 0 {
		c.note("%d candidates could not be written to %s and are lost: the next run may find their like again", n, filepath.Join(c.folder.Dir(), "pending"))
	}
}
