package engine

import (
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/source"
)

// execution holds the current input and its results. The programs run in order, and next is the
// first that has not run. A program that ends the goroutine leaves the input pending, and the
// following programs run later. An input of a batch has run before it becomes the current one, and
// is never pending.
type execution struct {
	origin origin
	step   *source.Step
	own    source.Step // for inputs that run one at a time
	joint  feature.Joint
	newIn  []string // domains in which the input is new
	shows  bool     // see policy.Setup
	fresh  []uint64 // see Item
	opaque bool

	next      int // next program to run
	pending   bool
	repairing bool // the mutant is being repaired
	batched   bool // the input belongs to a batch
}

type origin int

const (
	mutant   origin = iota
	seed            // counted, evaluated and kept as any input; always kept when nothing guides
	replayed        // executed to rebuild the state: not counted, not reported, kept
	imported        // found by another worker: kept if new here
	offered         // see Elsewhere
	claimed         // see Claim
	repeated        // executed a second time: see repeat
)

// init makes room for the results of single inputs.
func (x *execution) init(programs, blocks int) {
	x.step, x.next = &x.own, programs
	x.joint.Obs = make([]oracle.Observation, programs)
	x.joint.Traces = make([]feature.Trace, programs)
	for i := range x.joint.Traces {
		x.joint.Traces[i] = feature.NewTrace(blocks)
	}
}

// begin makes the step the current input, which no program has run.
func (x *execution) begin(o origin) { x.pending, x.origin, x.next = true, o, 0 }

// load replaces the step by an input.
func (x *execution) load(flat []byte) {
	x.step.Reset()
	x.step.Flat = append(x.step.Flat[:0], flat...)
}

// run executes the input on the programs that have not run, and ends it.
func (x *execution) run(r Runner) {
	for x.next < len(x.joint.Obs) {
		p := x.next
		x.joint.Obs[p] = r.Run(p, x.step.Flat, &x.joint.Traces[p])
		x.next++
	}
	x.pending = false
}

// abort records the observation of a program that ended the goroutine.
func (x *execution) abort(obs oracle.Observation) {
	if x.pending && x.next < len(x.joint.Obs) {
		x.joint.Obs[x.next] = obs
		x.next++
	}
}

// found reports whether the input is kept and reported as if it was found here.
func (x *execution) found() bool { return x.counts() || x.foreign() }

// foreign reports whether another campaign found the input.
func (x *execution) foreign() bool { return x.origin == offered || x.origin == claimed }

// failures returns the set of programs that failed.
func (x *execution) failures() (set uint64) {
	for p := range x.joint.Obs {
		if x.joint.Obs[p].Outcome >= oracle.Crashed {
			set |= 1 << p
		}
	}
	return set
}

// counts reports whether the input is a counted one.
func (x *execution) counts() bool { return x.origin == mutant || x.origin == seed }

// failed reports whether a program crashed or ran out of time or memory.
func (x *execution) failed() bool {
	for p := range x.joint.Obs {
		if x.joint.Obs[p].Outcome >= oracle.Crashed {
			return true
		}
	}
	return false
}

// exhausted reports whether a program ran out of time or memory.
func (x *execution) exhausted() bool {
	for p := range x.joint.Obs {
		if o := x.joint.Obs[p].Outcome; o == oracle.Timeout || o == oracle.OOM {
			return true
		}
	}
	return false
}

// accepted reports whether a program accepts the input.
func (x *execution) accepted() bool {
	for p := range x.joint.Obs {
		if x.joint.Obs[p].Outcome == oracle.Accepted {
			return true
		}
	}
	return false
}
