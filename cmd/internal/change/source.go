package change

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/golang"
)

// source is a package of one version as syntax.
type source struct {
	pkg     *Package
	key     string // common to both versions of the package; see Tree.keys
	fset    *token.FileSet
	files   []*sourceFile
	names   map[string]bool   // declared outside of functions
	renamed map[string]string // for the old version: names of the new one
	blocks  map[place]int
	paths   map[string]string // of files, by their names in fset

	funcs  []*function
	byName map[string]*function
	values map[string]*value
	order  []*value // in the order of declaration
	types  map[string]*typeDecl
}

type sourceFile struct {
	path    string
	ast     *ast.File
	imports map[string]string // keys of packages by their names in the file
	cgo     string            // the preamble
}

// function is a declared function, or the closures in the initializer of a variable.
type function struct {
	name string        // as in the block table; for closures, the variable's
	id   string        // common to both versions: the name without type parameters
	decl *ast.FuncDecl // nil for a variable
	node ast.Node      // the code: decl, or the initializer
	file *sourceFile
	p    *source
	c    *code
}

// value is a variable or constant of a package.
type value struct {
	name     string
	constant bool
	file     *sourceFile
	pos      token.Pos
	typ      ast.Expr
	init     ast.Expr // its own, or the call that sets several values
	index    int      // index among the values of one expression
	iota     int
	embeds   []string // patterns of go:embed
	c        *code
}

type typeDecl struct {
	name string
	file *sourceFile
	spec *ast.TypeSpec
	c    *code
}

// place is the position of a block.
type place struct {
	file      string
	line, col int
	kind      flow.Kind
}

// parse parses a package. An error means that the version does not build. whole requests the blocks
// too.
func (t *Tree) parse(pkg *Package, key string, whole bool) (*source, error) {
	p := &source{pkg: pkg, key: key, fset: token.NewFileSet(), names: map[string]bool{}, paths: map[string]string{},
		byName: map[string]*function{}, values: map[string]*value{}, types: map[string]*typeDecl{}}
	for i, name := range pkg.Files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		// without a folder, names in //line directives are not changed
		at := fmt.Sprintf("file %d", i)
		p.paths[at] = name
		tree, err := gosyntax.ParseFile(p.fset, at, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			shown := name
			if rel := below(t.Root, name); filepath.IsLocal(rel) {
				shown = rel
			}
			return nil, fmt.Errorf("does not parse: %s", strings.Replace(err.Error(), at, shown, 1))
		}
		f := &sourceFile{path: name, ast: tree, imports: map[string]string{}}
		for _, s := range tree.Imports {
			t.importSpec(pkg, f, s)
		}
		p.files = append(p.files, f)
	}
	slices.SortStableFunc(p.files, func(a, b *sourceFile) int { return strings.Compare(filepath.Base(a.path), filepath.Base(b.path)) })
	inits := 0
	for _, f := range p.files {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				p.declareFunc(f, d, &inits)
			case *ast.GenDecl:
				p.declare(f, d)
			}
		}
	}
	if whole {
		if err := p.index(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// importSpec records the name of an import in a file.
func (t *Tree) importSpec(pkg *Package, f *sourceFile, s *ast.ImportSpec) {
	to := strings.Trim(s.Path.Value, "\"`")
	if to == "C" {
		f.imports["C"] = "C"
		for _, d := range f.ast.Decls {
			if g, ok := d.(*ast.GenDecl); ok && slices.Contains(g.Specs, ast.Spec(s)) {
				doc := s.Doc
				if doc == nil {
					doc = g.Doc
				}
				f.cgo += doc.Text()
			}
		}
		return
	}
	if actual, ok := pkg.ImportMap[to]; ok {
		to = actual
	}
	key, name := to, ""
	if other := t.byPath[to]; other != nil {
		key, name = t.keys[to], other.Name
	}
	if s.Name != nil {
		name = s.Name.Name
	}
	if name == "" { // for a package that is not listed, the conventional name
		name = path.Base(to)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" && strings.Contains(to, "/") {
			name = path.Base(path.Dir(to))
		}
		name, _, _ = strings.Cut(name, ".v")
	}
	if name != "_" && name != "." {
		f.imports[name] = key
	}
}

func (p *source) declareFunc(f *sourceFile, d *ast.FuncDecl, inits *int) {
	name := golang.FuncName(d)
	if d.Recv == nil {
		switch d.Name.Name {
		case "_":
			return
		case "init":
			name = fmt.Sprintf("init.%d", *inits)
			*inits++
		default:
			p.names[d.Name.Name] = true
		}
	}
	fn := &function{name: name, id: strings.ReplaceAll(name, "[...]", ""), decl: d, node: d, file: f, p: p}
	p.funcs = append(p.funcs, fn)
	if _, twice := p.byName[fn.id]; !twice {
		p.byName[fn.id] = fn
	}
}

func (p *source) declare(f *sourceFile, d *ast.GenDecl) {
	var valued *ast.ValueSpec
	for i, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			p.names[s.Name.Name] = true
			p.types[s.Name.Name] = &typeDecl{name: s.Name.Name, file: f, spec: s}
		case *ast.ValueSpec:
			if valued == nil || len(s.Values) > 0 || s.Type != nil || d.Tok == token.VAR {
				valued = s
			}
			for k, id := range s.Names {
				v := &value{name: id.Name, constant: d.Tok == token.CONST, file: f, pos: id.Pos(), typ: valued.Type, iota: -1, embeds: embeds(d, s)}
				switch {
				case len(valued.Values) == len(s.Names):
					v.init = valued.Values[k]
				case len(valued.Values) > 0:
					v.init, v.index = valued.Values[0], k
				}
				if v.constant {
					v.iota = i
				}
				p.order = append(p.order, v)
				if id.Name != "_" {
					p.names[id.Name] = true
					p.values[id.Name] = v
				}
			}
		}
	}
}

