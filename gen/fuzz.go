package gen

import (
	"flag"
	"hash/fnv"
	"strings"
	"testing"

	"parallax/internal/tape"
)

// Fuzz fuzzes a property: it is the end of a FuzzXxx, and takes the place of f.Fuzz.
//
//	func FuzzParse(f *testing.F) {
//		gen.Fuzz(f, func(t *gen.T) {
//			src := program.Draw(t, "src")
//			...
//		})
//	}
//
// The []byte of the FuzzXxx is an encoded tape, which parallax mutates choice by choice. Any other
// bytes are read as consecutive choices, so that the bytes of go test -fuzz are inputs, too. Behind
// their end, choices are random, with a hash of the bytes as seed. If the property skips, the input
// is invalid.
//
// If the property fails, Fuzz logs the drawn values. Under go test, a property fails if it draws
// nothing, or if all inputs are invalid.
func Fuzz(f *testing.F, property func(*T)) {
	f.Helper()
	if x := examining(); x != nil {
		x.examine(f, property)
		f.SkipNow()
	}
	f.Add([]byte{})
	z := &fuzzer{property: property, show: !campaigning()}
	if Driver != nil {
		z.show = false
		Driver(f, &Harness{Run: z.run, Drawn: z.drawn, Show: func(on bool) { z.show = on }, Shown: z.shown, Guide: z.guided})
		return
	}
	f.Fuzz(z.run)
	if !flagOn("test.fuzzworker") {
		z.judge(f, flagOn("test.fuzz"))
	}
}

// Driver replaces f.Fuzz in Fuzz. Only the parallax tool sets it, in a file that it adds to the
// test binaries that it builds.
var Driver func(f *testing.F, h *Harness)

