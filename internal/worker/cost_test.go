package worker

import (
	"runtime"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// compared has the calls of a target that is compared with another version of itself.
type compared struct{}

func (compared) Digest() uint64          { return 7 }
func (compared) Failures() uint64        { return 0 }
func (compared) Parts() oracle.Parts     { return oracle.Parts{} }
func (compared) Text(int) (string, bool) { return "", false }

var kept []byte // memory that programs allocate

// allocate allocates that many KiB, in pieces of one KiB, or in one piece from 1 MiB on.
func allocate(kib int) {
	if kib >= 1<<10 {
		kept = make([]byte, kib<<10)
		return
	}
	for range make([]struct{}, kib) {
		kept = make([]byte, 1<<10)
	}
}

func costRunner(run func(*input.Args, *oracle.Result)) *runner {
	return newRunner(Target{Shape: input.Shape{input.Bytes}, Programs: []Program{{Name: "p", Run: run, Calls: compared{}}}}, memory(1024), &feature.Counters{})
}

// TestAllocatedIsCounted checks that a program's allocations are counted: exactly for triage, and
// approximately while a worker fuzzes.
func TestAllocatedIsCounted(t *testing.T) {
	const mib = 1 << 20
	kib := 0
	r := costRunner(func(*input.Args, *oracle.Result) { allocate(kib) })
	for _, exact := range []bool{true, false} {
		r.allocs.exact = exact
		for _, want := range []int{0, 1, 200, 20 << 10, 64 << 10, 3} {
			kib = want
			var trace feature.Trace
			r.Run(0, nil, &trace)
			low, high := uint64(want)<<10, uint64(want)<<10+mib/64 // the runtime may allocate a little in between
			if !exact {
				low, high = max(low, mib/2)-mib/2, high+mib/2
			}
			if trace.Allocated < low || trace.Allocated > high {
				t.Errorf("exact %v: %d KiB are counted as %d bytes", exact, want, trace.Allocated)
			}
		}
	}
}

// TestAllocatedOfFailures checks that allocations before a panic, or before the end of the
// goroutine, count too.
func TestAllocatedOfFailures(t *testing.T) {
	for name, fail := range map[string]func(){"panic": func() { panic("no") }, "Goexit": runtime.Goexit} {
		r := costRunner(func(*input.Args, *oracle.Result) {
			allocate(20 << 10)
			fail()
		})
		r.allocs.exact = true
		var trace feature.Trace
		done := make(chan bool)
		go func() {
			defer close(done)
			defer r.abandon()
			r.Run(0, nil, &trace)
		}()
		<-done
		if trace.Allocated < 20<<20 || trace.Allocated > 21<<20 {
			t.Errorf("%s: %d bytes", name, trace.Allocated)
		}
	}
}

// TestAllocatedIsFree checks that allocations of programs that are not compared do not count, and
// that counting does not allocate.
func TestAllocatedIsFree(t *testing.T) {
	r := testRunner(func(*input.Args, *oracle.Result) { allocate(2 << 10) })
	var trace feature.Trace
	if r.Run(0, nil, &trace); trace.Allocated != 0 || r.allocs.counted {
		t.Errorf("%d bytes", trace.Allocated)
	}
	r = costRunner(func(*input.Args, *oracle.Result) {})
	for _, exact := range []bool{true, false} {
		r.allocs.exact = exact
		if n := testing.AllocsPerRun(100, func() { r.Run(0, nil, &trace) }); n != 0 {
			t.Errorf("exact %v: %v allocations", exact, n)
		}
	}
}

// TestAllocatedUnknown has a runtime without the metric.
func TestAllocatedUnknown(t *testing.T) {
	r := costRunner(func(*input.Args, *oracle.Result) { allocate(2 << 10) })
	r.allocs.sample[0].Name = "/gc/heap/nothing:bytes"
	var trace feature.Trace
	if r.Run(0, nil, &trace); trace.Allocated != 0 {
		t.Errorf("%d bytes", trace.Allocated)
	}
}
