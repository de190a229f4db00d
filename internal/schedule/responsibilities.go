package schedule

import "parallax/internal/feature"

// responsibilities are those of BeDivFuzz's public code (BeDivGuidance.java at cf455a3,
// handleResult). An input is responsible for the blocks that no earlier input executed. If it is
// accepted, it is also responsible for those that no accepted input did. A seed owns the blocks
// that it is responsible for. An input that is not kept hands its responsibilities to its parent,
// which is then favored. The paper has no such rule.
//
// A later seed takes over the blocks that another seed owns, but not those that were handed to one.
// That follows the public code: handed blocks have no entry in its map of owners.
type responsibilities struct {
	blocks    int  // of one program
	validOnly bool // inputs that are not accepted have none (jqf.ei.SAVE_ONLY_VALID)

	executed []uint8 // per program and block: the constants below
	all      int     // executed blocks
	held     map[holding]bool
	buf      []int32
}

// holding is a block that was handed to a seed.
type holding struct{ seed, block int32 }

const (
	byAny = 1 << iota
	byAccepted
)

// of returns the blocks that an input is responsible for. They are valid until the next call.
func (h *responsibilities) of(traces []feature.Trace, accepted bool) []int32 {
	h.buf = h.buf[:0]
	by := uint8(byAny)
	if accepted {
		by |= byAccepted
	} else if h.validOnly {
		return nil
	}
	for p := range traces {
		traces[p].Need()
		for _, id := range traces[p].Hits {
			i := p*h.blocks + int(id)
			for i >= len(h.executed) {
				h.executed = append(h.executed, make([]uint8, 1+i-len(h.executed))...)
			}
			had := h.executed[i]
			if had|by == had {
				continue
			}
			if had == 0 {
				h.all++
			}
			h.executed[i] = had | by
			h.buf = append(h.buf, int32(i))
		}
	}
	return h.buf
}

// take makes a new seed the owner of the blocks that it is responsible for.
func (z *zest) take(seed int32, s Seed) {
	n := &z.seeds[seed]
	for p := range s.Traces {
		s.Traces[p].Need()
		n.blocks += len(s.Traces[p].Hits)
	}
	for _, i := range z.handed.of(s.Traces, s.Accepted) {
		if owner := z.owner(i); owner >= 0 {
			z.seeds[owner].owns--
		}
		z.owners[i] = seed + 1
		n.owns++
	}
}

// owner returns the seed that owns a block, or -1.
func (z *zest) owner(block int32) int32 {
	for int(block) >= len(z.owners) {
		z.owners = append(z.owners, make([]int32, 1+int(block)-len(z.owners))...)
	}
	return z.owners[block] - 1
}

// handOver hands the blocks of an input that was not kept to its parent.
func (z *zest) handOver(r Result) {
	seed := int32(r.Seed)
	for _, i := range z.handed.of(r.Traces, r.Accepted) {
		if one := (holding{seed, i}); z.owner(i) != seed && !z.handed.held[one] {
			z.handed.held[one] = true
			z.seeds[seed].owns++
		}
	}
}

// covered returns the number of blocks that determines the length of turns: those that seeds
// execute or, with responsibilities, that all counted inputs do (maxCoverage).
func (z *zest) covered() int {
	if z.handed != nil {
		return z.handed.all
	}
	return z.all
}
