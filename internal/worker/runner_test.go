package worker

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// memory returns private memory in the layout of shared memory.
func memory(max int) *wire.Memory {
	return wire.NewMemory(make([]byte, wire.MemorySize(max)-wire.MapBytes), max)
}

// testRunner returns a runner of programs that write into their own counters.
func testRunner(programs ...func(*input.Args, *oracle.Result)) *runner {
	t := Target{Shape: input.Shape{input.Bytes}, CompareValues: true}
	for i, p := range programs {
		t.Programs = append(t.Programs, Program{Name: fmt.Sprint("p", i), Run: p})
	}
	return newRunner(t, memory(1024), &feature.Counters{})
}

var errNo = errors.New("no")

func TestRunAllocatesNothing(t *testing.T) {
	r := testRunner(
		func(a *input.Args, res *oracle.Result) { res.Int(int64(len(a.Bytes(0)))); res.Error(nil) },
		func(a *input.Args, res *oracle.Result) { res.Bytes(a.Bytes(0)); res.Error(errNo) },
	)
	flat := []byte("some input")
	var trace feature.Trace
	each := func() {
		r.Begin(flat)
		for p := range r.target.Programs {
			r.Run(p, flat, &trace)
		}
		r.end()
	}
	each()
	if n := testing.AllocsPerRun(1000, each); n != 0 {
		t.Errorf("%v allocations an input", n)
	}
}

// TestInFlight checks that the shared memory has the running input and program.
func TestInFlight(t *testing.T) {
	var r *runner
	look := func(p int) func(*input.Args, *oracle.Result) {
		return func(*input.Args, *oracle.Result) {
			if r.mem.State() != wire.InFlight || r.mem.Program() != p || string(r.mem.Recent()[0]) != "input" {
				t.Errorf("in program %d: state %d, program %d, input %q", p, r.mem.State(), r.mem.Program(), r.mem.Recent()[0])
			}
		}
	}
	r = testRunner(look(0), look(1))
	var trace feature.Trace
	r.mem.Beaten()
	r.Begin([]byte("input"))
	r.Run(0, []byte("input"), &trace)
	r.Run(1, []byte("input"), &trace)
	if !r.mem.Beaten() || r.mem.Beaten() {
		t.Error("two runs are not one sign of life")
	}
	r.end()
	if r.mem.State() != wire.Idle {
		t.Error("in flight after its end")
	}
}

type broken struct{}

func (broken) Error() string { panic("in Error") }

type stringer struct{}

func (stringer) String() string { return "from String" }

func TestPanics(t *testing.T) {
	words := ""
	r := testRunner(func(a *input.Args, res *oracle.Result) { boom(string(a.Bytes(0))) })
	r.detail = true
	run := func(text string) oracle.Observation {
		var trace feature.Trace
		obs := r.Run(0, []byte(text), &trace)
		words = r.words
		return obs
	}
	tests := []struct{ in, words string }{
		{"text", "text"}, {"error", "no"}, {"broken", "worker.broken (printing it panics)"}, {"stringer", "from String"},
		{"number", "42"}, {"nil", "runtime error: invalid memory address or nil pointer dereference"},
		{"index", "runtime error: index out of range [5] with length 0"},
	}
	classes := map[uint64]string{}
	for _, test := range tests {
		obs := run(test.in)
		if obs.Outcome != oracle.Crashed || words != test.words || r.stack == "" {
			t.Errorf("%s: %v, %q, want %q", test.in, obs.Outcome, words, test.words)
		}
		if again := run(test.in); again != obs {
			t.Errorf("%s: %v, then %v", test.in, obs, again)
		}
		if other := classes[obs.Class]; other != "" {
			t.Errorf("%s and %s are of one class", test.in, other)
		}
		classes[obs.Class] = test.in
	}
	// Without detail only the class is kept.
	r.detail, r.words, r.stack = false, "", ""
	if obs := run("text"); classes[obs.Class] != "text" || r.words != "" || r.stack != "" {
		t.Errorf("without detail: %v, %q", obs, r.words)
	}
}

