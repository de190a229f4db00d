package callgraph

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"parallax/cmd/internal/base/exit"
)

// program holds the SSA form of all packages, and the call graph.
type program struct {
	*world
	ssa       *ssa.Program
	functions []*ssa.Function // in an order that depends only on the sources
	// generic functions without an instance, and their closures; the call graph lacks their calls
	generics []*ssa.Function
	calls    *callgraph.Graph
}

// build makes the SSA form of all packages and finds the callees of all calls.
func build(ctx context.Context, w *world) (*program, error) {
	p := &program{world: w, ssa: ssa.NewProgram(w.fset, ssa.InstantiateGenerics)}
	p.ssa.CreatePackage(types.Unsafe, nil, nil, true)
	var packages []*ssa.Package
	for _, c := range w.all {
		if c.problem != "" || c.opaque {
			p.ssa.CreatePackage(c.types, nil, nil, true)
			continue
		}
		packages = append(packages, p.ssa.CreatePackage(c.types, c.files, c.info, true))
	}
	if err := buildAll(ctx, packages); err != nil {
		return nil, err
	}
	all := p.needed()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	p.calls = vta.CallGraph(all, nil)
	for f := range all {
		p.functions = append(p.functions, f)
	}
	slices.SortFunc(p.functions, func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return p, ctx.Err()
}

// buildAll builds packages in parallel.
func buildAll(ctx context.Context, packages []*ssa.Package) error {
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, q := range packages {
		if ctx.Err() != nil {
			break
		}
		wait.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() {
				if why := recover(); why != nil {
					mu.Lock()
					failed = exit.Infra("reading the calls of package %s: %v: it is a bug of parallax", q.Pkg.Path(), why)
					mu.Unlock()
				}
				<-slots
				wait.Done()
			}()
			q.Build()
		}()
	}
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failed
}

// needed returns the functions of the program: all with a body in the source, whether called or
// not, and those that the SSA form adds. Instances represent a generic function. It represents
// itself only if it has none.
func (p *program) needed() map[*ssa.Function]bool {
	all := ssautil.AllFunctions(p.ssa)
	instances := map[*ssa.Function]bool{}
	for f := range all {
		if o := f.Origin(); o != nil && o != f {
			instances[o] = true
		}
	}
	add := func(f *ssa.Function) {
		switch {
		case f == nil:
		case !generic(f):
			within(f, func(f *ssa.Function) { all[f] = true })
		case !instances[f]:
			within(f, func(f *ssa.Function) { p.generics = append(p.generics, f) })
		}
	}
	for _, c := range p.all {
		for _, file := range c.files {
			for _, d := range file.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				if obj, ok := c.info.Defs[decl.Name].(*types.Func); ok {
					add(p.ssa.FuncValue(obj))
				}
			}
		}
	}
	for f := range all {
		if generic(f) {
			delete(all, f)
		}
	}
	return all
}

// within calls use for a function and its closures.
func within(f *ssa.Function, use func(*ssa.Function)) {
	use(f)
	for _, inner := range f.AnonFuncs {
		within(inner, use)
	}
}

// generic reports whether a function has type parameters without arguments.
func generic(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f.TypeParams().Len() > 0 && len(f.TypeArgs()) == 0
}

// problems lists the packages that could not be analyzed, for the user.
func (w *world) problems() (notes []string) {
	for _, c := range w.all {
		if c.problem != "" {
			notes = append(notes, fmt.Sprintf("the calls in package %s are not known: %s", c.path, c.problem))
		}
		if c.testProblem != "" {
			notes = append(notes, fmt.Sprintf("the calls in the tests of package %s are not known: %s", c.path, c.testProblem))
		}
	}
	return notes
}

// noneReadable returns an error if none of the requested packages can be analyzed.
func (w *world) noneReadable(matched []string) error {
	first := ""
	for _, path := range matched {
		c := w.byPath[path]
		if c == nil || c.problem == "" {
			return nil
		}
		if first == "" {
			first = path + ": " + c.problem
		}
	}
	return exit.Build("the calls cannot be read, since no package can be compiled: %s", first)
}
