package lockstep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/program"
	native "parallax/cmd/internal/program/c"
	"parallax/internal/feature"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Native is a C or C++ program and its builds.
type Native struct {
	native.Config
	Shown    string // the executable as the user knows it
	Operands string // the build that tells what comparisons compare; "" if there is none
	Ask      bool   // it is to be asked
	Ordered  bool   // its blocks are those of the program, and it tells their order
	Sanitize string // the build with sanitizers; "" if there is none
	Counters []int  // of each file of the program, if known: where those of the build with the order are others, the program runs instead
}

// nativeProgram is a C or C++ program: the build that is fuzzed, and beside it the one that looks closer.
type nativeProgram struct {
	name    string
	n       *Native
	run     *native.Program
	look    *native.Program // the build with sanitizers, once it was wanted
	first   uint32          // id of its first block
	results []native.Result
	pending []pending
	sample  sample
	frames  *symbols
	notes   []string
	broken  string // what is wrong with the program's own mutator

	unlooked string // why there is no build with sanitizers any more
}

// pending is a result whose blocks nobody has asked for.
type pending struct {
	r     *native.Result
	first uint32
}

// Fill implements feature.Later.
func (p *pending) Fill(t *feature.Trace) { p.r.Trace(t, p.first) }

func openNative(ctx context.Context, name string, n *Native) (*nativeProgram, error) {
	g, err := openBuild(ctx, name, n)
	if !n.Order || n.Counters == nil || ctx.Err() != nil {
		return g, err
	}
	if err == nil {
		if slices.EqualFunc(g.regions(), n.Counters, func(r wire.Region, counters int) bool { return r.Counters == counters }) {
			return g, nil
		}
		g.close()
	}
	n.Order = false // there is none to be had
	return openBuild(ctx, name, n)
}

func openBuild(ctx context.Context, name string, n *Native) (*nativeProgram, error) {
	c := n.Config
	c.Name, c.Leaks = name, n.Sanitize == "" // it may have sanitizers of its own
	if n.Order {
		c.Path, c.Build = n.Operands, "operands"
	}
	p, err := native.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &nativeProgram{name: name, n: n, run: p, notes: p.Notes(), frames: newSymbols()}, nil
}

func (g *nativeProgram) batch() int { return native.Batch }

func (g *nativeProgram) close() {
	g.frames.close()
	g.run.Close()
	if g.look != nil {
		g.look.Close()
	}
}

func (g *nativeProgram) regions() []wire.Region {
	all := g.run.Regions()
	var regions []wire.Region
	for i, r := range all {
		end := g.run.Counters()
		if i+1 < len(all) {
			end = all[i+1].First // a few numbers between them are nobody's
		}
		regions = append(regions, wire.Region{Package: BlocksOf + g.name + blocksIn + r.File, Counters: end - r.First})
	}
	return regions
}

// BlocksOf begins the names of the regions of C programs: the program's name and a file follow, the executable or a library.
const (
	BlocksOf = "blocks of "
	blocksIn = " in "
)

// Blocks takes the name of such a region apart. Names of programs have no spaces.
func Blocks(region string) (program, file string, ok bool) {
	rest, ok := strings.CutPrefix(region, BlocksOf)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, blocksIn)
}

// observe implements member.
func (g *nativeProgram) observe(ctx context.Context, flats [][]byte, answers []answer) error {
	for len(g.results) < len(flats) {
		g.results = append(g.results, native.Result{})
		g.pending = append(g.pending, pending{})
	}
	results := g.results[:len(flats)]
	if err := g.run.Run(ctx, flats, results); err != nil {
		return err
	}
	for i := range results {
		r, a := &results[i], &answers[i]
		g.pending[i] = pending{r, g.first}
		g.take(r, a)
		t := &a.trace
		t.Length, t.Set, t.Order, t.Digest, t.First = r.Length, r.Set, 0, r.Counts, t.First[:0]
		if t.Later = &g.pending[i]; !r.Told {
			t.Digest = 0
		}
		if g.n.Order { // which belongs to what makes inputs worth keeping
			t.Need()
		}
	}
	return g.inspect(ctx, flats, answers)
}

