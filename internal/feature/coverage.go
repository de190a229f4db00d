package feature

// coverage is the baseline: blocks with hit-count buckets over all programs. Map decides its
// novelty.
var coverage = Domain{Name: Coverage, Text: "new blocks and hit-count buckets", Number: Unstored, Key: "coverage", Blocks: true}

// blocks is coverage without hit counts, the baseline of the NEZHA paper (section V).
var blocks = Domain{Name: Blocks, Text: "new blocks, without their counts", Number: Unstored, Key: "blocks", Blocks: true}

// Map holds the blocks and hit-count buckets that a program has reached. It has one byte per block
// with one bit per bucket. The worker keeps it in shared memory, so that it survives a crash of the
// program.
type Map []byte

// Add records the trace and returns the number of new (block, bucket) pairs.
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

// AddNew is Add that calls report for each new pair, in the order of the blocks.
func (m Map) AddNew(t *Trace, report func(id uint32, bucket byte)) int {
	t.Need()
	fresh := 0
	for i, id := range t.Hits {
		b := Bucket[t.Counts[i]]
		if m[id]&b == 0 {
			m[id] |= b
			fresh++
			report(id, b)
		}
	}
	return fresh
}

// AddBlocks records the trace and returns the number of new blocks. It calls report for each, with
// the bucket of its count.
func (m Map) AddBlocks(t *Trace, report func(id uint32, bucket byte)) int {
	t.Need()
	fresh := 0
	for i, id := range t.Hits {
		b := Bucket[t.Counts[i]]
		if m[id] == 0 {
			fresh++
			report(id, b)
		}
		m[id] |= b
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

// Merge adds the pairs of other and reports whether any was new.
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