func boom(what string) {
	var p *int
	var list []int
	switch what {
	case "text":
		panic("text")
	case "error":
		panic(errNo)
	case "broken":
		panic(broken{})
	case "stringer":
		panic(stringer{})
	case "number":
		panic(42)
	case "nil":
		*p = 1
	case "index":
		list[len(what)] = 1
	}
}

// TestPanicInError checks that a panic in the Error method of a program's result is the program's.
func TestPanicInError(t *testing.T) {
	r := testRunner(func(_ *input.Args, res *oracle.Result) { res.Error(broken{}) })
	var trace feature.Trace
	if obs := r.Run(0, nil, &trace); obs.Outcome != oracle.Crashed {
		t.Errorf("%v", obs.Outcome)
	}
}

func TestGoexit(t *testing.T) {
	r := testRunner(func(*input.Args, *oracle.Result) { runtime.Goexit() })
	returned := false
	done := make(chan bool)
	go func() {
		defer close(done)
		var trace feature.Trace
		r.Run(0, nil, &trace)
		returned = true
	}()
	<-done
	if returned || r.dead.Outcome != oracle.Crashed || r.dead.Class == 0 {
		t.Errorf("returned %v, dead %v", returned, r.dead)
	}
}

// TestFindCountersWithoutSymbols checks that a worker without symbols reports that, as the binary
// of `go test` has none. The supervisor's tests cover binaries with symbols.
func TestFindCountersWithoutSymbols(t *testing.T) {
	c, err := findCounters()
	if err == nil && c.Blocks == 0 {
		t.Skip("this test binary has symbols")
	}
	if err == nil {
		t.Errorf("found %d counters in a binary that has none", c.Blocks)
	}
}

func TestSink(t *testing.T) {
	s := &sink{mem: memory(1024)}
	item := engine.Item{Flat: []byte("flat"), Parent: []byte("parent"), Ops: []mutate.Op{mutate.OpByte, mutate.OpSplice}, New: []string{"coverage"}}
	seed := engine.Item{Flat: []byte("seed")}
	obs := []oracle.Observation{{Outcome: oracle.Accepted, Value: 1}, {Outcome: oracle.Rejected, Class: 2}}
	s.Novel(2, 0x1122334455667788)
	s.Reached([]uint32{7, 9})
	s.Candidate(item, engine.Admission{Failing: 4, Layers: oracle.ValueLayer, Candidates: oracle.ValueLayer}, obs)
	s.Kept(item)
	s.Ran(engine.Report{Ops: item.Ops, Kept: true, Disagree: true, Bytes: 4, Blocks: 50})
	s.Candidate(seed, engine.Admission{Failing: 1, Layers: oracle.ValueLayer}, obs[:1])
	s.Ran(engine.Report{Bytes: 5, Blocks: 20})
	var got []string
	s.mem.Drain(func(kind byte, payload []byte) {
		switch kind {
		case wire.EventNovel:
			got = append(got, fmt.Sprintf("novel %x", payload))
			return
		case wire.EventReached:
			got = append(got, fmt.Sprintf("reached %x", payload))
			return
		}
		var e wire.InputEvent
		if err := e.Read(wire.NewReader(payload)); err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprintf("%d at %d %q %q %v %q %d %d %v", kind, e.Inputs, e.Flat, e.Parent, e.Ops, e.New, e.Failing, e.Layers, e.Tuple))
	})
	want := []string{
		"reached 00000000000000000700000009000000",
		fmt.Sprintf(`3 at 0 "flat" "parent" [%d %d] ["coverage"] 4 2 [{1 0 1} {2 2 0}]`, mutate.OpByte, mutate.OpSplice),
		fmt.Sprintf(`2 at 0 "flat" "parent" [%d %d] ["coverage"] 0 0 []`, mutate.OpByte, mutate.OpSplice),
		"novel 028877665544332211", // after the input that showed it
		`3 at 1 "seed" "" [] [] 1 0 [{1 0 1}]`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("events\n%q\nwant\n%q", got, want)
	}
	s.publish()
	stat := func(k wire.Stat) uint64 { return s.mem.Stat(k) }
	if stat(wire.Bytes) != 9 || stat(wire.Blocks) != 70 {
		t.Errorf("%d bytes, %d blocks", stat(wire.Bytes), stat(wire.Blocks))
	}
	if stat(wire.Inputs) != 2 || stat(wire.Kept) != 1 || stat(wire.Discrepant) != 1 {
		t.Errorf("counted %d, %d, %d", stat(wire.Inputs), stat(wire.Kept), stat(wire.Discrepant))
	}
	op := int(mutate.OpByte)
	var counts wire.Counts
	if !s.mem.Counts(&counts) || counts.Tried[op] != 1 || counts.Kept[op] != 1 {
		t.Error("yields of operators are missing")
	}
	if int(mutate.NumOps) > wire.MaxOps {
		t.Errorf("%d operators, there is room for %d", mutate.NumOps, wire.MaxOps)
	}
}

