package engine

// Failures counts failures by class and by place, and decides which are candidates. The first of a
// class may depend on earlier runs and may not reproduce. So a failure is a candidate when the
// number of its class is a power of two. Messages that contain data make unlimited classes. So a
// place has a bounded number of classes that count by themselves, and all its others count as one.
// The first failure at a place is always a candidate.
//
// The zero Failures is empty. Its memory is bounded. With too many classes, further ones count with
// their place. With too many places it forgets the places, and no class.
type Failures struct {
	classes map[uint64]int // number of failures by class
	places  map[uint64]*failurePlace
	allowed map[uint64]int // by class
}

// failurePlace counts the failures at a place.
type failurePlace struct {
	classes int // classes that count by themselves
	others  int // failures of further classes
}

const (
	maxSpotClasses = 256
	maxSpots       = 1 << 14
	maxFailures    = 1 << 16 // classes of all places together
	maxAllowed     = 1 << 12 // classes with allowed failures
)

// Count counts a failure. It reports whether it is the first of its class, or of its place's
// further classes, and whether it is a candidate.
func (f *Failures) Count(place, class uint64) (first, candidate bool) {
	first, candidate = f.count(place, class)
	if candidate || f.allowed[class] == 0 {
		return first, candidate
	}
	if f.allowed[class]--; f.allowed[class] == 0 {
		delete(f.allowed, class)
	}
	return first, true
}

// AllowAgain makes one more failure of a class a candidate, since an earlier candidate gave no
// result.
func (f *Failures) AllowAgain(class uint64) {
	if f.allowed[class] == 0 && len(f.allowed) >= maxAllowed {
		return
	}
	if f.allowed == nil {
		f.allowed = map[uint64]int{}
	}
	f.allowed[class]++
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
			f.places = map[uint64]*failurePlace{}
		}
		at = &failurePlace{}
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

// bytes estimates the memory of the counts.
func (f *Failures) bytes() int { return 32*(len(f.classes)+len(f.allowed)) + 64*len(f.places) }

// power reports whether n, at least 1, is a power of two.
func power(n int) bool { return n&(n-1) == 0 }
