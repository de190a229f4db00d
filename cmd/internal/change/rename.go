package change

import (
	"slices"
	"strings"
)

// alikePackages is the percentage of the smaller package's functions that a renamed package must
// keep.
const alikePackages = 50

// rename finds packages, types and functions with other names in the new version, or in other
// packages. The old version is then read with the new names, so code that only names them does not
// change.
func (c *comparison) rename() {
	names := map[string]string{}
	var removed, added []*source
	for i := range c.pairs {
		p := &c.pairs[i]
		if p.a != nil {
			p.a.renamed = names
		}
		switch {
		case p.a != nil && p.b == nil:
			removed = append(removed, p.a)
		case p.a == nil && p.b != nil:
			added = append(added, p.b)
		}
	}
	for _, b := range added {
		best, most := -1, 0
		for i, a := range removed {
			n := 0
			for id := range b.byName {
				if a.byName[id] != nil {
					n++
				}
			}
			if smaller := min(len(a.byName), len(b.byName)); n > most && 100*n >= alikePackages*smaller {
				best, most = i, n
			}
		}
		if best < 0 {
			continue
		}
		a := removed[best]
		removed = slices.Delete(removed, best, best+1)
		for name := range a.names {
			names[a.key+"."+name] = b.key + "." + name
		}
		for i := range c.pairs {
			switch p := &c.pairs[i]; {
			case p.b == b:
				p.old, p.a = a.pkg, a
			case p.a == a:
				p.old, p.a = nil, nil
			}
		}
		c.paths[b.pkg.Path] = a.pkg.Path
		c.note("moved", b.pkg.Path, "Package %s was %s before.", b.pkg.Path, a.pkg.Path)
	}
	c.pairs = slices.DeleteFunc(c.pairs, func(p packagePair) bool { return p.old == nil && p.new == nil })
	c.moved(names)
	for i := range c.pairs {
		if p := &c.pairs[i]; p.a != nil && p.b != nil {
			c.renamedWithin(p, names)
		}
	}
	for _, p := range c.pairs { // code that was read before the names were known
		if p.a != nil {
			p.a.forget()
		}
	}
}

// forget drops code that was made with other names.
func (p *source) forget() {
	for _, f := range p.funcs {
		f.c = nil
	}
	for _, v := range p.order {
		v.c = nil
	}
	for _, t := range p.types {
		t.c = nil
	}
}

// moved finds declarations that moved from one package to another.
func (c *comparison) moved(names map[string]string) {
	declared := map[string][]*source{} // packages that declare a name now, by name
	for _, p := range c.pairs {
		if p.b == nil {
			continue
		}
		for name := range p.b.names {
			if p.a == nil || !p.a.names[name] {
				declared[name] = append(declared[name], p.b)
			}
		}
	}
	for _, p := range c.pairs {
		if p.a == nil {
			continue
		}
		for _, name := range sorted(p.a.names) {
			from := p.a.key + "." + name
			if p.b != nil && p.b.names[name] || len(declared[name]) != 1 || names[from] != "" {
				continue
			}
			b := declared[name][0]
			if b == p.b || (p.a.types[name] == nil) != (b.types[name] == nil) || (p.a.values[name] == nil) != (b.values[name] == nil) {
				continue
			}
			names[from] = b.key + "." + name
			c.note("moved", b.pkg.Path, "%s was in package %s before.", name, p.a.pkg.Path)
		}
	}
}

// renamedWithin finds types and functions of a package that differ only in their names.
func (c *comparison) renamedWithin(p *packagePair, names map[string]string) {
	a, b := p.a, p.b
	for _, old := range sorted(a.types) {
		if b.names[old] || names[a.key+"."+old] != "" {
			continue
		}
		var found []string
		for _, name := range sorted(b.types) {
			if !a.names[name] && slices.Equal(methods(a, old), methods(b, name)) && sameBut(a.typeCode(a.types[old].file, a.types[old].spec), b.typeOf(b.types[name]), a.key+"."+old, b.key+"."+name) {
				found = append(found, name)
			}
		}
		if len(found) == 1 {
			names[a.key+"."+old] = b.key + "." + found[0]
			c.note("renamed", b.pkg.Path, "Type %s was called %s before.", found[0], old)
		}
	}
	for _, f := range a.funcs {
		if f.decl.Recv != nil || f.decl.Name.Name == "init" || b.names[f.id] || names[a.key+"."+f.id] != "" {
			continue
		}
		var found []*function
		for _, g := range b.funcs {
			if g.decl.Recv == nil && g.decl.Name.Name != "init" && g.decl.Body != nil && !a.names[g.id] && sameBut(a.functionCode(f.file, f.decl), g.code(), a.key+"."+f.id, b.key+"."+g.id) {
				found = append(found, g)
			}
		}
		if len(found) == 1 {
			names[a.key+"."+f.id] = b.key + "." + found[0].id
			c.note("renamed", b.pkg.Path, "Function %s was called %s before.", found[0].id, f.id)
		}
	}
}

// methods returns the names of a type's methods, sorted.
func methods(p *source, typ string) (list []string) {
	for _, f := range p.funcs {
		if receiver(f.id) == typ {
			list = append(list, f.id[strings.LastIndex(f.id, ".")+1:])
		}
	}
	slices.Sort(list)
	return list
}

// receiver returns the receiver type of a method, or "" for functions.
func receiver(id string) string {
	recv, _, ok := strings.Cut(strings.TrimPrefix(id, "(*"), ".")
	if !ok || strings.HasPrefix(id, "init.") {
		return ""
	}
	return strings.TrimSuffix(recv, ")")
}

// sameBut is same for code in which each side refers to itself by its own name.
func sameBut(a, b *code, refA, refB string) bool {
	if len(a.atoms) != len(b.atoms) {
		return false
	}
	for i := range a.atoms {
		for k, w := range a.atoms[i].words {
			if w.ref == refA {
				a.atoms[i].words[k].text = refB
			}
		}
	}
	return same(a, b)
}

// newRef returns the reference that a function of the old version has in the new one: package's
// key, a dot and id.
func (f *function) newRef() string {
	typ := receiver(f.id)
	name := typ
	if typ == "" {
		name = f.id
	}
	to, ok := f.p.renamed[f.p.key+"."+name]
	if !ok {
		return f.p.key + "." + f.id
	}
	dot := strings.LastIndex(to, ".")
	if typ == "" {
		return to
	}
	return to[:dot+1] + strings.Replace(f.id, typ, to[dot+1:], 1)
}
