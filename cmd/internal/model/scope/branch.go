package scope

import "maps"

// branches counts calls whose effect is other than 0, null or nothing: by the branch of the model
// that answers them, and by path.
type branches map[uint64]map[Key]tally

// tally counts calls, and those on which both agree.
type tally struct{ calls, agree int }

// clone returns a copy that may be changed.
func (b branches) clone() branches {
	c := branches{}
	for at, by := range b {
		c[at] = maps.Clone(by)
	}
	return c
}

// add counts a call.
func (b branches) add(at uint64, path Key, agrees bool) {
	if b[at] == nil {
		b[at] = map[Key]tally{}
	}
	t := b[at][path]
	t.calls++
	if agrees {
		t.agree++
	}
	b[at][path] = t
}

// chance returns the branches of the model whose agreement on 0 or null is an accident. Such a
// branch never agrees on another result. Most of its calls with another result are on paths on
// which the model never agrees on one. So the branch answers calls that the model does not cover.
// An example is a text that the model cannot read: its answer is 0, as for a text without a number.
//
// A branch whose wrong answers are on paths that the model otherwise gets right has a defect there,
// and its agreement on 0 counts.
func (b branches) chance() map[uint64]bool {
	covered := map[Key]bool{}
	for _, by := range b {
		for path, t := range by {
			if t.agree > 0 {
				covered[path] = true
			}
		}
	}
	found := map[uint64]bool{}
	for at, by := range b {
		calls, agree, uncovered := 0, 0, 0
		for path, t := range by {
			calls, agree = calls+t.calls, agree+t.agree
			if !covered[path] {
				uncovered += t.calls
			}
		}
		if agree == 0 && 2*uncovered > calls {
			found[at] = true
		}
	}
	return found
}

// by counts the agreeing calls of a path that some branches of the model answer.
func (p *Path) by(chosen map[uint64]bool) (n int) {
	for at, calls := range p.taken {
		if chosen[at] {
			n += calls
		}
	}
	return n
}
