package source

import (
	"encoding/binary"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// RLCheck makes the choices of a generator while it draws, and learns which lead to new valid
// inputs. It follows Reddy et al., ICSE 2020, section 4, and the public code: RLGuide.java,
// RLLearner.java, RLGuidance.java. Each site has a learner. Its state is the last five surrounding
// choices (tape.Guide). It takes a random action with a probability of 0.25 and in an unknown
// state. Otherwise it takes one with the largest Q, where untried actions have Q = 0. A run is an
// episode. For each of its choices, C += 1 and Q += (G-Q)/C (every-visit Monte Carlo control
// without discount). G is 20 for a new valid input, 0 for a known valid one, and -1 for an invalid
// one. An input that fails teaches nothing.
//
// Three things differ. First, inputs are distinguished by their choices, since their text is
// unknown here. Second, generators draw numbers from wide ranges and prefer small ones. So for a
// choice with more than 64 values, the actions are the tried values, and leaving the choice to the
// generator. With up to 64 values, each value is an action, and random actions are uniform as
// published. Third, states that were not visited for long are forgotten: see qTable.
type RLCheck struct {
	Taped
	learning bool // an input to learn from is being drawn
	table    qTable
	episode  []visit
	seen     recentSet // valid inputs
}

type visit struct {
	at    uint64 // site and state
	value uint64
}

// The rewards (RLGuidance.handleResult) and epsilon (Reddy et al., section 5).
const (
	rewardNew     = 20
	rewardSeen    = 0
	rewardInvalid = -1
	exploration   = 4 // one choice in four is random

	fewActions = 64
)

// Propose implements Source.
func (l *RLCheck) Propose(s *Step) bool {
	l.fresh(s)
	l.learning, l.episode = true, l.episode[:0]
	s.Notify(l)
	return true
}

// Done implements Source. It rewards the choices of the input.
func (l *RLCheck) Done(s *Step, r Result) {
	l.learning = false
	switch {
	case r.Failed:
	case r.Validity != oracle.Valid:
		l.learn(rewardInvalid)
	case l.seen.Add(digest(s.Flat)):
		l.learn(rewardNew)
	default:
		l.learn(rewardSeen)
	}
}

// learn ends an episode with reward g.
func (l *RLCheck) learn(g float64) {
	for i := len(l.episode) - 1; i >= 0; i-- {
		l.table.learn(l.episode[i].at, l.episode[i].value, g)
	}
}

func place(site uint32, state uint64) uint64 { return feature.Chain(state, uint64(site)) }

// Chosen records a choice of an input: tape.Guide.
func (l *RLCheck) Chosen(site uint32, state, value uint64) {
	if l.learning {
		l.episode = append(l.episode, visit{place(site, state), value})
	}
}

// Choose makes a choice, or leaves it to the generator: tape.Guide.
func (l *RLCheck) Choose(site uint32, state, bound uint64) (value uint64, ok bool) {
	if !l.learning {
		return 0, false
	}
	known := l.table.actions(place(site, state))
	if len(known) == 0 || l.Rand.Chance(1, exploration) {
		return l.random(bound)
	}
	return l.best(known, bound)
}

// random returns a random action.
func (l *RLCheck) random(bound uint64) (value uint64, ok bool) {
	if bound >= fewActions {
		return 0, false
	}
	return uint64(l.Rand.Intn(int(bound) + 1)), true
}

// best returns a random one of the actions with the largest Q.
func (l *RLCheck) best(known []action, bound uint64) (value uint64, ok bool) {
	most, ties, tried := 0.0, 0, uint64(0)
	for i := range known {
		a := &known[i]
		if a.value > bound {
			continue
		}
		tried++
		switch {
		case tried == 1 || a.q > most:
			most, ties, value = a.q, 1, a.value
		case a.q == most:
			if ties++; l.Rand.Intn(ties) == 0 {
				value = a.value
			}
		}
	}
	others := 1 // untried actions, with Q = 0
	if bound < fewActions {
		others = int(bound + 1 - tried)
	}
	if others == 0 || tried > 0 && (most > 0 || most == 0 && l.Rand.Intn(ties+others) < ties) {
		return value, true
	}
	return l.untried(known, bound, others)
}

// untried returns a random one of n untried actions.
func (l *RLCheck) untried(known []action, bound uint64, n int) (value uint64, ok bool) {
	if bound >= fewActions {
		return 0, false
	}
	tried := uint64(0) // bit per value
	for i := range known {
		if v := known[i].value; v <= bound {
			tried |= 1 << v
		}
	}
	for k := l.Rand.Intn(n); ; value++ {
		if tried>>value&1 == 1 {
			continue
		}
		if k == 0 {
			return value, true
		}
		k--
	}
}

// digest hashes an input.
func digest(b []byte) uint64 {
	h := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = feature.Chain(h, binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		h = feature.Chain(h, uint64(c))
	}
	return h
}
