package execute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/engine"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/wire"
)

// fuzz drives a worker through a campaign's orders and returns the reported events as text.
type fuzz struct {
	t      *testing.T
	w      *Worker
	events []string
	cands  []wire.InputEvent
	kept   []string
}

func newFuzz(t *testing.T, s Spec, seed uint64, guidance ...string) *fuzz {
	t.Helper()
	f := &fuzz{t: t, w: start(t, s)}
	m := policy.Setup{
		Policy: policy.Policy{Guidance: guidance, Mutators: "full", MaxBytes: 64, Seed: seed, Layers: oracle.VerdictLayer | oracle.ValueLayer},
		Dict:   [][]byte{[]byte("a:"), []byte("b:"), []byte("panic"), []byte("goexit"), []byte("256")},
	}
	if err := f.w.Send(wire.Setup, m.Append(nil)); err != nil {
		t.Fatal(err)
	}
	return f
}

// order waits for the end of an order and returns the number of inputs that the worker has counted.
func (f *fuzz) order(kind byte, payload []byte) uint64 {
	f.t.Helper()
	answer, err := f.w.Call(kind, payload, wire.Done)
	if err != nil {
		f.t.Fatal(err)
	}
	f.w.Mem.Drain(func(kind byte, payload []byte) {
		switch kind {
		case wire.EventNovel:
			f.events = append(f.events, fmt.Sprintf("novel %x", payload))
			return
		case wire.EventTraces:
			return
		}
		var e wire.InputEvent
		if err := e.Read(wire.NewReader(payload)); err != nil {
			f.t.Fatalf("event %d: %v", kind, err)
		}
		f.events = append(f.events, fmt.Sprintf("%d %+v", kind, e))
		if kind == wire.EventKept {
			f.kept = append(f.kept, string(e.Flat))
		} else {
			f.cands = append(f.cands, wire.InputEvent{Flat: slices.Clone(e.Flat), Layers: e.Layers, Tuple: e.Tuple})
		}
	})
	return wire.NewReader(answer).Uint()
}

func (f *fuzz) seeds(replay bool, inputs ...string) uint64 {
	f.t.Helper()
	b := wire.AppendBool(nil, replay)
	for _, s := range inputs {
		if b = wire.AppendBytes(b, s); replay {
			b = wire.AppendBytes(b, "")
		}
	}
	return f.order(wire.Seeds, b)
}

func (f *fuzz) fuzz(n uint64) uint64 {
	f.t.Helper()
	return f.order(wire.Fuzz, wire.AppendUint(nil, n))
}

func TestFuzzing(t *testing.T) {
	f := newFuzz(t, spec(t, true), 1, "ensemble")
	if n := f.seeds(false, "1", "x", "1"); n != 3 {
		t.Errorf("%d inputs counted, want 3 seeds", n)
	}
	if n := f.fuzz(4000); n != 4003 {
		t.Errorf("%d inputs counted, want 4003", n)
	}
	mem := f.w.Mem
	if in, kept := mem.Stat(wire.Inputs), mem.Stat(wire.Kept); in != 4003 || int(kept) != len(f.kept) || kept < 3 {
		t.Errorf("counted %d inputs, %d kept; told of %q", in, kept, f.kept)
	}
	verdict := slices.IndexFunc(f.cands, func(e wire.InputEvent) bool { return e.Layers == uint64(oracle.VerdictLayer) })
	crash := slices.IndexFunc(f.cands, func(e wire.InputEvent) bool { return e.Layers == 0 })
	if verdict < 0 || crash < 0 || mem.Stat(wire.Discrepant) == 0 {
		t.Fatalf("of %d candidates no disagreement or no crash", len(f.cands))
	}
	for _, e := range f.cands {
		outcomes := [2]oracle.Outcome{oracle.Outcome(e.Tuple[0].Outcome), oracle.Outcome(e.Tuple[1].Outcome)}
		if want := expected(string(e.Flat)); want != outcomes {
			t.Errorf("candidate %q: %v, want %v", e.Flat, outcomes, want)
		}
	}
	for _, flat := range f.kept {
		if o := expected(flat); o[0] == oracle.Crashed || o[1] == oracle.Crashed {
			t.Errorf("%q crashes and is kept", flat)
		}
	}
	tried := uint64(0)
	var counts wire.Counts
	if !mem.Counts(&counts) {
		t.Error("the counts are not believed")
	}
	for op := range f.w.Hello.Operators {
		tried += counts.Tried[op]
		if counts.Kept[op] > counts.Tried[op] {
			t.Errorf("%s: kept more than tried", f.w.Hello.Operators[op])
		}
	}
	if tried < 4000 {
		t.Errorf("operators took part %d times in 4000 mutants", tried)
	}
}

