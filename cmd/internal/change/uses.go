package change

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"parallax/cmd/internal/flow"
)

// users returns the packages of the new version that may use changed declarations, in the order of
// the tree. They are those with changes and all that import them.
func (c *comparison) users() (list []*Package) {
	changed := map[string]bool{}
	for _, p := range c.pairs {
		if p.b != nil {
			changed[p.new.Path] = true
		}
	}
	reach := map[string]bool{}
	var visit func(p *Package) bool
	visit = func(p *Package) bool {
		if r, ok := reach[p.Path]; ok {
			return r
		}
		reach[p.Path] = changed[p.Path]
		for _, name := range p.Imports {
			if actual, ok := p.ImportMap[name]; ok {
				name = actual
			}
			if q := c.new.byPath[name]; q != nil && !q.Standard && visit(q) {
				reach[p.Path] = true
			}
		}
		return reach[p.Path]
	}
	for _, p := range c.new.Packages {
		if !p.Standard && visit(p) {
			list = append(list, p)
		}
	}
	return list
}

// use holds the blocks of a function that use a changed declaration.
type use struct {
	e      *edit
	f      *function
	blocks []int
	at     token.Pos
	parts  map[string]*partUse // by the only field that is used; "" for the whole
}

// partUse holds the uses of one changed field, or of the whole.
type partUse struct{ blocks, lines []int }

// finder finds uses.
type finder struct {
	c         *comparison
	found     map[*edit]map[*function]*use
	order     []*use
	usedByNew map[*edit]bool     // used by code that is new itself and needs no point
	members   map[string][]*edit // by the name of a field or method
	deep      bool
	requested map[string]bool // methods that interfaces have
	types     *checked
	fields    map[types.Object]*edit
	added     map[types.Object]*edit   // new fields
	named     map[types.Object][]*edit // changed types
	known     map[types.Type][]*edit   // edits of the types that a type holds
}

// uses adds the points of changed declarations.
func (c *comparison) uses() error {
	if len(c.changed) == 0 {
		return nil
	}
	f := &finder{c: c, found: map[*edit]map[*function]*use{}, usedByNew: map[*edit]bool{}, members: map[string][]*edit{}}
	for _, ref := range sorted(c.changed) {
		e := c.changed[ref]
		f.deep = f.deep || e.deep || len(e.methods) > 0
		for _, m := range sorted(e.members) {
			f.members[m] = append(f.members[m], e)
		}
	}
	users := c.users()
	if f.deep || len(f.members) > 0 {
		f.check(users)
	}
	for _, p := range users {
		s, err := c.source(c.new, p)
		if err != nil {
			return err
		}
		for _, fn := range s.funcs {
			if fn.decl.Body != nil {
				f.function(fn)
			}
		}
		for _, fn := range s.closures() {
			f.function(fn)
		}
	}
	for _, u := range f.order {
		c.point(u)
	}
	f.unused()
	return nil
}

// unused adds notes about changes without blocks. A declaration that is used only through another
// one counts as used.
func (f *finder) unused() {
	c := f.c
	used := map[string]bool{}
	for _, ref := range sorted(c.changed) {
		if e := c.changed[ref]; f.usedByNew[e] || len(f.found[e]) > 0 {
			used[e.hunk] = true
		}
	}
	var leads func(hunk string, depth int) bool
	leads = func(hunk string, depth int) bool {
		return used[hunk] || depth < maxDeep && slices.ContainsFunc(c.leads[hunk], func(to string) bool { return leads(to, depth+1) })
	}
	for _, ref := range sorted(c.changed) {
		e := c.changed[ref]
		if e.derived || len(e.methods) > 0 || leads(e.hunk, 0) {
			continue
		}
		what := "it"
		if e.inside {
			what = "what changed of it"
		}
		c.note("unused", e.pkg, "%s changed (%s), and no block uses %s.", e.name, e.kind, what)
	}
}

