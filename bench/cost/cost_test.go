package cost

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// warm is the number of inputs executed before anything is measured: buffers have grown, the corpus
// is there.
const warm = 300_000

func newEngine(tb testing.TB, spread func([]byte) uint64) (*engine.Engine, *runner, *sink) {
	tb.Helper()
	r := newRunner(spread)
	s := &sink{mem: r.mem}
	e, err := engine.New(engine.Config{
		Setup:    policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Layers: oracle.VerdictLayer | oracle.ValueLayer, Schedule: "uniform", Mutators: "full", MaxBytes: maxLen, Seed: 1}},
		Shape:    input.Shape{input.Bytes},
		Programs: programs,
		Blocks:   r.counters.Blocks,
	}, r, s)
	if err != nil {
		tb.Fatal(err)
	}
	e.Seed([]byte(`{"key": [1, 2.5, "text", null, true], "other": {"nested": "value with some length"}}`))
	for i := 0; i < warm; i++ {
		e.Fuzz()
		e.Repeat()
	}
	return e, r, s
}

var cases = []struct {
	name   string
	spread func([]byte) uint64
}{
	{"explored", few}, // next to nothing is new
	{"novel", many},   // nearly every input is new in the unbounded domains
}

// BenchmarkInput measures a whole input, with the engine and both programs. The difference to
// BenchmarkPrograms is the engine's own cost.
func BenchmarkInput(b *testing.B) {
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			e, r, s := newEngine(b, c.spread)
			start, novel := s.inputs, s.novel
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			b.ResetTimer()
			measure(b, func() {
				for i := 0; i < b.N; i++ {
					e.Fuzz()
					e.Repeat()
				}
			})
			runtime.ReadMemStats(&after)
			n := float64(s.inputs - start)
			b.ReportMetric(float64(len(r.counters.Regions)), "regions")
			b.ReportMetric(float64(s.novel-novel)/n, "novel/op")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/n, "exact-allocs/op")
			b.ReportMetric(float64(e.Corpus()), "corpus")
			b.ReportMetric(float64(len(e.Joint().Traces[0].Hits)), "hits")
		})
	}
}

// BenchmarkPrograms is the programs alone, on mutants made beforehand: what BenchmarkInput has
// above it is the engine's own.
func BenchmarkPrograms(b *testing.B) {
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			r := newRunner(c.spread)
			flats := mutants()
			b.ReportAllocs()
			b.ResetTimer()
			measure(b, func() {
				for i := 0; i < b.N; i++ {
					flat := flats[i%len(flats)]
					for _, f := range r.fakes {
						f.run(flat)
					}
				}
			})
		})
	}
}

// BenchmarkMutate is the part of the cost that makes the mutant.
func BenchmarkMutate(b *testing.B) {
	m, rand, flats := mutator(), mutate.NewRand(1, 0), mutants()
	var dst []byte
	b.ReportAllocs()
	b.ResetTimer()
	measure(b, func() {
		for i := 0; i < b.N; i++ {
			dst = m.Mutate(rand, dst, flats[i%len(flats)], flats[(i+7)%len(flats)])
		}
	})
}

// BenchmarkRead is the part that reads and clears the counters of both programs, programs included.
func BenchmarkRead(b *testing.B) {
	r := newRunner(few)
	flats := mutants()
	t := feature.NewTrace(r.counters.Blocks)
	b.ReportAllocs()
	b.ResetTimer()
	measure(b, func() {
		for i := 0; i < b.N; i++ {
			flat := flats[i%len(flats)]
			for _, f := range r.fakes {
				f.run(flat)
				r.counters.Read(&t)
			}
		}
	})
}

// measure reports the CPU time of f per operation, including the collector's. Wall time says little
// on a busy machine.
func measure(b *testing.B, f func()) {
	start := cpu()
	f()
	b.StopTimer()
	b.ReportMetric(float64(cpu()-start)/float64(b.N), "cpu-ns/op")
}

func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprint("reading the process's own CPU time: ", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func mutator() *mutate.Mutator {
	m, err := mutate.New(mutate.Config{Shape: input.Shape{input.Bytes}, Set: "full", MaxLen: 128})
	if err != nil {
		panic(fmt.Sprint("the benchmark's own configuration: ", err))
	}
	return m
}

func mutants() [][]byte {
	m, rand := mutator(), mutate.NewRand(2, 0)
	seed := []byte(`{"key": [1, 2.5, "text", null, true], "other": {"nested": "value with some length"}}`)
	var flats [][]byte
	for i := 0; i < 1024; i++ {
		flats = append(flats, m.Mutate(rand, nil, seed, seed))
	}
	return flats
}

// TestNoAllocation checks that the engine allocates nothing for an input that shows nothing new.
func TestNoAllocation(t *testing.T) {
	e, _, _ := newEngine(t, few)
	if n := testing.AllocsPerRun(20_000, e.Fuzz); n != 0 {
		t.Errorf("%v allocations an input", n)
	}
}