// take reads what a program said.
func (g *nativeProgram) take(r *native.Result, a *answer) {
	a.outcome, a.class, a.value, a.detail, a.ended = r.Outcome, 0, 0, "", r.End != nil
	a.text, a.message = append(a.text[:0], r.Output...), r.Message
	switch {
	case r.Lost > 0:
		a.outcome, a.message, a.text = judge.Crashed, fmt.Sprintf("output flood: more than %d bytes", g.n.Limits.Output), a.text[:0]
	case r.End != nil:
		a.detail = g.frames.stack(r.End)
	case r.Outcome == judge.Rejected && r.Message == "":
		a.message = fmt.Sprintf("returned %d", r.Code)
	}
}

// sample decides which inputs the build with sanitizers runs while fuzzing, no more than a share of all that is executed, in blocks.
// First come those that execute a set of blocks that was not seen lately, however many blocks these are: what an input costs more than was saved, those
// after it save. An error that
// sanitizers alone see lies where blocks are executed, and inputs with the same blocks mostly have it or not together (Kong, Li,
// Huang, Su: "SAND: Decoupling Sanitization from Fuzzing for Low Overhead", 2024). Mostly: an index may be wrong for some values only, and so
// what these leave of the share goes to inputs as they come.
type sample struct {
	seen   [1 << 12]uint64
	credit int64 // blocks; less than nothing after an input that costs more than was saved
}

const (
	// inspectShare: of so many blocks that are executed, one is by the build with sanitizers. A block costs five to eight times as much
	// there, so that it takes about a fifth of the time.
	inspectShare = 24
	inspectMost  = 1 << 24 // blocks that are saved up
	inspectSpare = 1 << 20 // of which so many are kept for new sets
	inspectLeast = 64      // blocks that a run is counted as, at least: it takes time besides
)

func (s *sample) wants(set, length uint64) bool {
	length = max(length, inspectLeast)
	s.credit = min(s.credit+int64(min(length, inspectMost)), inspectMost)
	slot := &s.seen[set>>52]
	if s.credit < 0 || *slot == set && s.credit < inspectSpare {
		return false
	}
	*slot = set
	s.credit -= int64(min(length*inspectShare, inspectMost))
	return true
}

// inspect has the build with sanitizers run a share of the inputs, and those on which the other one ended.
func (g *nativeProgram) inspect(ctx context.Context, flats [][]byte, answers []answer) error {
	if g.n.Sanitize == "" {
		return nil
	}
	var inputs [][]byte
	var at []int
	for i := range flats {
		if g.results[i].End == nil && g.sample.wants(g.results[i].Set, g.results[i].Length) {
			inputs, at = append(inputs, flats[i]), append(at, i)
		}
	}
	results, err := g.closer(ctx, inputs)
	for k := range results {
		if r := &results[k]; r.End != nil && r.Outcome == judge.Crashed {
			g.take(r, &answers[at[k]])
		}
	}
	return err
}

// Limits of the build with sanitizers, relative to the other's: shadow memory and quarantine, and what its checks cost.
const (
	closerMemory = 3
	closerTime   = 5
)

// closer runs inputs in the build with sanitizers.
func (g *nativeProgram) closer(ctx context.Context, inputs [][]byte) ([]native.Result, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	if g.look == nil {
		c := g.n.Config
		c.Name, c.Path, c.Build, c.Leaks, c.Order = g.name, g.n.Sanitize, "sanitize", true, false
		c.Env = slices.DeleteFunc(slices.Clone(c.Env), native.FakesTime) // its clock is not pinned
		c.Limits.Memory *= closerMemory
		c.Limits.Timeout *= closerTime
		p, err := native.Open(ctx, c)
		if err != nil {
			return nil, g.without(ctx, err)
		}
		g.look = p
	}
	results := make([]native.Result, len(inputs))
	if err := g.look.Run(ctx, inputs, results); err != nil {
		return nil, g.without(ctx, err)
	}
	return results, nil
}

