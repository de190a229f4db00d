package triage

import (
	"cmp"
	"math"
	"slices"

	"parallax/cmd/internal/flow"
)

// Between versions of one program, a disagreement can only come from what was changed, and of that only from what one of them executed.

// changed is a block that the input executed, that was changed between versions.
type changed struct {
	suspect
	program int
	hunk    int
	several bool // the block holds other hunks as well
}

// hunkOf is the hunk to which a disagreement between versions is put down, None if none was executed or programs are not versions. It is,
// in this order,
//
//   - the one that separates disagreeing from agreeing inputs best, where the versions part if there is one (see tellingMost),
//   - the only one that was executed,
//   - the last one before the versions' ways part,
//   - the one that makes the part of the values that differs (see maker),
//   - the one that fewest relatives execute, where some execute more: what all inputs pass through is seldom the cause,
//   - the one in the function that decides, the first that was executed.
//
// A function that only one version has is called from code that was changed: what it does is put down to the hunk that calls it. A method that
// a type got or lost is called by those who ask for it: the change of the type's methods is the same change.
//
// It is sure where nothing else can be it, or where versions part there. Elsewhere it may as well separate because of what another hunk did
// before: two findings may be put down to one hunk, and have two causes. Nor is it where a block holds several: of these it is the first, or the
// one that makes the part that differs.
func hunkOf(space *flow.Space, ranked []ranking, makes maker) (hunk int, sure bool) {
	var every, telling []changed
	for _, r := range ranked {
		every = append(every, r.changed...)
	}
	asked := methods(space, every)
	var all []changed
	for _, c := range every {
		if asked[c.hunk] {
			continue
		}
		if all = append(all, c); c.tells {
			telling = append(telling, c)
		}
	}
	if len(all) == 0 {
		return None, false
	}
	if len(telling) > 0 {
		c := makes.inBlock(all, tellingMost(telling))
		return caller(space, every, c), c.Parts && !c.several
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

// methods are the changes of methods of types by which methods were called that only one version has.
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

// tellingMost is the change that a disagreement is put down to, among those that separate: where versions part there, since what follows on that
// may separate better, and else what separates best. What was executed before they parted does not follow on it. Where they part on nearly all
// inputs, nothing is told by it.
func tellingMost(telling []changed) changed {
	best := slices.MinFunc(telling, compareChanged)
	partings := slices.DeleteFunc(slices.Clone(telling), func(c changed) bool {
		return !c.Parts || c.lift < ofBest || betterBefore(best, c, telling)
	})
	if len(partings) == 0 {
		return best
	}
	return slices.MinFunc(partings, compareChanged)
}

// betterBefore reports whether a change separates better than another one, and was executed before it by each program that executed both.
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

// rarest is the change that fewest relatives execute, the first of those; nil where all execute all.
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

// kept are the blocks of a hunk of which a smaller input must execute one: those that the input executed and that separate, or else those that
// fewest relatives execute. Else an input that only passes through the hunk, and shows another change, would be taken for a smaller one.
func kept(ranked []ranking, hunk int) (blocks []int) {
	var telling, all []changed
	for _, r := range ranked {
		for _, c := range r.changed {
			if c.hunk != hunk {
				continue
			}
			if all = append(all, c); c.tells {
				telling = append(telling, c)
			}
		}
	}
	list := telling
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

// compareChanged orders changes by how well they separate.
func compareChanged(a, b changed) int {
	return cmp.Or(
		cmp.Compare(rounded(b.Score), rounded(a.Score)),
		cmp.Compare(a.others, b.others),
		compareBool(b.own, a.own),
		cmp.Compare(a.order, b.order),
		cmp.Compare(a.program, b.program),
	)
}

// rounded is a score without its last bits, which depend on the order of computing.
func rounded(score float64) float64 { return math.Round(score * 1e9) }

// executedHunks are the hunks of which an input executed something.
func executedHunks(ranked []ranking) map[int]bool {
	hunks := map[int]bool{}
	for _, r := range ranked {
		for _, c := range r.changed {
			hunks[c.hunk] = true
		}
	}
	return hunks
}

// lead puts first of a program's places the one of the hunk that a disagreement is put down to, although inputs on which the versions agree may
// pass through it as well: the best that is told already, or else the first of some that were executed.
func lead(space *flow.Space, places []Place, of []changed, hunk int) []Place {
	at := slices.IndexFunc(places, func(p Place) bool {
		return slices.Contains(space.HunksIn(p.Block), hunk) && !p.Absent
	})
	if at < 0 {
		k := slices.IndexFunc(of, func(c changed) bool { return c.hunk == hunk })
		if k < 0 {
			return places
		}
		places = append(places[:min(len(places), maxPlaces-1)], of[k].Place)
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

// caller is the hunk that calls the function of a hunk, if only one version has that: the last one that the program executed before and that
// names it, or else the last one. Other hunks are themselves, and so are methods that a type got or lost, unless a hunk names them.
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

// beforeParting is the last change that a program executed before it left the way that it had in common with others: of the program that
// executed one most lately. Some hunks do not count.
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
