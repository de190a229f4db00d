package change

import (
	"maps"
	"slices"
)

// follow removes edits of constants whose values did not change, and adds edits of the declarations
// that depend on changed ones: constants, types and variables.
func (c *comparison) follow() {
	// users maps declarations to the declarations of the new version that use them.
	users := map[string][]*declaration{}
	for _, p := range c.users() {
		s, err := c.source(c.new, p)
		if err != nil {
			continue // the compiler reports it
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
			if next := c.derive(d, ref, e); next != "" && !checked[next] {
				queue = append(queue, next)
			}
		}
	}
}

// declaration is a declaration of the new version with its references.
type declaration struct {
	s    *source
	name string
	refs []string
	v    *value    // for a variable or constant
	t    *typeDecl // for a type
}

// derive records an edit of a declaration since something that it refers to changed, and returns
// its reference. Functions count if an initializer names them directly.
func (c *comparison) derive(d *declaration, ref string, cause *edit) string {
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
			return "" // the value of a function does not change
		}
	case d.t != nil && cause != nil && cause.kind != Constant && cause.kind != Variable && definedAs(d.s, d.t, ref):
		e.kind, e.deep, e.inside = cause.kind, cause.deep, cause.inside
	case d.t != nil && cause != nil && (cause.kind == Constant || cause.kind == Type && !cause.inside):
		// Code that gives away a value of the type leads to the type that changed, if it is one.
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
	e.old = c.oldPlace(d.s, d.name)
	c.changed[to] = e
	return to
}

// initNames reports whether a variable's value names something. Its type does not count.
func (p *source) initNames(v *value, ref string) bool {
	words := p.valueOf(v).atoms[0].words
	if v.typ != nil {
		end := slices.IndexFunc(words, func(w word) bool { return w.text == ";" })
		words = words[end+1:]
	}
	return slices.ContainsFunc(words, func(w word) bool { return w.ref == ref })
}
