// Package oracle is the only place that compares programs. It owns the words
// for how a run ends, the canonical form of what programs return, the classes
// of their error messages, the oracles that decide whether observations
// disagree, and the keys that put findings of one cause into one bucket.
//
// The worker calls Result, Observe, Disagree and TupleHash once for each input
// and program, so they allocate nothing for results of basic kinds and for
// trees of map[string]any and []any. The supervisor calls ParseTrace, Detail
// and the bucket functions for findings only.
//
// Everything here is a pure function of recorded observations: no clock, no
// randomness, and map order never reaches a result, so that a comparison can be
// repeated offline. Digests are stable within a process and between processes
// of the same build.
//
// The oracles follow NEZHA (Petsios et al., S&P 2017), section II: a
// discrepancy is an input that at least one program accepts and at least one
// rejects. The value and class layers go beyond it.
package oracle

import "fmt"

// Outcome says how a run of a program on an input ended.
type Outcome uint8

// The outcomes. The zero Outcome is none of them: nothing was observed.
const (
	Accepted Outcome = iota + 1
	Rejected
	Declined
	Crashed
	Timeout
	OOM
)

var outcomeNames = [...]string{
	Accepted: "accepted",
	Rejected: "rejected",
	Declined: "declined",
	Crashed:  "crashed",
	Timeout:  "timeout",
	OOM:      "oom",
}

// String returns the word that all files use, "unknown" if o is no outcome.
func (o Outcome) String() string {
	if o == 0 || int(o) >= len(outcomeNames) {
		return "unknown"
	}
	return outcomeNames[o]
}

// ParseOutcome is the inverse of String.
func ParseOutcome(s string) (Outcome, error) {
	for o := Accepted; int(o) < len(outcomeNames); o++ {
		if outcomeNames[o] == s {
			return o, nil
		}
	}
	return 0, fmt.Errorf("unknown outcome %q: use accepted, rejected, declined, crashed, timeout or oom", s)
}

// Comparable reports whether a program with this outcome takes part in
// comparisons. Declined, crashed, timed-out and out-of-memory runs say nothing
// about whether the input is right, so they do not.
func (o Outcome) Comparable() bool { return o == Accepted || o == Rejected }

// Observation is what is left of a run once its result is digested.
type Observation struct {
	Outcome Outcome
	Class   uint64 // of a rejection: the error's class; 0 without an error. Of an acceptance: Record.Failures, or 0. For crashes the caller's to set
	Value   uint64 // of an acceptance: the digest of the canonical value; 0 if not asked for; the digest of what the calls of a test returned that skips
	// Place is of a crash where it happened, as far as that is known: classes of one place may be without number, and places are not. 0 is
	// one place, too. It is compared with nothing.
	Place uint64
	// Failed says of a crash that a test failed by t.Error, t.Fatal or the like: its property ran to its end. Programs of other processes do
	// not tell.
	Failed bool
}

// Validity says whether an input is one that a program works on.
type Validity uint8

// An input is valid if the program accepts it, or if it is a property's that passes or fails. It is invalid if the program rejects or declines
// it. Crashes, timeouts and out-of-memory runs say neither.
const (
	NoValidity Validity = iota
	Valid
	Invalid
)

// Validity is that of the input for one program.
func (o *Observation) Validity() Validity {
	switch {
	case o.Outcome == Accepted, o.Outcome == Crashed && o.Failed:
		return Valid
	case o.Outcome == Rejected, o.Outcome == Declined:
		return Invalid
	}
	return NoValidity
}

// JointValidity is that of the input for several programs: valid if one of them works on it, invalid if none that ran does, and neither if a
// program crashed, hung or ran out of memory.
func JointValidity(obs []Observation) (v Validity) {
	for i := range obs {
		switch one := obs[i].Validity(); {
		case obs[i].Outcome == 0:
		case one == NoValidity:
			return NoValidity
		case v != Valid:
			v = one
		}
	}
	return v
}
