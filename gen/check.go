package gen

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"parallax/internal/tape"
)

// Flags of test binaries. Other programs that draw from generators have none of them: in a worker of parallax there may be two copies of the package.
var (
	flags  = flagSet()
	checks = flags.Int("gen.checks", 100, "gen.Check: how many inputs to check a property on")
	seeded = flags.Uint64("gen.seed", 0, "gen.Check: the seed of randomness (default: another one in each run)")
	shrink = flags.Int("gen.shrink", 5000, "gen.Check: in how many runs to make a failing input smaller")
	noSave = flags.Bool("gen.nosave", false, "gen.Check: do not save failing inputs under testdata/gen")
)

func flagSet() *flag.FlagSet {
	if testing.Testing() {
		return flag.CommandLine
	}
	return flag.NewFlagSet("gen", flag.ContinueOnError)
}

// most is how many invalid inputs there may be for each that counts.
const most = 20

// Check checks a property on random inputs. It fails t with the simplest input on which it finds the property to fail, and says what was drawn.
// That input's tape is saved under testdata/gen/NAME, with the name of the test, and tried first from then on; -gen.nosave and a tree that cannot be
// written leave it out. An input is invalid if the property skips (T.Assume, T.Valid, T.Skip): it does not count.
//
// Flags of the test binary: -gen.checks (100), -gen.seed, -gen.shrink (5000 runs), -gen.nosave. With -short it is a fifth of the checks.
func Check(t testing.TB, property func(*T)) {
	t.Helper()
	if x := examining(); x != nil {
		x.examine(t, property)
		return
	}
	c := &checker{t: t, property: property, seed: *seeded}
	if c.seed == 0 {
		c.seed = uint64(time.Now().UnixNano())
	}
	c.T = T{TB: t, src: &tape.Source{}}
	defer c.left()
	for _, saved := range c.saved() {
		c.src.Replay(saved.tape, 0)
		c.from = saved.path
		switch r := c.once(); {
		case r.bad():
			c.report(r, saved.path, 0)
			return
		case r.around:
			c.outside("failed")
			return
		}
		c.passed(saved)
	}
	n := *checks
	if testing.Short() && !given("gen.checks") {
		n = (n + 4) / 5
	}
	if n < 1 {
		t.Fatalf("gen: -gen.checks %d: there is nothing to check", n)
	}
	c.from = ""
	invalid := 0
	for valid := 0; valid < n; {
		c.src.Random(c.next())
		twice := valid+invalid < redrawn
		if twice {
			c.shows = &shown{}
		}
		r := c.once()
		seen := c.shows
		c.shows = nil
		switch {
		case r.bad():
			c.report(r, "", valid)
			return
		case r.around:
			c.outside("failed")
			return
		case r.skipped:
			if invalid++; invalid > most*(valid+5) {
				t.Fatalf(mostlyInvalid, invalid, invalid+valid, r.reason)
			}
		default:
			valid++
		}
		if twice {
			c.repeats(r, seen)
		}
	}
	if c.drawn == 0 {
		t.Error(drawsNothing)
	}
}

// redrawn is how many inputs are drawn twice: a map may have the same order once.
const redrawn = 8

// passed says of a saved tape on which the property holds how much of it is still drawn: with -v, or if the test fails. That more is drawn behind it says
// nothing, since the tape of a failure ends where the property failed.
func (c *checker) passed(saved savedTape) {
	c.t.Helper()
	fit := ""
	if kept, n := alike(saved.tape, c.src.Tape()), len(saved.tape.Choices); kept < n {
		fit = fmt.Sprintf(", and the property now draws otherwise from choice %d of %d on", kept+1, n)
	}
	c.t.Logf("gen: %s does not fail any more%s. Delete it if it shows nothing that is wanted", saved.path, fit)
}

// What Check and Fuzz say of a property that checks nothing, and of a generator without bound.
const (
	drawsNothing  = "gen: the property draws nothing: nothing was checked beyond one run"
	mostlyInvalid = "gen: %d of %d inputs are invalid (%s): make the generator draw what is wanted"
	unbounded     = "gen: %v: a length, or how deep it goes, has no end. The generator is at fault, and not what is tested"
)

