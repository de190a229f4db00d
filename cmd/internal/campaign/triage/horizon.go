package triage

import (
	"math"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// horizon returns the time after which first executions are consequences of the difference. For a
// rejecting program, that is its deciding place. For others, it is one block after the last code
// that a rejecting program executed before its decision. Without such programs, or without an
// order, it is the end.
func horizon(space *flow.Space, base []wire.RunResult, ranked []ranking, program int) int {
	own, last := base[program].First, -1
	rejects := func(p int) bool { return oracle.Outcome(base[p].Outcome) == oracle.Rejected }
	if rejects(program) {
		if at := ranked[program].parted; at >= 0 {
			return at
		}
		return math.MaxInt
	}
	for q, r := range base {
		if !rejects(q) || ranked[q].parted < 0 {
			continue
		}
		with := map[int]bool{}
		for i, id := range r.First {
			if 2*i < ranked[q].parted {
				with[space.Near(int(id))] = true
			}
		}
		for i := len(own) - 1; i > last; i-- {
			if with[space.Near(int(own[i]))] {
				last = i
				break
			}
		}
	}
	if last < 0 {
		return math.MaxInt
	}
	return 2 * (last + 1)
}

// withinHorizon returns the rankings without changes beyond the horizon, unless no change is left.
func withinHorizon(space *flow.Space, base []wire.RunResult, ranked []ranking) []ranking {
	list, left := slices.Clone(ranked), false
	for p := range list {
		end := horizon(space, base, ranked, p)
		accepts := oracle.Outcome(base[p].Outcome) != oracle.Rejected
		list[p].changed = slices.DeleteFunc(slices.Clone(list[p].changed), func(c changed) bool {
			// Code at the end may be only in this version, and not on the other's way to its
			// decision.
			return c.order > end || c.order == end && accepts && space.HunkOf(c.hunk).Replaces()
		})
		left = left || len(list[p].changed) > 0
	}
	if !left {
		return ranked
	}
	return list
}
