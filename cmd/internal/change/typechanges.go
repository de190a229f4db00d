package change

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// compareTypes compares two versions of a type.
func (c *comparison) compareTypes(p packagePair, old, new *typeDecl) {
	x, y := p.a.typeOf(old), p.b.typeOf(new)
	if same(x, y) {
		return
	}
	e := &edit{kind: Type, ref: p.b.key + "." + new.name, pkg: p.new.Path, name: new.name, at: p.b.place(new.spec.Pos(), token.NoPos), old: p.a.place(old.spec.Pos(), token.NoPos),
		members: map[string]bool{}, added: map[string]bool{}, deep: true}
	s, ok := old.spec.Type.(*ast.StructType)
	t, both := new.spec.Type.(*ast.StructType)
	i, isInterface := new.spec.Type.(*ast.InterfaceType)
	j, wasInterface := old.spec.Type.(*ast.InterfaceType)
	switch {
	case ok && both:
		e.inside = true
		e.fields(p, old, new, s, t)
	case isInterface && wasInterface:
		e.kind, e.inside, e.deep = Interface, true, false
		e.interfaceMethods(p, old, new, j, i)
	}
	if e.text == "" { // type parameters, or the whole
		e.text = "-" + tidy(x.atoms[0].words) + "\n+" + tidy(y.atoms[0].words) + "\n"
	}
	e.text = "type " + new.name + "\n" + e.text
	e.key = strings.Join(named(x, nil), "") + "\n" + strings.Join(named(y, nil), "")
	c.edit(e)
}

// field is a field of a struct.
type field struct {
	name, typ, tag string
	shown          string // rendered type
	embedded       bool
	at             flow.Spot
}

func structFields(p *source, file *sourceFile, params *ast.FieldList, s *ast.StructType) (list []field) {
	n := newNormalizer(p, file, &code{})
	n.push()
	var out []word
	n.out = &out
	n.typeParams(params)
	for _, f := range s.Fields.List {
		for i, part := range n.fields(f) {
			d := field{embedded: len(f.Names) == 0, at: p.place(f.Pos(), token.NoPos)}
			if !d.embedded {
				d.name, d.at = f.Names[i].Name, p.place(f.Names[i].Pos(), token.NoPos)
			} else {
				d.name = embeddedName(f.Type)
			}
			if tag := part[len(part)-1].text; f.Tag != nil {
				d.tag = strings.TrimPrefix(tag, "tag ")
				part = part[:len(part)-1]
			}
			d.typ = spelled(part[1:], func(w word) string { return number(w.local, nil) })
			d.shown = tidy(part[1:])
			list = append(list, d)
		}
	}
	return list
}

// holding returns the fields of a struct whose types name ref. Other types hold it as a whole.
func holding(p *source, t *typeDecl, ref string) (members map[string]bool, inside bool) {
	s, ok := t.spec.Type.(*ast.StructType)
	if !ok {
		return nil, false
	}
	n := newNormalizer(p, t.file, &code{})
	n.push()
	n.out = &[]word{}
	n.typeParams(t.spec.TypeParams)
	members = map[string]bool{}
	for _, f := range s.Fields.List {
		for i, part := range n.fields(f) {
			if !slices.ContainsFunc(part, func(w word) bool { return w.ref == ref }) {
				continue
			}
			if len(f.Names) > 0 {
				members[f.Names[i].Name] = true
			} else {
				members[embeddedName(f.Type)] = true
			}
		}
	}
	return members, true
}

func embeddedName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embeddedName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return embeddedName(e.X)
	case *ast.IndexListExpr:
		return embeddedName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// fields records the changed fields of a struct.
