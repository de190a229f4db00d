package change

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

// edit is a change of a declaration. The blocks that use the declaration represent it.
type edit struct {
	kind Kind
	ref  string    // the declaration: package's key, a dot and the name
	pkg  string    // import path of its package
	name string    // for people
	text string    // text of the change
	key  string    // text without irrelevant parts
	hunk string    // hunk of the edit that caused this one
	old  flow.Spot // place in the old version
	// changed fields and methods: blocks that select these use the declaration
	members map[string]bool
	added   map[string]bool // new fields: code that selects these is new too
	methods map[string]bool // methods that the type gained or lost
	// only fields or methods changed: code that only passes values on does not use it
	inside  bool
	derived bool            // something that this declaration depends on changed
	at      flow.Spot       // place of the change
	root    *edit           // for a derived edit: the original change
	also    []*edit         // for an edit that is not derived: changes of its dependencies
	parts   map[string]part // changed fields that both versions have
	// blocks that pass values to code that may inspect them at run time, such as by reflection, use
	// it too
	deep bool
}

// part is a changed field.
type part struct {
	at, old flow.Spot
	text    string
}

// edit records a change of a declaration. The first edit of a declaration defines its kind and
// place.
func (c *comparison) edit(e *edit) *edit {
	own := e.hunk == ""
	if own {
		e.hunk = digest(e.ref, string(e.kind), e.key)
	}
	if was, ok := c.changed[e.ref]; ok {
		if was.members == nil {
			was.members = map[string]bool{}
		}
		maps.Copy(was.members, e.members)
		if was.methods != nil {
			maps.Copy(was.methods, e.methods)
		}
		was.deep = was.deep || e.deep
		if !strings.Contains(was.text, e.text) {
			was.text += e.text
			was.key += e.key
			if own {
				was.hunk = digest(was.ref, string(was.kind), was.key)
			}
		}
		return was
	}
	c.changed[e.ref] = e
	return e
}

// touch records that a function changed. Variables that it initializes change with it.
func (c *comparison) touch(f *function, key string, at token.Pos, old flow.Spot) {
	ref := f.p.key + "." + f.id
	if c.touched == nil {
		c.touched = map[string]*edit{}
	}
	text := ref[strings.LastIndex(ref, ".")+1:] + " changed, which is called here\n"
	c.touched[ref] = &edit{kind: Function, ref: ref, pkg: f.p.pkg.Path, name: f.id, text: text, hunk: digest(ref, key), at: f.p.place(at, f.decl.Pos()), old: old}
}

// byMethods is the suffix of the reference of a type whose methods changed. Naming the type does
// not use them. Blocks do in which a value becomes an interface that may ask for the method.
const byMethods = "()"

// methodSet records that a type gained or lost a method.
func (c *comparison) methodSet(p *source, f *function, typ, sign string) {
	text := sign + "method " + f.id + "\n"
	method := f.id[strings.LastIndex(f.id, ".")+1:]
	e := &edit{kind: MethodSet, ref: p.key + "." + typ + byMethods, pkg: p.pkg.Path, name: typ, text: text, key: text, methods: map[string]bool{method: true}}
	if d := p.types[typ]; d != nil {
		e.at = p.place(d.spec.Pos(), token.NoPos)
		e.old = c.oldPlace(p, typ)
	}
	if sign == "-" { // a method of an embedded type may replace it
		e.members = map[string]bool{method: true}
	} else {
		e.at = f.p.place(f.decl.Pos(), token.NoPos)
	}
	c.edit(e)
}

// declarations compares the declarations of packages, except functions.
func (c *comparison) declarations() {
	for _, p := range c.pairs {
		if p.a == nil || p.b == nil {
			continue
		}
		old := map[string]string{} // old names by new names
		for name := range p.a.names {
			if to, ok := strings.CutPrefix(p.a.renamed[p.a.key+"."+name], p.b.key+"."); ok {
				old[to] = name
			}
		}
		was := func(name string) string {
			if o, ok := old[name]; ok {
				return o
			}
			return name
		}
		for _, name := range sorted(p.b.types) {
			if d := p.a.types[was(name)]; d != nil {
				c.compareTypes(p, d, p.b.types[name])
			}
		}
		for _, v := range p.b.order {
			if v.name == "_" {
				continue
			}
			if o := p.a.values[was(v.name)]; o != nil {
				c.compareValues(p, o, v)
			}
		}
		c.unnamed(p)
	}
}

// unnamed adds a note about changed initializers of variables named _ that run code.
func (c *comparison) unnamed(p packagePair) {
	list := func(s *source) (list []string) {
		for _, v := range s.order {
			if v.name == "_" && v.index == 0 && runsCode(v.init) {
				list = append(list, strings.Join(named(s.valueOf(v), nil), "\n"))
			}
		}
		slices.Sort(list)
		return list
	}
	if !slices.Equal(list(p.a), list(p.b)) {
		c.note("uncounted", p.new.Path, "The code that package %s runs to initialize variables without a name changed.", p.new.Path)
	}
}

// oldPlace returns the place of a new version's variable, constant or type in the old version.
func (c *comparison) oldPlace(s *source, name string) flow.Spot {
	at := func(s *source, name string) flow.Spot {
		switch {
		case s.values[name] != nil:
			return s.place(s.values[name].pos, token.NoPos)
		case s.types[name] != nil:
			return s.place(s.types[name].spec.Pos(), token.NoPos)
		}
		return flow.Spot{}
	}
	for _, p := range c.pairs {
		switch {
		case p.new != s.pkg || p.old == nil:
		case p.a == nil: // nothing differs
			here := at(s, name)
			here.File = filepath.Join(p.old.Dir, below(p.new.Dir, here.File))
			return here
		default:
			for old, to := range p.a.renamed {
				if to == s.key+"."+name && strings.HasPrefix(old, p.a.key+".") {
					name = old[len(p.a.key)+1:]
				}
			}
			return at(p.a, name)
		}
	}
	return flow.Spot{}
}