// expected returns the outcomes of the victim's programs for inputs made from the test's
// dictionary.
func expected(input string) (o [2]oracle.Outcome) {
	for p, who := range []string{"a", "b"} {
		whom, what, ok := strings.Cut(input, ":")
		what, _, _ = strings.Cut(what, " ")
		switch {
		case ok && strings.Contains(whom, who) && (what == "panic" || what == "goexit"):
			o[p] = oracle.Crashed
		case ok:
			o[p] = oracle.Accepted
		default:
			o[p] = oracle.Rejected
			if digits := strings.Trim(input, "0123456789") == "" && input != ""; digits && (p == 0 || byteSized(input)) {
				o[p] = oracle.Accepted
			}
		}
	}
	return o
}

func byteSized(digits string) bool {
	n := 0
	for _, c := range digits {
		if n = 10*n + int(c-'0'); n > 255 {
			return false
		}
	}
	return true
}

// TestFuzzingRepeats checks that the same seed gives the same events, even if programs repeatedly
// end the goroutine that runs them.
func TestFuzzingRepeats(t *testing.T) {
	events := func(seed uint64) []string {
		f := newFuzz(t, spec(t, true), seed, "coverage", "output")
		f.seeds(false, "1", "ab:goexit", "a:goexit", "b:goexit", "a:echo", "a:")
		for range 3 {
			f.fuzz(1000)
		}
		return f.events
	}
	a, b, c := events(1), events(1), events(2)
	if !slices.Equal(a, b) {
		t.Errorf("%d and %d events from the same seed", len(a), len(b))
	}
	if slices.Equal(a, c) || len(a) < 20 {
		t.Errorf("%d events whatever the seed", len(a))
	}
}

// TestGoexitInEveryOrder checks that a program that ends its goroutine loses no input and no order.
func TestGoexitInEveryOrder(t *testing.T) {
	f := newFuzz(t, spec(t, false), 1, "output")
	if n := f.seeds(false, "a:goexit", "12", "b:goexit", "ab:goexit", "13"); n != 5 {
		t.Errorf("%d seeds counted, want 5", n)
	}
	if n := f.seeds(true, "a:goexit", "14"); n != 5 {
		t.Errorf("%d inputs counted after a replay, want 5", n)
	}
	if n := f.fuzz(300); n != 305 {
		t.Errorf("%d inputs counted, want 305", n)
	}
	for _, r := range run(t, f.w, "ab:goexit", wire.WantDetail) {
		if oracle.Outcome(r.Outcome) != oracle.Crashed || r.Panic != "runtime.Goexit" {
			t.Errorf("outcome %v, %q", oracle.Outcome(r.Outcome), r.Panic)
		}
	}
}

// TestFailuresOwed checks that the failure of a mailed input whose class is owed is a candidate,
// whatever its number.
func TestFailuresOwed(t *testing.T) {
	for _, owes := range []bool{false, true} {
		f := newFuzz(t, spec(t, true), 1, "coverage")
		f.seeds(false, "b:panic", "b:panic", "1")
		var class []uint64
		if owes {
			class = append(class, engine.FailureClass([]oracle.Observation{
				{Outcome: oracle.Outcome(f.cands[0].Tuple[0].Outcome)},
				{Outcome: oracle.Outcome(f.cands[0].Tuple[1].Outcome), Class: f.cands[0].Tuple[1].Class},
			}, 1))
		}
		if err := f.w.Mail(wire.Letter{Owed: class}); err != nil {
			t.Fatal(err)
		}
		before := len(f.cands)
		f.seeds(false, "b:panic")
		if told := len(f.cands) - before; before != 2 || told != len(class) {
			t.Errorf("owed %d: %d candidates before, %d after", len(class), before, told)
		}
	}
}

