package source

import (
	"encoding/binary"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// RLCheck makes the choices of a generator while it draws, and learns which are followed by valid inputs that were not there before (Reddy et al., ICSE
// 2020, section 4, and its public code: RLGuide.java, RLLearner.java, RLGuidance.java). Each site has a learner, whose state is the last five
// choices around (tape.Guide). It chooses any action with a probability of 0.25 and where it does not know the state, and else one of those with the
// largest Q, which is 0 of those that it has not tried. A run is an episode: for each of its choices, C += 1 and Q += (G-Q)/C (Monte Carlo control, every
// visit, without discount). G is 20 for a valid input that was not seen before, 0 for a valid one that was, and -1 for an invalid one. An input that fails
// teaches nothing.
//
// Three things differ. Inputs are told apart by their choices: what they look like is not known here. And since generators draw numbers from wide
// bounds, and choose small ones more often, an action of a choice with more than 64 values is one that was tried or to leave the choice to the generator;
// with up to 64, each value is an action, and chance is uniform as published. And what was not visited for long is forgotten: see worths.
type RLCheck struct {
	Taped
	on      bool // an input that is learned from is being drawn
	worths  worths
	episode []visit
	seen    sights // valid inputs
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
	exploration   = 4 // one choice of so many is any

	fewActions = 64
)

// Propose implements Source.
func (l *RLCheck) Propose(s *Step) bool {
	l.fresh(s)
	l.on, l.episode = true, l.episode[:0]
	s.By(l)
	return true
}

// Done implements Source: the learners are told.
func (l *RLCheck) Done(s *Step, r Result) {
	l.on = false
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

// learn ends an episode.
func (l *RLCheck) learn(g float64) {
	for i := len(l.episode) - 1; i >= 0; i-- {
		l.worths.learn(l.episode[i].at, l.episode[i].value, g)
	}
}

func place(site uint32, state uint64) uint64 { return feature.Chain(state, uint64(site)) }

// Chosen is told of every choice of an input: tape.Guide.
func (l *RLCheck) Chosen(site uint32, state, value uint64) {
	if l.on {
		l.episode = append(l.episode, visit{place(site, state), value})
	}
}

// Choose makes a choice, or leaves it to the generator: tape.Guide.
func (l *RLCheck) Choose(site uint32, state, bound uint64) (value uint64, ok bool) {
	if !l.on {
		return 0, false
	}
	known := l.worths.actions(place(site, state))
	if len(known) == 0 || l.Rand.Chance(1, exploration) {
		return l.any(bound)
	}
	return l.best(known, bound)
}

// any is any action.
func (l *RLCheck) any(bound uint64) (value uint64, ok bool) {
	if bound >= fewActions {
		return 0, false
	}
	return uint64(l.Rand.Intn(int(bound) + 1)), true
}

// best is one of the actions that are worth most, each as likely.
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
	others := 1 // that were not tried, of which Q is 0
	if bound < fewActions {
		others = int(bound + 1 - tried)
	}
	if others == 0 || tried > 0 && (most > 0 || most == 0 && l.Rand.Intn(ties+others) < ties) {
		return value, true
	}
	return l.untried(known, bound, others)
}

// untried is one of so many actions that were not tried, each as likely.
func (l *RLCheck) untried(known []action, bound uint64, n int) (value uint64, ok bool) {
	if bound >= fewActions {
		return 0, false
	}
	tried := uint64(0) // a bit for each
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

// digest is a hash of an input.
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
