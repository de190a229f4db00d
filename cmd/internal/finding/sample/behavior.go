package sample

import "strconv"

// Behavior measures the diversity of the programs' behaviors on all inputs: see
// docs/explanation/diversity.md. B0, B1 and B2 are Hill numbers of branches by the unique traces
// that executed them.
type Behavior struct {
	Traces  uint64  `json:"traces"` // unique traces
	B0      float64 `json:"b0"`     // covered branches
	B1      float64 `json:"b1"`
	B2      float64 `json:"b2"`
	Inputs  uint64  `json:"inputs"` // of these builds of the programs
	Valid   uint64  `json:"valid"`  // inputs
	Invalid uint64  `json:"invalid"`

	Evenness      float64 `json:"evenness"` // B1/B0
	Failed        uint64  `json:"failed"`   // inputs on which a program crashed, hung or ran out of memory
	ValidTraces   uint64  `json:"valid_traces"`
	ValidB0       float64 `json:"valid_b0"` // the same for traces of valid inputs
	ValidB1       float64 `json:"valid_b1"`
	ValidB2       float64 `json:"valid_b2"`
	ValidEvenness float64 `json:"valid_evenness"`
	NewTrace      float64 `json:"new_trace"`           // probability that the next input has a new trace
	NewBranch     float64 `json:"new_branch"`          // expected number of new branches that the next input executes
	Expected      float64 `json:"expected_branches"`   // estimate of all reachable branches, a lower bound (Chao2)
	Doubled       float64 `json:"branches_at_double"`  // expected number of covered branches after twice as many inputs
	Risk          float64 `json:"residual_risk"`       // probability that the next input fails
	RiskBound     float64 `json:"residual_risk_bound"` // upper bound of it, with 95 % confidence
	Structural    *Yield  `json:"structural,omitempty"`
	Value         *Yield  `json:"value,omitempty"`
	Weight        uint64  `json:"weight,omitempty"` // traces per trace of the sample; 0 means that all traces are known

	// Upper bound of the probability of a new branch, with 95 % confidence. It is set if no branch
	// was executed by a single input.
	NewBranchBound float64 `json:"new_branch_bound,omitempty"`

	Independent *Independent `json:"independent,omitempty"` // missing if no inputs except mutants were drawn
}

// Independent holds the estimates for inputs that were drawn independently, from the same
// distribution.
type Independent struct {
	Inputs         uint64  `json:"inputs"`
	Failed         uint64  `json:"failed"`
	B0             float64 `json:"b0"`
	NewBranch      float64 `json:"new_branch"`
	NewBranchBound float64 `json:"new_branch_bound,omitempty"`
	Expected       float64 `json:"expected_branches"`
	Risk           float64 `json:"residual_risk"`
	RiskBound      float64 `json:"residual_risk_bound"`
}

// Yield counts mutants by a change of one channel of a generator's choices. The winners are valid
// and have a new trace.
type Yield struct {
	Tried uint64 `json:"tried"`
	Won   uint64 `json:"won"`
}

// Share returns the part of the mutants that won.
func (y *Yield) Share() float64 {
	if y == nil || y.Tried == 0 {
		return 0
	}
	return float64(y.Won) / float64(y.Tried)
}

// Branch returns the probability that the next input executes a new branch: an estimate, or a bound
// if there is no estimate.
func (b *Behavior) Branch() (p float64, bound bool) {
	if b.NewBranch == 0 && b.NewBranchBound > 0 {
		return b.NewBranchBound, true
	}
	return b.NewBranch, false
}

// ValidShare returns the part of the inputs of known validity that are valid.
func (b *Behavior) ValidShare() float64 {
	if n := b.Valid + b.Invalid; n > 0 {
		return float64(b.Valid) / float64(n)
	}
	return 0
}

// Digits rounds a number to six digits, so that equal campaigns write equal bytes on every
// architecture.
func Digits(f float64) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 6, 64), 64)
	return f
}