// given reports whether the user gave a flag.
func given(name string) (is bool) {
	flag.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// checker checks one property.
type checker struct {
	T
	t        testing.TB
	property func(*T)
	placed   bool   // see run
	from     string // the file of the tape that is tried; "": it is a new one
	gone     *run   // its goroutine was ended from outside
	told     bool   // that the test around failed
	seed     uint64
	inputs   uint64
	drawn    int  // choices in all
	unsteady bool // it was said that the generator is not deterministic
}

// next is the seed of the next input.
func (c *checker) next() uint64 {
	c.inputs++
	return seeds(c.seed, c.inputs).Uint64()
}

// seeds has the seeds of the n-th input of a run. They are random numbers: inputs whose seeds are as far apart as the states of a source would draw the same
// numbers, one choice later.
func seeds(run, n uint64) *tape.Source {
	s := &tape.Source{}
	s.Random(run + n*0xd1342543de82ef95)
	return s
}

// run is how a run of the property within Check ended.
type run struct {
	failed, skipped bool
	returned        bool     // the property came to its end
	fails           int      // how often it said that it failed
	placed          bool     // key is wanted of a skip too
	reason          string   // why it was skipped
	log             []string // what it said
	key             string   // where it failed, and how: the same for what looks like one failure
	panicked        any
	stack           string
	generator       bool // it failed while something was drawn
	endless         bool // it drew without bound
	around          bool // the test around failed meanwhile
	cleanups        []func()
	partial         []byte // of a line that was written to Output
	dirs            int    // of TempDir
	context         context.Context
	cancel          func()
}

func (r *run) bad() bool { return r.failed || r.panicked != nil }

// over ends a run: FailNow and SkipNow panic with it.
type over struct{ *run }

// once runs the property on what the source draws, to the end of its cleanups.
func (c *checker) once() *run {
	r := &run{placed: c.placed}
	failed := c.t.Failed()
	c.run, c.channel, c.level, c.action, c.drawing = r, declared, 0, 0, 0
	defer c.cleanUp(r) // also where the test around ends its goroutine
	c.guard(func() {
		c.property(&c.T)
		r.returned = true
	})
	c.drawn += len(c.src.Tape().Choices)
	c.cleanUp(r)
	r.around = !failed && c.t.Failed()
	return r
}

// cleanUp ends what is of one run: its context, and what Cleanup was given.
func (c *checker) cleanUp(r *run) {
	if r.cancel != nil {
		r.cancel()
	}
	if last := len(r.cleanups) - 1; last >= 0 {
		f := r.cleanups[last]
		r.cleanups = r.cleanups[:last]
		defer c.cleanUp(r)
		c.guard(f)
	}
}

// guard calls a function of the user's.
func (c *checker) guard(f func()) {
	r := c.run
	ended := false
	defer func() {
		if ended {
			return
		}
		v := recover()
		if o, ok := v.(over); ok && o.run == r {
			return
		}
		if v == nil { // runtime.Goexit, from the TB around
			c.gone = r
			return
		}
		r.panicked, r.stack, r.generator = v, string(debug.Stack()), c.drawing > 0
		r.endless = isEndless(v)
		r.key = fmt.Sprintf("%T at %s", v, thrower())
	}()
	f()
	ended = true
}

// thrower is the place from which a panic that is being recovered came, without the runtime.
func thrower() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	seen := false
	for {
		f, more := frames.Next()
		switch inside := strings.HasPrefix(f.Function, "runtime."); {
		case inside:
			seen = true
		case seen:
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return ""
		}
	}
}

// repeats looks whether the generator draws the same again from the same tape, of which a run has drawn what was seen. Where it does not, nothing could be made
// smaller or saved, and the test fails.
func (c *checker) repeats(before *run, seen *shown) {
	c.t.Helper()
	first := c.src.Tape().Clone()
	c.shows = &shown{}
	c.src.Replay(first, 1)
	r := c.once()
	again := c.shows
	c.shows = nil
	if r.bad() || c.differs(first) || c.unsteady || !before.returned || !r.returned {
		return // the checks will find what is bad
	}
	if was, is := differing(seen.lines, again.lines); was != "" {
		c.unsteady = true
		c.t.Errorf("gen: the generator is not deterministic: with the same choices, it draws another value. First and then:\n%s\n%s\n"+unsteadyReasons, was, is)
	}
}

// differing are the first two lines that say another value for the same draw. Values with addresses in them are passed over: they mean nothing, and have keys of
// maps in another order.
func differing(before, after []string) (was, is string) {
	for i := 0; i < min(len(before), len(after)); i++ {
		if before[i] != after[i] && !pointers.MatchString(before[i]) && !pointers.MatchString(after[i]) {
			return before[i], after[i]
		}
	}
	return "", ""
}

// unsteadyReasons are what a generator that is not deterministic may do, and what follows from it.
const unsteadyReasons = "Does it use the clock, math/rand, the order of a map, or what an earlier input has left? Failures can then be neither made smaller nor saved."

