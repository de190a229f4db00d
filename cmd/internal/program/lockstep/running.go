package lockstep

import (
	"context"
	"slices"
	"strings"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// running is a running program with its numbers among the others. It belongs to one goroutine at a
// time.
type running struct {
	name  string
	exec  program.Executor
	first uint32   // number of its first block or feature
	notes []string // already reported
	obs   []program.Observation
	// silent says that the program has no coverage, so that its output guides.
	silent bool

	tracer   program.Tracer   // nil if it has features, from which traces are made here
	blocks   program.Blocks   // nil if features have no place in a source
	quoter   program.Quoter   // nil if inputs are shown as bytes
	detailer program.Detailer // nil if observations have all details
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

// Names of regions. A region of a shared build is named by the build and a package. Other blocks
// are named by the program and a file: the executable or a library. Features are not counters of a
// package.
const (
	blocksOf   = "blocks of "
	blocksIn   = " in "
	FeaturesOf = "features of " // followed by the program's name
)

// Blocks parses the name of a region of a program's own blocks. Names of programs have no spaces.
func Blocks(region string) (program, file string, ok bool) {
	rest, ok := strings.CutPrefix(region, blocksOf)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, blocksIn)
}

// regions returns the regions of the program, and the name of a shared build.
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

// number sets the number of the first block or feature.
func (m *running) number(first uint32) {
	m.first = first
	if m.tracer != nil {
		m.tracer.Number(first)
	}
}

// before returns the blocks executed before the first input, as far as known.
func (m *running) before() []uint32 {
	if s, ok := m.exec.(program.Starter); ok {
		return s.Before()
	}
	return nil
}

// observe runs inputs. When ctx ends, it returns soon with ctx's error.
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

// trace completes an observation with the fields that a Tracer fills itself.
func (m *running) trace(o *program.Observation) {
	o.Class, o.Digest, o.Parts, o.Place, o.Ended = 0, 0, oracle.Parts{}, 0, o.Outcome >= oracle.Crashed
	t := &o.Trace
	t.Reset()
	for i, f := range o.Features {
		t.Hits = append(t.Hits, m.first+f)
		t.Counts = append(t.Counts, o.Counts[i])
		t.Length += uint64(o.Counts[i])
	}
	t.Seal()
}

// detail runs inputs and fills results with the details that the flags of a Run order request,
// except texts of a Spec with Text. It omits features, which have no known place in a source.
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
			if flags&wire.WantCounts != 0 {
				results[i].Counts = slices.Clone(t.Counts)
			}
		}
	}
	return nil
}

// newNotes returns new notes of the program.
func (m *running) newNotes() (notes []string) {
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
