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

// The flags exist in test binaries only. A worker of parallax may hold two copies of the package,
// whose flags would clash.
var (
	flags  = newFlags()
	checks = flags.Int("gen.checks", 100, "gen.Check: how many inputs to check a property on")
	seeded = flags.Uint64("gen.seed", 0, "gen.Check: the seed of randomness (default: another one in each run)")
	shrink = flags.Int("gen.shrink", 5000, "gen.Check: in how many runs to make a failing input smaller")
	noSave = flags.Bool("gen.nosave", false, "gen.Check: do not save failing inputs under testdata/gen")
)

func newFlags() *flag.FlagSet {
	if testing.Testing() {
		return flag.CommandLine
	}
	return flag.NewFlagSet("gen", flag.ContinueOnError)
}

// maxInvalid limits the invalid inputs per valid one.
const maxInvalid = 20

// Check checks a property on random inputs. It fails t with the simplest failing input that it
// finds, and prints the drawn values. It saves the input's tape under testdata/gen/NAME, where NAME
// is the test's name. Later runs try this tape first. Tapes are not saved with -gen.nosave, or if
// the tree is not writable. If the property skips (T.Assume, T.Valid, T.Skip), the input is invalid
// and does not count.
//
// Flags of the test binary: -gen.checks (100), -gen.seed, -gen.shrink (5000 runs), -gen.nosave.
// With -short, Check uses a fifth of the checks.
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
	defer c.checkExit()
	for _, saved := range c.saved() {
		c.src.Replay(saved.tape, 0)
		c.from = saved.path
		switch r := c.once(); {
		case r.bad():
			c.report(r, saved.path, 0)
			return
		case r.around:
			c.failOutside("failed")
			return
		}
		c.logPassed(saved)
	}
	n := *checks
	if testing.Short() && !flagSet("gen.checks") {
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
			c.failOutside("failed")
			return
		case r.skipped:
			if invalid++; invalid > maxInvalid*(valid+5) {
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

// redrawn is the number of inputs that are drawn twice. One input does not suffice: a map may have
// the same order twice.
const redrawn = 8

// logPassed reports a saved tape on which the property holds, and the part of it that is still
// drawn. Further draws behind the tape mean nothing: a failure's tape ends where the property
// failed.
func (c *checker) logPassed(saved savedTape) {
	c.t.Helper()
	fit := ""
	if kept, n := commonPrefix(saved.tape, c.src.Tape()), len(saved.tape.Choices); kept < n {
		fit = fmt.Sprintf(", and the property now draws otherwise from choice %d of %d on", kept+1, n)
	}
	c.t.Logf("gen: %s does not fail any more%s. Delete it if it shows nothing that is wanted", saved.path, fit)
}

// Messages for properties that check nothing, and for generators without bound.
const (
	drawsNothing  = "gen: the property draws nothing: nothing was checked beyond one run"
	mostlyInvalid = "gen: %d of %d inputs are invalid (%s): make the generator draw what is wanted"
	unbounded     = "gen: %v: a length, or how deep it goes, has no end. The generator is at fault, and not what is tested"
)

// flagSet reports whether the user set a flag.
func flagSet(name string) (is bool) {
	flag.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// checker checks one property.
type checker struct {
	T
	t        testing.TB
	property func(*T)
	placed   bool   // see run
	from     string // file of the tape that is tried; empty for new inputs
	exited   *run   // its goroutine was ended by runtime.Goexit
	reported bool   // the failure of the enclosing test was reported
	seed     uint64
	inputs   uint64
	drawn    int  // choices of all inputs
	unsteady bool // the generator was reported as not deterministic
}

// next returns the seed of the next input.
func (c *checker) next() uint64 {
	c.inputs++
	return seeds(c.seed, c.inputs).Uint64()
}

// seeds returns a source of seeds for the n-th input of a run. The seeds are random numbers. If
// they were as far apart as the states of a source, inputs would draw the same numbers, shifted by
// one choice.
func seeds(run, n uint64) *tape.Source {
	s := &tape.Source{}
	s.Random(run + n*0xd1342543de82ef95)
	return s
}

// run records how a run of the property within Check ended.
type run struct {
	failed, skipped bool
	returned        bool     // the property returned
	fails           int      // calls of Fail and the like
	placed          bool     // key is also needed for skips
	reason          string   // of the skip
	log             []string // lines of Log and the like
	key             string   // place and kind of the failure, equal for runs of the same failure
	panicked        any
	stack           string
	generator       bool // it failed while drawing
	endless         bool // it drew without bound
	around          bool // the enclosing test failed meanwhile
	cleanups        []func()
	partial         []byte // last partial line written to Output
	dirs            int    // folders of TempDir
	context         context.Context
	cancel          func()
}

func (r *run) bad() bool { return r.failed || r.panicked != nil }

// runEnd is the panic value with which FailNow and SkipNow end a run.
type runEnd struct{ *run }

// once runs the property on the source's choices, and then its cleanups.
func (c *checker) once() *run {
	r := &run{placed: c.placed}
	failed := c.t.Failed()
	c.run, c.channel, c.level, c.action, c.drawing = r, declared, 0, 0, 0
	defer c.cleanUp(r) // also if the enclosing test ends its goroutine
	c.guard(func() {
		c.property(&c.T)
		r.returned = true
	})
	c.drawn += len(c.src.Tape().Choices)
	c.cleanUp(r)
	r.around = !failed && c.t.Failed()
	return r
}

// cleanUp cancels the context of a run, and calls its Cleanup functions, last first.
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

// guard calls a function of the user and recovers its panics.
func (c *checker) guard(f func()) {
	r := c.run
	ended := false
	defer func() {
		if ended {
			return
		}
		v := recover()
		if o, ok := v.(runEnd); ok && o.run == r {
			return
		}
		if v == nil { // runtime.Goexit, from the enclosing TB
			c.exited = r
			return
		}
		r.panicked, r.stack, r.generator = v, string(debug.Stack()), c.drawing > 0
		r.endless = isEndless(v)
		r.key = fmt.Sprintf("%T at %s", v, thrower())
	}()
	f()
	ended = true
}

// thrower returns the place of the panic that is being recovered, outside of the runtime.
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

// repeats fails the test if the generator draws other values from the same tape. Otherwise inputs
// could not be minimized or saved.
func (c *checker) repeats(before *run, seen *shown) {
	c.t.Helper()
	first := c.src.Tape().Clone()
	c.shows = &shown{}
	c.src.Replay(first, 1)
	r := c.once()
	again := c.shows
	c.shows = nil
	// the checks report these failures
	if r.bad() || c.differs(first) || c.unsteady || !before.returned || !r.returned {
		return // the checks will find what is bad
	}
	if was, is := differing(seen.lines, again.lines); was != "" {
		c.unsteady = true
		c.t.Errorf("gen: the generator is not deterministic: with the same choices, it draws another value. First and then:\n%s\n%s\n"+unsteadyReasons, was, is)
	}
}

// differing returns the first two lines that show different values for the same draw. It skips
// values that contain addresses: these differ between runs, and so does the order of maps with such
// keys.
func differing(before, after []string) (was, is string) {
	for i := 0; i < min(len(before), len(after)); i++ {
		if before[i] != after[i] && !pointers.MatchString(before[i]) && !pointers.MatchString(after[i]) {
			return before[i], after[i]
		}
	}
	return "", ""
}

// unsteadyReasons explains common causes and effects of a generator that is not deterministic.
const unsteadyReasons = "Does it use the clock, math/rand, the order of a map, or what an earlier input has left? Failures can then be neither made smaller nor saved."

// commonPrefix returns the length of the tapes' common prefix, in choices.
func commonPrefix(a, b *tape.Tape) int {
	n := 0
	for n < len(a.Choices) && n < len(b.Choices) && a.Choices[n] == b.Choices[n] {
		n++
	}
	return n
}

// differs reports the first choice at which the generator drew something else than on the tape that
// it replayed.
func (c *checker) differs(first *tape.Tape) bool {
	again := c.src.Tape().Clone()
	prefix, longer := commonPrefix(first, again), first
	if prefix == len(first.Choices) {
		longer = again
	}
	if prefix == len(longer.Choices) {
		return false
	}
	if c.unsteady {
		return true
	}
	c.unsteady = true
	c.t.Helper()
	c.t.Errorf("gen: the generator is not deterministic: with the same choices, it draws something else from choice %d on%s. "+unsteadyReasons,
		prefix+1, c.label(longer, prefix))
	return true
}

// label names the draw that made a choice, if it is known.
func (c *checker) label(t *tape.Tape, choice int) string {
	names := c.names(t)
	for span := t.Choices[choice].Span; span >= 0; span = t.Spans[span].Parent {
		if name := names[t.Spans[span].Site]; name != "" {
			return fmt.Sprintf(" (in %q)", name)
		}
	}
	if name := names[t.Choices[choice].Site]; name != "" {
		return fmt.Sprintf(" (%q)", name)
	}
	return ""
}

// names runs the property on a tape to collect the labels of its sites.
func (c *checker) names(t *tape.Tape) map[uint32]string {
	c.shows = &shown{labels: map[uint32]string{}}
	c.src.Replay(t, 1)
	c.once()
	names := c.shows.labels
	c.shows = nil
	return names
}

// report minimizes a failing input, saves it, and fails the test.
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
		c.t.Fatalf("gen: a failure did not show again: the property, or the generator, is not deterministic. It said:\n%s", r.messages())
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
	b.WriteString(last.messages())
	b.WriteString(c.save(small, saved))
	c.t.Fatal(strings.TrimRight(b.String(), "\n"))
}

// indented indents lines of drawn values. The further lines of a value are indented more than its
// first.
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

// messages returns the log and the panic of a failed run.
func (r *run) messages() string {
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
		fmt.Fprintf(&b, "panic: %v%s\n%s\n", r.panicked, where, ownFrames(r.stack))
	}
	return b.String()
}

// ownFrames cuts a stack to the frames from the place of the panic to the property.
func ownFrames(stack string) string {
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
