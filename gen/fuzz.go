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
// Where the property fails outside of a campaign, what it had drawn is logged.
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
		Driver(f, &Harness{Run: z.run, Drawn: z.drawn, Show: func(on bool) { z.show = on }, Shown: z.shown})
		return
	}
	f.Fuzz(z.run)
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
}

// fuzzer runs one property. It belongs to one goroutine at a time.
type fuzzer struct {
	property func(*T)
	show     bool
	last     *drawing
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
	d.load(data)
	if z.show {
		d.shows = &shown{}
		if Driver == nil {
			defer d.tell(t)
		}
	}
	z.property(&d.T)
	d.whole = true
}

// load has the source draw what bytes say.
func (d *drawing) load(data []byte) {
	if tape.IsTape(data) && d.tape.Decode(data) == nil {
		d.source.Play(&d.tape)
		return
	}
	h := fnv.New64a()
	h.Write(data)
	d.source.Plain(data, h.Sum64())
}

// tell logs what was drawn, if the test has failed.
func (d *drawing) tell(t *testing.T) {
	t.Helper()
	if t.Failed() || !d.whole && !t.Skipped() { // a panic goes on from here
		for _, line := range d.shows.lines {
			t.Log(line)
		}
	}
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
	return strings.Join(z.last.shows.lines, "\n")
}

// campaigning reports whether go test -fuzz drives this process.
func campaigning() bool {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" && f.Value.String() != "false" {
			return true
		}
	}
	return false
}
