package callgraph

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/golang"
)

// extractor converts a program to a Graph.
type extractor struct {
	*program
	graph     *Graph
	packages  map[string]int
	files     map[string]int
	places    map[flow.Position]int // functions by position
	objects   map[string]int        // functions without a position, by package and name
	ids       map[*ssa.Function]int
	building  []map[[3]int]*site // by function: sites by position
	names     map[flow.Position]string
	cgo       map[string]bool // files that cgo made
	resolved  *resolver
	callbacks *callbacks
	expanded  map[*ssa.Function]*expansion
	wrappers  map[*ssa.Function]*wrapper
}

// none means no function: a wrapper.
const none = -1

func extract(p *program) *Graph {
	x := &extractor{program: p, graph: &Graph{}, packages: map[string]int{}, files: map[string]int{}, places: map[flow.Position]int{},
		objects: map[string]int{}, ids: map[*ssa.Function]int{}, names: map[flow.Position]string{}, cgo: map[string]bool{}, expanded: map[*ssa.Function]*expansion{}, wrappers: map[*ssa.Function]*wrapper{}}
	for i, c := range p.all {
		x.packages[c.path] = i
		x.graph.packages = append(x.graph.packages, packageNode{path: c.path, skipped: c.problem != "", own: !c.standard})
	}
	for i, c := range p.all {
		x.readNames(c)
		q := &x.graph.packages[i]
		for _, path := range c.imports {
			if k, ok := x.packages[path]; ok {
				q.imports = append(q.imports, k)
			}
		}
		slices.Sort(q.imports)
		q.imports = slices.Compact(q.imports)
	}
	x.resolved = newResolver(p)
	for _, f := range p.functions {
		x.id(f)
	}
	x.callbacks = newCallbacks(x)
	for _, f := range p.functions {
		x.sites(f)
	}
	for _, f := range p.generics {
		x.sites(f)
	}
	x.callbacks.finish()
	for f, sites := range x.building {
		fn := &x.graph.functions[f]
		for _, s := range sites {
			slices.Sort(s.callees)
			s.callees = slices.Compact(s.callees)
			fn.sites = append(fn.sites, *s)
		}
		slices.SortFunc(fn.sites, func(a, b site) int {
			return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
		})
	}
	x.graph.Notes = p.problems()
	return x.graph
}

// readNames finds the names that block tables use for the functions of a package outside of the
// standard library.
func (x *extractor) readNames(c *checked) {
	for i, name := range c.source.files {
		if c.compiled && !slices.Contains(c.written, name) && c.parsed[0][i] != nil {
			x.cgo[name] = true
		}
	}
	if c.standard || c.problem != "" {
		return
	}
	files := append(slices.Clone(c.written), c.tests...)
	if c.testProblem != "" {
		files = c.written
	}
	table, err := golang.Analyze(c.path, files, golang.Options{})
	if err != nil {
		return // the SSA names are used instead
	}
	for i, at := range table.Starts {
		x.names[at] = table.Funcs[i].Name
	}
}

// place returns the position of p in the file that the user wrote.
func (x *extractor) place(p token.Pos) flow.Position {
	if !p.IsValid() {
		return flow.Position{}
	}
	at := x.fset.PositionFor(p, false)
	if x.cgo[at.Filename] { // its //line directives lead to the user's file, with exact columns
		at = x.fset.PositionFor(p, true)
	}
	return flow.Position{File: at.Filename, Line: at.Line, Col: at.Column}
}

func (x *extractor) file(name string) int {
	i, ok := x.files[name]
	if !ok {
		i = len(x.graph.files)
		x.files[name] = i
		x.graph.files = append(x.graph.files, name)
	}
	return i
}

// id returns the number of the source function that an SSA function is a part or an instance of, or
// none for a wrapper.
func (x *extractor) id(f *ssa.Function) int {
	if i, ok := x.ids[f]; ok {
		return i
	}
	i := x.identify(f)
	x.ids[f] = i
	return i
}