// TestCountsByKind checks that seeds, replays and mail are counted separately. Known features are
// not reported again.
func TestCountsByKind(t *testing.T) {
	f := newFuzz(t, spec(t, true), 1, "coverage", "output")
	if n := f.seeds(true, "1", "x"); n != 0 || len(f.kept) != 0 || len(f.cands) != 0 {
		t.Errorf("replays: %d counted, kept %q, %d candidates", n, f.kept, len(f.cands))
	}
	known := len(f.events)
	if n := f.seeds(false, "1"); n != 1 || len(f.events) != known {
		t.Errorf("a seed that a replay has shown: %d counted, events %q", n, f.events[known:])
	}
	if err := f.w.Mail(wire.Letter{Flats: [][]byte{[]byte("300"), []byte("b:echo")}}); err != nil {
		t.Fatal(err)
	}
	if n := f.seeds(false, "300"); n != 2 || len(f.kept) != 0 {
		t.Errorf("a seed that came by mail: %d counted, kept %q", n, f.kept)
	}
	if len(f.cands) != 1 || string(f.cands[0].Flat) != "300" {
		t.Errorf("candidates %v: the mail is none, the seed is one", f.cands)
	}
	// Mail that arrives during fuzzing is waited for, because it was announced.
	f.w.Mem.AnnounceMail()
	if err := f.w.Send(wire.Fuzz, wire.AppendUint(nil, 100)); err != nil {
		t.Fatal(err)
	}
	if err := f.w.Send(wire.Mail, (&wire.Letter{Flats: [][]byte{[]byte("a:echo")}}).Append(nil)); err != nil {
		t.Fatal(err)
	}
	if m := <-f.w.Replies; m.Kind != wire.Done || wire.NewReader(m.Payload).Uint() != 102 {
		t.Errorf("answer %d %v", m.Kind, m.Payload)
	}
}

// TestStop checks that a stop request ends an order at the next input, and the order is answered.
func TestStop(t *testing.T) {
	f := newFuzz(t, spec(t, false), 1, "output")
	f.seeds(false, "1")
	f.w.Mem.RequestStop(true)
	if n := f.fuzz(1 << 40); n != 1 {
		t.Errorf("%d inputs counted, want 1", n)
	}
	f.w.Mem.RequestStop(false)
	if n := f.fuzz(10); n != 11 {
		t.Errorf("%d inputs counted, want 11", n)
	}
}

// TestDeathWhileFuzzing checks that an input that ends the process during fuzzing is found in the
// shared memory, and all earlier reports arrive.
func TestDeathWhileFuzzing(t *testing.T) {
	f := newFuzz(t, spec(t, true), 1, "coverage", "output")
	b := wire.AppendBool(nil, false)
	for _, s := range []string{"1", "300", "b:exit 4", "2"} {
		b = wire.AppendBytes(b, s)
	}
	_, err := f.w.Call(wire.Seeds, b, wire.Done)
	d, ok := err.(*Death)
	if !ok || d.Program != 1 || len(d.Recent) != 3 || string(d.Recent[0]) != "b:exit 4" || f.w.Mem.Stat(wire.Inputs) != 2 {
		t.Fatalf("%v, %+v", err, d)
	}
	kept := 0
	f.w.Mem.Drain(func(kind byte, payload []byte) {
		if kind == wire.EventKept {
			kept++
		}
	})
	covered := 0
	for _, x := range d.Maps {
		if x != 0 {
			covered++
		}
	}
	if kept != 2 || covered == 0 || len(d.Maps) != 2*f.w.Hello.Regions[0].Counters {
		t.Errorf("kept %d, covered %d of %d", kept, covered, len(d.Maps))
	}
}

// TestOrdersOutOfTurn checks that invalid orders end a worker with a message, not with a panic.
func TestOrdersOutOfTurn(t *testing.T) {
	tests := []struct {
		name    string
		kind    byte
		payload []byte
		want    string
	}{
		{"unknown", 99, nil, "unknown message 99"},
		{"fuzzing before the configuration", wire.Fuzz, wire.AppendUint(nil, 1), "before the configuration"},
		{"tuples before the configuration", wire.Tuples, wire.AppendUint(wire.AppendUint(nil, 0), 1), "before the configuration"},
		{"mail before the configuration", wire.Mail, wire.AppendBytes(nil, "x"), "before the configuration"},
		{"half an order", wire.Run, nil, "too early"},
		{"half a configuration", wire.Setup, []byte{200}, "too early"},
		{"an unknown guidance", wire.Setup, (&policy.Setup{Policy: policy.Policy{Guidance: []string{"x"}}}).Append(nil), "unknown guidance"},
	}
	for _, test := range tests {
		w := start(t, spec(t, false))
		_, err := w.Call(test.kind, test.payload, wire.Done)
		d, ok := err.(*Death)
		if !ok || !strings.Contains(string(d.Text), test.want) || strings.Contains(string(d.Text), "goroutine") || d.Status != "exit status 120" {
			t.Errorf("%s: %v, %+v", test.name, err, d)
		}
	}
}
