package feature

// coverage is blocks with hit-count buckets over all programs: the baseline. Its novelty is that of Map.
var coverage = Domain{Name: Coverage, Text: "new blocks and hit-count buckets", Number: Unstored, Key: "coverage", Blocks: true}

// Map is the blocks and hit-count buckets that a program has reached, one byte a block with one bit a bucket. The
// worker keeps it in shared memory, so that it outlives a crash of the program.
type Map []byte

// Add records the trace and returns the number of (block, bucket) pairs that were not there before.
func (m Map) Add(t *Trace) int {
	t.Need()
	fresh := 0
	for i, id := range t.Hits {
		b := Bucket[t.Counts[i]]
		if m[id]&b == 0 {
			m[id] |= b
			fresh++
		}
	}
	return fresh
}

// AddNew is Add that tells which pairs were not there before, in order of the blocks.
func (m Map) AddNew(t *Trace, tell func(id uint32, bucket byte)) int {
	t.Need()
	fresh := 0
	for i, id := range t.Hits {
		b := Bucket[t.Counts[i]]
		if m[id]&b == 0 {
			m[id] |= b
			fresh++
			tell(id, b)
		}
	}
	return fresh
}

// Covered returns the number of blocks reached.
func (m Map) Covered() int {
	n := 0
	for _, b := range m {
		if b != 0 {
			n++
		}
	}
	return n
}

// Merge adds what other has reached and reports whether anything was new.
func (m Map) Merge(other []byte) bool {
	fresh := false
	for i, b := range other {
		if i < len(m) && b&^m[i] != 0 {
			m[i] |= b
			fresh = true
		}
	}
	return fresh
}