func (c *comparison) point(u *use) {
	at := u.f.p.position(u.at)
	c.add(Point{Kind: u.e.kind, Hunk: u.e.hunk, Package: u.f.p.pkg.Path, Function: u.f.name, File: at.Filename, Line: at.Line,
		Blocks: u.blocks, Old: u.e.old, Text: u.e.text, Uses: u.uses()}, "use "+u.e.hunk+" "+u.e.ref)
}

// uses returns the changes that a use belongs to.
func (u *use) uses() (list []Use) {
	for _, name := range sorted(u.parts) {
		of := u.parts[name]
		slices.Sort(of.blocks)
		slices.Sort(of.lines)
		add := func(e *edit, name string) {
			one := Use{Hunk: e.hunk, Kind: e.kind, Package: e.pkg, Name: e.name, Text: e.text, At: e.at, Old: e.old,
				Several: e.kind == Variable || e.kind == Embedded || e.kind == Native || len(e.parts) > 1, Blocks: of.blocks, Lines: slices.Compact(of.lines)}
			if name != "" {
				p := e.parts[name]
				one.Hunk, one.Name, one.Text, one.At, one.Old, one.Several = digest(e.hunk, name), e.name+"."+name, p.text, p.at, p.old, false
			}
			list = append(list, one)
		}
		if u.e.derived {
			add(u.e.root, "")
		} else {
			add(u.e, name)
		}
		for _, e := range u.e.also {
			add(e, "")
		}
	}
	return list
}

// hit records a use. A function that is new as a whole needs no further points.
func (f *finder) hit(e *edit, fn *function, block int, at token.Pos) { f.hitPart(e, "", fn, block, at) }

// hitPart records a use of a field.
func (f *finder) hitPart(e *edit, field string, fn *function, block int, at token.Pos) {
	if block == flow.None {
		return
	}
	if f.c.whole[fn] {
		f.usedByNew[e] = true
		return
	}
	if f.found[e] == nil {
		f.found[e] = map[*function]*use{}
	}
	u := f.found[e][fn]
	if u == nil {
		u = &use{e: e, f: fn, at: at, parts: map[string]*partUse{}}
		f.found[e][fn] = u
		f.order = append(f.order, u)
	}
	if !slices.Contains(u.blocks, block) {
		u.blocks = append(u.blocks, block)
	}
	u.at = min(u.at, at)
	if _, ok := e.parts[field]; !ok || len(e.parts) < 2 {
		field = ""
	}
	p := u.parts[field]
	if p == nil {
		p = &partUse{}
		u.parts[field] = p
	}
	if !slices.Contains(p.blocks, block) {
		p.blocks = append(p.blocks, block)
	}
	p.lines = append(p.lines, fn.p.position(at).Line)
}

// check determines the types of the packages that may use changed declarations.
func (f *finder) check(users []*Package) {
	whole := map[string]bool{}
	for _, p := range users {
		if _, err := f.c.source(f.c.new, p); err == nil {
			whole[p.Path] = true
		}
	}
	f.types = f.c.check(f.c.new, whole)
	f.fields, f.added, f.named, f.known = map[types.Object]*edit{}, map[types.Object]*edit{}, map[types.Object][]*edit{}, map[types.Type][]*edit{}
	for _, ref := range sorted(f.c.changed) {
		e := f.c.changed[ref]
		if !e.deep && len(e.members)+len(e.methods)+len(e.added) == 0 {
			continue
		}
		name := strings.TrimSuffix(ref[len(f.c.new.keys[e.pkg])+1:], byMethods)
		obj := f.types.load(e.pkg).Scope().Lookup(name)
		if obj == nil {
			continue
		}
		f.named[obj] = append(f.named[obj], e)
		switch t := obj.Type().Underlying().(type) {
		case *types.Struct:
			for i := range t.NumFields() {
				switch v := t.Field(i); {
				case e.members[v.Name()]:
					f.fields[v] = e
				case e.added[v.Name()]:
					f.added[v] = e
				}
			}
		case *types.Interface:
			for i := range t.NumExplicitMethods() {
				if m := t.ExplicitMethod(i); e.members[m.Name()] {
					f.fields[m] = e
				}
			}
		}
	}
	for _, p := range users {
		f.types.load(p.Path)
	}
	f.interfaceMethods(users)
}

