package engine

// digests remembers traces by their digests, so that the blocks of those that come again need not be looked at: all they have was
// recorded. It forgets, since on a large program most digests never come again; the size is fixed, and what is forgotten is only
// looked at once more.
type digests [][]uint64 // by program

const digestSlots = 1 << 14 // a program: 128 KiB, which stays in a cache

func (d digests) slot(p int, digest uint64) *uint64 { return &d[p][digest>>50] }

// before reports whether a digest was added. Zero stands for none.
func (d digests) before(p int, digest uint64) bool {
	return digest != 0 && p < len(d) && d[p] != nil && *d.slot(p, digest) == digest
}

func (d *digests) add(p int, digest uint64) {
	if digest == 0 {
		return
	}
	for len(*d) <= p {
		*d = append(*d, nil)
	}
	if (*d)[p] == nil {
		(*d)[p] = make([]uint64, digestSlots)
	}
	*d.slot(p, digest) = digest
}
