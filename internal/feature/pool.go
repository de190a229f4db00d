package feature

import "math/bits"

// Pool bounds what an unbounded domain keeps. On a large program nearly every input has a fine tuple of its own, so
// that keeping them all, as the paper does, lets the corpus grow with the number of inputs. A pool admits
//
//   - the first Size new tuples without condition (the paper's rule; small programs never leave it);
//   - after those, a tuple whose cell is empty: the rarest block that each program executed, taken together, or the rarest of
//     Joint.Cells of programs without blocks. Such an input shows a pair of unusual behaviors that no smaller corpus shows;
//   - and never more than Size*(1+log2(n/Size)) of n new tuples, so that the corpus grows by less than a tenth while
//     the number of tuples doubles.
//
// Where tuples are a sample (Set), a new one stands for several. An input with another tuple is not new, and not admitted: of the inputs
// with new tuples, the pool has a part that chance has chosen, however many there are.
type Pool struct {
	Size int

	tuples   int
	admitted int
	restored int // of those admitted: by earlier processes
	cells    Set
}

// DefaultPool is the number of tuples a domain keeps without condition.
const DefaultPool = 256

// Admit decides on the input of a new tuple in the given cell, which stands for so many.
func (p *Pool) Admit(cell uint64, weight int) bool {
	p.tuples += weight
	if p.admitted >= p.limit() {
		return false
	}
	empty := p.cells.Add(cell)
	if p.tuples > p.Size && !empty {
		return false
	}
	p.admitted++
	return true
}

// Full reports whether the next tuple is refused whatever its cell, and counts it if so.
func (p *Pool) Full(weight int) bool {
	p.tuples += weight
	if p.admitted >= p.limit() {
		return true
	}
	p.tuples -= weight
	return false
}

// Know counts a tuple that an earlier process saw: it has used up what is free.
func (p *Pool) Know(weight int) {
	before := min(p.tuples, p.Size)
	p.tuples += weight
	p.admitted += min(p.tuples, p.Size) - before
}

// Restore admits an input that an earlier process kept for a tuple that is known. Several workers keep more than one would: of what they have
// kept, no more counts than the pool admits of the tuples that are known, so that it goes on admitting when these have doubled.
func (p *Pool) Restore(cell uint64) {
	p.cells.Add(cell)
	p.restored++
	p.admitted = max(p.admitted, min(p.restored, p.limit()))
}

// Occupy takes the cell of an input that an earlier process kept, for which domain is not known.
func (p *Pool) Occupy(cell uint64) { p.cells.Add(cell) }

// limit is Size*(1+log2(tuples/Size)), with the logarithm interpolated linearly between powers of two.
func (p *Pool) limit() int {
	if p.tuples <= p.Size || p.Size == 0 {
		return p.Size
	}
	q := p.tuples / p.Size
	k := bits.Len(uint(q)) - 1
	rest := p.tuples - p.Size<<k // in [0, Size<<k)
	return p.Size*(1+k) + rest>>k
}

// Rarity counts, for every program and block, the inputs of the corpus that executed it, and for every cell of a program without
// blocks those that showed it.
type Rarity struct {
	seen  [][]uint32
	cells [][]uint32 // nil until the first of a program
}

// NewRarity returns counts for so many programs of so many blocks.
func NewRarity(programs, blocks int) *Rarity {
	r := &Rarity{seen: make([][]uint32, programs), cells: make([][]uint32, programs)}
	for i := range r.seen {
		r.seen[i] = make([]uint32, blocks)
	}
	return r
}

// Add counts an input.
func (r *Rarity) Add(j *Joint) {
	for p := range j.Traces {
		seen := r.seen[p]
		j.Traces[p].Need()
		for _, id := range j.Traces[p].Hits {
			seen[id]++
		}
	}
	for p := range j.Cells {
		if r.cells[p] == nil && len(j.Cells[p]) > 0 {
			r.cells[p] = make([]uint32, CellSpace)
		}
		for _, c := range j.Cells[p] {
			r.cells[p][c]++
		}
	}
}

// Cell is the tuple of the rarest blocks or cells, one a program; ties go to the lowest id, and among cells to the first.
func (r *Rarity) Cell(j *Joint) uint64 {
	h := uint64(0)
	for p := range j.Traces {
		seen := r.seen[p]
		best, count := uint64(0), ^uint32(0)
		j.Traces[p].Need()
		for _, id := range j.Traces[p].Hits {
			if seen[id] < count {
				best, count = uint64(id)+1, seen[id]
			}
		}
		if p < len(j.Cells) {
			for _, c := range j.Cells[p] {
				if r.cells[p] == nil {
					best = 1<<32 | uint64(c)
					break
				}
				if n := r.cells[p][c]; n < count {
					best, count = 1<<32|uint64(c), n
				}
			}
		}
		h = Chain(h, best)
	}
	return h
}
