package triage

import (
	"slices"

	"parallax/cmd/internal/campaign/rejection"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// None marks a program without a deciding block.
const None = flow.None

// Direction is one way out of a branch, with its score.
type Direction struct {
	Block   int
	Parts   bool // another program reached a version of the branch and went elsewhere
	Changed bool // the block has code that differs between versions
	hunk    int  // 1 + the attributed hunk of several in the block; 0 means the first
	Absent  bool // the input reached the branch and did not execute the block
	Score   float64
	With    int  // inputs with the disagreement that did the same, with the input itself
	Without int  // agreeing inputs that did the same
	Verdict bool // the program accepts, and accepting separates nearly as well
	Rejects bool // it ends the check at which the program rejects
	Rivals  int  // other changes between versions that the input executed, if this is one
}

// maxPlaces bounds the reported places of a program.
const maxPlaces = 5

// maxDeaths bounds the deaths of workers while a cause is located.
const maxDeaths = 8

// Located holds the places where programs part around an input.
type Located struct {
	Deciding []int         // by program: the executed block that separates best, or None
	Best     []*Direction  // by program: the place that separates best, executed or not, or nil
	Ranked   [][]Direction // by program: separating places, best first, one per line
	Rejects  [][]int       // by program: the last blocks of the check at which it rejects, or nil
	Checks   []int         // by program: the end of that check, or None if it is not certain
	Entered  []string      // functions of the odd programs that accept; nil for versions

	Hunk      int               // the attributed hunk of a version, or None
	sure      bool              // no other hunk can be the cause
	keep      []int             // blocks of the hunk, one for a smaller input to execute; nil means any
	executed  map[int]bool      // hunks with an executed block
	Neighbors int               // executed neighbors
	Agreed    int               // neighbors on which the programs agree
	Accepted  int               // neighbors that all programs accept, except declining ones
	Edits     []string          // kinds of bytes without which all programs accept, sorted
	bytes     []string          // single bytes without which all programs agree, sorted
	alien     string            // their kind, if it is the only one and no text needs it
	Turns     []string          // kinds of bytes whose deletion turns the one accepting program, sorted
	partial   []partialNeighbor // the first of each kind
}

// Locate executes an input, its neighbors and extra inputs, such as its parent. For each program,
// it ranks the places that separate disagreeing from agreeing inputs. NEZHA's section VIII proposes
// the comparison and never built it. same reports whether results show the disagreement.
func Locate(s *Replayer, layers oracle.Layers, shape input.Shape, flat []byte, extra [][]byte, limit int,
	same func([]wire.RunResult) bool) (*Located, error) {
	base, err := s.Run(flat, wire.WantHits|wire.WantDetail)
	if err != nil {
		return nil, err
	}
	if s.Traits.CoverageUnknown(len(base)) {
		return notLocated(len(base)), nil // no place could separate
	}
	rejects, checks := rejection.Blocks(s.Space, base)
	spectra := make([]spectrum, len(base))
	rejected := func(r wire.RunResult) bool { return oracle.Outcome(r.Outcome) == oracle.Rejected }
	for p := range spectra {
		spectra[p].base, spectra[p].others = base[p], otherVisits(s.Space, base, p)
		spectra[p].rejects, spectra[p].check = rejects[p], checks[p]
		spectra[p].parting = parting(s.Space, base, p)
	}
	versions := s.Space.AllVersions(len(base))
	deaths, l := s.Deaths, &Located{Rejects: rejects, Checks: checks}
	if odd := rejection.OddAccepting(Observations(base), layers); len(odd) > 0 && !versions {
		again, err := s.Run(flat, wire.WantHits)
		if err != nil {
			return nil, err
		}
		l.Entered = rejection.Entered(s.Space, odd, base, again)
	}
	repairing, turning := causes.NewDeletions(shape, flat), causes.NewDeletions(shape, flat)
	err = s.RunAll(s.neighbors(shape, flat, extra, limit), wire.WantHits, func(neighbor []byte, results []wire.RunResult) bool {
		if s.Deaths-deaths > maxDeaths {
			return false
		}
		if _, failed := Failed(results); failed {
			return true
		}
		l.Neighbors++
		of := other
		if same(results) {
			if rejection.Alike(rejects, results) {
				of = disagrees
			}
		} else if layer := Layer(layers, results); layer != 0 {
			l.addPartial(layer, base, neighbor, results, len(neighbor) < len(flat))
		} else {
			of = agrees
			l.Agreed++
			if !slices.ContainsFunc(results, rejected) {
				l.Accepted++
				repairing.Add(neighbor)
			} else if len(neighbor) < len(flat) && rejection.Turns(base, results) {
				turning.Add(neighbor)
			}
		}
		for p, r := range results {
			spectra[p].add(of, r.Hits, r.Outcome == base[p].Outcome)
			if versions && of != other {
				spectra[p].addParting(s.Space, results, p, of)
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	l.Hunk, l.Edits, l.Turns, l.bytes, l.alien = None, repairing.Kinds(), turning.Kinds(), repairing.Bytes(), repairing.Alien()
	var ranked []ranking
	for p := range spectra {
		r := spectra[p].rank(s.Space)
		for i := range r.changed {
			r.changed[i].program = p
		}
		ranked = append(ranked, r)
		l.Deciding, l.Best, l.Ranked = append(l.Deciding, r.deciding), append(l.Best, r.name), append(l.Ranked, r.places)
	}
	if versions {
		makes := makerOf(s.Space, base)
		l.Hunk, l.sure = hunkOf(s.Space, base, withinHorizon(s.Space, base, ranked), makes)
		l.executed = executedHunks(ranked)
		l.keep = keptBlocks(ranked, l.Hunk)
		if l.Hunk == None {
			s.attributeToStart(l, flat)
		}
		for p := range ranked {
			of := ranked[p].changed
			if first := l.Ranked[p]; !l.sure && !makes.hinted(l.Hunk) && (len(first) == 0 || !ofOther(s.Space, first[0], l.Hunk)) {
				of = nil // it comes first only if it separates, or else another hunk would
			}
			l.Ranked[p] = withoutOthers(s.Space, lead(s.Space, l.Ranked[p], of, l.Hunk), l.Hunk)
			for i := range l.Ranked[p] {
				if at := &l.Ranked[p][i]; at.Changed {
					at.Rivals = len(l.executed) - 1
				}
			}
		}
	}
	return l, nil
}

// attributeToStart attributes a disagreement to a hunk that the input did not execute. A fresh
// process executes it, as earlier inputs spared it a one-time computation. Or it runs before the
// first input.
func (s *Replayer) attributeToStart(l *Located, flat []byte) {
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
		if l.Hunk = h; !s.Space.HunkOf(h).Joint { // the hunk among several is unknown
			l.blame(0, block)
		}
	}
}

// blame puts a place of a program before all others.
func (l *Located) blame(program, block int) {
	places := l.Ranked[program]
	l.Ranked[program] = append([]Direction{{Block: block, Changed: true}}, places[:min(len(places), maxPlaces-1)]...)
}

// notLocated returns a Located without places.
func notLocated(programs int) *Located {
	l := &Located{Deciding: make([]int, programs), Rejects: make([][]int, programs), Best: make([]*Direction, programs), Ranked: make([][]Direction, programs), Hunk: None}
	for p := range l.Deciding {
		l.Deciding[p] = None
	}
	return l
}
