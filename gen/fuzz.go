package gen

import (
	"flag"
	"hash/fnv"
	"sync"
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
// The []byte of the FuzzXxx is an encoded tape, which parallax mutates choice by choice. Any other bytes are choices one after
// another, so that what go test -fuzz makes of them is an input too. Behind the end of either, choices are drawn at random, from a seed that is a
// hash of the bytes. An input is invalid if the property skips.
//
// Where the property fails outside of a campaign, what it had drawn is logged.
func Fuzz(f *testing.F, property func(*T)) {
	f.Helper()
	f.Add([]byte{})
	pool := sync.Pool{New: func() any { return &drawing{} }}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := pool.Get().(*drawing)
		d.T, d.whole = T{TB: t, src: &d.source}, false
		d.load(data)
		if !campaigning() {
			d.shows = &shown{}
			defer d.tell(t)
		}
		property(&d.T)
		d.whole = true
		pool.Put(d) // not after a panic or Goexit: who knows who has it still
	})
}

// drawing is what one input of Fuzz needs.
type drawing struct {
	T
	source tape.Source
	tape   tape.Tape
	whole  bool // the property came to its end
}

// load has the source draw what bytes say.
func (d *drawing) load(data []byte) {
	h := fnv.New64a()
	h.Write(data)
	if tape.IsTape(data) && d.tape.Decode(data) == nil {
		d.source.Replay(&d.tape, h.Sum64())
		return
	}
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

// campaigning reports whether go test -fuzz drives this process, or parallax does.
func campaigning() bool {
	for _, name := range []string{"test.fuzz", "test.fuzzworker"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" && f.Value.String() != "false" {
			return true
		}
	}
	return false
}
