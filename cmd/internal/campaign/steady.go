package campaign

import (
	"math/bits"
	"slices"
	"sync"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/report"
	"parallax/internal/wire"
)

// steadiness is how steady the programs are: over inputs that the engine executed a second time, and over candidates. Triage asks for
// it while the loop counts.
type steadiness struct {
	mu         sync.Mutex
	names      []string
	again      uint64   // inputs executed a second time
	redrawn    uint64   // those for which the generator drew something else of the same tape
	replayed   uint64   // tapes of the corpus that were drawn again, in this run
	realigned  uint64   // those of which the generator drew something else than was kept
	differed   []uint64 // by program: those of them on which it did otherwise
	candidates []uint64 // by program: candidates that did not repeat because of it
}

const (
	againKey           = "again"
	redrawnKey         = "redrawn"
	differedPrefix     = "differed/"
	unrepeatablePrefix = "unrepeatable/"
)

func (s *steadiness) load(names []string, counters map[string]uint64) {
	s.names, s.again, s.redrawn = names, counters[againKey], counters[redrawnKey]
	for _, name := range names {
		s.differed = append(s.differed, counters[differedPrefix+name])
		s.candidates = append(s.candidates, counters[unrepeatablePrefix+name])
	}
}

// save adds the counters to be kept.
func (s *steadiness) save(counters map[string]uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	counters[againKey] = s.again
	if s.redrawn > 0 {
		counters[redrawnKey] = s.redrawn
	}
	for p, name := range s.names {
		if s.differed[p]+s.candidates[p] > 0 {
			counters[differedPrefix+name], counters[unrepeatablePrefix+name] = s.differed[p], s.candidates[p]
		}
	}
}

// add takes the growth of a worker's counters.
func (s *steadiness) add(had, now *wire.Counts) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.again += now.Stats[wire.Repeated] - had.Stats[wire.Repeated]
	s.redrawn += now.Stats[wire.Redrawn] - had.Stats[wire.Redrawn]
	s.replayed += now.Stats[wire.Replayed] - had.Stats[wire.Replayed]
	s.realigned += now.Stats[wire.Realigned] - had.Stats[wire.Realigned]
	for p := range s.differed {
		s.differed[p] += now.Unsteady[p] - had.Unsteady[p]
	}
}

// at is how steady the programs were when a worker reported an input: told is what it had counted by then, and had what was taken of its
// counts.
func (s *steadiness) at(had *wire.Counts, told []uint64) *triage.Steadiness {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := &triage.Steadiness{Again: s.again, Differed: slices.Clone(s.differed)}
	grown := func(n *uint64, had, told uint64) {
		if delta := int64(told - had); -1<<40 < delta && delta < 1<<40 && int64(*n)+delta >= 0 { // else a program wrote it
			*n += uint64(delta)
		}
	}
	if len(told) == 1+len(at.Differed) {
		grown(&at.Again, had.Stats[wire.Repeated], told[0])
		for p := range at.Differed {
			grown(&at.Differed[p], had.Unsteady[p], told[1+p])
		}
	}
	return at
}

// of names the programs of a set.
func (s *steadiness) of(programs uint64) (names []string) {
	for p, name := range s.names {
		if programs>>p&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// wavered takes a candidate that did not repeat, with the programs that did otherwise.
func (s *steadiness) wavered(programs uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; programs != 0; programs &= programs - 1 {
		if p := bits.TrailingZeros64(programs); p < len(s.candidates) {
			s.candidates[p]++
		}
	}
}

// seen is what triage decides by.
func (s *steadiness) seen() triage.Steadiness {
	s.mu.Lock()
	defer s.mu.Unlock()
	wavered := slices.ContainsFunc(s.candidates, func(n uint64) bool { return n > 0 })
	return triage.Steadiness{Again: s.again, Differed: slices.Clone(s.differed), Wavered: wavered}
}

// tapes are how many tapes a generator drew from a second time, and of how many of them it drew something else.
func (s *steadiness) tapes() (redrawn, of uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.redrawn, s.again
}

// older is the share of the replayed tapes of the corpus of which the generator drew something else than was kept: an older one has made them.
func (s *steadiness) older() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replayed == 0 {
		return 0
	}
	return float64(s.realigned) / float64(s.replayed)
}

// rows are the programs that waver.
func (s *steadiness) rows() []report.Wavering {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []report.Wavering
	for p, name := range s.names {
		if s.differed[p]+s.candidates[p] > 0 {
			out = append(out, report.Wavering{Program: name, Inputs: s.differed[p], Of: s.again, Candidates: s.candidates[p]})
		}
	}
	return out
}
