package engine

import (
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// Candidates decides which disagreements and failures are examined. Two implementations may
// disagree on every third input for a handful of causes. Confirming and minimizing each would be
// waste, and keeping only the first of a kind would hide causes.
//
// Each aspect of an input counts by itself: the failure of each program, and each layer in which
// programs disagree that did not fail. No aspect hides another. For three programs, two that accept
// may return different values for an input that the third rejects.
//
// Failures decides which failures are candidates. With two programs, the class depends on whether
// both fail, and on whether the other one ran. Otherwise a line at which both fail on some inputs
// would hide that one alone fails there on others. If the other one did not run, an input is a
// candidate only if the class was not seen where it did.
//
// A disagreement is a candidate when, among those with the same tuple of outcomes,
//
//   - its tuple of outcomes and classes is new (NEZHA's unique discrepancy), or, without blocks,
//     the difference of its outputs is new (feature.Joint.OutputDiff), or
//   - it executed a new block, or
//   - the number of those whose values differ in the same parts (oracle.Parts) has reached a power
//     of two. This also holds for the first that differs in these parts. If no parts are known, all
//     count together, and so do those in further parts after maxParts;
//
// and the number of candidates per tuple of outcomes stays below base*(1+log2(n/base)) of n. A
// program that fails is not part of the disagreement. Only its failure belongs to the tuple.
type Candidates struct {
	programs, blocks int
	layers           oracle.Layers
	groups           map[uint64]*group // by tuple of outcomes: see group
	classes          feature.Set
	failures         Failures
	unique           feature.Set
	last             species // of the last input
	fresh            bool    // a candidate of that input is the first of its kind
}

// species identifies the appearance of a disagreement.
type species struct {
	hash             uint64
	disagrees, first bool
}

type group struct {
	seen     []uint64 // bit per program and block
	inputs   int
	admitted int
	classes  int
	diffs    int            // distinct output differences
	parts    map[uint64]int // inputs by the parts of the values that differ; the entry 0 has all others
}

const (
	baseCandidates = 48
	maxClasses     = 256 // new classes per tuple of outcomes that may make candidates
	maxParts       = 64  // sets of parts per tuple of outcomes that count by themselves
	maxDiffs       = 64  // the same for output differences, which are unlimited for programs that differ on many inputs
)

// NewCandidates returns an empty record for the given numbers of programs and blocks.
func NewCandidates(programs, blocks int, layers oracle.Layers) *Candidates {
	return &Candidates{programs: programs, blocks: blocks, layers: layers, groups: map[uint64]*group{}}
}

// Unique returns the hash of a unique discrepancy in NEZHA's sense, and whether it is new.
func (c *Candidates) Unique(j *feature.Joint) (hash uint64, fresh bool) {
	hash, fresh = oracle.UniqueDiscrepancy(j.Obs)
	return hash, fresh && c.unique.Add(hash)
}

// Admission lists the candidates of an input.
type Admission struct {
	Failing    uint64        // set of the programs whose failure is a candidate
	Layers     oracle.Layers // layers in which programs disagree that did not fail
	Candidates oracle.Layers // those of Layers that are candidates
	Fresh      bool          // an outcome, an error class or a block is new; otherwise the number of inputs is a power of two
}

// Admit evaluates an input's observations.
func (c *Candidates) Admit(j *feature.Joint) (a Admission) {
	a.Failing = c.Fail(j)
	a.Layers, a.Candidates = c.Disagree(j)
	a.Fresh = c.fresh
	return a
}

// Fail counts the failures on an input, and returns the set of programs whose failure is a
// candidate.
func (c *Candidates) Fail(j *feature.Joint) (failing uint64) {
	c.last, c.fresh = species{}, false
	kind := failureKind(j.Obs)
	for p := range j.Obs {
		o := &j.Obs[p]
		if o.Outcome < oracle.Crashed {
			continue
		}
		place := feature.Chain(uint64(p), uint64(o.Outcome))
		alone := feature.Chain(place, o.Class)
		known := kind == oneRan && (c.failures.Seen(alone) || c.failures.Seen(feature.Chain(alone, bothFail)))
		if place = feature.Chain(place, o.Place); kind != 0 {
			place = feature.Chain(place, kind)
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

// FailureClass returns the class of a program's failure.
func FailureClass(obs []oracle.Observation, program int) uint64 {
	o := &obs[program]
	h := feature.Chain(feature.Chain(uint64(program), uint64(o.Outcome)), o.Class)
	if kind := failureKind(obs); kind != 0 {
		h = feature.Chain(h, kind)
	}
	return h
}

// AllowAgain makes one more failure of a class, as in FailureClass, a candidate.
func (c *Candidates) AllowAgain(class uint64) { c.failures.AllowAgain(class) }

// Disagree returns the layers in which the programs disagree that did not fail, and those of them
// that are candidates. Each layer counts by itself. Call it after Fail.
func (c *Candidates) Disagree(j *feature.Joint) (layers, candidates oracle.Layers) {
	if layers = oracle.DisagreeLayers(c.layers, j.Obs); layers == 0 {
		excess := c.excessCost(j)
		if excess == 0 {
			return 0, 0
		}
		if layers = oracle.CostLayer; c.disagree(j, layers, excess, allPrograms) {
			candidates = layers
		}
		return layers, candidates
	}
	first := layers.First()
	if c.disagree(j, first, 0, allPrograms) {
		candidates = first
	}
	for rest := layers &^ first; rest != 0; rest &^= rest.First() {
		if layer := rest.First(); c.disagree(j, layer, 0, oracle.Part(layer, j.Obs)) {
			candidates |= layer
		}
	}
	return layers, candidates
}

const allPrograms = ^uint64(0)

// disagree counts a disagreement of a set of programs in a layer, and reports whether it is a
// candidate.
func (c *Candidates) disagree(j *feature.Joint, layer oracle.Layers, excess oracle.Measures, part uint64) bool {
	key, class := c.key(j.Obs, layer, part)
	if excess != 0 { // each measure is a kind of its own
		key, class = feature.Chain(key, uint64(excess.First())), feature.Chain(class, uint64(excess.First()))
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
	if j.OutputDiff != 0 && g.diffs < maxDiffs && c.classes.Add(feature.Chain(class, j.OutputDiff)) {
		g.diffs++
		first = true
	}
	if g.mark(j, c.blocks, part) {
		first = true
	}
	n := g.count(j.Obs, layer, part)
	if n == 1 {
		first = true
	}
	if !first && !power(n) || g.admitted >= g.limit() {
		return false
	}
	g.admitted++
	c.fresh = c.fresh || first
	return true
}

// count counts an input by the parts of the values that differ, and returns the new count.
func (g *group) count(obs []oracle.Observation, layer oracle.Layers, part uint64) int {
	parts := uint64(0)
	if layer == oracle.ValueLayer {
		parts = oracle.DifferentParts(obs, part)
	}
	if g.parts[parts] == 0 && len(g.parts) >= maxParts {
		parts = 0
	}
	g.parts[parts]++
	return g.parts[parts]
}

// Results of failureKind besides 0.
const (
	bothFail = 1
	oneRan   = 2
)

// failureKind distinguishes, for two programs, failures of both, failures of one while the other
// did not run, and failures of one alone, which are 0.
func failureKind(obs []oracle.Observation) uint64 {
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

// excessCost returns the measures in which the new version costs too much, if costs are compared.
func (c *Candidates) excessCost(j *feature.Joint) oracle.Measures {
	if c.layers&oracle.CostLayer == 0 || len(j.Traces) != 2 {
		return 0
	}
	return oracle.CostDisagree(c.layers, j.Obs, j.Traces[0].Cost(), j.Traces[1].Cost())
}

// deviation identifies how the programs disagree on the last input, and on which path. Zero means
// that they agree.
func (c *Candidates) deviation(j *feature.Joint) uint64 {
	if !c.last.disagrees || c.programs < 2 {
		return 0
	}
	return feature.Chain(feature.FineTuple(j), c.last.hash) | 1
}

// key identifies a tuple of outcomes of the programs that take part. class also has their error
// classes. If values disagree, the key includes which programs agree with each other.
func (c *Candidates) key(obs []oracle.Observation, layer oracle.Layers, part uint64) (key, class uint64) {
	key = uint64(layer)
	for i := range obs {
		if part>>i&1 == 0 {
			key = feature.Chain(key, 0)
			continue
		}
		entry := uint64(min(obs[i].Outcome, oracle.Crashed)) << 8
		if layer == oracle.ValueLayer && (obs[i].Outcome == oracle.Accepted || obs[i].Value != 0) {
			for k := range obs {
				if obs[k].Outcome == obs[i].Outcome && obs[k].Value == obs[i].Value {
					entry |= uint64(k)
					break
				}
			}
		}
		key = feature.Chain(key, entry)
	}
	class = key
	for i := range obs {
		errorClass := obs[i].Class
		if obs[i].Outcome >= oracle.Crashed || part>>i&1 == 0 {
			errorClass = 0
		}
		class = feature.Chain(class, errorClass)
	}
	return key, class
}

// bytes estimates the memory of disagreements and crashes.
func (c *Candidates) bytes() int {
	n := c.failures.bytes() + c.classes.Bytes()
	for _, g := range c.groups {
		n += c.programs*c.blocks/8 + 64 + 32*len(g.parts)
	}
	return n
}

// mark records the blocks executed by a set of programs, and reports whether one was new.
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
