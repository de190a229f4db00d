package change

import (
	"go/token"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// functions compares the functions of differing packages.
func (c *comparison) functions() {
	olds := map[string]*function{}
	for _, p := range c.pairs {
		if p.a == nil {
			continue
		}
		for _, f := range p.a.funcs {
			if f.decl.Name.Name != "init" || f.decl.Recv != nil {
				olds[f.newRef()] = f
			}
		}
	}
	for _, p := range c.pairs {
		if p.b == nil {
			continue
		}
		if p.a != nil {
			c.inits(p)
		}
		for _, f := range p.b.funcs {
			if f.decl.Name.Name == "init" && f.decl.Recv == nil && p.a != nil {
				continue
			}
			here := p.b.key + "." + f.id
			if old := olds[here]; old != nil {
				delete(olds, here)
				c.function(old, f)
				continue
			}
			// A method with another kind of receiver is the same method.
			other := p.b.key + "." + otherReceiver(f.id)
			if old := olds[other]; old != nil && p.b.byName[otherReceiver(f.id)] == nil {
				delete(olds, other)
				c.function(old, f)
				continue
			}
			c.added(f)
		}
	}
	for _, here := range sorted(olds) {
		c.removed(olds[here])
	}
}

func otherReceiver(id string) string {
	typ := receiver(id)
	if typ == "" {
		return ""
	}
	method := id[strings.LastIndex(id, ".")+1:]
	if strings.HasPrefix(id, "(*") {
		return typ + "." + method
	}
	return "(*" + typ + ")." + method
}

// function compares two versions of a function.
func (c *comparison) function(old, new *function) {
	hunks, ok := compare(old.code(), new.code())
	if !ok {
		c.whole[new] = true
		hunks = []hunk{{blocks: new.blocks(), at: new.decl.Pos(), oldAt: old.decl.Pos(), text: "written anew\n", key: "anew " + digest(new.text())}}
	}
	if len(hunks) > 0 {
		key := ""
		for _, h := range hunks {
			key += h.key
		}
		c.touch(new, key, hunks[0].at, old.p.place(hunks[0].oldAt, old.decl.Pos()))
	}
	for _, h := range hunks {
		c.assigned(new, h)
		if len(h.blocks) == 0 { // no counter is at this place, so the whole function represents it
			h.blocks = new.blocks()
		}
		kind := Statement
		switch {
		case h.deletion:
			kind = Deletion
		case h.declaration:
			kind = Signature
		case h.decides:
			kind = Condition
		}
		at := new.p.position(h.at)
		if !h.at.IsValid() {
			at = new.p.position(new.decl.Pos())
		}
		point := Point{Kind: kind, Package: new.p.pkg.Path, Function: new.name, File: at.Filename, Line: at.Line, Blocks: h.blocks,
			Old: old.p.place(h.oldAt, old.decl.Pos()), Text: h.text}
		if len(h.blocks) == 0 {
			c.note("uncounted", new.p.pkg.Path, "Function %s changed, and has no blocks that are counted.", new.name)
			continue
		}
		c.add(point, h.key)
	}
}

// assigned records variables that an init function sets differently. Like initializers, it has run
// before any test.
func (c *comparison) assigned(f *function, h hunk) {
	if !strings.HasPrefix(f.name, "init.") || f.decl.Recv != nil {
		return
	}
	atoms := f.code().atoms
	for _, i := range h.new {
		for at, w := range atoms[i].words {
			v, ok := strings.CutPrefix(w.ref, f.p.key+".")
			if !ok || f.p.values[v] == nil || f.p.values[v].constant || !slices.ContainsFunc(atoms[i].words[at:], func(w word) bool { return assigns(w.text) }) {
				continue
			}
			c.edit(&edit{kind: Variable, ref: w.ref, pkg: f.p.pkg.Path, name: v, text: h.text, key: h.key, at: f.p.place(h.at, f.decl.Pos()), old: c.oldPlace(f.p, v)})
		}
	}
}

// assigns reports whether a word is an operator that changes the operand before it.
func assigns(text string) bool {
	switch text {
	case "=", "++", "--":
		return true
	case "==", "!=", "<=", ">=", ":=":
		return false
	}
	return len(text) > 1 && len(text) < 4 && strings.HasSuffix(text, "=") && strings.IndexByte("+-*/%&|^<>", text[0]) >= 0
}

// place converts a position to a place. If at is invalid, it uses other.
func (p *source) place(at, other token.Pos) flow.Spot {
	if !at.IsValid() {
		at = other
	}
	pos := p.position(at)
	return flow.Spot{File: pos.Filename, Line: pos.Line}
}

// added adds the point of a function that the old version lacks.
func (c *comparison) added(f *function) {
	c.touch(f, "added "+digest(f.text()), f.decl.Pos(), flow.Spot{})
	if typ := receiver(f.id); typ != "" && f.p.types[typ] != nil {
		c.methodSet(f.p, f, typ, "+")
	}
	at := f.p.position(f.decl.Pos())
	blocks := f.blocks()
	if len(blocks) == 0 {
		if f.decl.Body != nil {
			c.note("uncounted", f.p.pkg.Path, "Function %s is new, and has no blocks that are counted.", f.name)
		}
		return
	}
	c.whole[f] = true
	all := hunk{text: "+func init\n", key: "added"}
	for i := range f.code().atoms {
		all.new = append(all.new, i)
	}
	c.assigned(f, all)
	c.add(Point{Kind: Function, Package: f.p.pkg.Path, Function: f.name, File: at.Filename, Line: at.Line, Blocks: blocks,
		Text: "+func " + f.name + " " + tidy(f.code().atoms[0].words[1:]) + "\n"}, "added")
}

func (c *comparison) removed(f *function) {
	path := f.p.pkg.Path
	if typ := receiver(f.id); typ != "" {
		for _, p := range c.pairs {
			if p.a == f.p && p.b != nil && p.b.types[typ] != nil {
				c.methodSet(p.b, f, typ, "-")
			}
		}
	}
	c.note("removed", path, "Function %s is gone.", f.name)
}

// text returns a function's code without names of locals.
func (f *function) text() string { return strings.Join(named(f.code(), nil), "\n") }

// blocks returns all blocks of a function and its closures.
func (f *function) blocks() (ids []int) {
	t := f.p.pkg.Table
	if t == nil {
		return nil
	}
	first, last := f.p.position(f.decl.Type.Func), f.p.position(f.decl.End())
	for _, fn := range t.Funcs {
		if fn.File != first.Filename || fn.Line < first.Line || fn.Line > last.Line || fn.Name != f.name && !strings.HasPrefix(fn.Name, f.name+".func") {
			continue
		}
		for i := range fn.Count {
			ids = append(ids, fn.First+i)
		}
	}
	return ids
}

// inits compares the init functions of a package. Equal functions are paired first, then the others
// in their order.
func (c *comparison) inits(p packagePair) {
	list := func(s *source) (list []*function) {
		for _, f := range s.funcs {
			if f.decl.Name.Name == "init" && f.decl.Recv == nil {
				list = append(list, f)
			}
		}
		return list
	}
	olds, news := list(p.a), list(p.b)
	var changed []*function
	for _, f := range news {
		if at := slices.IndexFunc(olds, func(o *function) bool { return same(o.code(), f.code()) }); at >= 0 {
			olds = slices.Delete(olds, at, at+1)
		} else {
			changed = append(changed, f)
		}
	}
	paired := min(len(olds), len(changed))
	for i, f := range changed[:paired] {
		c.function(olds[i], f)
	}
	for _, f := range changed[paired:] {
		c.added(f)
	}
	for _, f := range olds[paired:] {
		c.removed(f)
	}
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
