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
// The []byte of the FuzzXxx is an encoded tape, which parallax mutates choice by choice. Any other bytes are choices one
// after another, so that what go test -fuzz makes of them is an input too. Behind their end, choices are drawn at random, from a seed that is a
// hash of the bytes. An input is invalid if the property skips.
//
// Where the property fails, what it had drawn is logged. Under go test, a property that draws nothing, or for which all inputs
// are invalid, fails.
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
	if !is("test.fuzzworker") {
		z.judge(f, is("test.fuzz"))
	}
}

// Driver is set by the parallax tool, in a file that it adds to the test binaries that it builds, and by nobody else. Fuzz then hands over to
// it instead of calling f.Fuzz.
var Driver func(f *testing.F, h *Harness)

// Harness is what Fuzz hands over, in types of the standard library only, since the tool brings a copy of its own of everything else.
type Harness struct {
	Run   func(t *testing.T, data []byte) // the fuzz target
	Drawn func(b []byte) []byte           // appends the encoded tape of the latest run, as it was drawn
	Show  func(on bool)                   // whether further runs note what is drawn
	Shown func() string                   // what the latest run drew, for people, a line a draw
	// Guide has two functions make the choices of further runs whose tape holds none: see tape.Guide.
	Guide func(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
}

// fuzzer runs one property. It belongs to one goroutine at a time.
type fuzzer struct {
	property func(*T)
	show     bool
	last     *drawing
	guide    *tape.Guide // nil: there is none

	// Of all runs.
	runs, invalid int
	drew          bool
}

// drawing is what one run needs. What ended in the middle is not used again: who knows who has it still.
type drawing struct {
	T
	source tape.Source
	tape   tape.Tape
	whole  bool // the property came to its end
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
			d.shows.tellEnd()
		}
	}
	defer z.ended(t, d)
	z.property(&d.T)
	d.whole = true
}

// ended looks at how a run ended. A panic goes on from here as it is, but for that of a generator without bound: nobody needs its stack. It is a
// failure only if everything was drawn by chance: a mutant may be too long though its generator has a bound.
func (z *fuzzer) ended(t *testing.T, d *drawing) {
	z.runs++
	z.drew = z.drew || d.source.Drawn() > 0
	if t.Skipped() {
		z.invalid++
	}
	panics := !d.whole && !t.Skipped() && !t.Failed()
	if panics { // what is logged then has the line that panics; else it would have one of the runtime's
		t.Helper()
	}
	if Driver != nil && d.shows != nil && panics && d.drawing > 0 && !d.source.Endless { // parallax prints the rest itself
		t.Log(inGenerator)
	}
	if Driver == nil && (t.Failed() || panics && !(d.source.Endless && d.source.Given)) {
		z.tell(t, d)
		if panics && d.drawing > 0 && !d.source.Endless {
			t.Log(inGenerator)
		}
	}
	if panics && d.source.Endless {
		v := recover()
		if !isEndless(v) {
			panic(v)
		}
		if d.source.Given { // mutants grow: the same generator may well have a bound
			z.invalid++
			t.Skip(tooLong)
		}
		t.Fatalf(unbounded, v)
	}
}

// tell logs what a run that failed has drawn. A campaign does not note it for each run, so that the first one to fail is run again.
func (z *fuzzer) tell(t *testing.T, d *drawing) {
	t.Helper()
	z.show = true // go test -fuzz runs it again and again to make it smaller, and prints what the last run said
	var lines []string
	if d.shows != nil {
		lines = d.shows.all()
	} else {
		c := &checker{t: t, property: z.property}
		c.T = T{TB: t, src: &tape.Source{}}
		var unknown string
		if lines, _, unknown = c.again(d.source.Tape().Clone()); unknown != "" {
			t.Logf("gen: what was drawn is not known: %s", unknown)
			return
		}
	}
	if len(lines) > 0 {
		t.Logf("gen: drawn:\n%s", strings.TrimRight(indented(lines, ""), "\n"))
	}
}

// tooLong says why such an input is invalid.
const tooLong = "gen: a mutant of another input that has more choices than a tape may hold is left out"

// inGenerator says that it is not what is tested that panics.
const inGenerator = "gen: the panic is in a generator"

// judge fails a test that has run no more than seeds, if its property checks nothing. Where a campaign is to follow, it may find valid inputs.
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
			return // few seeds are invalid by chance
		}
		if reason = r.reason; c.inputs < most*5 {
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

// load has the source draw what bytes say, or a guide where they are a tape that says nothing. A tape that cannot be read is plain choices, as
// mutants of go test -fuzz are; the error says what is wrong with it.
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
func campaigning() bool { return is("test.fuzz") || is("test.fuzzworker") }

// is reports whether a flag is set.
func is(name string) bool {
	f := flag.Lookup(name)
	return f != nil && f.Value.String() != "" && f.Value.String() != "false"
}
