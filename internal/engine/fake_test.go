package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// run is the result of a fake program: the executed blocks in order, and the observation.
type run struct {
	path []int
	obs  oracle.Observation
}

// fake is a Runner of functions from an input to a run. They write their paths into counters, which
// are read as those of instrumented code.
type fake struct {
	counters feature.Counters
	programs []func(flat []byte) run
	begun    int
	ran      []int // programs that ran, in order
	dies     func(program int, flat []byte) bool
}

// errGone signals the end of the goroutine that runs a program.
var errGone = errors.New("the goroutine is gone")

func newFake(blocks int, programs ...func([]byte) run) *fake {
	return &fake{
		programs: programs,
		counters: feature.Counters{Blocks: blocks, Seq: new(uint32), Regions: []feature.Region{
			{Cov: make([]byte, blocks), Len: new([8]uint64), Ord: make([]uint32, blocks)},
		}},
	}
}

func (f *fake) Begin([]byte) { f.begun++ }

func (f *fake) Run(p int, flat []byte, t *feature.Trace) oracle.Observation {
	f.counters.Clear()
	f.ran = append(f.ran, p)
	if f.dies != nil && f.dies(p, flat) {
		t.Reset()
		panic(errGone)
	}
	r := f.programs[p](flat)
	reg := &f.counters.Regions[0]
	for _, id := range r.path {
		reg.Cov[id]++
		reg.Len[0]++
		if reg.Ord[id] == 0 {
			*f.counters.Seq++
			reg.Ord[id] = *f.counters.Seq
		}
	}
	f.counters.Read(t)
	return r.obs
}

// record is a Sink that writes one line per event.
type record struct {
	shown      []string
	events     []string
	kept       []string
	candidates []string
	reports    []Report
	differs    []uint64 // programs that differed in Repeated
	redrawn    int
	replayed   int
	realigned  int
	reached    [][]uint32
	traces     []uint64
}

func (r *record) Reached(blocks []uint32) { r.reached = append(r.reached, slices.Clone(blocks)) }

func (r *record) Uncounted() {}

func (r *record) Replayed(realigned bool) {
	r.replayed++
	if realigned {
		r.realigned++
	}
}

func (r *record) Repeated(differ uint64, redrawn bool) {
	r.differs = append(r.differs, differ)
	if redrawn {
		r.redrawn++
	}
}

func (r *record) Trace(key uint64) { r.traces = append(r.traces, key) }

func (r *record) Novel(domain int, hash uint64) {
	r.events = append(r.events, fmt.Sprintf("novel %s %x", feature.Numbered(domain).Name, hash))
}

func (r *record) Provisional(Item) {}

func (r *record) Shown(flat []byte, features []uint64) {
	r.shown = append(r.shown, fmt.Sprintf("%s %d", flat, len(features)))
}

func (r *record) Kept(it Item) {
	r.kept = append(r.kept, string(it.Flat))
	r.events = append(r.events, fmt.Sprintf("kept %q from %q by %v for %v", it.Flat, it.Parent, it.Ops, it.New))
}

func (r *record) Candidate(it Item, a Admission, obs []oracle.Observation) {
	r.candidates = append(r.candidates, string(it.Flat))
	r.events = append(r.events, fmt.Sprintf("candidate %q from %q by %v: %v %v", it.Flat, it.Parent, it.Ops, a, obs))
}

func (r *record) Ran(rep Report) {
	rep.Ops = slices.Clone(rep.Ops)
	r.reports = append(r.reports, rep)
	r.events = append(r.events, fmt.Sprintf("ran %v kept %v disagree %v", rep.Ops, rep.Kept, rep.Disagree))
}

// last returns the newest report.
func (r *record) last() Report { return r.reports[len(r.reports)-1] }

func newEngine(t testing.TB, f *fake, cfg Config) (*Engine, *record) {
	t.Helper()
	cfg.Programs, cfg.Blocks = len(f.programs), f.counters.Blocks
	if cfg.Shape == nil {
		cfg.Shape = input.Shape{input.Bytes}
	}
	if cfg.Layers == 0 {
		cfg.Layers = oracle.VerdictLayer | oracle.ValueLayer
	}
	if cfg.Mutators == "" {
		cfg.Mutators = "full"
	}
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = 256
	}
	r := &record{}
	e, err := New(cfg, f, r)
	if err != nil {
		t.Fatal(err)
	}
	return e, r
}

// try executes an input as a mutant without a parent.
func try(e *Engine, flat []byte) { e.execute(flat, nil, mutant) }

// attempt continues the current step until it has ended or a program has ended the goroutine.
func attempt(step func()) (ended bool) {
	defer func() {
		if v := recover(); v != nil {
			if v != errGone {
				panic(v)
			}
			ended = true
		}
	}()
	step()
	return false
}

func accept(value uint64) oracle.Observation {
	return oracle.Observation{Outcome: oracle.Accepted, Value: value}
}

func reject(class uint64) oracle.Observation {
	return oracle.Observation{Outcome: oracle.Rejected, Class: class}
}

func crash(class uint64) oracle.Observation {
	return oracle.Observation{Outcome: oracle.Crashed, Class: class}
}

// integer returns the flat form of an int.
func integer(v int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(int64(v))) }

func toInteger(flat []byte) int { return int(int64(binary.LittleEndian.Uint64(flat))) }
