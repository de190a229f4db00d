package gen

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"parallax/internal/tape"
)

// T is what a property and a generator draw from, and the test that they run in. It belongs to one goroutine.
type T struct {
	testing.TB // of the test around; within Check, methods that fail, skip, log or clean up are those of the one run, and so are TempDir, Setenv, Chdir and Context

	src     *tape.Source
	at      uint32 // site of the next scalar
	channel override
	drawing int    // generators that are drawn from, one within the other
	level   int    // of what may hold itself, within Of
	start   int    // choices that were drawn before Of
	action  int    // an action of Repeat is under way: who skips ends that alone
	run     *run   // of Check; nil within Fuzz, where TB does it
	kept    *kept  // by the runs of a Check; nil: nothing yet
	shows   *shown // notes what is drawn; nil: nobody wants to know
}

// Within is for parallax, as Driven is: it calls a generator that no Draw calls, so that a panic is known to be in a generator.
func (t *T) Within(draw func()) {
	t.drawing++
	draw()
	t.drawing--
}

// Choose draws a number from 0 to n-1 on which a branch depends: a structural choice.
func (t *T) Choose(label string, n int) int {
	if n < 1 {
		panic(fmt.Sprintf("gen: %q is to choose one of %d", label, n))
	}
	t.at = t.src.At(label)
	v := t.src.Draw(t.at, t.channel.of(tape.Structural), uint64(n-1))
	if t.shows != nil {
		t.show(label, int(v))
	}
	return int(v)
}

// Flip draws a bool on which a branch depends: a structural choice.
func (t *T) Flip(label string) bool { return t.Choose(label, 2) == 1 }

// Count draws how many elements there are, around a mean: a structural choice. It is for generators that write while they draw; SliceOf collects
// elements. Drawn by chance, counts are geometric, and at most 1024.
func (t *T) Count(label string, mean float64) int {
	if !(mean > 0) {
		panic(fmt.Sprintf("gen: %q is to be %g in the mean: give a number above 0", label, mean))
	}
	t.at = t.src.At(label)
	channel := t.channel.of(tape.Structural)
	v, ok := t.src.Recall(t.at, channel, free)
	if !ok {
		// A further element follows with the probability mean/(1+mean).
		u := float64(t.src.Uint64()>>11) / (1 << 53)
		v = uint64(math.Min(free, math.Log1p(-u)/math.Log(mean/(1+mean))))
	}
	t.src.Record(t.at, channel, free, v)
	if t.shows != nil {
		t.show(label, int(v))
	}
	return int(v)
}

// IntRange draws a number from min to max: a value. It is that of the function IntRange without a generator.
func (t *T) IntRange(label string, min, max int) int {
	if min > max {
		panic(fmt.Sprintf("gen: %q is to be from %d to %d, where no number is: the first is to be the least", label, min, max))
	}
	t.at = t.src.At(label)
	v := int(drawInt(t, int64(min), int64(max)))
	if t.shows != nil {
		t.show(label, v)
	}
	return v
}

// show notes a draw of T's own, if that is wanted: to pass a value costs memory.
func (t *T) show(label string, v any) {
	if t.shows != nil {
		t.shows.enter(t.at, label)
		t.shows.leave(label, v)
	}
}

// Assume makes the input invalid unless a condition holds: the run ends, and is no failure.
func (t *T) Assume(condition bool) {
	if !condition {
		t.Helper()
		t.SkipNow()
	}
}

// Valid makes the input invalid if an error is one of some kinds, as errors.Is tells, or of any kind where none is named: the run ends, and is no
// failure. Another error fails the run.
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
