package change

import (
	"maps"
	"slices"
)

// follow takes back edits of constants whose values are what they were, and has what depends on changed declarations change too:
// constants, types that are made of it, and variables.
func (c *comparison) follow() {
	// What uses what, among declarations of the new version.
	users := map[string][]*declaration{}
	for _, p := range c.users() {
		s, err := c.source(c.new, p)
		if err != nil {
			continue // the compiler says it
		}
		for _, d := range s.declared() {
			for _, ref := range d.refs {
				users[ref] = append(users[ref], d)
			}
		}
	}
	queue := append(sorted(c.changed), sorted(c.touched)...)
	checked := map[string]bool{}
	for len(queue) > 0 {
		ref := queue[0]
		queue = queue[1:]
		if checked[ref] {
			continue
		}
		checked[ref] = true
		e := c.changed[ref]
		if e != nil && e.kind == Constant && c.sameConstant(ref) {
			delete(c.changed, ref)
			if _, ok := c.touched[ref]; !ok {
				continue
			}
			e = nil
		}
		for _, d := range users[ref] {
			if next := c.because(d, ref, e); next != "" && !checked[next] {
				queue = append(queue, next)
			}
		}
	}
}

// declaration is a declaration of the new version and what it refers to.
type declaration struct {
	s    *source
	name string
	refs []string
	v    *value    // of a variable or constant
	t    *typeDecl // of a type
}

// because has a declaration change since something that it refers to changed; it returns what changed. Of functions those count that an
// initializer names itself.
func (c *comparison) because(d *declaration, ref string, cause *edit) string {
	root := cause
	switch {
	case cause == nil:
		root = c.touched[ref]
	case cause.derived:
		root = cause.root
	}
	to := d.s.key + "." + d.name
	e := &edit{ref: to, pkg: d.s.pkg.Path, name: d.name, text: root.text, key: "by " + ref, hunk: root.hunk, derived: true, root: root}
	switch {
	case d.v != nil && cause != nil && cause.inside && (cause.kind == Interface || !d.s.initNames(d.v, ref)):
		return ""
	case d.v != nil && d.v.name != "_":
		e.kind = Variable
		if d.v.constant {
			e.kind = Constant
			if cause == nil {
				return ""
			}
		}
		if !d.v.constant && cause == nil && !runsCode(d.v.init) {
			return "" // a function's value stays what it is
		}
	case d.t != nil && cause != nil && cause.kind != Constant && cause.kind != Variable && definedAs(d.s, d.t, ref):
		e.kind, e.deep, e.inside = cause.kind, cause.deep, cause.inside
	case d.t != nil && cause != nil && (cause.kind == Constant || cause.kind == Type && !cause.inside):
		// Whoever gives away a value of the type leads to the type that changed, if it is one.
		e.kind, e.deep = Type, cause.kind == Constant
		e.members, e.inside = holding(d.s, d.t, ref)
	default:
		return ""
	}
	if was, ok := c.changed[to]; ok {
		if c.leads == nil {
			c.leads = map[string][]string{}
		}
		c.leads[root.hunk] = append(c.leads[root.hunk], was.hunk)
		if was.hunk != root.hunk && !slices.Contains(was.also, root) {
			was.also = append(was.also, root)
		}
		if was.inside && e.inside && was.members != nil {
			maps.Copy(was.members, e.members)
		}
		return ""
	}
	e.old = c.was(d.s, d.name)
	c.changed[to] = e
	return to
}

// initNames reports whether a variable's value names something, and not only its type.
func (p *source) initNames(v *value, ref string) bool {
	words := p.valueOf(v).atoms[0].words
	if v.typ != nil {
		end := slices.IndexFunc(words, func(w word) bool { return w.text == ";" })
		words = words[end+1:]
	}
	return slices.ContainsFunc(words, func(w word) bool { return w.ref == ref })
}
