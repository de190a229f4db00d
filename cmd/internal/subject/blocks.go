package subject

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/flow/align"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal/wire"
)

// The blocks of a target: its tables, in the order of its workers' counters.

// newSpace returns a space without blocks that knows which functions are under test.
func (t *Facts) newSpace() *flow.Space {
	return &flow.Space{Tested: t.tested, Depends: t.depends, TestedOf: t.testedOf, Named: t.named, Align: align.Versions}
}

// readTables lines the block tables up with the worker's counters.
func (t *InProcess) readTables(regions []wire.Region) error {
	b, err := lineUp(t.Plan, regions)
	if err != nil {
		return err
	}
	t.regions, t.BuildID, t.Space = regions, b.id, t.newSpace()
	t.CodeID = codeID(b.id, []string{t.binary})
	for k, tab := range b.tables {
		t.Space.Add(tab, b.owners[k]...)
	}
	return nil
}

// lined holds the block tables of a plan, lined up with the counters of its worker.
type lined struct {
	tables []*flow.Table
	owners [][]int // per table: the programs of the plan that may run its blocks
	id     string  // identity of the blocks
}

// lineUp computes the block tables from source and lines them up with the worker's counters.
// Packages without reachable functions have no counters, since the linker leaves them out.
func lineUp(plan *gobuild.Plan, regions []wire.Region) (*lined, error) {
	tables, err := plan.Tables()
	if err != nil {
		return nil, exit.Infra("reading the control flow of the instrumented packages: %w", err)
	}
	byPath := map[string]*flow.Table{}
	for _, tab := range tables {
		byPath[tab.Package] = tab
	}
	b := &lined{}
	h := fnv.New64a()
	for _, r := range regions {
		tab := byPath[r.Package]
		if tab == nil || len(tab.Blocks) != r.Counters {
			return nil, exit.Infra("the counters of package %s do not match its sources: run `go clean -cache` and try again; if this does not help, it is a bug of parallax", r.Package)
		}
		b.tables = append(b.tables, tab)
		identify(h, tab)
	}
	b.id = fmt.Sprintf("%016x", h.Sum64())
	b.owners = make([][]int, len(b.tables))
	for program, p := range plan.Programs {
		counted := false
		for k, tab := range b.tables {
			if slices.Contains(p.Closure, tab.Package) {
				b.owners[k] = append(b.owners[k], program)
				counted = true
			}
		}
		if !counted {
			plan.NoteUncounted(program)
		}
	}
	return b, nil
}

// identify writes the properties that distinguish a table from those of other builds.
func identify(to io.Writer, tab *flow.Table) {
	fmt.Fprintln(to, tab.Package)
	for _, b := range tab.Blocks {
		fmt.Fprintln(to, b.Func, b.Kind, b.Line, b.Col, b.Succs)
	}
}

// ofParallax reports whether a function on a stack belongs to the worker or the library. The
// worker's package main may lie in the module under test, and is below every program on a stack.
func (t *Facts) ofParallax(function string) bool {
	return strings.Contains(function, "/plxharness") || Inserted(function) ||
		slices.ContainsFunc(t.Plan.Libraries, func(root string) bool { return library.Has(root, function) })
}

// depends reports whether a function on a stack belongs to a dependency.
func (t *Facts) depends(function string) bool {
	return !t.ofParallax(function) && !t.tested(function) &&
		slices.ContainsFunc(t.Plan.Dependencies, func(path string) bool { return inPackage(function, path) })
}

// tested reports whether a function on a stack is under test.
func (t *Facts) tested(function string) bool {
	if t.ofParallax(function) {
		return false
	}
	if t.counted != nil && ownNative(t.counted, function) {
		return true
	}
	return slices.ContainsFunc(t.Plan.Own, func(path string) bool { return inPackage(function, path) })
}

// testedOf reports whether a function belongs to the module of a program, or to its package in the
// standard library.
func (t *Facts) testedOf(program int, function string) bool {
	if t.Test != nil || t.Pair != nil || program >= len(t.Plan.Programs) {
		return true
	}
	p := &t.Plan.Programs[program]
	if p.Module == "" || p.Module == "std" {
		return p.Package == "" || inPackage(function, p.Package)
	}
	return inPackage(function, p.Module)
}

// inPackage reports whether a function belongs to a module or package.
func inPackage(function, path string) bool {
	rest, ok := strings.CutPrefix(function, path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '/')
}

// named replaces the import path of the user's copy of the library. Bucket names stay the same when
// the user moves the copy.
func (t *Facts) named(function string) string {
	for _, root := range t.Plan.Libraries {
		if library.Has(root, function) {
			return library.Path + strings.TrimPrefix(function, root)
		}
	}
	return function
}

// ownNative reports whether a function with a known place in the source of a C program belongs to
// the program. Tables have no functions that were inlined everywhere. Names of Go functions have a
// dot, and those of the C++ library its namespace.
func ownNative(counted map[string]bool, function string) bool {
	return counted[function] || !strings.ContainsAny(function, "./") && !strings.HasPrefix(function, "std::") && !strings.HasPrefix(function, "__gnu_cxx::")
}
