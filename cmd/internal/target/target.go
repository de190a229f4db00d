// Package target owns what runs: it resolves and builds the programs that a user names, says how their workers are started, and
// knows what there is to know of them without running them. Campaigns, the commands that work on what these left, and bisect
// use it.
//
// Programs share the process of a worker where they can. Those that cannot (versions of one module, toolchains, C programs,
// commands, services) run in lockstep, each in a process of its own (package lockstep).
//
// Invariants: what is built is in the user's cache, and never in a campaign's folder; block ids mean the same in every worker of a
// target, which Check makes sure of.
package target

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/flow/align"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/instrument/golang"
	"parallax/cmd/internal/target/cache"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// Target is a resolved and built target: what can be executed, and what is known about its blocks.
type Target struct {
	Plan   *harness.Plan
	Name   string // safe as a file name
	Mode   string // diff or fuzz
	Binary string
	Names  []string
	Shape  input.Shape

	mix     *mix      // nil: the programs share a worker
	Test    *fuzzTest // nil: functions named on the command line
	built   *build    // kept open: what is in use is not removed
	dir     string    // working folder of the programs
	hello   wire.HelloMessage
	Tables  []*flow.Table // in the order of the worker's regions
	First   []int         // id of each table's first block among all blocks
	Blocks  int
	BuildID string               // identity of the blocks
	Owners  []map[int]bool       // for each program: the tables of the packages it may run
	funcs   map[string]flow.Func // by name as in stack traces
	native  map[string]bool      // functions of C programs, by name

	aligning  sync.Once
	alignment align.Alignment // by Twin and Change
}

// Modes of a target.
const (
	Diff = "diff"
	Fuzz = "fuzz"
)

// Build resolves the functions and builds the worker. Products go into a cache folder of the user's, one for every
// campaign folder, so that building again is quick and nothing is written where a campaign may not be.
func Build(ctx context.Context, o *Options, tool string, progress func(string)) (*Target, error) {
	if o.Config != nil {
		return buildMixed(ctx, o, tool, progress)
	}
	order := feature.NeedsOrder(o.Guidance)
	space, err := cache.Open(append([]string{o.Dir, fmt.Sprint(o.Instrument), o.Repair, fmt.Sprint(order)}, o.Functions...)...)
	if err != nil {
		return nil, err
	}
	dir := space.Dir
	release, err := space.Lock()
	if err != nil {
		return nil, err
	}
	defer release()
	plan, err := harness.Resolve(ctx, harness.Request{
		Dir: o.Dir, Functions: o.Functions, Out: dir, Parallax: tool, Instrument: o.Instrument, Repair: o.Repair,
		Order: order, Progress: progress,
	})
	var versions *harness.VersionsError
	if errors.As(err, &versions) && o.Repair == "" {
		space.Close()
		return buildMixed(ctx, o, tool, progress)
	}
	if err != nil {
		return nil, err
	}
	t := &Target{Plan: plan, Name: plan.Target, Mode: Diff, Shape: plan.Shape, built: &build{plan: plan, space: space}}
	for _, p := range plan.Programs {
		t.Names = append(t.Names, p.Name)
	}
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	if t.Binary, err = space.Own(built); err != nil {
		return nil, err
	}
	os.Remove(t.built.operandsPath())                                            // of a process that had this one's number
	t.dir = filepath.Join(dir, "run", fmt.Sprintf("%016x", cache.Digest(o.Out))) // other campaigns may share the folder
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return nil, exit.Infra("creating the working folder of the programs: %w", err)
	}
	progress("reading the control flow")
	w, err := execute.Start(t.Spec(o))
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	defer w.Close()
	return t, t.readTables(w.Hello.Regions)
}

// Close gives up the build. Workers must not be started any more. The builds of tests are given up by FuzzTests.Close.
func (t *Target) Close() {
	if t.Test == nil {
		os.Remove(t.dir) // if it is empty, which it is unless programs have littered
		t.built.space.Close()
	}
}

