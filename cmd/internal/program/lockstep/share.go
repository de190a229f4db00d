package lockstep

// share bounds how much a program that runs after another costs: once whole executions of both have
// gone, its own are at most so many tenths of all of them, whatever the inputs are. Each input adds
// to what may be spent, and each run of the program takes from it.
//
// Inputs have ranks. Those of a low rank run only while enough is left for the ranks before them
// (trunk reservation, as in telephone networks: where the first ranks want all there is, they get
// it, and the rest shares what they leave). After patience inputs of a rank that did not run, the
// next one does, if anything is left, so that none is starved by those before it. Nothing here is
// random or reads a clock: a campaign that repeats has the same inputs run.
type share struct {
	inputs  int
	left    int        // in parts of a run
	refused [ranks]int // inputs of a rank, since one ran
}

// rank is how much the run of an input is worth, the first most.
type rank int

const (
	fresh     rank = iota // it executes impacted blocks that the program was not run for, or as often, or fails, on a path that is not settled
	unsettled             // both have not yet agreed on its path often enough
	sampled               // one of many
	ranks
)

const (
	// whole is the allowance: executions of both programs after which the share holds.
	whole  = 2000
	tenths = 3 // of all executions

	perRun   = 70
	perInput = perRun * tenths / (10 - tenths)

	// The runs of the first inputs, the seeds among them, are given. Then inputs add a little less
	// than their share, so that what was given is paid back when the allowance has gone.
	opening   = 256
	repaid    = whole * (10 - tenths) / 10 // inputs
	repayment = (repaid*perInput - opening*perRun) / (repaid - opening)

	patience = 16
)

// reserves are the runs that must be left for a rank to run. New paths have no rank before others
// that are not settled: that the versions part on a path shows on a later input as well as on its
// first.
var reserves = [ranks]int{fresh: 1, unsettled: 8, sampled: 40}

// next is told of every input, before admits is asked.
func (s *share) next() {
	switch s.inputs++; {
	case s.inputs == 1:
		s.left = opening * perRun
	case s.inputs > repaid:
		s.left += perInput
	case s.inputs > opening:
		s.left += repayment
	}
}

// admits reports whether the program may run on an input, and takes it that it does.
func (s *share) admits(r rank) bool {
	need := reserves[r]
	if s.refused[r] >= patience {
		need = 1
	}
	if s.left < need*perRun {
		s.refused[r]++
		return false
	}
	s.refused[r] = 0
	s.left -= perRun
	return true
}
