package sample

import "time"

// Status holds the state of a campaign at one moment, as it is shown. Counters cover the campaign unless they say otherwise.
type Status struct {
	Target       string
	Mode         string
	Programs     []ProgramStatus
	Guidance     []string
	Elapsed      time.Duration // fuzzing time of this invocation
	Left         time.Duration // of the time budget; 0: no budget of time
	BudgetInputs uint64        // of this invocation; 0: no budget of inputs
	Inputs       uint64
	Executions   uint64
	Rate         float64 // executions a second over the last interval
	RateTotal    float64 // executions a second since the start
	CorpusSize   int
	CorpusBytes  int64
	Diversity    Diversity                // of the domains that are measured
	SinceNew     map[string]time.Duration // keys: coverage, finding and those of domains; absent: never
	Buckets      map[string]int           // by kind
	Discrepant   uint64                   // inputs
	Flaky        uint64                   // candidates that did not show again
	Restarts     uint64                   // of workers
	Workers      int
	WorkersUp    int
	Operators    []OperatorYield
	Pending      int           // candidates that wait for confirmation or minimization
	Behavior     *Behavior     // of all programs together; nil: no blocks are known
	Phase        string        // what goes on: "fuzzing", "stopping", or Triage
	TriageLeft   time.Duration // in Triage, about how long it goes on; 0: not known
	Awaits       string        // in Triage, what has to be made before candidates are looked at; "": nothing
}

// Triage names the phase after fuzzing. It confirms and minimizes the candidates that are left.
const Triage = "minimizing"

// ProgramStatus holds one program's coverage in basic blocks.
type ProgramStatus struct {
	Name    string
	Blocks  int
	Covered int
}

// OperatorYield counts the inputs that a mutation operator made, and how many of them were kept.
type OperatorYield struct {
	Name  string
	Kept  uint64
	Tried uint64
}
