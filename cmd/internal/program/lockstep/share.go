package lockstep

// share limits the cost of a program that runs after another. After `whole` executions of both, its
// own are at most a fixed share of all, whatever the inputs are. Each input adds to the allowance,
// and each run takes from it.
//
// Inputs have ranks. An input of a low rank runs only if enough is left for higher ranks (trunk
// reservation, as in telephone networks). High ranks get all they ask for, and low ranks share the
// rest. After `patience` refused inputs of a rank, the next one runs if anything is left, so that
// no rank starves. The decisions use no randomness and no clock, so they repeat with the campaign.
type share struct {
	inputs  int
	left    int        // in parts of a run
	refused [ranks]int // refused inputs per rank since the last run
}

// rank is the value of running an input, highest first.
type rank int

const (
	// new or more frequent executions of impacted blocks, or a failure on an unsettled path
	fresh     rank = iota
	unsettled      // a path without enough agreements
	result         // a new result of the new version
	sampled        // one of many
	ranks
)

const (
	// whole is the number of executions of both programs after which the share holds.
	whole  = 2000
	tenths = 3 // of all executions

	perRun   = 70
	perInput = perRun * tenths / (10 - tenths)

	// The first inputs always run. Later inputs add slightly less than their share until this is
	// paid back.
	opening   = 256
	repaid    = whole * (10 - tenths) / 10 // inputs
	repayment = (repaid*perInput - opening*perRun) / (repaid - opening)

	patience = 16
)

// reserves are the runs that must be left for a rank. New paths have no rank above other unsettled
// ones: a disagreement on a path shows on a later input as well as on the first.
var reserves = [ranks]int{fresh: 1, unsettled: 8, result: 20, sampled: 40}

// next counts an input. It precedes admits.
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

// admits reports whether the program may run on an input, and pays for the run.
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
