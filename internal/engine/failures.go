package engine

// Failures counts failures by their class and by their place, and decides which are candidates. The first of a class may depend
// on what ran before, and show no more: so a failure is a candidate when the number of its class is a power of two. Messages that
// hold data make classes without end. A place has a bounded number of classes that count by themselves, and all others of
// the place count as one. The first failure in a place is always a candidate.
//
// The zero Failures has counted nothing. Its memory is bounded: with too many classes, further ones count with their place,
// and with too many places it forgets the places, and no class.
type Failures struct {
	classes map[uint64]int // failures, by class
	places  map[uint64]*spot
	owed    map[uint64]int // by class
}

// spot is a place at which programs fail.
type spot struct {
	classes int // that count by themselves
	others  int // failures of further classes
}

const (
	maxSpotClasses = 256
	maxSpots       = 1 << 14
	maxFailures    = 1 << 16 // classes of all places together
	maxOwed        = 1 << 12 // classes of which more failures are candidates
)

// Count counts a failure. It reports whether it is the first that counts as it does, and whether it is a candidate.
func (f *Failures) Count(place, class uint64) (first, candidate bool) {
	first, candidate = f.count(place, class)
	if candidate || f.owed[class] == 0 {
		return first, candidate
	}
	if f.owed[class]--; f.owed[class] == 0 {
		delete(f.owed, class)
	}
	return first, true
}

// Owe makes one more failure of a class a candidate: nothing was found out about one that was.
func (f *Failures) Owe(class uint64) {
	if f.owed[class] == 0 && len(f.owed) >= maxOwed {
		return
	}
	if f.owed == nil {
		f.owed = map[uint64]int{}
	}
	f.owed[class]++
}

func (f *Failures) count(place, class uint64) (first, candidate bool) {
	if n := f.classes[class]; n > 0 {
		f.classes[class] = n + 1
		return false, power(n + 1)
	}
	at := f.places[place]
	if at == nil {
		if f.classes == nil {
			f.classes = map[uint64]int{}
		}
		if f.places == nil || len(f.places) >= maxSpots {
			f.places = map[uint64]*spot{}
		}
		at = &spot{}
		f.places[place] = at
	}
	if at.classes < maxSpotClasses && len(f.classes) < maxFailures {
		at.classes++
		f.classes[class] = 1
		return true, true
	}
	at.others++
	return at.others == 1, power(at.others)
}

// Seen reports whether a class was counted by itself.
func (f *Failures) Seen(class uint64) bool { return f.classes[class] > 0 }

// bytes is about what is remembered.
func (f *Failures) bytes() int { return 32*(len(f.classes)+len(f.owed)) + 64*len(f.places) }

// power reports whether n, at least 1, is a power of two.
func power(n int) bool { return n&(n-1) == 0 }
