package triage

import (
	"maps"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// None marks a program without a deciding block.
const None = flow.None

// Place is a branch, by a block and whether an input went there.
type Place struct {
	Block   int
	Parts   bool // another program reached the same branch, of a version of the function, and went elsewhere
	Changed bool // it holds code that differs between versions of the program
	Absent  bool // the input reached the branch and did not execute the block
	hunk    int  // index of the chosen one of several hunks in the block, plus 1; 0 means the first
	Score   float64
	With    int // inputs with the disagreement that did the same, the input itself among them
	Without int // inputs on which the programs agree that did the same
}

// maxPlaces is how many places are told of a program.
const maxPlaces = 5

// maxDeaths bounds the workers that looking for a cause may cost.
const maxDeaths = 8

// Located is where the programs part around an input.
type Located struct {
	Deciding []int     // for each program, the executed block that separates best; None where nothing does
	Best     []*Place  // for each program, what separates best, whether it executed something or did not; nil where nothing does
	Ranked   [][]Place // for each program, what separates, best first, a line once

	Hunk      int               // to which it is put down, where programs are versions of one; else None
	sure      bool              // nothing else can be it
	keep      []int             // blocks of the hunk of which a smaller input must execute one; nil: any that it changed
	executed  map[int]bool      // hunks of which a program executed something
	Relatives int               // that were looked at
	Agreed    int               // of these, on which the programs agree
	Accepted  int               // of these, which all programs accept that do not decline
	Edits     []string          // kinds of bytes without which these do, sorted
	Turns     []string          // kinds of bytes whose deletion turns the one program that accepts, sorted
	partial   []partialNeighbor // relatives that show some of the difference, the first of each kind
	bytes     []string          // the single bytes without which all programs agree, sorted
}

// Locate executes an input and its relatives (neighbors, and extra, such as the input that it was made from), and ranks for
// each program what separates inputs that disagree in the same way from those on which the programs agree. NEZHA's section
// VIII proposes the comparison and never built it.
//
// same says whether results show the disagreement in question.
func Locate(s *Replayer, layers oracle.Layers, shape input.Shape, flat []byte, extra [][]byte, limit int,
	same func([]wire.RunResult) bool) (*Located, error) {
	base, err := s.Run(flat, wire.WantHits|wire.WantDetail)
	if err != nil {
		return nil, err
	}
	if s.Traits.CoverageUnknown(len(base)) {
		return nowhere(len(base)), nil // nothing could separate
	}
	spectra := make([]spectrum, len(base))
	for p := range spectra {
		spectra[p].base, spectra[p].others = base[p], others(s.Space, base, p)
		spectra[p].parting = parting(s.Space, base, p)
	}
	deaths, l := s.Deaths, &Located{}
	repairing, turning := newRepairs(shape, flat), newRepairs(shape, flat)
	err = s.RunAll(s.neighbors(shape, flat, extra, limit), wire.WantHits, func(relative []byte, results []wire.RunResult) bool {
		if s.Deaths-deaths > maxDeaths {
			return false
		}
		if _, failed := Failed(results); failed {
			return true
		}
		l.Relatives++
		of := other
		if same(results) {
			of = disagrees
		} else if layer := Layer(layers, results); layer != 0 {
			l.addPartial(layer, base, relative, results, len(relative) < len(flat))
		} else {
			of = agrees
			l.Agreed++
			if !slices.ContainsFunc(results, func(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) == oracle.Rejected }) {
				l.Accepted++
				repairing.take(relative)
			} else if len(relative) < len(flat) && turns(base, results) {
				turning.take(relative)
			}
		}
		for p, r := range results {
			spectra[p].add(of, r.Hits)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	l.Hunk, l.Edits, l.Turns, l.bytes = None, repairing.list(), turning.list(), slices.Sorted(maps.Keys(repairing.bytes))
	var ranked []ranking
	for p := range spectra {
		r := spectra[p].rank(s.Space)
		for i := range r.changed {
			r.changed[i].program = p
		}
		ranked = append(ranked, r)
		l.Deciding, l.Best, l.Ranked = append(l.Deciding, r.deciding), append(l.Best, r.name), append(l.Ranked, r.places)
	}
	if s.Space.AllVersions(len(base)) {
		makes := makerOf(s.Space, base)
		l.Hunk, l.sure = hunkOf(s.Space, before(s.Space, base, ranked), makes)
		l.executed = executedHunks(ranked)
		l.keep = kept(ranked, l.Hunk)
		if l.Hunk == None {
			s.earlier(l, flat)
		}
		for p := range ranked {
			of := ranked[p].changed
			if !l.sure && !makes.hinted(l.Hunk) { // it leads where it separates as well
				of = nil
			}
			l.Ranked[p] = lead(s.Space, l.Ranked[p], of, l.Hunk)
		}
	}
	return l, nil
}

// earlier puts a disagreement down to a hunk that the input did not execute: one that a fresh process executes with it, which an earlier input
// had spared it, such as a table that is made once, or else what runs before the first input. The finding has its line.
func (s *Replayer) earlier(l *Located, flat []byte) {
	s.Fresh()
	results, err := s.Run(flat, wire.WantHits)
	if err != nil {
		return
	}
	for p, r := range results {
		for _, id := range r.Hits {
			if h, ok := s.Space.Hunk(int(id)); ok {
				l.Hunk = h
				l.blame(p, int(id))
				return
			}
		}
	}
	if h, block, ok := s.Space.StartHunk(); ok {
		if l.Hunk = h; !s.Space.HunkOf(h).Joint { // of several, nobody knows which it is
			l.blame(0, block)
		}
	}
}

// blame tells a place of a program before all others.
func (l *Located) blame(program, block int) {
	places := l.Ranked[program]
	l.Ranked[program] = append([]Place{{Block: block, Changed: true}}, places[:min(len(places), maxPlaces-1)]...)
}

// nowhere is what is located of programs of which nothing is known.
func nowhere(programs int) *Located {
	l := &Located{Deciding: make([]int, programs), Best: make([]*Place, programs), Ranked: make([][]Place, programs), Hunk: None}
	for p := range l.Deciding {
		l.Deciding[p] = None
	}
	return l
}
