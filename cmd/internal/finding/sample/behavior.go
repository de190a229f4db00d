package sample

import "strconv"

// Behavior is how diverse the behaviors are that inputs have shown: see docs/explanation/diversity.md. B are Hill numbers of branches by the unique
// traces that executed them.
type Behavior struct {
	Traces  uint64  `json:"traces"` // unique ones
	B0      float64 `json:"b0"`     // branches that were covered
	B1      float64 `json:"b1"`
	B2      float64 `json:"b2"`
	Valid   uint64  `json:"valid"` // inputs
	Invalid uint64  `json:"invalid"`

	Evenness      float64 `json:"evenness"` // B1/B0
	Failed        uint64  `json:"failed"`   // inputs on which a program crashed, hung or ran out of memory
	ValidTraces   uint64  `json:"valid_traces"`
	ValidB0       float64 `json:"valid_b0"` // the same of the traces of valid inputs
	ValidB1       float64 `json:"valid_b1"`
	ValidB2       float64 `json:"valid_b2"`
	ValidEvenness float64 `json:"valid_evenness"`
	NewTrace      float64 `json:"new_trace"`           // probability that the next input has a trace that none had
	NewBranch     float64 `json:"new_branch"`          // estimate of how many branches the next input executes that none did
	Expected      float64 `json:"expected_branches"`   // that there are to be covered, at least (Chao2)
	Doubled       float64 `json:"branches_at_double"`  // that will be covered after as many inputs again
	Risk          float64 `json:"residual_risk"`       // probability that the next input fails
	RiskBound     float64 `json:"residual_risk_bound"` // that it is below with 95 % confidence
	Structural    *Yield  `json:"structural,omitempty"`
	Value         *Yield  `json:"value,omitempty"`
	Weight        uint64  `json:"weight,omitempty"` // traces that one of the sample stands for; 0: all are known

	// Where no branch was executed by one input alone, what the probability of a new branch is below with 95 % confidence.
	NewBranchBound float64 `json:"new_branch_bound,omitempty"`

	Independent *Independent `json:"independent,omitempty"` // nil: none is drawn from nothing beside mutants
}

// Independent is what estimators say of inputs that were drawn from nothing, each from the same distribution whatever the others have shown.
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

// Yield is mutants by a change of one channel of a generator's choices, and those of them that are valid and have a new trace.
type Yield struct {
	Tried uint64 `json:"tried"`
	Won   uint64 `json:"won"`
}

// Share is the part of them that won.
func (y *Yield) Share() float64 {
	if y == nil || y.Tried == 0 {
		return 0
	}
	return float64(y.Won) / float64(y.Tried)
}

// Branch is the probability that the next input executes a branch that none did: an estimate, or, where there is none, a bound.
func (b *Behavior) Branch() (p float64, bound bool) {
	if b.NewBranch == 0 && b.NewBranchBound > 0 {
		return b.NewBranchBound, true
	}
	return b.NewBranch, false
}

// ValidShare is the part of the inputs of known validity that are valid.
func (b *Behavior) ValidShare() float64 {
	if n := b.Valid + b.Invalid; n > 0 {
		return float64(b.Valid) / float64(n)
	}
	return 0
}

// Digits keeps six digits of a number, so that equal campaigns give equal bytes on every architecture.
func Digits(f float64) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 6, 64), 64)
	return f
}
