package engine

import (
	"syscall"
	"testing"
	"time"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

const (
	costBlocks   = 10_000 // counters of each program
	costHits     = 150    // blocks that a run executes
	costPatterns = 64
)

// idle is a Runner of two programs that only count. Each run sets costHits random counters of the
// program's own package, by one of a few patterns, so that nothing is new after a while.
type idle struct {
	counters feature.Counters
	patterns [2][costPatterns][costHits]uint16
	runs     int
	fresh    bool // each run has its own trace
}

func newIdle() *idle {
	f := &idle{counters: feature.Counters{Blocks: 2 * costBlocks}}
	r := mutate.NewRand(1, 1)
	for p := range f.patterns {
		f.counters.Regions = append(f.counters.Regions, feature.Region{
			First: p * costBlocks, Cov: make([]byte, costBlocks), Len: new([8]uint64),
		})
		for k := range f.patterns[p] {
			for i := range f.patterns[p][k] {
				f.patterns[p][k][i] = uint16(r.Intn(costBlocks))
			}
		}
	}
	return f
}

func (f *idle) Begin([]byte) {}

func (f *idle) Run(p int, flat []byte, t *feature.Trace) oracle.Observation {
	f.counters.Clear()
	k := f.execute(p)
	f.counters.Read(t)
	return oracle.Observation{Outcome: oracle.Accepted + oracle.Outcome(k&1)}
}

// execute is the programs' own part.
func (f *idle) execute(p int) int {
	k := f.runs / 2 % costPatterns
	f.runs++
	reg := &f.counters.Regions[p]
	for _, id := range &f.patterns[p][k] {
		reg.Cov[id]++
	}
	reg.Len[0] += costHits
	if f.fresh { // counts above those of the buckets, so that no bucket is new
		n := f.runs / 2
		for i := 0; n > 0; i, n = i+1, n/100 {
			reg.Cov[f.patterns[p][k][i]] = byte(130 + n%100)
		}
	}
	return k
}

// discardSink is a Sink that drops all events.
type discardSink struct{}

func (discardSink) Novel(int, uint64)                               {}
func (discardSink) Kept(Item)                                       {}
func (discardSink) Shown([]byte, []uint64)                          {}
func (discardSink) Provisional(Item)                                {}
func (discardSink) Candidate(Item, Admission, []oracle.Observation) {}
func (discardSink) Uncounted()                                      {}
func (discardSink) Ran(Report)                                      {}
func (discardSink) Reached([]uint32)                                {}
func (discardSink) Repeated(uint64, bool)                           {}
func (discardSink) Replayed(bool)                                   {}
func (discardSink) Trace(uint64)                                    {}

// newCost returns an engine that has seen everything.
func newCost(tb testing.TB, guidance string) (*Engine, *idle) {
	f := newIdle()
	e, err := New(Config{
		Setup:    policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Layers: oracle.VerdictLayer | oracle.ValueLayer, Mutators: "full", MaxBytes: 256}},
		Shape:    input.Shape{input.Bytes},
		Programs: 2,
		Blocks:   f.counters.Blocks,
	}, f, discardSink{})
	if err != nil {
		tb.Fatal(err)
	}
	e.Seed([]byte(`{"name": "a value", "list": [1, 2, 3.5e7, null, true], "nested": {"x": "y"}}`))
	// Long enough for lengths and buffers to reach their final sizes.
	for range 40_000 {
		e.Fuzz()
	}
	return e, f
}

func TestInputsAllocateNothing(t *testing.T) {
	for _, guidance := range []string{feature.Ensemble, feature.Random, feature.Reference, feature.PublishedCoarse} {
		e, _ := newCost(t, guidance)
		if n := testing.AllocsPerRun(2000, e.Fuzz); n != 0 {
			t.Errorf("%s: %v allocations an input", guidance, n)
		}
	}
}

// BenchmarkEngine measures the engine's own cost per input, for two programs with 10,000 counters
// each. Subtract BenchmarkPrograms, the time of the fake programs.
func BenchmarkEngine(b *testing.B) {
	for _, guidance := range []string{feature.Ensemble, feature.Random} {
		b.Run(guidance, func(b *testing.B) {
			e, _ := newCost(b, guidance)
			b.ReportAllocs()
			b.ResetTimer()
			defer reportCPU(b, cpuTime())
			for i := 0; i < b.N; i++ {
				e.Fuzz()
			}
		})
	}
}

// BenchmarkFresh measures the engine's own cost of an input with a new trace, which is the most
// expensive, for one program and for two. It counts blocks. The programs must execute blocks more
// than once for that, which is included.
func BenchmarkFresh(b *testing.B) {
	e, f := newCost(b, feature.Random)
	f.fresh = true
	for i := 0; i < 20_000; i++ {
		e.Fuzz()
	}
	b.ReportAllocs()
	b.ResetTimer()
	defer reportCPU(b, cpuTime())
	for i := 0; i < b.N; i++ {
		e.Fuzz()
	}
}

// BenchmarkPrograms measures the fake programs' part of BenchmarkEngine.
func BenchmarkPrograms(b *testing.B) {
	f := newIdle()
	b.ReportAllocs()
	defer reportCPU(b, cpuTime())
	for i := 0; i < b.N; i++ {
		for p := 0; p < 2; p++ {
			f.execute(p)
		}
	}
}

// reportCPU adds the processor time per iteration, which is more reliable than the clock on a busy
// machine.
func reportCPU(b *testing.B, since time.Duration) {
	b.ReportMetric(float64(cpuTime()-since)/float64(b.N), "cpu-ns/op")
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRead measures the reading of counters, a part of an input's cost.
func BenchmarkRead(b *testing.B) {
	f := newIdle()
	t := feature.NewTrace(f.counters.Blocks)
	b.ReportAllocs()
	defer reportCPU(b, cpuTime())
	for i := 0; i < b.N; i++ {
		for p := 0; p < 2; p++ {
			f.Run(p, nil, &t)
		}
	}
}

func BenchmarkMutate(b *testing.B) {
	e, _ := newCost(b, feature.Random)
	b.ReportAllocs()
	b.ResetTimer()
	defer reportCPU(b, cpuTime())
	for i := 0; i < b.N; i++ {
		e.mutate()
	}
}
