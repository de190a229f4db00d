package gen

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"parallax/internal/tape"
)

// T provides choices to properties and generators, and the methods of the enclosing test. It
// belongs to one goroutine.
type T struct {
	// The enclosing test. Within Check, the methods that fail, skip, log and clean up apply to one
	// run, and so do TempDir, Setenv, Chdir and Context.
	testing.TB

	src     *tape.Source
	at      uint32 // site of the next scalar
	channel override
	drawing int         // nested generators in progress
	level   int         // nesting depth within Of
	start   int         // choices drawn before Of
	action  int         // an action of Repeat in progress; a skip ends only the action
	run     *run        // of Check; nil within Fuzz, where TB does the work
	state   *checkState // shared by the runs of a Check; created on first use
	shows   *shown      // records drawn values; nil means not recorded
}

// Within is for parallax only, like Driven. It calls a generator without Draw, so that panics are
// attributed to a generator.
func (t *T) Within(draw func()) {
	t.drawing++
	draw()
	t.drawing--
}

// Choose draws a number from 0 to n-1 for a branch: a structural choice.
func (t *T) Choose(label string, n int) int {
	if n < 1 {
		panic(fmt.Sprintf("gen: %q is to choose one of %d", label, n))
	}
	t.at = t.src.Site(label)
	v := t.src.Draw(t.at, t.channel.or(tape.Structural), uint64(n-1))
	if t.shows != nil {
		t.show(label, int(v))
	}
	return int(v)
}

// Flip draws a bool for a branch: a structural choice.
func (t *T) Flip(label string) bool { return t.Choose(label, 2) == 1 }

// Count draws a number of elements with the given mean: a structural choice. It suits generators
// that write while they draw; SliceOf collects elements. Random counts are geometric, and at most
// 1024.
func (t *T) Count(label string, mean float64) int {
	if !(mean > 0) {
		panic(fmt.Sprintf("gen: %q is to be %g in the mean: give a number above 0", label, mean))
	}
	t.at = t.src.Site(label)
	channel := t.channel.or(tape.Structural)
	v, ok := t.src.Recall(t.at, channel, unlimited)
	if !ok {
		// A further element follows with probability mean/(1+mean).
		u := float64(t.src.Uint64()>>11) / (1 << 53)
		v = uint64(math.Min(unlimited, math.Log1p(-u)/math.Log(mean/(1+mean))))
	}
	t.src.Record(t.at, channel, unlimited, v)
	if t.shows != nil {
		t.show(label, int(v))
	}
	return int(v)
}

// IntRange draws a number from min to max: a value choice. It is the function IntRange without a
// generator.
func (t *T) IntRange(label string, min, max int) int {
	if min > max {
		panic(fmt.Sprintf("gen: %q is to be from %d to %d, where no number is: the first is to be the least", label, min, max))
	}
	t.at = t.src.Site(label)
	v := int(drawInt(t, int64(min), int64(max)))
	if t.shows != nil {
		t.show(label, v)
	}
	return v
}

// show records a draw by a method of T, if draws are recorded. Callers check first, since passing a
// value allocates.
func (t *T) show(label string, v any) {
	if t.shows != nil {
		t.shows.enter(t.at, label)
		t.shows.leave(label, v)
	}
}

// Assume makes the input invalid unless the condition holds. The run ends without a failure.
func (t *T) Assume(condition bool) {
	if !condition {
		t.Helper()
		t.SkipNow()
	}
}

// Valid makes the input invalid if errors.Is matches the error with one of the kinds, or if no
// kinds are given. The run ends without a failure. Another error fails the run.
func (t *T) Valid(err error, kinds ...error) {
	if err == nil {
		return
	}
	t.Helper()
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			t.SkipNow()
		}
	}
	if len(kinds) == 0 {
		t.SkipNow()
	}
	t.Fatalf("%v", err)
}
