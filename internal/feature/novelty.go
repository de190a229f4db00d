package feature

// Novelty is a domain in a campaign: the features that were seen in it.
type Novelty struct {
	*Domain
	Guides bool
	Seen   *Set
	Pool   *Pool // decides what is kept for a new feature; nil: everything is, if the domain guides

	measure Measure
	buf     []uint64
	weight  int     // features that one of the input under way stands for: see Set
	due     float64 // inputs that Spare lets through
}

// NewNovelty returns a domain in which nothing was seen. Keep is how many new features are kept without condition, if the domain
// guides and is not Bounded; see Pool.
func NewNovelty(d *Domain, s Setting, guides bool, keep int) *Novelty {
	n := &Novelty{Domain: d, Guides: guides, Seen: &Set{}}
	if d.Measure != nil {
		n.measure = d.Measure(s)
	}
	if guides && !d.Bounded {
		if keep == 0 {
			keep = DefaultPool
		}
		n.Pool = &Pool{Size: keep}
	}
	return n
}

// Observe records the features of an input and returns those that are new, of those that the set accepts. They are valid until the next
// call.
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

// Know marks a feature as seen, by an earlier process or another worker.
func (n *Novelty) Know(h uint64) {
	if n.Seen.Add(h) && n.Pool != nil {
		n.Pool.Know(n.Seen.Weight())
	}
}

// Sample has the domain know one feature in 2^level only, as whoever tells of them does: see Set.
func (n *Novelty) Sample(level uint8) { n.Seen.Raise(level) }

// Bytes bounds the memory that the domain's features take.
func (n *Novelty) Bytes() int {
	b := n.Seen.Bytes()
	if n.Pool != nil {
		b += n.Pool.cells.Bytes()
	}
	return b
}

// Wants reports whether an input with new features is kept for them. place is the cell of the input, see Rarity.
func (n *Novelty) Wants(place func() uint64) bool {
	if !n.Guides {
		return false
	}
	return n.Pool == nil || !n.Pool.Full(n.weight) && n.Pool.Admit(place(), n.weight)
}

// Spare reports whether an input that the domain wants is kept although only such a part of them is.
func (n *Novelty) Spare(part float64) bool {
	if part >= 1 {
		return true
	}
	if n.due += part; n.due < 1 {
		return false
	}
	n.due--
	return true
}