// Spec says how the target's workers are started. Functions run in a folder that they may litter, tests in their
// package's, as they do under go test.
func (t *Target) Spec(o *Options) execute.Spec {
	if t.mix != nil {
		return t.mix.conductor(o, t.Shape, t.mix.file)
	}
	s := execute.Spec{
		Binary: t.Binary, Dir: t.dir, MaxFlat: MaxFlat(t.Shape, o.MaxBytes), Timeout: o.Timeout, Memory: o.Memory,
	}
	if t.Test != nil {
		s.Args, s.Test, s.Mode = t.Test.args(), true, t.Mode
	}
	return s
}

// readTables computes the block tables from source and lines them up with the worker's counters. The linker leaves out
// packages of which no function can be reached; they have no counters.
func (t *Target) readTables(regions []wire.Region) error {
	tables, err := t.Plan.Tables()
	if err != nil {
		return exit.Infra("reading the control flow of the instrumented packages: %w", err)
	}
	byPath := map[string]*flow.Table{}
	for _, tab := range tables {
		byPath[tab.Package] = tab
	}
	h := fnv.New64a()
	t.funcs = map[string]flow.Func{}
	index := map[string]int{}
	for _, r := range regions {
		tab := byPath[r.Package]
		if tab == nil || len(tab.Blocks) != r.Counters {
			return exit.Infra("the counters of package %s do not match its sources: run `go clean -cache` and try again; if it stays so, it is a bug of parallax", r.Package)
		}
		index[tab.Package] = len(t.Tables)
		t.Tables = append(t.Tables, tab)
		t.First = append(t.First, t.Blocks)
		t.Blocks += len(tab.Blocks)
		fmt.Fprintln(h, tab.Package)
		for _, f := range tab.Funcs {
			t.funcs[tab.Package+"."+f.Name] = f
		}
		for _, b := range tab.Blocks {
			fmt.Fprintln(h, b.Func, b.Kind, b.Line, b.Col, b.Succs)
		}
	}
	t.BuildID = fmt.Sprintf("%016x", h.Sum64())
	for program, p := range t.Plan.Programs {
		own := map[int]bool{}
		for _, path := range p.Closure {
			if i, ok := index[path]; ok {
				own[i] = true
			}
		}
		t.Owners = append(t.Owners, own)
		if len(own) == 0 {
			t.Plan.NoteUncounted(program)
		}
	}
	return nil
}

// Check makes sure that a worker's ids mean what the tables say.
func (t *Target) Check(w *execute.Worker) error {
	if t.mix != nil {
		if !slices.Equal(w.Hello.Regions, t.hello.Regions) {
			return exit.Infra("the programs have changed since they were started first: is another parallax building the same target?")
		}
		return nil
	}
	same := slices.EqualFunc(w.Hello.Regions, t.Tables, func(r wire.Region, tab *flow.Table) bool {
		return r.Package == tab.Package && r.Counters == len(tab.Blocks)
	})
	if !same {
		return exit.Infra("the worker has changed since it was built: is another parallax building the same target?")
	}
	return nil
}

// find returns the table of a block and its index there.
func (t *Target) find(id int) (*flow.Table, int) {
	k := sort.Search(len(t.First), func(i int) bool { return t.First[i] > id }) - 1
	return t.Tables[k], id - t.First[k]
}

// Block is a block, with the table that holds it.
func (t *Target) Block(id int) (*flow.Table, *flow.Block) {
	tab, i := t.find(id)
	return tab, &tab.Blocks[i]
}

// Place names a block so that the name survives edits elsewhere: package, function and the block's number in it.
func (t *Target) Place(id int) string {
	tab, i := t.find(id)
	b := tab.Blocks[i]
	f := tab.Funcs[b.Func]
	return fmt.Sprintf("%s.%s#%d", tab.Package, f.Name, i-f.First)
}

// Location is a block's file and line, the file as people know it: the package's path and the file's name.
func (t *Target) Location(id int) string {
	if id == flow.None {
		return ""
	}
	tab, i := t.find(id)
	b := tab.Blocks[i]
	return fmt.Sprintf("%s:%d", b.File, b.Line)
}

// At is the file and line of the condition that leads to a block.
func (t *Target) At(id int) string {
	tab, i := t.find(id)
	b := tab.Blocks[i]
	return fmt.Sprintf("%s:%d", b.File, b.Cond)
}

