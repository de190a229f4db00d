package paths

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// The enumeration orders paths by the first different branch, so infeasible paths come in runs with
// a common prefix. The finder remembers these prefixes.

// prefixKey identifies the terms of a prefix.
func prefixKey(condition []*smt.Term) string {
	var b strings.Builder
	for _, t := range condition {
		fmt.Fprintf(&b, "%x ", t.Id())
	}
	return b.String()
}

func (f *finder) isDead(condition []*smt.Term) bool {
	for n := range condition {
		if f.dead[prefixKey(condition[:n+1])] {
			return true
		}
	}
	return false
}

// bury finds the shortest infeasible prefix of a path's condition by binary search.
func (f *finder) bury(p *Path) {
	// the first low terms are satisfiable; the first high ones are not, unless definedness is the
	// cause
	low, high := 0, len(p.Condition)
	for low+1 < high {
		middle := (low + high) / 2
		if v, _ := f.check(p.Condition[:middle]); v.Answer == solver.Unsat {
			high = middle
		} else {
			low = middle
		}
	}
	if high < len(p.Condition) {
		f.dead[prefixKey(p.Condition[:high])] = true
	}
}
