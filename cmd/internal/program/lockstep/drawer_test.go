package lockstep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// doubler replaces a generator's process: it doubles each tape, and counts requests.
type doubler struct {
	scripted
	asked map[string]int
	once  map[string]bool // tapes on which the process ends the first time
}

func newDoubler() *doubler {
	d := &doubler{asked: map[string]int{}, once: map[string]bool{}}
	d.batch = 64
	d.run = func(_ context.Context, in []byte, o *program.Observation) error {
		tape := string(in)
		d.asked[tape]++
		*o = program.Observation{Value: o.Value[:0]}
		switch {
		case strings.HasPrefix(tape, "skip"):
			o.Outcome = oracle.Declined
		case strings.HasPrefix(tape, "panic"):
			o.Outcome, o.Message = oracle.Crashed, "the generator g panics (oops), and the input is left out"
		case strings.HasPrefix(tape, "exit"), strings.HasPrefix(tape, "once") && !d.once[tape]:
			d.once[tape] = true
			o.Outcome, o.Message, o.Ended = oracle.Crashed, "signal: killed", true
		case strings.HasPrefix(tape, "hang"):
			o.Outcome, o.Message, o.Ended = oracle.Timeout, "still running after 2s", true
		default:
			o.Outcome, o.Value = oracle.Accepted, append(append(o.Value, in...), in...)
		}
		return nil
	}
	return d
}

// Number implements program.Tracer, as workers do, so that the doubler reports itself whether its
// process ended.
func (d *doubler) Number(uint32) {}

// Detail implements program.Detailer.
func (d *doubler) Detail(_ context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error {
	for i, flat := range flats {
		results[i] = wire.RunResult{Outcome: uint64(oracle.Accepted), Made: string(flat) + string(flat), Shown: "text = " + string(flat)}
		if strings.HasPrefix(string(flat), "skip") {
			results[i] = wire.RunResult{Outcome: uint64(oracle.Declined), Shown: "text = " + string(flat)}
		}
		if flags&wire.WantDrawn != 0 {
			results[i].Drawn = "drawn " + string(flat)
		}
	}
	return nil
}

// drawing returns a lockstep process of echoing programs, with inputs made by d.
func drawing(t *testing.T, d *doubler, echoes ...program.Executor) *lockstep {
	t.Helper()
	spec := &Spec{Values: true, Text: true, MaxFlat: 20, Generator: &External{}}
	for i := range echoes {
		spec.Programs = append(spec.Programs, Program{Name: fmt.Sprint("p", i)})
	}
	l := processOf(t, spec, echoes...)
	l.drawer = &drawer{external: &external{what: "the generator g", program: newRunning("the generator g", d)}, most: 20, noted: map[string]bool{}}
	return l
}

// TestDrawn checks that programs run on the inputs made from tapes, including repeated tapes. Each
// is made once, ahead or not. Without an input, all decline.
func TestDrawn(t *testing.T) {
	d := newDoubler()
	a, b := &scripted{features: 26, batch: 64, run: echo}, &scripted{features: 26, batch: 64, run: echo}
	l := drawing(t, d, a, b)
	batch := []string{"a", "skip", "b", "panic", "c", "b", "long enough"}
	if err := l.Ahead(flats(batch[:5]...)); err != nil {
		t.Fatal(err)
	}
	for round := range 3 { // in the last rounds nothing was made ahead
		all := runAll(t, l, batch...)
		want := []string{"accepted", "declined", "accepted", "declined", "accepted", "accepted", "declined"}
		for p := range 2 {
			same(t, "outcomes", outcomes(all, p), want)
			if all[0].Obs[p].Value != hash("aa") || all[2].Obs[p].Value != hash("bb") || all[5].Obs[p].Value != hash("bb") {
				t.Errorf("values %+v", all)
			}
			if len(all[1].Traces[p].Hits) > 0 || len(all[4].Traces[p].Hits) != 1 {
				t.Errorf("hits %d and %d", all[1].Traces[p].Hits, all[4].Traces[p].Hits)
			}
		}
		if round == 0 && (d.asked["b"] != 1 || d.asked["c"] != 1 || !slices.Equal(a.sizes, []int{4})) {
			t.Errorf("asked for %v, and batches of %d", d.asked, a.sizes)
		}
	}
	for _, batch := range [][]string{{"never", "asked"}, {"for", "x"}, {"y", "z"}, {"u", "v"}} { // the first is dropped
		if err := l.Ahead(flats(batch...)); err != nil {
			t.Fatal(err)
		}
	}
	for _, batch := range [][]string{{"other"}, {"y", "z"}, {"u", "v"}, {"y", "z"}} {
		all := runAll(t, l, batch...)
		if all[0].Obs[0].Value != hash(batch[0]+batch[0]) {
			t.Errorf("%q: %+v", batch, all[0].Obs)
		}
	}
	if d.asked["u"] != 1 || d.asked["v"] != 1 || d.asked["y"] != 2 || len(l.drawer.queue) > 0 {
		t.Errorf("asked for %v, and %d batches are kept", d.asked, len(l.drawer.queue))
	}
	notes := l.Notes()
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "the generator g panics (oops)") || !strings.HasPrefix(notes[1], "the generator g makes inputs of more than 20 bytes") {
		t.Errorf("notes %q", notes)
	}
	if notes = l.Notes(); notes != nil {
		t.Errorf("told again: %q", notes)
	}
	if ok, err := l.RunAll(flats("skip"), joints(1, 2), false); !ok || err != nil {
		t.Errorf("no input at all: %v, %v", ok, err)
	}
	l.Stop()
	if ok, err := l.RunAll(flats("a"), joints(1, 2), false); ok || err != nil {
		t.Errorf("after Stop: %v, %v", ok, err)
	}
}