// Twin is a number that blocks have in common which correspond in versions of one function.
func (t *Target) Twin(id int) int {
	return t.aligned().Numbers[id]
}

// Change is file and line of what was changed in a block between versions of its package; empty where nothing was.
func (t *Target) Change(id int) string {
	line, ok := t.aligned().Changed[id]
	if !ok {
		return ""
	}
	tab, i := t.find(id)
	return fmt.Sprintf("%s:%d", tab.Blocks[i].File, line)
}

func (t *Target) aligned() *align.Alignment {
	t.aligning.Do(func() { t.alignment = align.Versions(t.Tables, t.First, t.Blocks) })
	return &t.alignment
}

// Branch is the first block of those to which a branch with two ways leads, for both of them; the block itself where there are
// more, as in a switch, whose clauses are causes of their own.
func (t *Target) Branch(id int) int {
	tab, i := t.find(id)
	fn := tab.Funcs[tab.Blocks[i].Func]
	for _, b := range tab.Blocks[fn.First : fn.First+fn.Count] {
		if len(b.Succs) == 2 && slices.Contains(b.Succs, i) {
			return id - i + b.Succs[0]
		}
	}
	return id
}

// Succs are the blocks that can be the next one in the function of a block.
func (t *Target) Succs(id int) []int {
	tab, i := t.find(id)
	first := id - i
	succs := make([]int, len(tab.Blocks[i].Succs))
	for k, s := range tab.Blocks[i].Succs {
		succs[k] = first + s
	}
	return succs
}

// Line counts a stack frame's line from the beginning of its function, which edits elsewhere do not change.
func (t *Target) Line(f judge.Frame) (int, bool) {
	fn, ok := t.function(f)
	return f.Line - fn.Line, ok
}

// helperBlocks is the size up to which a function can be one that others report through.
const helperBlocks = 4

// Helper reports whether a frame's function is so small that it reports what its caller found: must, check, assert.
func (t *Target) Helper(f judge.Frame) bool {
	fn, ok := t.function(f)
	return ok && fn.Count <= helperBlocks
}

func (t *Target) function(f judge.Frame) (flow.Func, bool) {
	name := f.Func
	if s, err := url.PathUnescape(name); err == nil { // dots in a package's last element are escaped
		name = s
	}
	fn, ok := t.funcs[name]
	return fn, ok
}

// Covered counts, for a program, the blocks it may run and those it has run.
func (t *Target) Covered(program int, m feature.Map) (blocks, covered int) {
	for k, tab := range t.Tables {
		part := m[t.First[k] : t.First[k]+len(tab.Blocks)]
		n := part.Covered()
		if t.Owners[program][k] {
			blocks += len(tab.Blocks)
			covered += n
		}
	}
	return blocks, covered
}

// Own reports whether a function on a stack belongs to what is tested.
func (t *Target) Own(function string) bool {
	// The harness may lie in the module under test, and is below every program on a stack.
	if strings.Contains(function, "/plxharness") || golang.Inserted(function) {
		return false
	}
	if t.native != nil && ownNative(t.native, function) {
		return true
	}
	for _, prefix := range t.Plan.Own {
		if rest, ok := strings.CutPrefix(function, prefix); ok && (rest == "" || rest[0] == '.' || rest[0] == '/') {
			return true
		}
	}
	return false
}

// ownNative reports whether a function with a known place in a C program's source is the program's own. Of functions that were
// inlined everywhere no table knows; names of Go functions have a dot, and those of the C++ library its namespace.
func ownNative(counted map[string]bool, function string) bool {
	return counted[function] || !strings.ContainsAny(function, "./") && !strings.HasPrefix(function, "std::") && !strings.HasPrefix(function, "__gnu_cxx::")
}

// MaxFlat is the largest flat form of an input whose arguments have at most max bytes.
func MaxFlat(shape input.Shape, max int) int {
	n := 0
	for _, k := range shape {
		if w := k.Width(); w > 0 {
			n += w
		} else {
			n += max + 4
		}
	}
	return n
}
