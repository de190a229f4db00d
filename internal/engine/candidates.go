package engine

import (
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// Candidates decides which disagreements and failures are looked at more closely. Two implementations may disagree on every third
// input, from a handful of causes: confirming and minimizing each would be waste, and dropping all but the first of a
// kind would hide causes.
//
// Each aspect of an input is counted by itself: the failure of each program, and each layer in which some that did not fail disagree. None
// hides another: of three programs, two that accept may return different values for what the third rejects.
// Failures says which failures are candidates. Whether both of two programs fail belongs to the class, and whether the other one ran: a
// line at which both fail on some inputs would hide that one alone fails there on others. Where the other one did not run, an input is one
// only if the class was not seen where it did. A disagreement is a candidate when, among those with the same tuple of outcomes,
//
//   - its tuple of outcomes and classes is new (NEZHA's unique discrepancy), or so is, where no blocks are known, the way in which
//     outputs differ (feature.Joint.Apart), or
//   - it executed a block that none of them had, or
//   - their number has reached a power of two;
//
// and the number of candidates a tuple of outcomes stays below base*(1+log2(n/base)) of n. A program that fails is no part of the
// disagreement: of its run, only that it failed belongs to the tuple.
type Candidates struct {
	programs, blocks int
	layers           oracle.Layers
	groups           map[uint64]*group // by tuple of outcomes: see group
	classes          feature.Set
	failures         Failures
	unique           feature.Set
	last             species // of the input that was seen last
	fresh            bool    // something of that input that is a candidate is the first of its kind
}

// species is what a disagreement looks like.
type species struct {
	hash             uint64
	disagrees, first bool
}

type group struct {
	seen     []uint64 // a bit for each program and block
	inputs   int
	admitted int
	classes  int
	apart    int // ways in which outputs differ
}

const (
	baseCandidates = 48
	maxClasses     = 256 // classes a tuple of outcomes may add by themselves
	maxApart       = 64  // ways in which outputs differ, the same: of programs that differ on many inputs they have no end
)

// NewCandidates returns an empty record for so many programs of so many blocks.
func NewCandidates(programs, blocks int, layers oracle.Layers) *Candidates {
	return &Candidates{programs: programs, blocks: blocks, layers: layers, groups: map[uint64]*group{}}
}

// Unique reports a unique discrepancy in NEZHA's sense that was not seen before.
func (c *Candidates) Unique(j *feature.Joint) (hash uint64, fresh bool) {
	hash, fresh = oracle.UniqueDiscrepancy(j.Obs)
	return hash, fresh && c.unique.Add(hash)
}

// Admission says what of an input is a candidate.
type Admission struct {
	Failing    uint64        // programs whose failure is one, a set
	Layers     oracle.Layers // in which programs disagree that did not fail
	Candidates oracle.Layers // those of them in which that is one
	Fresh      bool          // an outcome, an error class or a block is the first of its kind; otherwise the number of inputs is a power of two
}

// Admit looks at an input's observations.
func (c *Candidates) Admit(j *feature.Joint) (a Admission) {
	a.Failing = c.Fail(j)
	a.Layers, a.Candidates = c.Disagree(j)
	a.Fresh = c.fresh
	return a
}

// Fail counts the failures on an input, and returns the set of programs whose failure is a candidate.
func (c *Candidates) Fail(j *feature.Joint) (failing uint64) {
	c.last, c.fresh = species{}, false
	who := whoFails(j.Obs)
	for p := range j.Obs {
		o := &j.Obs[p]
		if o.Outcome < oracle.Crashed {
			continue
		}
		place := feature.Chain(uint64(p), uint64(o.Outcome))
		alone := feature.Chain(place, o.Class)
		known := who == oneRan && (c.failures.Seen(alone) || c.failures.Seen(feature.Chain(alone, bothFail)))
		if place = feature.Chain(place, o.Place); who != 0 {
			place = feature.Chain(place, who)
		}
		h := FailureClass(j.Obs, p)
		first, candidate := c.failures.Count(place, h)
		if candidate && !known {
			failing |= 1 << p
			c.fresh = c.fresh || first
		}
		if !c.last.first {
			c.last = species{h, true, first}
		}
	}
	return failing
}

// FailureClass is what the failure of a program counts as.
func FailureClass(obs []oracle.Observation, program int) uint64 {
	o := &obs[program]
	h := feature.Chain(feature.Chain(uint64(program), uint64(o.Outcome)), o.Class)
	if who := whoFails(obs); who != 0 {
		h = feature.Chain(h, who)
	}
	return h
}

// Owe makes one more failure of a class, as FailureClass has it, a candidate.
func (c *Candidates) Owe(class uint64) { c.failures.Owe(class) }

// Disagree reports the layers in which the programs disagree that did not fail, and in which of them that is a candidate. Each counts by
// itself. Fail comes before it.
func (c *Candidates) Disagree(j *feature.Joint) (layers, candidates oracle.Layers) {
	if layers = oracle.DisagreeLayers(c.layers, j.Obs); layers == 0 {
		dear := c.dear(j)
		if dear == 0 {
			return 0, 0
		}
		if layers = oracle.CostLayer; c.disagree(j, layers, dear, everyone) {
			candidates = layers
		}
		return layers, candidates
	}
	first := layers.First()
	if c.disagree(j, first, 0, everyone) {
		candidates = first
	}
	for rest := layers &^ first; rest != 0; rest &^= rest.First() {
		if layer := rest.First(); c.disagree(j, layer, 0, oracle.Part(layer, j.Obs)) {
			candidates |= layer
		}
	}
	return layers, candidates
}

const everyone = ^uint64(0)

// disagree counts a disagreement of a set of programs in a layer, and reports whether it is a candidate.
func (c *Candidates) disagree(j *feature.Joint, layer oracle.Layers, dear oracle.Measures, part uint64) bool {
	key, class := c.key(j.Obs, layer, part)
	if dear != 0 { // each measure is a kind by itself
		key, class = feature.Chain(key, uint64(dear.First())), feature.Chain(class, uint64(dear.First()))
	}
	g := c.group(key, layer)
	g.inputs++
	first := false // of its kind
	fresh := g.classes < maxClasses && c.classes.Add(class)
	if fresh {
		g.classes++
		first = true
	}
	if !c.last.disagrees { // no program fails, and it is the first layer
		c.last = species{hash: class, disagrees: true, first: fresh}
	}
	if j.OutputDiff != 0 && g.apart < maxApart && c.classes.Add(feature.Chain(class, j.OutputDiff)) {
		g.apart++
		first = true
	}
	if g.mark(j, c.blocks, part) {
		first = true
	}
	if !first && !power(g.inputs) || g.admitted >= g.limit() {
		return false
	}
	g.admitted++
	c.fresh = c.fresh || first
	return true
}

// What whoFails tells.
const (
	bothFail = 1
	oneRan   = 2
)

// whoFails tells failures of both of two programs, and those of one while the other did not run, from those of one alone: 0.
func whoFails(obs []oracle.Observation) uint64 {
	switch {
	case len(obs) != 2:
		return 0
	case obs[0].Outcome >= oracle.Crashed && obs[1].Outcome >= oracle.Crashed:
		return bothFail
	case obs[0].Outcome == 0 || obs[1].Outcome == 0:
		return oneRan
	}
	return 0
}

// dear are the measures in which the new version costs too much, where that is compared.
func (c *Candidates) dear(j *feature.Joint) oracle.Measures {
	if c.layers&oracle.CostLayer == 0 || len(j.Traces) != 2 {
		return 0
	}
	return oracle.CostDisagree(c.layers, j.Obs, j.Traces[0].Cost(), j.Traces[1].Cost())
}

// key identifies a tuple of outcomes of those programs that take part, and class the same with error classes. Where values disagree the
// key says which programs agree with each other.
func (c *Candidates) key(obs []oracle.Observation, layer oracle.Layers, taking uint64) (key, class uint64) {
	key = uint64(layer)
	for i := range obs {
		if taking>>i&1 == 0 {
			key = feature.Chain(key, 0)
			continue
		}
		part := uint64(min(obs[i].Outcome, oracle.Crashed)) << 8
		if layer == oracle.ValueLayer && (obs[i].Outcome == oracle.Accepted || obs[i].Value != 0) {
			for k := range obs {
				if obs[k].Outcome == obs[i].Outcome && obs[k].Value == obs[i].Value {
					part |= uint64(k)
					break
				}
			}
		}
		key = feature.Chain(key, part)
	}
	class = key
	for i := range obs {
		said := obs[i].Class
		if obs[i].Outcome >= oracle.Crashed || taking>>i&1 == 0 {
			said = 0
		}
		class = feature.Chain(class, said)
	}
	return key, class
}

// bytes is about what is remembered of disagreements and crashes.
func (c *Candidates) bytes() int {
	return len(c.groups)*(c.programs*c.blocks/8+64) + c.failures.bytes() + c.classes.Bytes()
}

// mark records the blocks that programs executed, a set of them, and reports whether one was new.
func (g *group) mark(j *feature.Joint, blocks int, part uint64) bool {
	fresh := false
	for p := range j.Traces {
		if j.Obs[p].Outcome >= oracle.Crashed || part>>p&1 == 0 {
			continue
		}
		base := p * blocks
		j.Traces[p].Need()
		for _, id := range j.Traces[p].Hits {
			k := base + int(id)
			if bit := uint64(1) << (k & 63); g.seen[k>>6]&bit == 0 {
				g.seen[k>>6] |= bit
				fresh = true
			}
		}
	}
	return fresh
}

func (g *group) limit() int {
	q := g.inputs / baseCandidates
	if q == 0 {
		return baseCandidates
	}
	return baseCandidates * bits.Len(uint(q))
}
