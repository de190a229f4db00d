package triage

import (
	"cmp"
	"slices"

	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/internal/wire"
)

// maker returns the number of hints that a hunk makes the differing parts of the values. It only
// chooses among hunks that no line separates.
type maker func(hunk int) int

// makerOf returns a maker for the parts in which values differ, or nil without known parts.
func makerOf(space *flow.Space, base []wire.RunResult) maker {
	parts := parts(base, causes.Parts)
	if len(parts) == 0 {
		return nil
	}
	return func(hunk int) int { return space.HunkOf(hunk).Hints(parts) }
}

// hinted reports whether a hunk has a hint.
func (m maker) hinted(hunk int) bool { return m != nil && hunk != None && m(hunk) > 0 }

// inBlock returns the change, or the hunk in its block with more hints.
func (m maker) inBlock(all []changed, c changed) changed {
	if m == nil || !c.several {
		return c
	}
	for _, other := range all {
		if other.program == c.program && other.Block == c.Block && m(other.hunk) > m(c.hunk) {
			c = other
		}
	}
	return c
}

// most returns the first change with the most hints, or nil if all have equally many.
func (m maker) most(all []changed) *changed {
	if m == nil {
		return nil
	}
	most := slices.MaxFunc(all, func(a, b changed) int {
		return cmp.Or(cmp.Compare(m(a.hunk), m(b.hunk)), cmp.Compare(b.order, a.order), cmp.Compare(b.program, a.program))
	})
	if !slices.ContainsFunc(all, func(c changed) bool { return m(c.hunk) < m(most.hunk) }) {
		return nil
	}
	return &most
}