// Harness holds the functions that Fuzz passes to Driver. Its types are those of the standard
// library only, since the tool has its own copy of all other packages.
type Harness struct {
	Run   func(t *testing.T, data []byte) // the fuzz target
	Drawn func(b []byte) []byte           // appends the encoded tape of the latest run
	Show  func(on bool)                   // whether further runs record drawn values
	// drawn values of the latest run for users, one line per draw
	Shown func() string
	// Guide sets two functions that make the choices of further runs whose tape holds none: see
	// tape.Guide.
	Guide func(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
}

// fuzzer runs one property. It belongs to one goroutine at a time.
type fuzzer struct {
	property func(*T)
	show     bool
	last     *drawing
	guide    *tape.Guide // nil means random choices

	// Totals of all runs.
	runs, invalid int
	drew          bool
}

// drawing holds the state of one run. It is reused only after a run that returned: other goroutines
// may still hold it otherwise.
type drawing struct {
	T
	source tape.Source
	tape   tape.Tape
	whole  bool // the property returned
}

func (z *fuzzer) run(t *testing.T, data []byte) {
	d := z.last
	if d == nil || !d.whole {
		d = &drawing{}
		z.last = d
	}
	d.T, d.whole = T{TB: t, src: &d.source}, false
	if err := d.load(data, z.guide); err != nil && Driver == nil && !campaigning() {
		t.Logf("gen: %v. The input is taken as plain choices: it is another one than was saved", err)
	}
	if z.show {
		if d.shows = new(shown); Driver != nil {
			d.shows.stream()
		}
	}
	defer z.afterRun(t, d)
	z.property(&d.T)
	d.whole = true
}

// afterRun handles the end of a run. It leaves panics to continue, except for a generator without
// bound, whose stack is useless. Such a run fails only if all choices were random: a mutant may be
// too long although its generator has a bound.
func (z *fuzzer) afterRun(t *testing.T, d *drawing) {
	z.runs++
	z.drew = z.drew || d.source.Drawn() > 0
	if t.Skipped() {
		z.invalid++
	}
	panics := !d.whole && !t.Skipped() && !t.Failed()
	if panics { // the log line then has the line that panics, not one of the runtime
		t.Helper()
	}
	// parallax prints the rest itself
	if Driver != nil && d.shows != nil && panics && d.drawing > 0 && !d.source.Endless {
		t.Log(inGenerator)
	}
	if Driver == nil && (t.Failed() || panics && !(d.source.Endless && d.source.Given)) {
		z.logDrawn(t, d)
		if panics && d.drawing > 0 && !d.source.Endless {
			t.Log(inGenerator)
		}
	}
	if panics && d.source.Endless {
		v := recover()
		if !isEndless(v) {
			panic(v)
		}
		if d.source.Given { // mutants grow, even if the generator has a bound
			z.invalid++
			t.Skip(tooLong)
		}
		t.Fatalf(unbounded, v)
	}
}

// logDrawn logs the drawn values of a failed run. A campaign does not record them in each run, so
// that logDrawn reruns the first failure.
func (z *fuzzer) logDrawn(t *testing.T, d *drawing) {
	t.Helper()
	z.show = true // go test -fuzz minimizes by further runs, and prints the log of the last one
	var lines []string
	if d.shows != nil {
		lines = d.shows.all()
	} else {
		c := &checker{t: t, property: z.property}
		c.T = T{TB: t, src: &tape.Source{}}
		var unknown string
		if lines, _, unknown = c.rerun(d.source.Tape().Clone()); unknown != "" {
			t.Logf("gen: what was drawn is not known: %s", unknown)
			return
		}
	}
	if len(lines) > 0 {
		t.Logf("gen: drawn:\n%s", strings.TrimRight(indented(lines, ""), "\n"))
	}
}

// tooLong explains why an overlong mutant is invalid.
const tooLong = "gen: a mutant of another input that has more choices than a tape may hold is left out"

// inGenerator explains that the panic is not in the code under test.
const inGenerator = "gen: the panic is in a generator"

// judge fails a test that ran seeds only, if its property checks nothing. A following campaign may
// still find valid inputs.
func (z *fuzzer) judge(f *testing.F, campaign bool) {
	f.Helper()
	switch {
	case z.runs == 0 || f.Failed():
		return
	case !z.drew:
		f.Error(drawsNothing)
		return
	case z.invalid < z.runs:
		return
	}
	c := &checker{t: f, property: z.property}
	c.T = T{TB: f, src: &tape.Source{}}
	for reason := ""; ; {
		c.src.Random(c.next())
		r := c.once()
		if !r.skipped {
			return // few seeds can be invalid by chance
		}
		if reason = r.reason; c.inputs < maxInvalid*5 {
			continue
		}
		if campaign {
			f.Logf(mostlyInvalid, c.inputs, c.inputs, reason)
		} else {
			f.Errorf(mostlyInvalid, c.inputs, c.inputs, reason)
		}
		return
	}
}

// load sets the source to replay the data. An empty tape draws from the guide, if there is one. An
// unreadable tape is read as plain choices, like mutants of go test -fuzz. The error then describes
// the problem.
func (d *drawing) load(data []byte, guide *tape.Guide) (err error) {
	if tape.IsTape(data) {
		if guide != nil && d.tape.Decode(data) == nil && len(d.tape.Choices) == 0 {
			d.source.Guided(guide, d.tape.Rest)
			return nil
		}
		if err = d.source.Load(data); err == nil {
			return nil
		}
	}
	h := fnv.New64a()
	h.Write(data)
	d.source.Plain(data, h.Sum64())
	return err
}

func (z *fuzzer) guided(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64)) {
	z.guide = &tape.Guide{Choose: choose, Chosen: chosen}
}

func (z *fuzzer) drawn(b []byte) []byte {
	if z.last == nil {
		return b
	}
	return z.last.source.Tape().Append(b)
}

func (z *fuzzer) shown() string {
	if z.last == nil || z.last.shows == nil {
		return ""
	}
	return strings.Join(z.last.shows.all(), "\n")
}

// campaigning reports whether go test -fuzz drives this process.
func campaigning() bool { return flagOn("test.fuzz") || flagOn("test.fuzzworker") }

// flagOn reports whether a flag is set and not false.
func flagOn(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != "" && f.Value.String() != "false"
}