// alike is how many choices two tapes begin with that are the same.
func alike(a, b *tape.Tape) int {
	n := 0
	for n < len(a.Choices) && n < len(b.Choices) && a.Choices[n] == b.Choices[n] {
		n++
	}
	return n
}

// differs says where the generator has drawn something else than on a tape that it replayed.
func (c *checker) differs(first *tape.Tape) bool {
	again := c.src.Tape().Clone()
	at, of := alike(first, again), first
	if at == len(first.Choices) {
		of = again
	}
	if at == len(of.Choices) {
		return false
	}
	if c.unsteady {
		return true
	}
	c.unsteady = true
	c.t.Helper()
	c.t.Errorf("gen: the generator is not deterministic: with the same choices, it draws something else from choice %d on%s. "+unsteadyReasons,
		at+1, c.label(of, at))
	return true
}

// label names the draw that made a choice, if that is known.
func (c *checker) label(of *tape.Tape, choice int) string {
	names := c.names(of)
	for span := of.Choices[choice].Span; span >= 0; span = of.Spans[span].Parent {
		if name := names[of.Spans[span].Site]; name != "" {
			return fmt.Sprintf(" (in %q)", name)
		}
	}
	if name := names[of.Choices[choice].Site]; name != "" {
		return fmt.Sprintf(" (%q)", name)
	}
	return ""
}

// names runs the property once more for the labels of its sites.
func (c *checker) names(of *tape.Tape) map[uint32]string {
	c.shows = &shown{labels: map[uint32]string{}}
	c.src.Replay(of, 1)
	c.once()
	names := c.shows.labels
	c.shows = nil
	return names
}

// report makes a failing input smaller, saves it, and fails the test with it.
func (c *checker) report(r *run, saved string, valid int) {
	c.t.Helper()
	if r.endless {
		c.t.Fatalf(unbounded, r.panicked)
	}
	first := c.src.Tape().Clone()
	small, runs := tape.Shrink(first, *shrink, func(draft *tape.Tape) (*tape.Tape, bool) {
		c.src.Simplest(draft)
		one := c.once()
		return c.src.Tape(), one.bad() && one.key == r.key
	})
	c.shows = &shown{}
	c.src.Replay(small, 0)
	last := c.once()
	shows := c.shows
	c.shows = nil
	if !last.bad() {
		c.differs(small)
		c.t.Fatalf("gen: a failure did not show again: the property, or the generator, is not deterministic. It said:\n%s", r.said())
	}
	var b strings.Builder
	switch {
	case saved != "":
		fmt.Fprintf(&b, "gen: failed on %s", saved)
	case valid == 0:
		fmt.Fprintf(&b, "gen: failed on the first input")
	default:
		fmt.Fprintf(&b, "gen: failed after %s", plural(valid, "input"))
	}
	switch n := len(small.Choices); {
	case small.Equal(first):
	case n == len(first.Choices):
		fmt.Fprintf(&b, "; made simpler in %s, with %s", plural(runs, "run"), plural(n, "choice"))
	default:
		fmt.Fprintf(&b, "; made smaller in %s, from %s to %d", plural(runs, "run"), plural(len(first.Choices), "choice"), n)
	}
	b.WriteString("\n")
	b.WriteString(indented(shows.all(), "    "))
	b.WriteString(last.said())
	b.WriteString(c.keep(small, saved))
	c.t.Fatal(strings.TrimRight(b.String(), "\n"))
}

// indented are lines of what was drawn. A value of several lines is further in from its second line on, so that it is told from the next value.
func indented(lines []string, by string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, "%s%s\n", by, strings.ReplaceAll(line, "\n", "\n    "+by))
	}
	return b.String()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// said is what a run that failed said.
func (r *run) said() string {
	var b strings.Builder
	r.flush()
	for _, text := range r.log {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(text, "\n"))
	}
	if r.panicked != nil {
		where := ""
		if r.generator {
			where = ", in a generator"
		}
		fmt.Fprintf(&b, "panic: %v%s\n%s\n", r.panicked, where, own(r.stack))
	}
	return b.String()
}

// own is a stack from the place of the panic to the property.
func own(stack string) string {
	lines := strings.Split(stack, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "panic(") && i+2 < len(lines) {
			lines = lines[i+2:]
			break
		}
	}
	for i, line := range lines {
		if strings.Contains(line, "gen.(*checker)") {
			lines = lines[:i]
			break
		}
	}
	return strings.Join(lines, "\n")
}
