// Package steadiness counts inputs on which programs do something else when they run again.
//
// A program that depends on time, chance or the order of a map has no differences that can be
// trusted. The counts have three sources: inputs that the engine executes a second time, candidates
// that triage cannot repeat, and the probe before the loop. Triage estimates rates from the first;
// the summary says from all of them whether a campaign without findings judged anything.
package steadiness

import (
	"math/bits"
	"slices"
	"sync"

	"parallax/cmd/internal/finding"
	"parallax/internal/wire"
)

// Counts measures how often programs do the same: on inputs that the engine executed a second
// time, and on candidates. Triage reads it while the loop counts.
type Counts struct {
	mu         sync.Mutex
	names      []string
	again      uint64   // inputs executed a second time
	redrawn    uint64   // inputs for which the generator drew something else from the same tape
	replayed   uint64   // tapes of the corpus that were drawn again in this run
	realigned  uint64   // replayed tapes from which the generator drew something else than before
	differed   []uint64 // by program: inputs on which it did something else the second time
	candidates []uint64 // by program: candidates that did not repeat because of it

	// The probe before the loop. Triage does not estimate rates from it: its inputs are seeds.
	probed, probeDiffered map[int]uint64 // by program

	Flaky Flaky // candidates that did not repeat; the loop alone uses it
}

const (
	againKey           = "again"
	redrawnKey         = "redrawn"
	differedPrefix     = "differed/"
	unrepeatablePrefix = "unrepeatable/"
)

// Load reads the counters of earlier runs of the programs.
func (s *Counts) Load(names []string, counters map[string]uint64) {
	s.names, s.again, s.redrawn = names, counters[againKey], counters[redrawnKey]
	for _, name := range names {
		s.differed = append(s.differed, counters[differedPrefix+name])
		s.candidates = append(s.candidates, counters[unrepeatablePrefix+name])
	}
}

// Save adds the counters to those of the folder.
func (s *Counts) Save(counters map[string]uint64) {
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

// Add adds the growth of a worker's counters.
func (s *Counts) Add(had, now *wire.Counts) {
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

// At returns the steadiness at the time when a worker reported an input. reported holds
// the worker's counts at that time, and had those that were last added.
func (s *Counts) At(had *wire.Counts, reported []uint64) *finding.Steadiness {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := &finding.Steadiness{Again: s.again, Differed: slices.Clone(s.differed)}
	grown := func(n *uint64, had, reported uint64) {
		if delta := int64(reported - had); -1<<40 < delta && delta < 1<<40 && int64(*n)+delta >= 0 { // else a program wrote it
			*n += uint64(delta)
		}
	}
	if len(reported) == 1+len(at.Differed) {
		grown(&at.Again, had.Stats[wire.Repeated], reported[0])
		for p := range at.Differed {
			grown(&at.Differed[p], had.Unsteady[p], reported[1+p])
		}
	}
	return at
}

// Programs returns the names of a set of programs.
func (s *Counts) Programs(set uint64) (names []string) {
	for p, name := range s.names {
		if set>>p&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// AddWavering counts a candidate that did not repeat because of a set of programs.
func (s *Counts) AddWavering(programs uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; programs != 0; programs &= programs - 1 {
		if p := bits.TrailingZeros64(programs); p < len(s.candidates) {
			s.candidates[p]++
		}
	}
}

// AddProbe counts inputs that the probe executed twice, and those on which a program differed.
func (s *Counts) AddProbe(program, differed, of int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.probeDiffered == nil {
		s.probed, s.probeDiffered = make(map[int]uint64), make(map[int]uint64)
	}
	s.probed[program], s.probeDiffered[program] = uint64(of), uint64(differed)
}

// Snapshot returns the steadiness for triage.
func (s *Counts) Snapshot() finding.Steadiness {
	s.mu.Lock()
	defer s.mu.Unlock()
	wavered := slices.ContainsFunc(s.candidates, func(n uint64) bool { return n > 0 })
	return finding.Steadiness{Again: s.again, Differed: slices.Clone(s.differed), Wavered: wavered}
}

// Tapes returns the number of tapes that were drawn a second time, and of changed draws.
func (s *Counts) Tapes() (redrawn, of uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.redrawn, s.again
}

// RealignedShare returns the share of replayed tapes from which the generator drew something else
// than before. Such tapes come from an older generator.
func (s *Counts) RealignedShare() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.replayed == 0 {
		return 0
	}
	return float64(s.realigned) / float64(s.replayed)
}

// Rows returns the programs that waver.
func (s *Counts) Rows() []finding.Wavering {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []finding.Wavering
	for p, name := range s.names {
		differed := s.differed[p] + s.probeDiffered[p]
		if differed+s.candidates[p] > 0 {
			out = append(out, finding.Wavering{Program: name, Inputs: differed, Of: s.again + s.probed[p], Candidates: s.candidates[p]})
		}
	}
	return out
}
