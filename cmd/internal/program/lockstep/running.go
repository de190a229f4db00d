package lockstep

import (
	"context"
	"slices"
	"strings"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// running is one program that runs, and its place among the others. It belongs to one goroutine at
// a time.
type running struct {
	name  string
	exec  program.Executor
	first uint32   // id of its first block or feature
	notes []string // that were told
	obs   []program.Observation
	// silent says that nothing is told of what it executes, so that what it says guides.
	silent bool

	tracer   program.Tracer   // nil: what was executed are features, of which traces are made here
	blocks   program.Blocks   // nil: features have no place in a source
	quoter   program.Quoter   // nil: an input is its bytes
	detailer program.Detailer // nil: observations are all there is to know
}

func newRunning(name string, e program.Executor) *running {
	m := &running{name: name, exec: e}
	m.tracer, _ = e.(program.Tracer)
	m.blocks, _ = e.(program.Blocks)
	m.detailer, _ = e.(program.Detailer)
	m.quoter, _ = e.(program.Quoter)
	if n, ok := e.(program.Noter); ok {
		m.notes = n.Notes()
	}
	return m
}

// Regions have names: of a build that programs share the build's and a package, of other blocks the
// program's and a file, the executable or a library. Features are no package's counters.
const (
	blocksOf   = "blocks of "
	blocksIn   = " in "
	FeaturesOf = "features of " // and the program's name
)

// Blocks takes the name of a region of a program's own blocks apart. Names of programs have no
// spaces.
func Blocks(region string) (program, file string, ok bool) {
	rest, ok := strings.CutPrefix(region, blocksOf)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, blocksIn)
}

// regions are those of the program, and what it shares them with.
func (m *running) regions() (shared string, regions []wire.Region) {
	if m.blocks == nil {
		if n := m.exec.Features(); n > 0 {
			regions = append(regions, wire.Region{Package: FeaturesOf + m.name, Counters: n})
		}
		return "", regions
	}
	for _, r := range m.blocks.Regions() {
		name := blocksOf + m.name + blocksIn + r.Name
		if shared = r.Shared; shared != "" {
			name = shared + r.Name
		}
		regions = append(regions, wire.Region{Package: name, Counters: r.Counters})
	}
	return shared, regions
}

// number says which number the first block or feature has.
func (m *running) number(first uint32) {
	m.first = first
	if m.tracer != nil {
		m.tracer.Number(first)
	}
}

// before are the blocks that are known to have been executed before the first input.
func (m *running) before() []uint32 {
	if s, ok := m.exec.(program.Starter); ok {
		return s.Before()
	}
	return nil
}

// observe runs inputs. When ctx ends it returns soon, with ctx's error.
func (m *running) observe(ctx context.Context, flats [][]byte, obs []program.Observation) error {
	if m.tracer != nil {
		return m.exec.Execute(ctx, flats, obs)
	}
	for i := range obs {
		obs[i].Reset()
	}
	if err := m.exec.Execute(ctx, flats, obs); err != nil {
		return err
	}
	for i := range obs {
		m.trace(&obs[i])
	}
	return nil
}

// trace completes an observation by what a Tracer tells itself.
func (m *running) trace(o *program.Observation) {
	o.Class, o.Digest, o.Place, o.Ended = 0, 0, 0, o.Outcome >= oracle.Crashed
	t := &o.Trace
	t.Reset()
	for i, f := range o.Features {
		t.Hits = append(t.Hits, m.first+f)
		t.Counts = append(t.Counts, o.Counts[i])
		t.Length += uint64(o.Counts[i])
	}
	t.Seal()
}

// detail runs inputs and tells what the flags of a Run order ask for, but for texts of a Spec with
// Text. Features have no place in a source that parallax knows, and are left out.
func (m *running) detail(ctx context.Context, flats [][]byte, flags uint64, results []wire.RunResult) error {
	if m.detailer != nil {
		return m.detailer.Detail(ctx, flats, flags, results)
	}
	for len(m.obs) < len(flats) {
		m.obs = append(m.obs, program.Observation{})
	}
	obs := m.obs[:len(flats)]
	if err := m.observe(ctx, flats, obs); err != nil {
		return err
	}
	for i := range obs {
		results[i] = obs[i].Result(flags)
		if m.quoter != nil && flags&wire.WantDetail != 0 {
			results[i].Shown = m.quoter.Quote(flats[i])
		}
		if m.blocks != nil && flags&wire.WantHits != 0 {
			t := &obs[i].Trace
			results[i].Hits, results[i].Length, results[i].Set = slices.Clone(t.Hits), t.Length, t.Set
		}
	}
	return nil
}

// news are notes of the program that were not told yet: that it ends between inputs, for example.
func (m *running) news() (notes []string) {
	n, ok := m.exec.(program.Noter)
	if !ok {
		return nil
	}
	for _, note := range n.Notes() {
		if !slices.Contains(m.notes, note) {
			m.notes, notes = append(m.notes, note), append(notes, note)
		}
	}
	return notes
}