// function finds uses in a function.
func (f *finder) function(fn *function) {
	c := fn.code()
	var where []word // by position
	for _, a := range c.atoms {
		for _, w := range a.words {
			if e := f.c.changed[w.ref]; w.ref != "" && e != nil && !e.passes(fn, a, w) {
				f.hit(e, fn, w.block, w.pos)
			}
			where = append(where, w)
		}
	}
	if f.types == nil {
		return
	}
	info := f.types.infos[fn.p.pkg.Path]
	if info == nil || info.Types == nil {
		return
	}
	sort.SliceStable(where, func(i, k int) bool { return where[i].pos < where[k].pos })
	block := func(at token.Pos) int {
		i := sort.Search(len(where), func(i int) bool { return where[i].pos > at })
		for i--; i >= 0; i-- {
			if where[i].block != flow.None {
				return where[i].block
			}
		}
		return flow.None
	}
	if len(f.members)+len(f.added) > 0 {
		f.selected(fn, info, block)
	}
	if f.deep {
		f.implicit(fn, info, block)
	}
}

// passes reports whether code that names a changed declaration does not use it, such as a signature
// that only passes values on. An interface is used in type assertions and as a constraint. Calls of
// its methods are found by the methods.
func (e *edit) passes(fn *function, a atom, w word) bool {
	switch {
	case !e.inside:
		return false
	case e.kind == Interface && a.role == signature:
		return fn.decl == nil || fn.decl.Type.TypeParams == nil
	case e.kind == Interface:
		return !w.asks
	}
	return a.role == signature
}

// selected finds uses of changed fields and methods. If types are unknown, the name decides.
func (f *finder) selected(fn *function, info *types.Info, block func(token.Pos) int) {
	ast.Inspect(fn.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			s, ok := info.Selections[n]
			if ok {
				f.through(s, func(e *edit, field string) { f.hitPart(e, field, fn, block(n.Sel.Pos()), n.Sel.Pos()) })
				if e := f.added[origin(s.Obj())]; e != nil {
					f.usedByNew[e] = true
				}
			}
			edits := f.members[n.Sel.Name]
			if edits == nil {
				return true
			}
			if !ok {
				if info.Uses[n.Sel] == nil { // unknown
					for _, e := range edits {
						f.hit(e, fn, block(n.Sel.Pos()), n.Sel.Pos())
					}
				}
				return true
			}
			e := f.fields[origin(s.Obj())]
			if e == nil {
				for _, of := range f.named[nameOf(s.Recv())] {
					if of.members[n.Sel.Name] {
						e = of
					}
				}
			}
			if e != nil {
				f.hitPart(e, n.Sel.Name, fn, block(n.Sel.Pos()), n.Sel.Pos())
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				o := origin(info.Uses[id])
				if e := f.fields[o]; e != nil {
					f.hitPart(e, id.Name, fn, block(id.Pos()), id.Pos())
				}
				if e := f.added[o]; e != nil {
					f.usedByNew[e] = true
				}
			}
		}
		return true
	})
}

// through calls use for the changes of embedded fields on the way to a promoted field or method.
func (f *finder) through(s *types.Selection, use func(e *edit, field string)) {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		u, ok := t.Underlying().(*types.Struct)
		if !ok || i >= u.NumFields() {
			return
		}
		if e := f.fields[u.Field(i).Origin()]; e != nil {
			use(e, u.Field(i).Name())
		}
		t = u.Field(i).Type()
	}
}

// origin returns the declared field or method for one of an instantiated type.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return o
}

// nameOf returns the declaration of a type, or of the type that a pointer points to.
func nameOf(t types.Type) types.Object {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}
