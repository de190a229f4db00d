package engine

import "parallax/internal/feature"

// shortest keeps short inputs for the blocks that a program executes, as Zeugma does (Hough and
// Bell, TOSEM 2024, which keeps the shortest for each branch). Few mutations of a long input hit
// relevant bytes. A block belongs to the input that executed it first. An input of at most half the
// length takes it, so that a block changes its owner a bounded number of times. Only an accepted
// input takes a block from an accepted one. The former owner stays a seed. The schedule runs
// shorter seeds more often.
type shortest struct {
	owners []blockOwner // by block
}

// blockOwner holds the length of the input that owns a block. Zero means no owner.
type blockOwner struct {
	size     uint32
	accepted bool
}

// takes reports whether an input of that size takes a block.
func (s *shortest) takes(t *feature.Trace, size int, accepted bool) bool {
	t.Need()
	for _, id := range t.Hits {
		if int(id) < len(s.owners) && s.owners[id].yieldsTo(size, accepted) {
			return true
		}
	}
	return false
}

// yieldsTo reports whether an input of that size takes a block of the owner.
func (h *blockOwner) yieldsTo(size int, accepted bool) bool {
	return 2*size <= int(h.size) && (accepted || !h.accepted)
}

// add adds an input of the corpus.
func (s *shortest) add(t *feature.Trace, size int, accepted bool) {
	for _, id := range t.Hits {
		for int(id) >= len(s.owners) {
			s.owners = append(s.owners, make([]blockOwner, int(id)+1)...)
		}
		if h := &s.owners[id]; h.size == 0 || h.yieldsTo(size, accepted) {
			*h = blockOwner{uint32(max(size, 1)), accepted}
		}
	}
}
