package gofunc

import (
	"fmt"
	"time"

	"parallax/internal/feature"
)

// patience is how long a program may take for an input while it is fuzzed. Each input that hangs costs the whole time limit, so that where one
// input in four does, 2,000 inputs at two seconds take a quarter of an hour, and as long again where the other version hangs too. After
// manyHangs such inputs, further ones are given up when they have used a part of the limit as CPU time. What they show is known by then, and
// what triage confirms has the whole limit. One that hangs without using a processor still takes the whole limit.
//
// An input that is slow and comes to its end is no hang. So one in checkedPart of those that were given up is run with the whole limit. If it
// ends, all have the whole limit again, for good. Which input is checked depends on its bytes alone, and when inputs are given up on the
// number of those that hung: no clock is read, but for the limits themselves.
type patience struct {
	full time.Duration
	hung int  // inputs that took the whole limit
	slow bool // one that was given up came to its end
}

const (
	manyHangs   = 8
	hurryPart   = 8                      // the CPU time is one in so many of the limit
	leastHurry  = 100 * time.Millisecond // and no shorter: a few intervals of the watch
	checkedPart = 16
)

// part is the CPU time after which inputs may be given up; 0: the limit is too short for that.
func (p *patience) part() time.Duration {
	if part := max(p.full/hurryPart, leastHurry); part < p.full {
		return part
	}
	return 0
}

// hurry is the CPU time after which an input is given up now; 0: it has the whole limit.
func (p *patience) hurry() time.Duration {
	if p.hung < manyHangs || p.slow {
		return 0
	}
	return p.part()
}

// checks reports whether an input that was given up is run with the whole limit.
func (p *patience) checks(flat []byte) bool {
	h := uint64(len(flat))
	for _, b := range flat {
		h = h*0x100000001b3 ^ uint64(b)
	}
	return feature.Mix(h)%checkedPart == 0
}

// notes say what the user should know.
func (p *patience) notes(name string) (notes []string) {
	if p.hung < manyHangs || p.part() == 0 {
		return nil
	}
	notes = append(notes, fmt.Sprintf("%s was still running after %v on %d inputs: further ones were given up after %v of CPU time, but for one in %d", name, p.full, manyHangs, p.part(), checkedPart))
	if p.slow {
		notes = append(notes, fmt.Sprintf("%s takes more than %v of CPU time for inputs on which it comes to its end: all had %v again, which each that hangs takes", name, p.part(), p.full))
	}
	return notes
}