// without has the campaign go on without the build with sanitizers, if that is what does not start, for the first time or again. It returns all
// other errors.
func (g *nativeProgram) without(ctx context.Context, err error) error {
	var failed *program.Failure
	if !errors.As(err, &failed) || ctx.Err() != nil {
		return err
	}
	if g.look != nil {
		g.look.Close()
		g.look = nil
	}
	g.n.Sanitize = ""
	first, _, _ := strings.Cut(failed.What, "\n")
	g.unlooked = g.name + ": nothing is checked by sanitizers: " + first
	return nil
}

// detail implements member. Where details are wanted, each input runs in the build with sanitizers too, which may know better why a
// process ends, or end where the other did not. Where blocks alone are, as of hundreds of neighbours of a disagreement, it does not.
func (g *nativeProgram) detail(ctx context.Context, flats [][]byte, flags uint64, told []wire.RunResult) error {
	results := make([]native.Result, len(flats))
	if err := g.run.Run(ctx, flats, results); err != nil {
		return err
	}
	var a answer
	for i := range results {
		r := &results[i]
		g.take(r, &a)
		told[i] = a.result(flags)
		if flags&wire.WantHits != 0 {
			var t feature.Trace
			r.Trace(&t, g.first)
			told[i].Hits, told[i].First, told[i].Length, told[i].Set = t.Hits, t.First, r.Length, r.Set
		}
	}
	if g.n.Sanitize == "" || flags&wire.WantDetail == 0 || flags&wire.Plain != 0 {
		return nil
	}
	closer, err := g.closer(ctx, flats)
	if err != nil {
		return err
	}
	for i := range closer {
		c := &closer[i]
		ended := c.End != nil && c.Outcome == judge.Crashed
		switch {
		case ended && judge.Outcome(told[i].Outcome) <= judge.Crashed:
			hits, first := told[i].Hits, told[i].First
			g.take(c, &a)
			told[i] = a.result(flags)
			told[i].Hits, told[i].First = hits, first
		case !ended && results[i].End != nil && results[i].Outcome == judge.Crashed:
			told[i].Stack = strings.TrimRight(told[i].Stack, "\n") + "\n\nThe build with sanitizers does not end on this input.\n"
		}
	}
	return nil
}

// mutate has the program's own mutator change inputs. Where it ends the process there is no mutant, and a note.
func (g *nativeProgram) mutate(ctx context.Context, flats [][]byte, seed uint64, most int) ([][]byte, error) {
	results := make([]native.Result, len(flats))
	if err := g.run.Mutate(ctx, flats, seed, most, results); err != nil {
		return nil, err
	}
	mutants := make([][]byte, len(flats))
	for i := range results {
		r := &results[i]
		if r.End != nil {
			g.broken = g.name + ": its own mutator ends the process (" + r.Message + "); such inputs stay as they are"
		} else if r.Outcome == judge.Accepted {
			mutants[i] = append([]byte{}, r.Output...)
		}
	}
	return mutants, nil
}

// news are notes that were not told yet.
func (g *nativeProgram) news() (notes []string) {
	all := g.run.Notes()
	if g.look != nil {
		all = append(all, g.look.Notes()...)
	}
	for _, note := range []string{g.broken, g.unlooked} {
		if note != "" {
			all = append(all, note)
		}
	}
	for _, n := range all {
		fresh := true
		for _, old := range g.notes {
			fresh = fresh && n != old
		}
		if fresh {
			g.notes, notes = append(g.notes, n), append(notes, n)
		}
	}
	return notes
}
