// Package oracle compares programs. It defines the outcomes of runs, the canonical form of returned
// values, and the classes of error messages. Its oracles decide whether observations disagree. Its
// keys put findings of one cause into one bucket.
//
// The worker calls Result, Observe, Disagree and TupleHash once per input and program. They
// allocate nothing for results of basic kinds and for trees of map[string]any and []any. The
// supervisor calls ParseTrace, Detail and the bucket functions for findings only.
//
// All functions are pure functions of recorded observations, without clock or randomness. Map order
// never affects a result. A comparison can therefore be repeated offline. Digests are stable within
// a process, and between processes of the same build.
//
// The oracles follow NEZHA (Petsios et al., S&P 2017), section II. A discrepancy is an input that
// at least one program accepts and at least one rejects. The value and class layers go beyond it.
package oracle

import "fmt"

// Outcome classifies the end of a program's run on an input.
type Outcome uint8

// The outcomes. The zero Outcome means that nothing was observed.
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

// String returns the word that all files use, or "unknown" for an invalid outcome.
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

// Comparable reports whether a program with this outcome takes part in comparisons. Declined,
// crashed, timed-out and out-of-memory runs do not: they give no verdict on the input.
func (o Outcome) Comparable() bool { return o == Accepted || o == Rejected }

// Observation holds the digested result of a run.
type Observation struct {
	Outcome Outcome
	// Class is the error's class for a rejection, and 0 without an error. For an acceptance, it is
	// Record.Failures, or 0. For a crash, the caller sets it.
	Class uint64
	// Value is the digest of an accepted result's canonical value, or 0 if values were not
	// requested. For a test that skips, it is the digest of the calls' results.
	Value uint64
	// Parts is the sketch of that value, if values are those of Go.
	Parts Parts `json:"-"`
	// Place identifies the place of a crash, if known. The classes of one place may be unlimited in
	// number, unlike places. 0 counts as one place. No comparison uses it.
	Place uint64
	// Failed reports a crash in which a test failed by t.Error, t.Fatal or the like, and its
	// property ran to its end. It is unknown for programs in other processes.
	Failed bool
}

// Validity classifies an input for a program.
type Validity uint8

// An input is valid if the program accepts it, or if a property passes or fails on it. It is
// invalid if the program rejects or declines it. Crashes, timeouts and out-of-memory runs give no
// validity.
const (
	NoValidity Validity = iota
	Valid
	Invalid
)

// Validity returns the validity of the input for one program.
func (o *Observation) Validity() Validity {
	switch {
	case o.Outcome == Accepted, o.Outcome == Crashed && o.Failed:
		return Valid
	case o.Outcome == Rejected, o.Outcome == Declined:
		return Invalid
	}
	return NoValidity
}

// JointValidity returns the validity of the input for several programs. It is valid if it is for
// one of them, and invalid if it is for all that ran. There is no validity if a program crashed,
// hung or ran out of memory.
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
