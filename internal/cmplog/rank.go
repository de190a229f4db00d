package cmplog

// The likelihood of a coincidence adds to the cost of an offer, in powers of two. The number of
// better offers for the same comparison adds to it, too. A comparison with hundreds of places
// therefore yields to others early.

const (
	ranks     = 64
	joinAfter = 4  // patches before the combinations
	maxJoined = 32 // places of a combination
)

// ranking holds memory that emit reuses.
type ranking struct {
	first, last [ranks]int32
	ofSite      []int32         // offers ranked, then patches made
	made        map[uint64]bool // patches, by hash
	edits       []edit
	text        []byte // of this call's patches
	lifted      []byte
	joins       []edit // candidates for a combination, best first
	joinSites   []int32
	joinKinds   []bool // whether it is text
}

// emit makes patches from the best offers.
func (s *Solver) emit() []Patch {
	r := &s.ranking
	s.rank()
	r.ofSite = resetSites(r.ofSite, len(s.sites))
	if r.made == nil {
		r.made = map[uint64]bool{}
	}
	clear(r.made)
	r.edits, r.text = nil, nil // patches refer to them
	r.joins, r.joinSites, r.joinKinds = r.joins[:0], r.joinSites[:0], r.joinKinds[:0]
	var patches []Patch
	written := 0
	for cost := 0; cost < ranks; cost++ {
		for i := r.first[cost]; i > 0 && len(patches) < maxPatches-2 && written < maxNewBytes; i = s.offers[i-1].next {
			o := &s.offers[i-1]
			if r.ofSite[o.site] >= maxOfSite {
				continue
			}
			p, ok := s.patch(o)
			if !ok {
				continue
			}
			r.ofSite[o.site]++
			s.memory.tried(o.key, o.coincidence)
			patches = append(patches, p)
			for _, e := range p.edits {
				written += len(e.text)
			}
			if o.joins && len(p.edits) == 1 {
				r.joins = append(r.joins, p.edits[0])
				r.joinSites = append(r.joinSites, o.site)
				r.joinKinds = append(r.joinKinds, o.form == asText)
			}
		}
	}
	return s.combine(patches)
}

// rank sorts the offers into a list for each cost: first by their own, then by that and their rank
// within their comparison.
func (s *Solver) rank() {
	r := &s.ranking
	r.ofSite = resetSites(r.ofSite, len(s.sites))
	r.first, r.last = [ranks]int32{}, [ranks]int32{}
	for i := range s.offers {
		r.link(s.offers, int32(i+1), int(s.offers[i].cost))
	}
	byCost := r.first
	r.first, r.last = [ranks]int32{}, [ranks]int32{}
	for _, i := range byCost {
		for i > 0 {
			o := &s.offers[i-1]
			next := o.next
			r.ofSite[o.site]++
			r.link(s.offers, i, int(o.cost)+log2(int(r.ofSite[o.site])))
			i = next
		}
	}
}

// link appends the offer with index i-1 to the list of a cost.
func (r *ranking) link(offers []offer, i int32, cost int) {
	cost = min(cost, ranks-1)
	offers[i-1].next = 0
	if last := r.last[cost]; last > 0 {
		offers[last-1].next = i
	} else {
		r.first[cost] = i
	}
	r.last[cost] = i
}

func resetSites(s []int32, n int) []int32 {
	s = grow(s, n)
	clear(s)
	return s
}

// patch makes the patch of an offer. It reports false if the patch exists already, or changes
// nothing.
func (s *Solver) patch(o *offer) (Patch, bool) {
	r := &s.ranking
	start, text := len(r.edits), len(r.text)
	if o.every {
		for _, p := range s.placesIn(placeSet{int(o.from), int(o.to)}) {
			f := o.form
			if f != asText {
				var ok bool
				if f, ok = s.formFor(p, o.was, o.number); !ok {
					continue
				}
			}
			s.edit(p.view, p.from, p.to, f, p.width, o)
		}
	} else {
		s.edit(o.view, o.from, o.to, o.form, o.width, o)
		if o.with > 0 && o.wrap != inMember {
			f := &s.fills[o.with-1]
			s.edit(f.view, f.from, f.to, f.form, f.width, f)
		}
	}
	edits := r.edits[start:]
	if len(edits) > 1 {
		edits = disjoint(edits)
	}
	if len(edits) == 0 || o.every && len(edits) == 1 || !s.admits(edits) || !s.isNew(edits) {
		r.edits, r.text = r.edits[:start], r.text[:min(text, cap(r.text))]
		return Patch{}, false
	}
	r.edits = r.edits[:start+len(edits)]
	return Patch{edits: edits[:len(edits):len(edits)]}, true
}

