package triage

import (
	"cmp"
	"math"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// relation compares the disagreement on a neighbor with that of the input.
type relation uint8

const (
	disagrees relation = iota // the same disagreement
	agrees                    // the programs agree
	other                     // another disagreement
)

// spectrum holds the executed blocks of one program on an input and its neighbors.
type spectrum struct {
	base   wire.RunResult
	runs   []executed
	others []visited

	parting map[int]bool // blocks with which the run leaves the path of other versions
	rejects []int        // last blocks of the check at which the program rejects
	check   int          // that end of the check, or None if it is not certain
	idle    map[int]int  // by the common number of a changed block: neighbors on which versions part there and agree, less those on which they disagree
}

// executed is the set of blocks that a neighbor executed, as bits.
type executed struct {
	of     relation
	same   bool // the program had the same outcome as on the input
	blocks []uint64
}

func (e *executed) has(block int) bool {
	word := block >> 6
	return word < len(e.blocks) && e.blocks[word]>>(block&63)&1 != 0
}

func (e *executed) merge(other *executed) {
	if n := len(other.blocks) - len(e.blocks); n > 0 {
		e.blocks = append(e.blocks, make([]uint64, n)...)
	}
	for i, word := range other.blocks {
		e.blocks[i] |= word
	}
}

func (s *spectrum) add(of relation, hits []uint32, same bool) {
	e := executed{of: of, same: same}
	if n := len(hits); n > 0 {
		e.blocks = make([]uint64, hits[n-1]>>6+1)
	}
	for _, id := range hits {
		e.blocks[id>>6] |= 1 << (id & 63)
	}
	s.runs = append(s.runs, e)
}

// addParting counts a neighbor for the changed blocks of the input at which versions part on it.
func (s *spectrum) addParting(space *flow.Space, results []wire.RunResult, program int, of relation) {
	weight := map[relation]int{agrees: 1, disagrees: -1}[of]
	if s.idle == nil {
		s.idle = map[int]int{}
		for _, id := range s.base.Hits {
			if space.Change(int(id)) != "" {
				s.idle[space.Counterpart(int(id))] = 0
			}
		}
	}
	counted := func(id int) (number int, ok bool) {
		number = space.Counterpart(id)
		_, ok = s.idle[number]
		return number, ok
	}
	leaving, others := map[int]bool{}, map[int]bool{}
	for block := range s.parting {
		if _, ok := counted(block); ok { // else the order does not matter
			leaving = parting(space, results, program)
		}
	}
	for q, r := range results {
		for _, id := range r.Hits {
			if number, ok := counted(int(id)); ok && q != program {
				others[number] = true
			}
		}
	}
	for _, id := range results[program].Hits {
		if number, ok := counted(int(id)); ok && (leaving[int(id)] || !others[number]) {
			s.idle[number] += weight
		}
	}
}

// ofBest is the least share of the best score for a place where versions part, or a change. Later
// places may separate better: not each input that goes there differs.
const ofBest = 0.5

// enoughAccepted is the least number of agreeing inputs that a program accepts without reaching a
// place. With fewer, the place may only be on the way to accepting.
const enoughAccepted = 3

// suspect is a place during the comparison with others.
type suspect struct {
	Direction
	others    int     // neighbors with another disagreement that did the same
	leaves    bool    // the run leaves the path of another version
	shared    bool    // another program did the same there
	own       bool    // in the code under test
	ends      bool    // a last block of the check at which the program rejects
	separates bool    // a change between versions that separates
	idle      bool    // versions part there, mostly on inputs on which they agree
	lift      float64 // separation above chance, as a share of the best
	order     int     // time of the first execution
}

// ranking holds the separating places of one program.
type ranking struct {
	deciding int         // the executed block that separates best, or None
	name     *Direction  // the place that separates best, or nil
	places   []Direction // reported places, best first, one per line

	changed []changed // executed changed blocks, in order
	leaves  int       // time of leaving the path of another version; -1 means unknown
	parted  int       // time of the best executed place; -1 means none
}

// rank scores each executed block, and each branch that the input did not take. The score is
// Ochiai's (Abreu, Zoeteweij, van Gemund, PRDC 2006): with / sqrt(all that disagree * (with +
// without)). Among equals, places of the fewest other disagreements come first, since lines that
// pass on every error say little. Then come places of this program alone, its own code, and the
// first executed: consequences of a decision separate as well.
//
// Places count only above the score of places on all inputs, except changes between versions.
func (s *spectrum) rank(space *flow.Space) (r ranking) {
	accepts := oracle.Outcome(s.base.Outcome) == oracle.Accepted
	disagreeing, agreeing, outcome := 1, 0, 0 // outcome: agreeing inputs with the program's outcome
	for _, r := range s.runs {
		switch r.of {
		case disagrees:
			disagreeing++
		case agrees:
			agreeing++
			if r.same {
				outcome++
			}
		}
	}
	chance := math.Sqrt(float64(disagreeing)/float64(disagreeing+agreeing)) + 1e-9
	before := space.Branching(s.base.Hits)
	var suspects []suspect
	var check *Direction // the first end of the check at which the program rejects
	consider := func(c suspect, from, to int, did func(*executed) bool) {
		c.With = 1
		for i := range s.runs {
			if r := &s.runs[i]; did(r) {
				switch r.of {
				case disagrees:
					c.With++
				case agrees:
					c.Without++
				default:
					c.others++
				}
			}
		}
		c.Score = float64(c.With) / math.Sqrt(float64(disagreeing)*float64(c.With+c.Without))
		c.Changed = !c.Absent && space.Change(c.Block) != ""
		c.Rejects = !c.Absent && c.Block == s.check
		if c.ends = !c.Absent && slices.Contains(s.rejects, c.Block); c.ends && check == nil {
			check = &c.Direction
		}
		if c.Score <= chance && !c.Changed && !c.Rejects {
			return
		}
		c.own = space.OwnBlock(c.Block)
		c.Verdict = accepts && outcome-c.Without < enoughAccepted
		c.idle = !c.Absent && s.idle[space.Counterpart(c.Block)] > 1 // one is the input itself
		c.compare(space, s.others, before, from, to)
		if c.leaves = s.parting[to] && !c.Absent; c.leaves {
			c.Parts = true
		}
		suspects = append(suspects, c)
	}
	first := s.base.First
	if len(first) != len(s.base.Hits) { // not recorded: source order
		first = s.base.Hits
	}
	when := make(map[int]int, len(first))
	for i, id := range first {
		when[int(id)] = 2 * i
	}
	for i, id := range first {
		block := int(id)
		consider(suspect{Direction: Direction{Block: block}, order: 2 * i}, None, block, func(r *executed) bool { return r.has(block) })
	}
	s.absent(space, when, consider)
	best := 0.0
	for _, c := range suspects {
		best = max(best, c.Score)
	}
	for i := range suspects {
		c := &suspects[i]
		c.Parts = c.Parts && c.Score >= best*ofBest
		c.separates = c.Changed && c.Score > chance && c.Score >= best*ofBest
		if best > chance {
			c.lift = (c.Score - chance) / (best - chance)
		}
	}
	r.parted = parted(suspects, chance)
	r.leaves = -1
	for i, id := range first {
		if s.parting[int(id)] {
			r.leaves = 2 * i
			break
		}
	}
	for _, c := range suspects { // still in the order of execution
		if c.Absent {
			continue
		}
		hunks := space.HunksIn(c.Block)
		for _, hunk := range hunks {
			r.changed = append(r.changed, changed{suspect: c, hunk: hunk, several: len(hunks) > 1})
		}
	}
	sort := func(first func(a, b suspect) int) {
		slices.SortStableFunc(suspects, func(a, b suspect) int { return cmp.Or(first(a, b), compare(a, b)) })
	}
	sort(func(a, b suspect) int {
		return cmp.Or(compareBool(b.separates, a.separates), compareBool(a.Score <= chance, b.Score <= chance))
	})
	r.deciding = None
	for _, c := range suspects {
		if c.Score > chance && !c.Absent {
			r.deciding = c.Block
			break
		}
	}
	if len(suspects) > 0 && suspects[0].Score > chance {
		name := suspects[0].Direction
		r.name = &name
	}
	sort(compareVersions)
	promote(suspects)
	if len(suspects) > 0 { // changes come before a check that did not change
		change := suspects[0].Changed
		sure := func(c suspect) bool { return c.Rejects && (c.Changed || !change) }
		slices.SortStableFunc(suspects, func(a, b suspect) int { return compareBool(sure(b), sure(a)) })
	}
	lines := map[string]bool{}
	for _, c := range suspects {
		line := c.line(space)
		if line != "" && lines[line] {
			continue
		}
		lines[line] = true
		if r.places = append(r.places, c.Direction); len(r.places) == maxPlaces {
			break
		}
	}
	if len(r.places) == 0 && check != nil { // true of the program, though others reject there too
		r.places = append(r.places, *check)
	}
	return r
}

// compare orders places, the best separating first.
func compare(a, b suspect) int {
	return cmp.Or(
		cmp.Compare(rounded(b.Score), rounded(a.Score)),
		cmp.Compare(a.others, b.others),
		compareBool(b.ends, a.ends),
		compareBool(a.shared, b.shared),
		compareBool(b.own, a.own),
		cmp.Compare(a.order, b.order),
		cmp.Compare(a.Block, b.Block),
	)
}

// compareVersions puts changes between versions first, then places where versions part.
func compareVersions(a, b suspect) int {
	if a.separates || b.separates {
		return compareBool(b.separates, a.separates)
	}
	if !a.Parts || !b.Parts {
		return cmp.Or(compareBool(a.Changed, b.Changed), compareBool(b.Parts, a.Parts))
	}
	return cmp.Or(
		compareBool(b.leaves, a.leaves),
		compareBool(a.Absent, b.Absent), // the time of the other program is unknown
		cmp.Compare(a.order, b.order),
		cmp.Compare(a.Block, b.Block),
	)
}

// promote moves the best changed place that does not separate up to the third: inputs may execute
// the same code with other results.
func promote(suspects []suspect) {
	for i := range suspects {
		switch c := suspects[i]; {
		case c.separates || c.Changed && i < shownFirst:
			return
		case c.Changed:
			copy(suspects[shownFirst:i+1], suspects[shownFirst-1:i])
			suspects[shownFirst-1] = c
			return
		}
	}
}

// shownFirst is the number of places that are shown first.
const shownFirst = 3

// absent considers the branches that the input reached and did not take, but agreeing inputs did.
func (s *spectrum) absent(space *flow.Space, when map[int]int, consider func(c suspect, from, to int, did func(*executed) bool)) {
	taken := executed{}
	for i := range s.runs {
		if s.runs[i].of == agrees {
			taken.merge(&s.runs[i])
		}
	}
	for _, id := range s.base.Hits {
		from := int(id)
		succs := space.Succs(from)
		if len(succs) < 2 {
			continue
		}
		order := when[from] + 1
		for _, to := range succs {
			if at, ok := when[to]; ok {
				order = max(order, at+1) // the taken branch comes first
			}
		}
		for _, to := range succs {
			if _, ok := when[to]; ok || !taken.has(to) {
				continue
			}
			consider(suspect{Direction: Direction{Block: to, Absent: true}, order: order}, from, to,
				func(r *executed) bool { return r.has(from) && !r.has(to) })
		}
	}
}

// compare compares a place with other programs at the same branch. The branch leads to a block, or
// from a block to one that was not taken. In shared code, only versions part.
func (c *suspect) compare(space *flow.Space, others []visited, before map[int][]int, from, to int) {
	for _, other := range others {
		did, there := other.versions[space.Counterpart(to)], false
		if c.Absent {
			did = other.versions[space.Counterpart(from)] && !did
			there = other.visitedVersion(space, from)
		} else if !did {
			there = slices.ContainsFunc(before[to], func(from int) bool { return other.visitedVersion(space, from) })
		}
		c.shared = c.shared || did
		c.Parts = c.Parts || there && !did
	}
}

// visited holds the blocks that another program executed.
type visited struct {
	blocks   map[int]bool // by their ids
	versions map[int]bool // by the common number of versions of a block
}

// visitedVersion reports whether the program executed a version of a block, and not the block
// itself.
func (v *visited) visitedVersion(space *flow.Space, block int) bool {
	return v.versions[space.Counterpart(block)] && !v.blocks[block]
}

// parting returns the blocks with which a program leaves the path that it shares with others.
func parting(space *flow.Space, base []wire.RunResult, program int) map[int]bool {
	blocks := map[int]bool{}
	for q, r := range base {
		if at, parts := space.Parting(base[program].First, r.First); parts && q != program {
			blocks[at] = true
		}
	}
	return blocks
}

// parted returns the time of the executed place that separates best, or -1.
func parted(suspects []suspect, chance float64) int {
	best, at := chance, -1
	for _, c := range suspects { // in the order of execution
		if score := math.Round(c.Score*1e9) / 1e9; !c.Absent && score > best {
			best, at = score, c.order
		}
	}
	return at
}

// otherVisits returns the blocks that all programs but one executed.
func otherVisits(space *flow.Space, base []wire.RunResult, but int) []visited {
	var list []visited
	for p, r := range base {
		if p == but {
			continue
		}
		v := visited{map[int]bool{}, map[int]bool{}}
		for _, id := range r.Hits {
			v.blocks[int(id)], v.versions[space.Counterpart(int(id))] = true, true
		}
		list = append(list, v)
	}
	return list
}

// Change returns the file and line of the change at a place, or of the chosen one of several.
func (p Direction) Change(space *flow.Space) string {
	return space.ChangeOf(p.Block, p.hunk-1)
}

// line returns the line of a place, or "" if it is not known.
func (p Direction) line(space *flow.Space) string {
	if p.Changed {
		return p.Change(space)
	}
	return space.At(p.Block)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
