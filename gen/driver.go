package gen

import (
	"fmt"
	"path/filepath"
	"testing"

	"parallax/internal/tape"
)

// Driven returns the interface by which parallax.Diff and the tool draw inputs from a generator
// without a property. Others must not call it. The result's methods have types of the standard
// library only, since Diff and the tool have their own copies of all other packages
// (internal/generator).
//
// For a T within a property, the result has the tape that the property drew.
func (t *T) Driven() any { return &driven{drawn: t} }

// driven draws from a generator. It belongs to one goroutine at a time.
type driven struct {
	drawing
	drawn *T // the T that has drawn, until Draw is called
	ended run
	guide *tape.Guide
	show  bool
}

// Ends of a draw. Empty means that the generator returned a value.
const (
	endInvalid = "invalid" // the generator skipped
	endFailed  = "failed"  // the generator failed, as by t.Fatal
	endPanic   = "panic"
	endEndless = "endless" // the generator draws without bound
)

// inputLabel names the whole input in texts for users.
const inputLabel = "input"

// T returns the T from which the generator draws.
func (d *driven) T() any { return &d.drawing.T }

// Draw draws the input of some data, which is as the []byte of Fuzz. draw calls the generator and
// returns its values. An empty end means that draw returned. Otherwise end is one of the ends
// above, and text gives the reason. If draw ends its goroutine, so does Draw.
func (d *driven) Draw(data []byte, draw func() []any) (end, text string) {
	d.drawing.T = T{TB: noTest{}, src: &d.source, run: &d.ended, drawing: 1}
	d.drawn, d.ended, d.whole = nil, run{}, false
	_ = d.load(data, d.guide) // anything but a tape is plain choices
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
		end, text = endFailed, d.ended.messages()
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

// broken classifies the end of a draw that did not return, by the recovered value.
func (d *driven) broken(v any) (end, text string) {
	if o, ok := v.(runEnd); ok && o.run == &d.ended {
		if d.ended.failed {
			return endFailed, d.ended.messages()
		}
		return endInvalid, d.ended.reason
	}
	if v == nil { // runtime.Goexit continues
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

// panicText formats the value of a panic. Formatting may panic, too.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T that cannot be printed", v)
		}
	}()
	return fmt.Sprint(v)
}

// cleanUp calls the generator's Cleanup functions, last first.
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

// AppendDrawn appends the encoded tape of the latest draw.
func (d *driven) AppendDrawn(b []byte) []byte {
	if d.drawn != nil && d.drawn.src != nil {
		return d.drawn.src.Tape().Append(b)
	}
	if len(d.source.Out.Spans) == 0 { // nothing was drawn yet
		return b
	}
	return d.source.Tape().Append(b)
}

// Choices returns the number of choices of the latest draw.
func (d *driven) Choices() int { return d.source.Drawn() }

// Show makes further draws record their values.
func (d *driven) Show(on bool) { d.show = on }

// Shown returns the values of the latest draw for users, one line per value.
func (d *driven) Shown() []string {
	if d.shows == nil {
		return nil
	}
	return d.shows.all()
}

// Guide sets two functions that make the choices of further draws whose tape holds none: see
// tape.Guide.
func (d *driven) Guide(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64)) {
	d.guide = &tape.Guide{Choose: choose, Chosen: chosen}
}

// noTest replaces the enclosing test of a driven generator, which has none.
type noTest struct{ testing.TB }

func (noTest) Helper()      {}
func (noTest) Name() string { return "generator" }
func (noTest) TempDir() string {
	panic("gen: a generator has no test around it here: there is no TempDir")
}
func (noTest) Chdir(string) {
	panic("gen: a generator has no test around it here: there is no Chdir")
}
func (noTest) Setenv(string, string) {
	panic("gen: a generator has no test around it here: there is no Setenv")
}