func (e *edit) fields(p packagePair, old, new *typeDecl, s, t *ast.StructType) {
	a, b := structFields(p.a, old.file, old.spec.TypeParams, s), structFields(p.b, new.file, new.spec.TypeParams, t)
	of := map[string]field{}
	var orderA, orderB []string
	for _, f := range a {
		of[f.name] = f
	}
	tags := true
	for _, f := range b {
		o, ok := of[f.name]
		before := len(e.text)
		switch {
		case f.name == "_":
			continue
		case !ok:
			e.text += "+field " + f.name + " " + f.shown + "\n"
			tags = false
			e.added[f.name] = true
			if f.embedded { // another field may be promoted now
				e.members[f.name] = true
			}
		case o.typ != f.typ || o.embedded != f.embedded:
			e.text += "-field " + o.name + " " + o.shown + "\n+field " + f.name + " " + f.shown + "\n"
			e.members[f.name] = true
			tags = false
		case o.tag != f.tag:
			e.text += "-tag " + f.name + " " + o.tag + "\n+tag " + f.name + " " + f.tag + "\n"
		}
		if ok {
			orderB = append(orderB, f.name)
		}
		if text := e.text[before:]; text != "" {
			if !ok {
				o.at = e.old
			}
			if len(e.parts) == 0 {
				e.parts, e.at, e.old = map[string]part{}, f.at, o.at
			}
			e.parts[f.name] = part{f.at, o.at, text}
		}
	}
	for _, f := range a {
		switch {
		case f.name == "_":
		case slices.ContainsFunc(b, func(g field) bool { return g.name == f.name }):
			orderA = append(orderA, f.name)
		default:
			e.text += "-field " + f.name + " " + f.shown + "\n"
			e.members[f.name] = true
			tags = false
		}
	}
	if !slices.Equal(orderA, orderB) {
		e.text += "-order " + strings.Join(orderA, " ") + "\n+order " + strings.Join(orderB, " ") + "\n"
		tags = false
	}
	if tags && e.text != "" {
		e.kind = Tag
	}
}

// interfaceMethods records the changed methods of an interface.
func (e *edit) interfaceMethods(p packagePair, old, new *typeDecl, s, t *ast.InterfaceType) {
	list := func(p *source, d *typeDecl, i *ast.InterfaceType) map[string]string {
		n := newNormalizer(p, d.file, &code{})
		n.push()
		var out []word
		n.out = &out
		n.typeParams(d.spec.TypeParams)
		all := map[string]string{}
		for _, f := range i.Methods.List {
			out = nil
			n.expr(f.Type)
			text := tidy(out)
			for _, name := range f.Names {
				all[name.Name] = text
			}
			if len(f.Names) == 0 {
				all[text] = ""
			}
		}
		return all
	}
	a, b := list(p.a, old, s), list(p.b, new, t)
	for _, f := range slices.Backward(t.Methods.List) {
		for _, name := range f.Names {
			if was, ok := a[name.Name]; !ok || was != b[name.Name] {
				e.at = p.b.place(name.Pos(), token.NoPos)
			}
		}
	}
	for _, name := range sorted(b) {
		if was, ok := a[name]; !ok || was != b[name] {
			e.text += "+" + name + strings.TrimPrefix(b[name], "func") + "\n"
			e.members[name] = true
		}
	}
	for _, name := range sorted(a) {
		if now, ok := b[name]; !ok || now != a[name] {
			e.text += "-" + name + strings.TrimPrefix(a[name], "func") + "\n"
			e.members[name] = true
		}
	}
}

// definedAs reports whether a type has another one as its underlying type, or embeds it.
func definedAs(p *source, t *typeDecl, ref string) bool {
	c := p.typeOf(t)
	words := c.atoms[0].words
	for i, w := range words {
		if w.ref != ref {
			continue
		}
		before := i - 1
		for before >= 0 && words[before].text == "*" {
			before--
		}
		if before < 0 || words[before].text == "=" || words[before].text == "embedded" {
			return true
		}
		if _, ok := t.spec.Type.(*ast.InterfaceType); ok {
			return true
		}
	}
	return false
}