func (x *extractor) identify(f *ssa.Function) int {
	if yields(f) {
		return x.id(f.Parent())
	}
	if f.Synthetic == "package initializer" {
		return x.add("init "+f.Pkg.Pkg.Path(), flow.Position{}, function{pkg: x.packages[f.Pkg.Pkg.Path()], name: "init", kind: initializer})
	}
	k := ordinary
	if len(f.Blocks) == 0 {
		k = bodiless
	}
	path := pathOf(f)
	switch syntax := f.Syntax().(type) {
	case *ast.FuncDecl:
		at := x.place(syntax.Type.Func)
		name, known := x.names[at]
		if !known {
			name = declaredName(f)
		}
		if syntax.Recv == nil && syntax.Name.Name == "init" {
			k = startup
		} else if isHarness(f, at.File) {
			k = harness
		}
		return x.add("", at, function{pkg: x.packages[path], name: name, kind: k})
	case *ast.FuncLit:
		at := x.place(syntax.Type.Func)
		name, known := x.names[at]
		if !known {
			name = x.closureName(f)
		}
		return x.add("", at, function{pkg: x.packages[path], name: name, kind: k})
	}
	if o := f.Origin(); o != nil && o != f {
		return x.id(o)
	}
	if obj, ok := f.Object().(*types.Func); ok && len(f.Blocks) == 0 && obj.Pkg() != nil && !abstract(obj) {
		name := declaredName(f)
		return x.add(obj.Pkg().Path()+" "+name, flow.Position{}, function{pkg: x.packages[obj.Pkg().Path()], name: name, kind: bodiless})
	}
	return none
}

// add finds or adds a function by its position, or by a key if it has none.
func (x *extractor) add(key string, at flow.Position, fn function) int {
	if at.File != "" {
		if i, ok := x.places[at]; ok {
			return i
		}
		x.places[at] = len(x.graph.functions)
		fn.file, fn.line, fn.col = x.file(at.File), at.Line, at.Col
	} else {
		if i, ok := x.objects[key]; ok {
			return i
		}
		x.objects[key] = len(x.graph.functions)
		fn.file = -1
	}
	x.graph.functions = append(x.graph.functions, fn)
	x.building = append(x.building, map[[3]int]*site{})
	return len(x.graph.functions) - 1
}

// yields reports whether a function is the body of a range over a function.
func yields(f *ssa.Function) bool { return f.Synthetic == "range-over-func yield" }

// abstract reports whether a method belongs to an interface.
func abstract(obj *types.Func) bool {
	recv := obj.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

func pathOf(f *ssa.Function) string {
	for f.Pkg == nil && f.Parent() != nil {
		f = f.Parent()
	}
	if f.Pkg == nil && f.Origin() != nil {
		f = f.Origin()
	}
	if f.Pkg != nil {
		return f.Pkg.Pkg.Path()
	}
	if obj := f.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}

// declaredName returns the name of a declared function as the runtime prints it.
func declaredName(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	name := f.Name()
	if syntax, ok := f.Syntax().(*ast.FuncDecl); ok {
		name = syntax.Name.Name
	}
	recv := f.Signature.Recv()
	if recv == nil {
		if f.Signature.TypeParams().Len() > 0 {
			name += "[...]"
		}
		return name
	}
	t, format := types.Unalias(recv.Type()), "%s.%s"
	if p, ok := t.(*types.Pointer); ok {
		t, format = types.Unalias(p.Elem()), "(*%s).%s"
	}
	of := "?"
	if n, ok := t.(*types.Named); ok {
		of = n.Obj().Name()
		if n.TypeParams().Len() > 0 {
			of += "[...]"
		}
	}
	return fmt.Sprintf(format, of, name)
}

// closureName returns the name of a closure as the runtime prints it, except for the number, which
// follows the source.
func (x *extractor) closureName(f *ssa.Function) string {
	outer := f.Parent()
	for yields(outer) {
		outer = outer.Parent()
	}
	number := f.Name()[strings.LastIndexByte(f.Name(), '$')+1:]
	if _, err := strconv.Atoi(number); err != nil {
		number = "1"
	}
	of := "init"
	if i := x.id(outer); i != none {
		of = x.graph.functions[i].name
	}
	if outer.Parent() != nil {
		return of + "." + number
	}
	return of + ".func" + number
}

// isHarness reports whether go test treats a function as a fuzz target.
func isHarness(f *ssa.Function, file string) bool {
	if !strings.HasSuffix(filepath.Base(file), "_test.go") || f.Signature.Recv() != nil || !fuzztest.IsName(f.Name()) {
		return false
	}
	sig := f.Signature
	return sig.Params().Len() == 1 && sig.Results().Len() == 0 && sig.TypeParams().Len() == 0 && sig.Params().At(0).Type().String() == "*testing.F"
}

// sites adds the calls of a function.
func (x *extractor) sites(f *ssa.Function) {
	from := x.id(f)
	if from == none {
		return
	}
	resolve := x.resolved.callees(f)
	path := x.graph.packages[x.graph.functions[from].pkg].path
	own := x.graph.packages[x.graph.functions[from].pkg].own
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			s := x.site(from, call)
			callees, unknown := resolve(call)
			for _, c := range callees {
				unknown = x.enter(s, c) || unknown
				if x.opaque(c) {
					unknown = x.passedToRuntime(s, call.Common()) || unknown
				}
			}
			s.unknown = s.unknown || unknown
			slices.Sort(s.callees)
			s.callees = slices.Compact(s.callees)
			if own || x.resolved.near[path] {
				x.callbacks.site(s, call, callees)
			}
			if own {
				for _, c := range passed(call.Common()) {
					x.enter(s, c)
				}
			}
		}
	}
}

