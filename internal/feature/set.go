package feature

// Set is a set of 64-bit hashes. The zero value is empty and ready. It holds every hash up to Exact
// of them. Then it becomes a sample (see Hashes), and only accepted hashes can be new. From then on
// its length is an estimate with a standard error of one in a thousand.
//
// The error: each hash counted at level k represents 2^k. For n such hashes the estimate has the
// variance n(2^k-1), where n is 2^(k-1)*Exact. The sum over all levels so far is below 2/3 of
// (2^k*Exact)^2/Exact. The square root of 2/3 over Exact is 0.0008.
type Set struct {
	// Limit is the largest number of hashes in the set. Zero means Exact.
	Limit int

	hashes  Hashes
	total   int
	hasZero bool // the hash 0, since zero marks an empty slot
}

// Exact is the number of hashes in a set before it becomes a sample. They take 16 MiB.
const Exact = 1 << 20

const wholeHash = ^uint64(0)

// Add inserts h and reports whether it was absent. For a hash that the sample rejects it returns
// false.
func (s *Set) Add(h uint64) bool {
	if h == 0 {
		fresh := !s.hasZero
		s.hasZero = true
		return fresh
	}
	if !s.hashes.Accepts(h) {
		return false
	}
	slot := s.hashes.Slot(h, wholeHash)
	if *slot != 0 {
		return false
	}
	*slot = h
	s.hashes.Filled()
	s.total += s.hashes.Weight()
	if s.hashes.Len() >= s.limit() {
		s.hashes.Thin(s.limit(), wholeHash)
	}
	return true
}

// Has reports whether h is in the set.
func (s *Set) Has(h uint64) bool {
	if h == 0 {
		return s.hasZero
	}
	return s.hashes.Has(h, wholeHash)
}

// Len returns the number of hashes added. For a sample it is an estimate.
func (s *Set) Len() int {
	if s.hasZero {
		return s.total + 1
	}
	return s.total
}

// Held returns the number of hashes in the set.
func (s *Set) Held() int {
	if s.hasZero {
		return s.hashes.Len() + 1
	}
	return s.hashes.Len()
}

// Weight returns how many hashes each hash of the set represents. It is 1 unless the set is a
// sample.
func (s *Set) Weight() int { return s.hashes.Weight() }

// Level returns the number of leading zero bits of a sample's hashes. It is 0 for other sets.
func (s *Set) Level() uint8 { return s.hashes.Level() }

// Raise makes the set a sample of a level, as the set is that its hashes come from. The length is
// then estimated from the remaining hashes.
func (s *Set) Raise(level uint8) {
	if level > s.hashes.Level() {
		s.hashes.Raise(level, wholeHash)
		s.total = s.hashes.Len() * s.hashes.Weight()
	}
}

// All calls f with every hash in the set. The order depends only on the set's history.
func (s *Set) All(f func(uint64)) {
	if s.hasZero {
		f(0)
	}
	s.hashes.All(f)
}

// Page appends hashes of the set to a list: see Hashes.Page.
func (s *Set) Page(at int, to []uint64) (page []uint64, next int) {
	if at == 0 && s.hasZero && len(to) < cap(to) {
		to = append(to, 0)
	}
	return s.hashes.Page(at, to)
}

// Moves returns how often hashes have changed their slots: see Hashes.Page.
func (s *Set) Moves() int { return s.hashes.Moves() }

// Bytes returns a bound of the set's memory.
func (s *Set) Bytes() int { return s.hashes.Bytes(s.limit()) }

func (s *Set) limit() int {
	if s.Limit > 0 {
		return s.Limit
	}
	return Exact
}

// Mix is the finalizer of splitmix64 (Steele, Lea, Flood 2014). It is a bijection in which every
// output bit depends on every input bit.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Chain folds x into the ordered hash h. Either may be a small number: the product separates h from
// x in the upper bits, so that Chain(1, 5) differs from Chain(0, 6). The factor is one of those in
// Steele and Vigna, Computationally easy, spectrally good multipliers, 2021.
func Chain(h, x uint64) uint64 {
	return Mix(h*0xd1342543de82ef95 ^ (x + 0x632be59bd9b4e019))
}
