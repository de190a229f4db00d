package feature

// Novelty holds the features that a domain has seen in a campaign.
type Novelty struct {
	*Domain
	Guides bool
	Seen   *Set
	Pool   *Pool // decides what is kept for a new feature; nil means everything, if the domain guides

	measure Measure
	buf     []uint64
	weight  int     // features that one of the current input represents: see Set
	due     float64 // fraction of an input that KeepFraction still has to keep
}

// NewNovelty returns an empty novelty for a domain. keep is the number of new features that are
// kept without condition, if the domain guides and is not Bounded: see Pool. Zero means
// DefaultPool, and Unbounded means all.
func NewNovelty(d *Domain, s Setting, guides bool, keep int) *Novelty {
	n := &Novelty{Domain: d, Guides: guides, Seen: &Set{}}
	if d.Measure != nil {
		n.measure = d.Measure(s)
	}
	if guides && !d.Bounded && keep != Unbounded {
		if keep == 0 {
			keep = DefaultPool
		}
		n.Pool = &Pool{Size: keep}
	}
	return n
}

// Observe records the features of an input and returns the new ones among those that the set
// accepts. They are valid until the next call.
func (n *Novelty) Observe(j *Joint) []uint64 {
	n.buf, n.weight = n.measure(j, n.buf[:0]), n.Seen.Weight()
	fresh := n.buf[:0]
	for _, h := range n.buf {
		if n.Seen.Add(h) {
			fresh = append(fresh, h)
		}
	}
	return fresh
}

// MarkSeen marks a feature that an earlier process or another worker has seen.
func (n *Novelty) MarkSeen(h uint64) {
	if n.Seen.Add(h) && n.Pool != nil {
		n.Pool.CountSeen(n.Seen.Weight())
	}
}

// Sample makes the domain a sample of one feature in 2^level, as the announcing worker is: see Set.
func (n *Novelty) Sample(level uint8) { n.Seen.Raise(level) }

// Bytes returns a bound of the memory of the domain's features.
func (n *Novelty) Bytes() int {
	b := n.Seen.Bytes()
	if n.Pool != nil {
		b += n.Pool.cells.Bytes()
	}
	return b
}

// Wants reports whether an input with new features is kept for them. place returns the cell of the
// input: see Rarity.
func (n *Novelty) Wants(place func() uint64) bool {
	if !n.Guides {
		return false
	}
	return n.Pool == nil || !n.Pool.Full(n.weight) && n.Pool.Admit(place(), n.weight)
}

// KeepFraction reports whether a wanted input is kept if only a fraction, part, of the wanted
// inputs are kept.
func (n *Novelty) KeepFraction(part float64) bool {
	if part >= 1 {
		return true
	}
	if n.due += part; n.due < 1 {
		return false
	}
	n.due--
	return true
}
