package oracle

// Parts is a sketch of a canonical value by its parts, which shows in which parts two values
// differ. A part is a recorded call, the number of its result, and the innermost field of a struct.
// Elements of a list are one part, and so are the values of a map. Each part has a lane, a byte of
// Parts, to which the digests of its values are added. So two parts share a lane in 1 of 32 cases,
// and a difference does not show in 1 of 256. The zero Parts means that the parts are not known.
type Parts [partLanes]byte

// partLanes is the number of bits of a set of lanes.
const partLanes = 32

// laneOf returns the lane of a part of a result. field is the digest of the field's name, or 0.
func laneOf(result hash, field uint64) uint8 { return uint8(result.word(field).sum() % partLanes) }

// Differ returns the set of lanes in which two sketches differ. It is 0 if one is not known.
func (p *Parts) Differ(q *Parts) (lanes uint32) {
	if *p == *q || *p == (Parts{}) || *q == (Parts{}) {
		return 0
	}
	for k := range p {
		if p[k] != q[k] {
			lanes |= 1 << k
		}
	}
	return lanes
}

// DifferentParts hashes the parts in which the values of a set of programs differ from the value of
// its first program with parts. It is 0 if the parts are the same or not known.
func DifferentParts(obs []Observation, set uint64) (h uint64) {
	first := -1
	for i := range obs {
		switch {
		case set>>i&1 == 0 || obs[i].Parts == Parts{}:
		case first < 0:
			first = i
		default:
			if lanes := obs[first].Parts.Differ(&obs[i].Parts); lanes != 0 {
				h = uint64(hash(h).word(uint64(i)).word(uint64(lanes)))
			}
		}
	}
	return h
}

// part begins a part, and returns the state of the enclosing one.
func (w *walker) part() (outer hash, inner int) {
	outer, w.hash = w.hash, 0
	return outer, w.inner
}

// endPart ends a part, whose digest becomes a word of the enclosing part. A part with parts in it
// has no lane.
func (w *walker) endPart(outer hash, inner int, field uint64) {
	sum := w.hash.sum()
	if w.inner == inner {
		w.inner++
		w.parts[laneOf(w.result, field)] += byte(sum)
	}
	w.hash = outer.word(sum)
}

// endResult ends a part that is a whole result. The next part belongs to the next result.
func (w *walker) endResult(outer hash, inner int) {
	w.endPart(outer, inner, 0)
	w.result = w.result.word(0)
}