// TestInputsBeforeFeatures checks that an input is in the ring before its features in any domain.
// So a reader with a feature has its input.
func TestInputsBeforeFeatures(t *testing.T) {
	for a := range 8 {
		for b := range 8 {
			s := &sink{mem: memory(1 << 20)}
			s.Novel(a, 1)
			s.Novel(b, 2)
			s.note("of a program")
			s.Kept(engine.Item{Flat: []byte("first")})
			s.Ran(engine.Report{Kept: true})
			s.Novel(a, 3)
			s.Uncounted()
			for range 3 * maxNovel / 9 {
				s.Novel(b, 4)
			}
			s.Kept(engine.Item{Flat: []byte("second")})
			s.Ran(engine.Report{Kept: true})
			var kinds []byte
			features := 0
			s.mem.Drain(func(kind byte, payload []byte) {
				if kind == wire.EventNovel {
					features += len(payload) / 9
				}
				kinds = append(kinds, kind)
			})
			want := []byte{wire.EventNote, wire.EventKept, wire.EventNovel, wire.EventNovel, wire.EventKept, wire.EventNovel, wire.EventNovel, wire.EventNovel}
			if !bytes.Equal(kinds, want) || features != 3+3*maxNovel/9 {
				t.Errorf("domains %d and %d: %d features, events %v, want %v", a, b, features, kinds, want)
			}
		}
	}
}

// TestSinkTraces checks that traces are collected, and sent with the counts or when there are many.
func TestSinkTraces(t *testing.T) {
	s := &sink{mem: memory(1024)}
	taken := 0
	take := func() int {
		s.mem.Drain(func(kind byte, payload []byte) {
			if kind != wire.EventTraces || len(payload)%8 != 0 {
				t.Errorf("event %d of %d bytes", kind, len(payload))
			}
			taken += len(payload) / 8
		})
		return taken
	}
	s.Trace(1)
	s.Ran(engine.Report{})
	if take() != 0 {
		t.Error("a trace is told at once")
	}
	if s.publish(); take() != 1 {
		t.Errorf("%d traces were told of 1", taken)
	}
	for i := range uint64(maxTraces / 8) {
		s.Trace(i)
	}
	if take() != 1 {
		t.Error("traces are told before their input, if it is kept")
	}
	s.Ran(engine.Report{})
	if take() != 1+maxTraces/8 {
		t.Errorf("%d traces were told, there were %d", taken, 1+maxTraces/8)
	}
	if n := testing.AllocsPerRun(1000, func() { s.Trace(1); s.publish(); take() }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// TestSinkWaits checks that a full ring makes the worker wait and loses nothing.
func TestSinkWaits(t *testing.T) {
	s := &sink{mem: memory(1 << 20)}
	const events = 40 // of a mebibyte each: several times the size of the ring
	go func() {
		for i := range events {
			s.Kept(engine.Item{Flat: append(make([]byte, 1<<20-1), byte(i))})
		}
	}()
	for next := 0; next < events; {
		s.mem.Drain(func(kind byte, payload []byte) {
			var e wire.InputEvent
			if err := e.Read(wire.NewReader(payload)); err != nil || int(e.Flat[1<<20-1]) != next {
				t.Errorf("event %d: %v", next, err)
			}
			next++
		})
		runtime.Gosched()
	}
}
