package paths

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// Paths are listed by first differing branch, so those that no input takes come in runs with one beginning. Such beginnings are remembered.

// beginning names the first terms of a condition.
func beginning(condition []*smt.Term) string {
	var b strings.Builder
	for _, t := range condition {
		fmt.Fprintf(&b, "%x ", t.Id())
	}
	return b.String()
}

func (f *finder) isDead(condition []*smt.Term) bool {
	for n := range condition {
		if f.dead[beginning(condition[:n+1])] {
			return true
		}
	}
	return false
}

// bury finds the shortest beginning of a path's condition that no input meets, by halves.
func (f *finder) bury(p *Path) error {
	low, high := 0, len(p.Condition) // the first low terms can hold, the first high ones cannot, unless only what is defined makes it so
	for low+1 < high {
		middle := (low + high) / 2
		v, _, err := f.check(p.Condition[:middle])
		if err != nil {
			return err
		}
		if v.Answer == solver.Unsat {
			high = middle
		} else {
			low = middle
		}
	}
	if high < len(p.Condition) {
		f.dead[beginning(p.Condition[:high])] = true
	}
	return nil
}