// embeds returns the patterns of a variable's go:embed directives.
func embeds(d *ast.GenDecl, s *ast.ValueSpec) (patterns []string) {
	for _, doc := range []*ast.CommentGroup{d.Doc, s.Doc} {
		if doc == nil {
			continue
		}
		for _, c := range doc.List {
			if rest, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
				patterns = append(patterns, strings.Fields(rest)...)
			}
		}
	}
	return patterns
}

// index records the positions of the package's blocks.
func (p *source) index() error {
	if p.pkg.Table == nil {
		t, err := golang.Analyze(p.pkg.Path, p.pkg.Files, golang.Options{})
		if err != nil {
			return err
		}
		p.pkg.Table = t
	}
	p.blocks = make(map[place]int, len(p.pkg.Table.Blocks))
	for _, b := range p.pkg.Table.Blocks {
		at := place{b.File, b.Line, b.Col, b.Kind}
		if _, ok := p.blocks[at]; !ok {
			p.blocks[at] = b.ID
		}
	}
	return nil
}

// position returns the position that the block table reports for at.
func (p *source) position(at token.Pos) token.Position {
	pos := p.fset.Position(at)
	if name, ok := p.paths[pos.Filename]; ok {
		pos.Filename = name
	}
	return pos
}

// block finds the block of a kind that begins at a position.
func (p *source) block(kind flow.Kind, at token.Pos) (int, bool) {
	if p.blocks == nil || !at.IsValid() {
		return flow.None, false
	}
	pos := p.position(at)
	id, ok := p.blocks[place{pos.Filename, pos.Line, pos.Column, kind}]
	return id, ok
}

// closures returns functions for the variables whose initializers contain blocks.
func (p *source) closures() (list []*function) {
	for _, v := range p.order {
		if v.constant || v.init == nil || v.index > 0 {
			continue
		}
		c := p.valueOf(v)
		if slices.ContainsFunc(c.atoms, func(a atom) bool {
			return a.block != flow.None || slices.ContainsFunc(a.words, func(w word) bool { return w.block != flow.None })
		}) {
			list = append(list, &function{name: v.name, id: v.name, node: v.init, file: v.file, p: p, c: c})
		}
	}
	return list
}

func (f *function) code() *code {
	if f.c == nil {
		f.c = f.p.functionCode(f.file, f.decl)
	}
	return f.c
}

// valueOf returns the code of a variable's or a constant's type and value.
func (p *source) valueOf(v *value) *code {
	if v.c == nil {
		v.c = p.valueCode(v.file, v.iota, v.typ, v.init)
	}
	return v.c
}

func (p *source) typeOf(t *typeDecl) *code {
	if t.c == nil {
		t.c = p.typeCode(t.file, t.spec)
	}
	return t.c
}

// elements reports whether the keys of a composite literal are expressions, and returns the type of
// its elements.
func (p *source) elements(typ ast.Expr) (keyed bool, element ast.Expr) {
	for range 8 { // limits chains of named types
		switch t := typ.(type) {
		case *ast.ParenExpr:
			typ = t.X
		case *ast.StarExpr:
			typ = t.X
		case *ast.ArrayType:
			return true, t.Elt
		case *ast.MapType:
			return true, t.Value
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			d := p.types[t.Name]
			if d == nil {
				return false, nil
			}
			typ = d.spec.Type
		default:
			return false, nil
		}
	}
	return false, nil
}
