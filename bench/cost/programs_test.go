package cost

import (
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// The sizes that the target is stated for: two programs of 10,000 counters each, that lie in
// regions as the packages of a program do. An input executes 150 to 200 of a program's counters.
const (
	programs   = 2
	blocks     = 10000 // of a program
	regions    = 8     // of a program
	regionSize = blocks / regions
	common     = 120 // blocks that every input executes
	segments   = 64  // different stretches of code that an input may execute
	segment    = 8   // blocks of a stretch
	taken      = 8   // stretches that an input executes
	maxLen     = 4096
)

// region has the variables that the instrumentation adds to a package.
type region struct {
	cov []byte
	len [8]uint64
}

// fake is a program: it executes blocks that follow from the input's first bytes, twice each as
// loops do.
type fake struct {
	regions [regions]region
	always  [common]int              // ids of the blocks that every input executes
	some    [segments][segment]int   // and of those of each stretch
	leads   [256]uint8               // the stretch that a byte of the input leads to
	shift   int                      // makes two programs differ in the bytes they look at
	spread  func(flat []byte) uint64 // what of the input decides
}

// newFake places the blocks of every stretch in one region, those that are common in three of them.
func newFake(seed uint64, shift int, spread func([]byte) uint64) *fake {
	r := mutate.NewRand(seed, 0)
	f := &fake{shift: shift, spread: spread}
	for i := range f.regions {
		f.regions[i].cov = make([]byte, regionSize)
	}
	for i := range f.always {
		f.always[i] = r.Intn(3)*regionSize + r.Intn(regionSize)
	}
	for s := range f.some {
		base := s%regions*regionSize + r.Intn(regionSize-4*segment)
		for k := range f.some[s] {
			f.some[s][k] = base + 3*k // neighbors, as blocks of one function are
		}
	}
	for b := range f.leads {
		f.leads[b] = uint8(r.Intn(segments))
	}
	return f
}

// run is the program.
func (f *fake) run(flat []byte) bool {
	for _, id := range f.always {
		f.hit(id)
	}
	x := f.spread(flat) >> f.shift
	for i := 0; i < taken; i++ {
		for _, id := range f.some[f.leads[byte(x)]] {
			f.hit(id)
			f.hit(id)
		}
		x >>= 7
	}
	return len(flat)%2 == 0
}

func (f *fake) hit(id int) {
	g := &f.regions[id/regionSize]
	g.cov[id%regionSize]++
	g.len[0]++
}

// runner executes the programs as the worker's runner does: the input goes to shared memory before
// and the counters are read after. It has no guard against panics.
type runner struct {
	fakes    [programs]*fake
	counters feature.Counters
	mem      *wire.Memory
	args     input.Args
	shape    input.Shape
	result   oracle.Result
}

func newRunner(spread func([]byte) uint64) *runner {
	flat := maxLen + 4
	r := &runner{shape: input.Shape{input.Bytes}, mem: wire.NewMemory(make([]byte, 4096+wire.Slots*wire.SlotSize(flat)+(4<<20)), flat)}
	r.mem.Watch(programs, int(mutate.NumOps))
	for p := range r.fakes {
		f := newFake(uint64(p)+1, p, spread)
		r.fakes[p] = f
		for i := range f.regions {
			r.counters.Regions = append(r.counters.Regions, feature.Region{
				First: r.counters.Blocks, Cov: f.regions[i].cov, Len: &f.regions[i].len,
			})
			r.counters.Blocks += regionSize
		}
	}
	return r
}

// Begin implements engine.Runner.
func (r *runner) Begin(flat []byte) {
	r.mem.SetInput(flat)
	r.mem.SetProgram(0)
	r.mem.SetState(wire.InFlight)
}

// Run implements engine.Runner.
func (r *runner) Run(p int, flat []byte, t *feature.Trace) oracle.Observation {
	r.mem.SetProgram(p)
	r.mem.Beat()
	r.args.Load(r.shape, flat)
	r.result.Reset()
	r.counters.Clear()
	r.result.Verdict(r.fakes[p].run(r.args.Bytes(0)))
	r.counters.Read(t)
	obs := r.result.Observe(true)
	if !r.mem.Intact() {
		panic("the header has changed")
	}
	return obs
}

// sink counts what the engine reports, inputs in shared memory as the worker's does.
type sink struct {
	mem                 *wire.Memory
	inputs, novel, kept int
}

func (*sink) Trace(uint64) {}

func (s *sink) Novel(int, uint64)                                             { s.novel++ }
func (s *sink) Kept(engine.Item)                                              { s.kept++ }
func (s *sink) Provisional(engine.Item)                                       {}
func (s *sink) Shown([]byte, []uint64)                                        {}
func (s *sink) Candidate(engine.Item, engine.Admission, []oracle.Observation) {}
func (s *sink) Reached([]uint32)                                              {}
func (s *sink) Repeated(uint64, bool)                                         {}
func (s *sink) Replayed(bool)                                                 {}

// Uncounted implements engine.Sink.
func (s *sink) Uncounted() {}

func (s *sink) Ran(engine.Report) {
	s.inputs++
	s.mem.Count(wire.Inputs, uint64(s.inputs))
	s.mem.Seal()
}

// few lets inputs fall into 4096 classes that behave alike: after some time nothing is new, as on a
// program that is explored.
func few(flat []byte) uint64 {
	h := uint64(len(flat)) << 6
	for i := 0; i < len(flat) && i < 8; i++ {
		h = h*31 + uint64(flat[i]>>4)
	}
	return feature.Mix(h & 4095)
}

// many lets nearly every input behave in a way of its own: every tuple is new.
func many(flat []byte) uint64 {
	h := uint64(len(flat))
	for _, b := range flat {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return feature.Mix(h)
}
