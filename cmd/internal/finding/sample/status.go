package sample

import "time"

// Status holds the state of a campaign at one moment, as it is shown. Counters cover the whole
// campaign unless stated otherwise.
type Status struct {
	Target       string
	Mode         string
	Programs     []ProgramStatus
	Guidance     []string
	Elapsed      time.Duration // fuzzing time of this invocation
	Left         time.Duration // of the time budget; 0 without one
	BudgetInputs uint64        // of this invocation; 0 without a budget of inputs
	Inputs       uint64
	Executions   uint64
	Rate         float64 // executions per second over the last interval
	RateTotal    float64 // executions per second since the start
	CorpusSize   int
	CorpusBytes  int64
	Diversity    Diversity                // of the domains that are measured
	SinceNew     map[string]time.Duration // by coverage, finding and the keys of domains; absent if never
	Buckets      map[string]int           // by kind
	Discrepant   uint64                   // inputs
	Flaky        uint64                   // candidates that did not reproduce
	Restarts     uint64                   // of workers
	Workers      int
	WorkersUp    int
	Operators    []OperatorYield
	Pending      int           // candidates that wait for confirmation or minimization
	Behavior     *Behavior     // of all programs together; nil if no blocks are known
	Phase        string        // the current activity: "fuzzing", "stopping" or Triage
	TriageLeft   time.Duration // in Triage, the estimated rest; 0 means unknown
	TriageEnds   time.Duration // in Triage, the time after which it ends in any case; 0 means never
	Judged       int           // in Triage, the candidates that it has judged since the fuzzing
	Awaits       string        // in Triage, the build that candidates wait for; empty means none
}

// Triage names the phase after fuzzing. It confirms and minimizes the remaining candidates.
const Triage = "minimizing"

// ProgramStatus holds one program's coverage in basic blocks.
type ProgramStatus struct {
	Name    string
	Blocks  int
	Covered int
}

// OperatorYield counts the inputs that a mutation operator made, and those that were kept.
type OperatorYield struct {
	Name  string
	Kept  uint64
	Tried uint64
}
