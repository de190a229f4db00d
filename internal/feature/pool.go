package feature

import "math/bits"

// Pool bounds what an unbounded domain keeps. On a large program nearly every input has its own
// fine tuple. The paper keeps all of them, so that the corpus grows with the number of inputs. A
// pool admits
//
//   - the first Size new tuples without condition, as in the paper; small programs have no more;
//   - later, a tuple whose cell is empty. A cell is the tuple of the rarest block that each program
//     executed, or of its rarest cell of Joint.Cells. Such an input shows a pair of unusual
//     behaviors that no smaller corpus shows;
//   - at most Size*(1+log2(n/Size)) of n new tuples. So the corpus grows by less than a tenth while
//     the number of tuples doubles.
//
// If the tuples are a sample (Set), a new one represents several. An input whose tuple the sample
// rejects is not new, and not admitted. So the pool has a random part of the inputs with new
// tuples.
type Pool struct {
	Size int

	tuples   int
	admitted int
	restored int // part of admitted from earlier processes
	cells    Set
}

// DefaultPool is the default number of tuples that a domain keeps without condition.
const DefaultPool = 256

// Unbounded is the pool size of a domain that keeps every input with a new tuple, as NEZHA does.
const Unbounded = 1<<31 - 1

// Admit reports whether an input with a new tuple in the given cell is kept. weight is the number
// of tuples that it represents.
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

// Full reports whether the next tuple is refused whatever its cell. If so, it counts the tuple.
func (p *Pool) Full(weight int) bool {
	p.tuples += weight
	if p.admitted >= p.limit() {
		return true
	}
	p.tuples -= weight
	return false
}

// CountSeen counts a tuple that an earlier process saw. It uses up the unconditional admissions.
func (p *Pool) CountSeen(weight int) {
	before := min(p.tuples, p.Size)
	p.tuples += weight
	p.admitted += min(p.tuples, p.Size) - before
}

// Restore admits an input that an earlier process kept for a known tuple. Several workers together
// keep more than one would. Only as many count as the pool admits for the known tuples, so that it
// admits again when these have doubled.
func (p *Pool) Restore(cell uint64) {
	p.cells.Add(cell)
	p.restored++
	p.admitted = max(p.admitted, min(p.restored, p.limit()))
}

// Occupy fills the cell of an input that an earlier process kept for an unknown domain.
func (p *Pool) Occupy(cell uint64) { p.cells.Add(cell) }

// limit returns Size*(1+log2(tuples/Size)), with the logarithm interpolated linearly between powers
// of two.
func (p *Pool) limit() int {
	if p.tuples <= p.Size || p.Size == 0 {
		return p.Size
	}
	q := p.tuples / p.Size
	k := bits.Len(uint(q)) - 1
	rest := p.tuples - p.Size<<k // in [0, Size<<k)
	return p.Size*(1+k) + rest>>k
}

// Rarity counts the inputs of the corpus per program and block, and per program without blocks and
// cell.
type Rarity struct {
	seen  [][]uint32
	cells [][]uint32 // nil until the program's first cell
}

// NewRarity returns empty counts for the given numbers of programs and blocks.
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

// Cell hashes the tuple of the rarest block or cell of each program. Ties go to the lowest block,
// and to the first cell.
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