// opaque reports whether a function belongs to the runtime.
func (x *extractor) opaque(f *ssa.Function) bool {
	c := x.byPath[pathOf(f)]
	return c != nil && c.opaque
}

// passedToRuntime adds the functions that a call passes to the runtime, directly or as interfaces,
// since the runtime may call them. It reports whether some of them are unknown.
func (x *extractor) passedToRuntime(s *site, call *ssa.CallCommon) (unknown bool) {
	for _, arg := range call.Args {
		_, function := arg.Type().Underlying().(*types.Signature)
		found := values(arg, function)
		for _, f := range found {
			unknown = x.enter(s, f) || unknown
		}
		unknown = unknown || function && len(found) == 0
	}
	return unknown
}

// enter adds a callee to a site. It replaces a wrapper by the functions that it calls. It reports
// whether unknown functions may be called.
func (x *extractor) enter(s *site, callee *ssa.Function) (unknown bool) {
	if yields(callee) {
		return false // control is in the function that contains the range
	}
	if i := x.id(callee); i != none {
		s.callees = append(s.callees, i)
		return false
	}
	e := x.expand(callee)
	s.callees = append(s.callees, e.ids...)
	return e.unknown
}

// expansion lists the functions that a wrapper calls, directly or through other wrappers.
type expansion struct {
	ids     []int // ascending
	unknown bool  // may also call unknown functions
}

// wrapper is a function without a source position, with its direct calls.
type wrapper struct {
	expansion
	wrappers []*ssa.Function
}

// expand follows a wrapper. It visits each other wrapper once, because wrappers of interfaces may
// call each other in too many ways.
func (x *extractor) expand(of *ssa.Function) *expansion {
	if e := x.expanded[of]; e != nil {
		return e
	}
	e := &expansion{}
	x.expanded[of] = e
	seen := map[*ssa.Function]bool{of: true}
	for todo := []*ssa.Function{of}; len(todo) > 0; {
		w := x.wrapper(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		e.ids = append(e.ids, w.ids...)
		e.unknown = e.unknown || w.unknown
		for _, next := range w.wrappers {
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	return e
}

// wrapper lists the functions that a wrapper calls directly.
func (x *extractor) wrapper(f *ssa.Function) *wrapper {
	if w := x.wrappers[f]; w != nil {
		return w
	}
	w := &wrapper{}
	x.wrappers[f] = w
	resolve := x.resolved.callees(f)
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			inner, more := resolve(call)
			w.unknown = w.unknown || more
			for _, c := range inner {
				if i := x.id(c); i != none && !yields(c) {
					w.ids = append(w.ids, i)
				} else if !yields(c) {
					w.wrappers = append(w.wrappers, c)
				}
			}
		}
	}
	return w
}

// site finds or adds the site of a call.
func (x *extractor) site(from int, call ssa.CallInstruction) *site {
	pos := call.Pos()
	if !pos.IsValid() { // among the user's calls, only a range over a function has no position
		for _, arg := range call.Common().Args {
			if c, ok := arg.(*ssa.MakeClosure); ok && yields(c.Fn.(*ssa.Function)) {
				pos = c.Fn.Pos()
			}
		}
	}
	at := x.place(pos)
	key := [3]int{-1, 0, 0}
	if at.File != "" {
		key = [3]int{x.file(at.File), at.Line, at.Col}
	}
	s := x.building[from][key]
	if s == nil {
		s = &site{file: key[0], line: key[1], col: key[2]}
		x.building[from][key] = s
	}
	return s
}