// compareValues compares two versions of a variable or constant.
func (c *comparison) compareValues(p packagePair, old, new *value) {
	x, y := p.a.valueOf(old), p.b.valueOf(new)
	e := &edit{kind: Variable, ref: p.b.key + "." + new.name, pkg: p.new.Path, name: new.name, at: p.b.place(new.pos, token.NoPos), old: p.a.place(old.pos, token.NoPos)}
	if new.constant {
		e.kind = Constant
	}
	if old.constant != new.constant {
		word := map[bool]string{false: "var ", true: "const "}
		e.text = "-" + word[old.constant] + new.name + "\n+" + word[new.constant] + new.name + "\n"
		e.key = e.text
		c.edit(e)
		return
	}
	if old.index != new.index {
		e.text = "another result of " + tidy(y.atoms[0].words) + "\n"
		e.key = e.text
		c.edit(e)
	}
	hunks, ok := compare(x, y)
	if !ok {
		e.text, e.key = "written anew\n", "anew "+digest(named(y, nil)...)
		c.edit(e)
		return
	}
	runs := runsCode(new.init)
	for _, h := range hunks {
		if len(h.blocks) > 0 { // closures, and operands of && and ||
			at := p.b.position(h.at)
			kind := Statement
			if h.deletion {
				kind = Deletion
			}
			c.add(Point{Kind: kind, Package: p.new.Path, Function: new.name, File: at.Filename, Line: at.Line, Blocks: h.blocks,
				Old: p.a.place(h.oldAt, old.pos), Text: h.text}, h.key)
		}
		if slices.Contains(h.new, 0) || slices.Contains(h.old, 0) || runs {
			e.text += h.text
			e.key += h.key
		}
	}
	if e.text != "" {
		was, is := excerpts(x.atoms[0].words, y.atoms[0].words)
		e.at = p.b.changedPlace(x.atoms[0].words, y.atoms[0].words, new)
		e.old = p.a.changedPlace(y.atoms[0].words, x.atoms[0].words, old)
		e.text = declared(new.name, was, is, e.text)
		c.edit(e)
	}
}

// changedPlace returns the place at which a value differs from its other version. If several lines
// do, such as entries of a table, it is that of the declaration.
func (p *source) changedPlace(other, words []word, v *value) flow.Spot {
	before, after := commonEnds(other, words)
	if before == len(words) {
		return p.place(v.pos, token.NoPos)
	}
	first := p.position(words[before].pos)
	for _, w := range words[before:max(len(words)-after, before)] {
		if at := p.position(w.pos); at.Line != first.Line {
			return p.place(v.pos, token.NoPos)
		}
	}
	return flow.Spot{File: first.Filename, Line: first.Line}
}

// commonEnds returns the number of words with which both values begin, and that of words with which
// both end.
func commonEnds(old, new []word) (before, after int) {
	equal := func(x, y word) bool { return x.text == y.text }
	for before < min(len(old), len(new)) && equal(old[before], new[before]) {
		before++
	}
	for after < min(len(old), len(new))-before && equal(old[len(old)-1-after], new[len(new)-1-after]) {
		after++
	}
	return before, after
}

// declared renders a changed value.
func declared(name, old, new, other string) string {
	old, new = strings.TrimSuffix(old, ";"), strings.TrimSuffix(new, ";")
	if old == new { // the change is in a closure
		return other
	}
	return "-" + name + " = " + old + "\n+" + name + " = " + new + "\n"
}

// around is the number of words before and after the change of a long value that are shown.
const around = 20

// excerpts renders two versions of a value. Long ones are reduced to the parts around the change.
func excerpts(old, new []word) (was, is string) {
	if max(len(old), len(new)) <= 4*around {
		return tidy(old), tidy(new)
	}
	before, after := commonEnds(old, new)
	part := func(words []word) string {
		from, to := max(before-around, 0), min(len(words)-after+around, len(words))
		text := ""
		if to-from > 8*around { // changed in many places
			text = tidy(words[from:from+4*around]) + " ... " + tidy(words[to-4*around:to])
		} else {
			text = tidy(words[from:to])
		}
		if from > 0 {
			text = "... " + text
		}
		if to < len(words) {
			text += " ..."
		}
		return text
	}
	return part(old), part(new)
}

// runsCode reports whether an initializer calls anything.
func runsCode(e ast.Expr) (runs bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			runs = true
		case *ast.UnaryExpr:
			runs = runs || n.Op == token.ARROW
		}
		return true
	})
	return runs
}

// declared lists the declarations with their references.
func (p *source) declared() (list []*declaration) {
	add := func(d *declaration, c *code) {
		seen := map[string]bool{}
		for _, a := range c.atoms {
			for _, w := range a.words {
				if w.ref != "" && !seen[w.ref] {
					seen[w.ref] = true
					d.refs = append(d.refs, w.ref)
				}
			}
		}
		list = append(list, d)
	}
	for _, v := range p.order {
		add(&declaration{s: p, name: v.name, v: v}, p.valueOf(v))
	}
	for _, name := range sorted(p.types) {
		t := p.types[name]
		add(&declaration{s: p, name: name, t: t}, p.typeOf(t))
	}
	return list
}
