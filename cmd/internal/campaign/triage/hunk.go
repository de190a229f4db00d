package triage

import (
	"cmp"
	"math"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/wire"
)

// Between versions of one program, only executed changes can cause a disagreement.

// changed is an executed block that differs between versions.
type changed struct {
	suspect
	program int
	hunk    int
	several bool // the block has other hunks, too
}

// hunkOf returns the hunk to which a disagreement between versions is attributed. It returns None
// if no hunk was executed, or programs are not versions. Changed conditions that all versions leave
// the same way do not count. Neither do consequences of others. In order, it is
//
//   - the hunk that separates disagreeing from agreeing inputs best (see decidingChange), or if it
//     is idle or most inputs there agree, one that rather makes the part of the values that differs,
//   - the only executed one,
//   - the last one before the versions part,
//   - the one that makes the differing part of the values (see maker),
//   - the one that the fewest neighbors execute, if others have more,
//   - the first executed one in the deciding function.
//
// A function of only one version is attributed to the hunk that calls it. A method that a type
// gained or lost is called by code that asks for it. It is the same change as that of the type's
// methods.
//
// The hunk is sure if there is no other, or if versions part there and then mostly disagree. It is
// not if the versions agree on most inputs that execute it, or if another hunk separates as well in
// each program.
// Elsewhere, an earlier hunk may be the cause, so that two findings of one hunk may have two
// causes. In a block with several hunks, none is sure. The hunk is the first, or the one that makes
// the differing part.
func hunkOf(space *flow.Space, base []wire.RunResult, ranked []ranking, makes maker) (hunk int, sure bool) {
	var every, separating []changed
	for _, r := range ranked {
		every = append(every, r.changed...)
	}
	if relevant := withoutConditions(space, base, every); len(relevant) > 0 {
		every = relevant
	}
	every = withoutConsequences(space, base, every)
	asked := methods(space, every)
	var all []changed
	for _, c := range every {
		if asked[c.hunk] {
			continue
		}
		if all = append(all, c); c.separates {
			separating = append(separating, c)
		}
	}
	if len(all) == 0 {
		return None, false
	}
	if len(separating) > 0 {
		idle := idleHunks(all)
		c := makes.inBlock(all, decidingChange(separating, idle))
		loose := c.Without > c.With && slices.ContainsFunc(all, func(other changed) bool { return other.hunk != c.hunk })
		if other := makes.most(all); other != nil {
			more := makes(other.hunk) - makes(c.hunk)
			if idle[c.hunk] && more >= flow.FieldHints || loose && more > 0 {
				c, loose = *other, true
			}
		}
		return caller(space, every, c), c.Parts && !c.several && !idle[c.hunk] && !loose && !rivaled(separating, c.hunk, idle)
	}
	only := all[0].hunk
	if !slices.ContainsFunc(all, func(c changed) bool { return c.hunk != only }) {
		return only, true
	}
	if c := beforeParting(ranked, asked); c != nil {
		return caller(space, every, makes.inBlock(all, *c)), false
	}
	if c := makes.most(all); c != nil {
		return caller(space, every, *c), false
	}
	if c := rarest(all); c != nil {
		return caller(space, every, *c), false
	}
	for _, r := range ranked {
		if r.name == nil {
			continue
		}
		for _, c := range r.changed {
			if !asked[c.hunk] && space.SameFunction(c.Block, r.name.Block) {
				return caller(space, every, c), false
			}
		}
	}
	return only, false
}

// rivaled reports whether another hunk separates at least as well in each program that executes
// either. Idle hunks are no rivals.
func rivaled(separating []changed, hunk int, idle map[int]bool) bool {
	scores := map[[2]int]float64{} // by hunk and program
	for _, c := range separating {
		at := [2]int{c.hunk, c.program}
		scores[at] = max(scores[at], c.Score)
	}
	for _, other := range separating {
		worse := func(c changed) bool {
			return scores[[2]int{other.hunk, c.program}] < scores[[2]int{hunk, c.program}]
		}
		if other.hunk != hunk && !idle[other.hunk] && !slices.ContainsFunc(separating, worse) {
			return true
		}
	}
	return false
}

