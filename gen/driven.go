package gen

import (
	"fmt"
	"path/filepath"
	"testing"

	"parallax/internal/tape"
)

// Driven is for parallax, which makes the inputs of programs with a generator that no property draws from: parallax.Diff and the tool call it,
// and nobody else does. What it returns has methods in types of the standard library only, since these have a copy of their own of everything
// else (internal/generator).
//
// That of a T within a property has the tape of what was drawn from it.
func (t *T) Driven() any { return &driven{of: t} }

// driven draws from a generator. It belongs to one goroutine at a time.
type driven struct {
	drawing
	of    *T // that has drawn, until Draw draws
	ended run
	guide *tape.Guide
	show  bool
}

// How a draw can end, beside with a value.
const (
	endInvalid = "invalid" // the generator skipped
	endFailed  = "failed"  // it failed, as t.Fatal does
	endPanic   = "panic"
	endEndless = "endless" // it draws without bound
)

// What people are told that an input is.
const inputLabel = "input"

// T is what the generator draws from.
func (d *driven) T() any { return &d.drawing.T }

// Draw draws what data say, as the []byte of Fuzz does: draw calls the generator, and returns what it drew. End is empty where it came to its end, and
// else says how it ended, and text says why. Where draw ends its goroutine, so does Draw.
func (d *driven) Draw(data []byte, draw func() []any) (end, text string) {
	d.drawing.T = T{TB: nobody{}, src: &d.source, run: &d.ended, drawing: 1}
	d.of, d.ended, d.whole = nil, run{}, false
	_ = d.load(data, d.guide) // what is no tape is plain choices
	if d.show {
		d.shows = &shown{}
		d.shows.open = append(d.shows.open, unfinished{label: inputLabel})
	}
	defer func() {
		if !d.whole {
			end, text = d.broken(recover())
		}
		d.cleanUp()
	}()
	values := draw()
	d.whole = true
	switch {
	case d.ended.failed:
		end, text = endFailed, d.ended.said()
	case d.shows != nil:
		d.shows.open = d.shows.open[:0]
		for i, v := range values {
			label := inputLabel
			if len(values) > 1 {
				label = fmt.Sprintf("%s %d", inputLabel, i+1)
			}
			d.shows.lines = append(d.shows.lines, label+" = "+render(v))
		}
	}
	return end, text
}

// broken says how a draw ended that did not come to its end, by what was recovered.
func (d *driven) broken(v any) (end, text string) {
	if o, ok := v.(over); ok && o.run == &d.ended {
		if d.ended.failed {
			return endFailed, d.ended.said()
		}
		return endInvalid, d.ended.reason
	}
	if v == nil { // runtime.Goexit goes on
		return endPanic, "it ends its goroutine"
	}
	if isEndless(v) && d.source.Given {
		return endInvalid, tooLong
	}
	if isEndless(v) {
		return endEndless, fmt.Sprint(v)
	}
	at := thrower()
	return endPanic, fmt.Sprintf("%s, at %s", panicText(v), filepath.Base(filepath.Dir(at))+"/"+filepath.Base(at))
}

// panicText prints what somebody panicked with, who may panic again when it is printed.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T that cannot be printed", v)
		}
	}()
	return fmt.Sprint(v)
}

// cleanUp calls what the generator has left to be called.
func (d *driven) cleanUp() {
	if d.ended.cancel != nil {
		d.ended.cancel()
	}
	for len(d.ended.cleanups) > 0 {
		last := len(d.ended.cleanups) - 1
		f := d.ended.cleanups[last]
		d.ended.cleanups = d.ended.cleanups[:last]
		func() {
			defer func() { _ = recover() }()
			f()
		}()
	}
}

// AppendDrawn appends the encoded tape of the latest draw, as it was drawn.
func (d *driven) AppendDrawn(b []byte) []byte {
	if d.of != nil && d.of.src != nil {
		return d.of.src.Tape().Append(b)
	}
	if len(d.source.Out.Spans) == 0 { // nothing was drawn yet
		return b
	}
	return d.source.Tape().Append(b)
}

// Choices is how many choices the latest draw took.
func (d *driven) Choices() int { return d.source.Drawn() }

// Show has further draws note what they draw.
func (d *driven) Show(on bool) { d.show = on }

// Shown is what the latest draw drew, for people, a line a value.
func (d *driven) Shown() []string {
	if d.shows == nil {
		return nil
	}
	return d.shows.all()
}

// Guide has two functions make the choices of further draws whose tape holds none: see tape.Guide.
func (d *driven) Guide(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64)) {
	d.guide = &tape.Guide{Choose: choose, Chosen: chosen}
}

// nobody is the test around a generator that is driven: there is none.
type nobody struct{ testing.TB }

func (nobody) Helper()      {}
func (nobody) Name() string { return "generator" }
func (nobody) TempDir() string {
	panic("gen: a generator has no test around it here: there is no TempDir")
}
func (nobody) Chdir(string) {
	panic("gen: a generator has no test around it here: there is no Chdir")
}
func (nobody) Setenv(string, string) {
	panic("gen: a generator has no test around it here: there is no Setenv")
}
