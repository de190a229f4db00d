package finding

import "parallax/internal/oracle"

// KindDiscrepancy is the kind of a finding in which programs disagree.
const KindDiscrepancy = "discrepancy"

// Candidate is an input that may be a finding, as its file in pending/ holds it until triage has
// decided.
type Candidate struct {
	Name      string        `json:"-"` // of its file; empty until it has one
	Flat      []byte        `json:"flat"`
	Parent    []byte        `json:"parent,omitempty"`
	Operators []string      `json:"operators,omitempty"`
	Layer     oracle.Layers `json:"layer"`             // of the disagreement; 0 means a failure
	Failing   int           `json:"failing,omitempty"` // 1 + the program that fails; 0 means unknown
	Inputs    uint64        `json:"inputs"`            // inputs the campaign had counted
	// Seen holds the observations of the fuzzing worker, which a fresh process must repeat.
	Seen []oracle.Observation `json:"seen,omitempty"`
	// Before holds the inputs before one that ended its worker, latest first.
	Before [][]byte       `json:"before,omitempty"`
	Deadly bool           `json:"deadly,omitempty"`
	Ended  oracle.Outcome `json:"ended,omitempty"` // the way its worker ended
	Said   string         `json:"said,omitempty"`  // the message of that end
	// Steady is the steadiness at this input. Nil means the present one.
	Steady *Steadiness `json:"steady,omitempty"`
	Code   string      `json:"code,omitempty"` // the programs that showed it (subject.Facts.CodeID)

	Fresh  bool   `json:"-"` // it is the first of a kind, and there may be no other
	Worker int    `json:"-"` // 1 + the index of the worker of this run that saw it; 0 means none
	Death  string `json:"-"` // the looks of the death, to count those that look alike
}

// Steadiness is a campaign's knowledge of its programs from inputs that it executed a second time.
type Steadiness struct {
	Again    uint64   `json:"again"`    // inputs executed a second time
	Differed []uint64 `json:"differed"` // by program: inputs on which it did something else
	// Wavered means that a program did something else on a candidate, at an unknown rate.
	Wavered bool `json:"-"`
}

// Kind returns the kind of finding that the candidate may be, as in lists of findings.
func (c *Candidate) Kind() string {
	switch {
	case c.Layer == oracle.VerdictLayer:
		return KindDiscrepancy
	case c.Layer != 0:
		return c.Layer.String() + " " + KindDiscrepancy
	case c.Ended != 0:
		return oracle.KindOf(c.Ended)
	}
	for p, o := range c.Seen {
		if o.Outcome >= oracle.Crashed && (c.Failing == 0 || c.Failing == p+1) {
			return oracle.KindOf(o.Outcome)
		}
	}
	return oracle.KindCrash
}
