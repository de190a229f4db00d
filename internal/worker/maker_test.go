package worker

import (
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// doubles is a maker that counts the draws that record values.
type doubles struct {
	on    bool
	noted int
	text  string
}

func (d *doubles) AppendDrawn(b []byte) []byte { return b }
func (d *doubles) Text() string                { return d.text }
func (d *doubles) Shape() input.Shape          { return input.Shape{input.Bytes} }
func (d *doubles) Redraw() bool                { return true }
func (d *doubles) Detail(on bool)              { d.on = on }
func (d *doubles) Invalid(end string) bool     { return end == "invalid" }
func (d *doubles) Fault(end, text string) string {
	return "the generator g " + end + " (" + text + ")"
}
func (d *doubles) Check() string { return "" }
func (d *doubles) Make(tape []byte) (flat []byte, end, text string) {
	if d.on {
		d.noted++
	}
	switch string(tape) {
	case "skip":
		return nil, "invalid", ""
	case "fault":
		return nil, "panics", "oops"
	}
	return append(tape[:len(tape):len(tape)], tape...), "", ""
}

// TestMakerAlone checks that draws record values only for results in detail, and not for words
// alone. A maker that is the only program returns the input that it makes. Its errors are crashes.
func TestMakerAlone(t *testing.T) {
	d := &doubles{}
	answers := func(a *input.Args, r *oracle.Result) { r.Bytes(append([]byte{}, a.Flat()...)) }
	r := newRunner(Target{Shape: input.Shape{input.Bytes}, Programs: []Program{{Name: "g", Run: answers}}, Generator: d, Alone: true}, memory(1024), &feature.Counters{})
	var trace feature.Trace
	run := func(tape string) oracle.Outcome {
		r.Begin([]byte(tape))
		return r.Run(0, []byte(tape), &trace).Outcome
	}
	r.detail = true
	if got := run("ab"); got != oracle.Accepted || string(r.maker.flat) != "abab" || d.noted != 0 {
		t.Errorf("%v, made %q, noted %d times", got, r.maker.flat, d.noted)
	}
	r.recordDraws = true
	if run("ab"); d.noted != 1 {
		t.Errorf("noted %d times in detail", d.noted)
	}
	if got := run("skip"); got != oracle.Declined {
		t.Errorf("without an input: %v", got)
	}
	if got := run("fault"); got != oracle.Crashed || r.words != "the generator g panics (oops), and the input is left out: first seen on " {
		t.Errorf("a mistake: %v, %q", got, r.words)
	}
	for tape, want := range map[string]string{"cd": "cdcd", "skip": "", "fault": ""} { // as in an Observe order
		r.Begin([]byte(tape))
		made, ok := r.draw([]byte(tape), &trace)
		if string(made) != want || ok != (want != "") {
			t.Errorf("%s: made %q, %v", tape, made, ok)
		}
	}
	r.target.Alone = false
	if got := run("fault"); got != oracle.Declined {
		t.Errorf("where others are programs: %v", got)
	}
}

// TestDrawOnly checks that a Run order for no program returns the input made from the tape. Such an
// order follows when all programs end their process on an input.
func TestDrawOnly(t *testing.T) {
	never := func(*input.Args, *oracle.Result) { t.Error("a program runs") }
	target := Target{Shape: input.Shape{input.Bytes}, Programs: []Program{{Name: "a", Run: never}, {Name: "b", Run: never}}, Generator: &doubles{text: "x = 1"}}
	s := &local{target: target, runner: newRunner(target, memory(1024), &feature.Counters{})}
	for tape, want := range map[string]string{"ab": "abab", "skip": ""} {
		j := &runJob{flags: wire.WantDetail, flat: []byte(tape), results: make([]wire.RunResult, 2)}
		s.runner.Begin(j.flat)
		j.drawOnly(s)
		if got := j.results[0]; got.Made != want || got.Shown != "x = 1" || j.results[1].Made != "" {
			t.Errorf("%s: made %q, shown %q", tape, got.Made, got.Shown)
		}
		if j.drawOnly(s); j.results[0].Made != want { // after it has ended the goroutine
			t.Errorf("%s: made %q the second time", tape, j.results[0].Made)
		}
	}
}
