package queue

// recent is a set of hashes. It holds at least the latest maxRecent, and at most twice as many.
type recent struct{ now, before map[uint64]struct{} }

const maxRecent = 1 << 16

func (r *recent) has(key uint64) bool {
	_, now := r.now[key]
	_, before := r.before[key]
	return now || before
}

// add adds a hash and reports whether it is new.
func (r *recent) add(key uint64) (fresh bool) {
	fresh = !r.has(key)
	if r.now == nil || len(r.now) >= maxRecent {
		r.now, r.before = map[uint64]struct{}{}, r.now
	}
	r.now[key] = struct{}{}
	return fresh
}
