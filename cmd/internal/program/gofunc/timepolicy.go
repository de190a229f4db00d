package gofunc

import (
	"fmt"
	"time"

	"parallax/internal/feature"
)

// timePolicy limits the time per input during fuzzing. Each hanging input costs the whole time
// limit. If one in four hangs, 2,000 inputs at two seconds take a quarter of an hour, and twice
// that if both versions hang. So after manyHangs such inputs, parallax gives up further ones after
// a part of the limit in CPU time. Their finding is known by then, and triage confirms with the
// whole limit. An input that hangs without using a processor still takes the whole limit.
//
// A slow input that ends is no hang. So one in checkedPart of the abandoned inputs is run with the
// whole limit. If it ends, all inputs get the whole limit again, for good. The choice depends only
// on the input's bytes and on the number of hangs, so it repeats. No clock is read except for the
// limits themselves.
type timePolicy struct {
	full time.Duration
	hung int  // inputs that took the whole limit
	slow bool // an abandoned input ended in its second run
}

const (
	manyHangs   = 8
	hurryPart   = 8                      // reciprocal of the part of the limit
	leastHurry  = 100 * time.Millisecond // minimum: a few intervals of the watch
	checkedPart = 16
)

// part returns the CPU time after which inputs may be abandoned. Zero means that the limit is too
// short for that.
func (p *timePolicy) part() time.Duration {
	if part := max(p.full/hurryPart, leastHurry); part < p.full {
		return part
	}
	return 0
}

// hurry returns the CPU time after which an input is abandoned now. Zero means that it has the
// whole limit.
func (p *timePolicy) hurry() time.Duration {
	if p.hung < manyHangs || p.slow {
		return 0
	}
	return p.part()
}

// checks reports whether an abandoned input is run with the whole limit.
func (p *timePolicy) checks(flat []byte) bool {
	h := uint64(len(flat))
	for _, b := range flat {
		h = h*0x100000001b3 ^ uint64(b)
	}
	return feature.Mix(h)%checkedPart == 0
}

// notes returns notes for the user.
func (p *timePolicy) notes(name string) (notes []string) {
	if p.hung < manyHangs || p.part() == 0 {
		return nil
	}
	notes = append(notes, fmt.Sprintf("%s was still running after %v on %d inputs: further ones were given up after %v of CPU time, but for one in %d", name, p.full, manyHangs, p.part(), checkedPart))
	if p.slow {
		notes = append(notes, fmt.Sprintf("%s takes more than %v of CPU time for inputs on which it ends: all had %v again, which each that hangs takes", name, p.part(), p.full))
	}
	return notes
}