// edit appends the edit of an offer at one place to ranking.edits, unless it changes nothing.
func (s *Solver) edit(view, from, to int32, f form, width uint8, o *offer) {
	r := &s.ranking
	if f == padding && o.number.value > uint64(s.maxLen) {
		return
	}
	r.lifted = s.write(r.lifted[:0], f, width, o)
	e, ok := s.hay.lift(int(view), int(from), int(to), r.lifted)
	if !ok {
		return
	}
	span := s.hay.spans[e.arg]
	if !e.trim(s.hay.flat[span.Start:span.End]) {
		return
	}
	// Use a new block of text when one is full, since patches refer to the old one.
	if len(e.text) > cap(r.text)-len(r.text) {
		r.text = make([]byte, 0, max(16<<10, len(e.text)))
	}
	at := len(r.text)
	r.text = append(r.text, e.text...)
	e.text = r.text[at:len(r.text):len(r.text)]
	r.edits = append(r.edits, e)
}

// write appends the text of an offer.
func (s *Solver) write(dst []byte, f form, width uint8, o *offer) []byte {
	switch {
	case f != asText:
		return render(dst, f, int(width), o.number)
	case o.wrap == inMember:
		value := &s.fills[o.with-1]
		dst = append(inQuotes.append(dst, o.text), ':')
		return append(s.write(dst, value.form, value.width, value), ',')
	}
	return o.wrap.append(dst, o.text)
}

// admits reports whether no argument gets too long.
func (s *Solver) admits(edits []edit) bool {
	for i := 0; i < len(edits); {
		arg := edits[i].arg
		span := s.hay.spans[arg]
		n := span.End - span.Start
		grown := n
		for ; i < len(edits) && edits[i].arg == arg; i++ {
			grown += len(edits[i].text) - int(edits[i].to-edits[i].from)
		}
		if grown > s.limit(n) {
			return false
		}
	}
	return true
}

// isNew reports whether no earlier patch of this call makes the same mutant, and records it. It
// merges the edits of each argument into one.
func (s *Solver) isNew(edits []edit) bool {
	r := &s.ranking
	h := uint64(0)
	for i := 0; i < len(edits); {
		e := edits[i]
		j := i + 1
		for j < len(edits) && edits[j].arg == e.arg {
			j++
		}
		if j > i+1 {
			span := s.hay.spans[e.arg]
			data := s.hay.flat[span.Start:span.End]
			r.lifted = append(r.lifted[:0], e.text...)
			for k := i + 1; k < j; k++ {
				r.lifted = append(append(r.lifted, data[e.to:edits[k].from]...), edits[k].text...)
				e.to = edits[k].to
			}
			e.text = r.lifted
			e.trim(data)
		}
		h = mixText(mix(mix(h, uint64(e.arg)), uint64(e.from)<<32|uint64(e.to)), e.text)
		i = j
	}
	if r.made[h] {
		return false
	}
	r.made[h] = true
	return true
}

// combine adds patches that hold the best replacement of every comparison with a constant, at
// disjoint places: first of texts, then also of numbers. Programs that check several parts before
// they reject need them at once.
func (s *Solver) combine(patches []Patch) []Patch {
	for _, textOnly := range [...]bool{true, false} {
		var edits []edit
		sites := s.ranking.ofSite
		clear(sites)
		for i, e := range s.ranking.joins {
			site := s.ranking.joinSites[i]
			if len(edits) < maxJoined && sites[site] == 0 && (s.ranking.joinKinds[i] || !textOnly) && !overlaps(edits, e) {
				edits = append(edits, e)
				sites[site] = 1
			}
		}
		if len(edits) < 2 {
			continue
		}
		edits = disjoint(edits)
		if s.admits(edits) && s.isNew(edits) {
			at := min(joinAfter, len(patches))
			patches = append(patches, Patch{})
			copy(patches[at+1:], patches[at:])
			patches[at] = Patch{edits: edits}
		}
	}
	return patches
}

// overlaps reports whether an edit overlaps one of others.
func overlaps(edits []edit, e edit) bool {
	for _, f := range edits {
		if f.arg == e.arg && (e.from == f.from || e.from < f.to && f.from < e.to) {
			return true
		}
	}
	return false
}