// TestDrawerDies checks that a process killed from outside loses nothing. One that the generator
// ends loses an input, and after some of them the campaign ends.
func TestDrawerDies(t *testing.T) {
	d := newDoubler()
	l := drawing(t, d, &scripted{features: 26, batch: 64, run: echo})
	for i := range 2 * maxDrawDeaths {
		all := runAll(t, l, "a", fmt.Sprint("once", i), "b")
		same(t, "after a kill", outcomes(all, 0), []string{"accepted", "accepted", "accepted"})
		if all[1].Obs[0].Value != hash(fmt.Sprintf("once%donce%d", i, i)) {
			t.Errorf("another input: %+v", all[1].Obs[0])
		}
	}
	if notes := l.Notes(); notes != nil {
		t.Errorf("it is blamed: %q", notes)
	}
	same(t, "the others", outcomes(runAll(t, l, "a", "exit", "b", "exit 2", "hang"), 0), []string{"accepted", "declined", "accepted", "declined", "declined"})
	notes := l.Notes()
	if len(notes) != 2 || notes[0] != "the generator g does not end (still running after 2s): a loop, a recursion or a size in it has no end. The input is left out" ||
		notes[1] != "the generator g ends its process (signal: killed). The input is left out" {
		t.Errorf("notes %q", notes)
	}
	err := l.Ahead(flats("exit 3", "hang 2"))
	var failed coded
	if !errors.As(err, &failed) || failed.Code != exit.UsageCode || !strings.Contains(err.Error(), "It has ended 5 processes") {
		t.Errorf("%v", err)
	}
}

// TestDetailDrawn checks that details include the drawn values with the programs' results. If only
// those are requested, no program runs. Not all inputs are tapes.
func TestDetailDrawn(t *testing.T) {
	a := &scripted{features: 26, batch: 64, run: echo}
	l := drawing(t, newDoubler(), a)
	results, err := l.Detail(flats("x"), wire.WantDrawn)
	if err != nil || results[0][0].Drawn != "drawn x" || len(a.sizes) > 0 {
		t.Errorf("%+v, %v, batches %d", results, err, a.sizes)
	}
	results, err = l.Detail(flats("x", "skip", "y"), wire.WantDrawn|wire.WantDetail)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"x", "skip", "y"} {
		r := &results[i][0]
		outcome, rendered := oracle.Accepted, want+want
		if want == "skip" {
			outcome, rendered = oracle.Declined, ""
		}
		if oracle.Outcome(r.Outcome) != outcome || r.Rendered != rendered || r.Made != rendered || r.Drawn != "drawn "+want || r.Shown != "text = "+want {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if got := l.Made([]byte("x")); string(got) != "xx" || l.Made([]byte("skip")) != nil || l.Made([]byte("")) == nil {
		t.Errorf("made %q", got)
	}
	if results, err = l.Detail(flats("x"), wire.WantDetail|wire.ProgramInput); err != nil || results[0][0].Rendered != "x" {
		t.Errorf("a control: %+v, %v", results, err)
	}
	for tape, want := range map[string]bool{"x": true, "skip": false} {
		may, err := l.Screen([]byte(tape), []wire.Wanted{{Outcome: uint64(oracle.Accepted)}})
		if may != want || err != nil {
			t.Errorf("screening %s: %v, %v", tape, may, err)
		}
	}
}

// recaller asks for inputs again.
type recaller struct {
	scripted
	again [][]byte
}

func (r *recaller) Recall() [][]byte { return r.again }

// TestRecallDrawn checks that programs know the inputs that they got. A request to run one again
// yields the tape of a recent input.
func TestRecallDrawn(t *testing.T) {
	r := &recaller{scripted: scripted{features: 26, batch: 64, run: accept}}
	l := drawing(t, newDoubler(), r)
	l.drawer.sources = &sources{tapes: map[uint64][]byte{}}
	runAll(t, l, "a", "b", "skip")
	r.again = flats("bb", "cc", "aa")
	if got := l.Recall(); len(got) != 2 || string(got[0]) != "b" || string(got[1]) != "a" {
		t.Errorf("%q", got)
	}
	for i := range mostSources - 1 {
		l.drawer.sources.add([]byte(fmt.Sprint("input ", i)), []byte("tape"))
	}
	if got := l.Recall(); len(got) != 1 || string(got[0]) != "b" || len(l.drawer.sources.tapes) != mostSources {
		t.Errorf("later: %q of %d", got, len(l.drawer.sources.tapes))
	}
}
