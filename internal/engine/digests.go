package engine

// digests remembers traces by their digests, since the blocks of a known trace need not be read
// again. It has a fixed size and forgets, since on a large program most digests never recur. A
// forgotten trace is read once more.
type digests [][]uint64 // by program

const digestSlots = 1 << 14 // per program: 128 KiB, which stays in a cache

func (d digests) slot(p int, digest uint64) *uint64 { return &d[p][digest>>50] }

// has reports whether a digest was added. Zero means no digest.
func (d digests) has(p int, digest uint64) bool {
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