// withoutConditions returns the changes without conditions that decide nothing: each version leaves
// the condition in one way, and all versions in the same.
func withoutConditions(space *flow.Space, base []wire.RunResult, every []changed) []changed {
	ways := map[int]map[int]bool{}    // by hunk, the common numbers of the blocks after it
	leaving := map[int]map[int]bool{} // by hunk, the programs
	for _, c := range every {
		after := space.Succs(c.Block)
		if len(after) != 2 || !space.HunkOf(c.hunk).Condition() {
			continue
		}
		if ways[c.hunk] == nil {
			ways[c.hunk], leaving[c.hunk] = map[int]bool{}, map[int]bool{}
		}
		leaving[c.hunk][c.program] = true
		for _, next := range after {
			if _, ok := slices.BinarySearch(base[c.program].Hits, uint32(next)); ok {
				ways[c.hunk][space.Counterpart(next)] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(every), func(c changed) bool {
		return len(ways[c.hunk]) == 1 && len(leaving[c.hunk]) == len(base)
	})
}

// withoutConsequences returns the changes without those in functions that both versions have and
// only one entered: the versions parted before. It returns all if no other change is left, or none
// that separates.
func withoutConsequences(space *flow.Space, base []wire.RunResult, every []changed) []changed {
	if len(base) != 2 || len(base[0].Hits) == 0 || len(base[1].Hits) == 0 {
		return every
	}
	entered := []map[string]bool{space.Entered(base[0].Hits), space.Entered(base[1].Hits)}
	executed := map[[2]int]bool{} // by hunk and program
	for _, c := range every {
		executed[[2]int{c.hunk, c.program}] = true
	}
	left := slices.DeleteFunc(slices.Clone(every), func(c changed) bool {
		of, name := 1-c.program, space.FunctionOf(c.Block)
		return !executed[[2]int{c.hunk, of}] && !entered[of][name] && space.Has(of, name)
	})
	separates := func(c changed) bool { return c.separates }
	if len(left) == 0 || slices.ContainsFunc(every, separates) && !slices.ContainsFunc(left, separates) {
		return every
	}
	return left
}

// idleHunks returns the hunks at which versions part, but mostly on inputs on which they agree.
// Such a hunk may rewrite code that decides nothing.
func idleHunks(all []changed) map[int]bool {
	idle := map[int]bool{}
	for _, c := range all {
		idle[c.hunk] = idle[c.hunk] || c.idle
	}
	for _, c := range all {
		if c.Parts && !c.idle {
			delete(idle, c.hunk)
		}
	}
	return idle
}

// methods returns the changes of types' methods by which methods of only one version were called.
func methods(space *flow.Space, all []changed) map[int]bool {
	var hunks []int
	seen := map[int]bool{}
	for _, c := range all {
		if !seen[c.hunk] {
			seen[c.hunk], hunks = true, append(hunks, c.hunk)
		}
	}
	asked := map[int]bool{}
	for _, n := range hunks {
		of := space.HunkOf(n)
		for _, by := range hunks {
			if of.Lone && space.HunkOf(by).Names(of) {
				asked[by] = true
			}
		}
	}
	return asked
}

// decidingChange returns the change to which a disagreement is attributed, among those that
// separate. It is where versions part, since later changes may separate better, else the best one.
// A better change that was executed before the parting counts. So does the best one if versions
// part on nearly all inputs. Idle hunks come last.
func decidingChange(separating []changed, idle map[int]bool) changed {
	best := slices.MinFunc(separating, func(a, b changed) int {
		return cmp.Or(compareBool(idle[a.hunk], idle[b.hunk]), compareChanged(a, b))
	})
	partings := slices.DeleteFunc(slices.Clone(separating), func(c changed) bool {
		return idle[c.hunk] || !c.Parts || c.lift < ofBest || betterBefore(best, c, separating)
	})
	if len(partings) == 0 {
		return best
	}
	return slices.MinFunc(partings, compareChanged)
}

// betterBefore reports whether a change separates better than another one and was executed before
// it, by each program that executed both.
func betterBefore(c, than changed, all []changed) bool {
	if rounded(c.Score) <= rounded(than.Score) {
		return false
	}
	first := map[[2]int]int{} // by program and hunk
	for _, other := range all {
		at := [2]int{other.program, other.hunk}
		if order, ok := first[at]; !ok || other.order < order {
			first[at] = other.order
		}
	}
	before := false
	for at, order := range first {
		if at[1] != c.hunk {
			continue
		}
		if parted, ok := first[[2]int{at[0], than.hunk}]; ok {
			if order >= parted {
				return false
			}
			before = true
		}
	}
	return before
}

// rarest returns the change that the fewest neighbors execute, or nil if all have equally many.
func rarest(all []changed) *changed {
	if len(all) == 0 {
		return nil
	}
	count := func(c changed) int { return c.With + c.Without }
	least := slices.MinFunc(all, func(a, b changed) int {
		return cmp.Or(cmp.Compare(count(a), count(b)), cmp.Compare(a.order, b.order), cmp.Compare(a.program, b.program))
	})
	if !slices.ContainsFunc(all, func(c changed) bool { return count(c) > count(least) }) {
		return nil
	}
	return &least
}

// keptBlocks returns the blocks of a hunk, one of them to be executed by a smaller input. They are
// the executed ones that separate, else those that the fewest neighbors execute. Otherwise an input
// that only passes through the hunk would count as a smaller one.
func keptBlocks(ranked []ranking, hunk int) (blocks []int) {
	var separating, all []changed
	for _, r := range ranked {
		for _, c := range r.changed {
			if c.hunk != hunk {
				continue
			}
			if all = append(all, c); c.separates {
				separating = append(separating, c)
			}
		}
	}
	list := separating
	if len(list) == 0 {
		list = all
		if least := rarest(all); least != nil {
			list = slices.DeleteFunc(list, func(c changed) bool { return c.With+c.Without > least.With+least.Without })
		}
	}
	for _, c := range list {
		blocks = append(blocks, c.Block)
	}
	return blocks
}

// compareChanged orders changes, the best separating first.
func compareChanged(a, b changed) int {
	return cmp.Or(
		cmp.Compare(rounded(b.Score), rounded(a.Score)),
		cmp.Compare(a.others, b.others),
		compareBool(b.own, a.own),
		cmp.Compare(a.order, b.order),
		cmp.Compare(a.program, b.program),
	)
}

// rounded returns a score without its last bits, which depend on the order of computing.
func rounded(score float64) float64 { return math.Round(score * 1e9) }

// executedHunks returns the hunks with an executed block.
func executedHunks(ranked []ranking) map[int]bool {
	hunks := map[int]bool{}
	for _, r := range ranked {
		for _, c := range r.changed {
			hunks[c.hunk] = true
		}
	}
	return hunks
}

// ofOther reports whether a place is changed code, and not of the attributed hunk.
func ofOther(space *flow.Space, at Direction, hunk int) bool {
	return hunk != None && at.Changed && !slices.Contains(space.HunksIn(at.Block), hunk)
}

// withoutOthers removes places of other hunks than the attributed one, if such a place is first.
func withoutOthers(space *flow.Space, places []Direction, hunk int) []Direction {
	if len(places) == 0 || !ofOther(space, places[0], hunk) {
		return places
	}
	return slices.DeleteFunc(places, func(at Direction) bool { return ofOther(space, at, hunk) })
}

// lead moves the place of the attributed hunk to the front of a program's places, even if agreeing
// inputs pass through it. If there is none, it adds the first executed one.
func lead(space *flow.Space, places []Direction, of []changed, hunk int) []Direction {
	at := slices.IndexFunc(places, func(p Direction) bool {
		return slices.Contains(space.HunksIn(p.Block), hunk) && !p.Absent
	})
	if at < 0 {
		k := slices.IndexFunc(of, func(c changed) bool { return c.hunk == hunk })
		if k < 0 {
			return places
		}
		places = append(places[:min(len(places), maxPlaces-1)], of[k].Direction)
		at = len(places) - 1
	}
	first := places[at]
	copy(places[1:at+1], places[:at])
	if h, _ := space.Hunk(first.Block); h != hunk {
		first.hunk = hunk + 1
	}
	places[0] = first
	return places
}

// caller returns the hunk that calls the function of a hunk, if only one version has the function.
// It is the last executed one that names the function, or else the last one. Other hunks are their
// own callers, and so are methods that a type gained or lost, unless a hunk names them.
func caller(space *flow.Space, all []changed, c changed) int {
	h := space.HunkOf(c.hunk)
	if !h.Lone {
		return c.hunk
	}
	entered := c.order
	for _, other := range all {
		if other.program == c.program && other.hunk == c.hunk {
			entered = min(entered, other.order)
		}
	}
	name := flow.CalledName(h.Function)
	last, naming := None, None
	at, then := -1, -1
	asked := false
	for _, other := range all {
		from := space.HunkOf(other.hunk)
		if from.Names(h) {
			asked = true
			continue
		}
		if other.program != c.program || other.order >= entered || from.Lone || from.Fixed {
			continue
		}
		if other.order > at {
			last, at = other.hunk, other.order
		}
		if other.order > then && (from.Declared == "" || from.Joint) && from.Mentions(name) {
			naming, then = other.hunk, other.order
		}
	}
	switch {
	case naming != None:
		return naming
	case last != None && !asked:
		return last
	}
	return c.hunk
}

// beforeParting returns the last change that a program executed before it left the common path, of
// the program that executed one latest. The hunks of but do not count.
func beforeParting(ranked []ranking, but map[int]bool) (last *changed) {
	distance := math.MaxInt
	for i := range ranked {
		r := &ranked[i]
		if r.leaves < 0 {
			continue
		}
		for k := range r.changed {
			if c := &r.changed[k]; !but[c.hunk] && c.order <= r.leaves && r.leaves-c.order < distance {
				last, distance = c, r.leaves-c.order
			}
		}
	}
	return last
}
