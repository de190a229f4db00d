package golang

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
)

// A source is one file of a package.
type source struct {
	path string
	text []byte
}

// A file is a parsed source with the functions and edits found in it.
type file struct {
	source
	unit *unit
	ast  *ast.File
	tok  *token.File

	cgo         bool            // output of cgo
	unsafeNames map[string]bool // local names of package unsafe
	exits       map[string]bool // calls that do not return, such as "os.Exit"

	funcs []*function
	edits []edit
}

// A unit is a package with its blocks.
type unit struct {
	name         string
	fset         *token.FileSet
	paths        map[string]string // by name in fset
	files        []*file           // by base name
	funcs        []*function
	blocks       int
	initClosures *int
	panics       bool // the identifier panic means the builtin
}

// A parseError is a file that is not valid Go. The compiler has a better message.
type parseError struct {
	path string
	err  error
}

func (e *parseError) Error() string { return fmt.Sprintf("%s:%v", e.path, e.err) }
func (e *parseError) Unwrap() error { return e.err }

// newUnit parses a package and finds its blocks. Ids follow the base names of the files, then
// positions.
func newUnit(sources []source) (*unit, error) {
	u := &unit{fset: token.NewFileSet(), paths: map[string]string{}, initClosures: new(int), panics: true}
	for _, s := range sources {
		if generated(s.path) {
			continue
		}
		f, err := u.parse(s)
		if err != nil {
			return nil, err
		}
		u.files = append(u.files, f)
	}
	slices.SortStableFunc(u.files, func(a, b *file) int {
		return strings.Compare(sortKey(a.path), sortKey(b.path))
	})
	for _, f := range u.files {
		if err := u.check(f); err != nil {
			return nil, err
		}
	}
	u.name = ""
	if len(u.files) > 0 {
		u.name = u.files[0].ast.Name.Name
	}

	// The compiler sees test files after the others, and cgo's output last. The order determines
	// the names of init functions and of closures of package-level variables.
	inits := 0
	for order := range 3 {
		for _, f := range u.files {
			if f.order() != order {
				continue
			}
			f.walk(&inits)
			if Generates(f.text) {
				f.funcs, f.edits = nil, nil
			}
		}
	}
	for _, f := range u.files {
		slices.SortStableFunc(f.funcs, func(a, b *function) int { return int(a.pos) - int(b.pos) })
		for _, fn := range f.funcs {
			fn.number(u.blocks)
			u.blocks += len(fn.order)
			u.funcs = append(u.funcs, fn)
		}
	}
	return u, nil
}

// order returns 0 for files that the compiler receives first, 1 for the test files after them, and
// 2 for cgo's output.
func (f *file) order() int {
	switch {
	case f.cgo:
		return 2
	case strings.HasSuffix(f.path, "_test.go"):
		return 1
	}
	return 0
}

// Injected begins the base name of test files that parallax adds to a package. They hold no blocks.
const Injected = "plx_inject"

// generated reports whether a file is the toolchain's own glue, or ours.
func generated(path string) bool {
	base := filepath.Base(path)
	return strings.HasPrefix(base, "_cgo_") || base == "_testmain.go" || strings.HasPrefix(base, Injected) && strings.HasSuffix(base, "_test.go")
}

// GeneratorDirective is a line above the package clause of a file that contains generators of
// inputs. It gets no counters, since its branches are not behavior of the code under test.
const GeneratorDirective = "//parallax:generator"

// Generates reports whether a file has the directive.
func Generates(text []byte) bool {
	if !bytes.Contains(text, []byte(GeneratorDirective)) {
		return false
	}
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case string(line) == GeneratorDirective:
			return true
		case bytes.HasPrefix(line, []byte("package ")):
			return false
		}
	}
	return false
}

// sortKey returns the base name of the user's file.
func sortKey(path string) string {
	base := filepath.Base(path)
	if s, ok := strings.CutSuffix(base, ".cgo1.go"); ok {
		return s + ".go"
	}
	return base
}

var bom = []byte("\xef\xbb\xbf")

func (u *unit) parse(s source) (*file, error) {
	s.text = bytes.TrimPrefix(s.text, bom) // allowed at the start only, where a header will be
	// With a name without a folder, names in //line directives stay as written.
	name := fmt.Sprintf("file %d", len(u.files))
	tree, err := gosyntax.ParseFile(u.fset, name, s.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) {
			at := list[0].Pos
			err = fmt.Errorf("%d:%d: %s", at.Line, at.Column, list[0].Msg)
		}
		return nil, &parseError{s.path, err}
	}
	u.paths[name] = s.path
	f := &file{source: s, unit: u, ast: tree, tok: u.fset.File(tree.Package)}
	f.cgo = strings.HasSuffix(s.path, ".cgo1.go")
	f.unsafeNames = map[string]bool{}
	f.exits = map[string]bool{}
	for _, spec := range tree.Imports {
		path := strings.Trim(spec.Path.Value, "\"`")
		name := path
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch path {
		case "C":
			f.cgo = true
		case "unsafe":
			f.unsafeNames[name] = true
		case "os":
			f.exits[name+".Exit"] = true
		case "runtime":
			f.exits[name+".Goexit"] = true
		case "log":
			f.exits[name+".Fatal"] = true
			f.exits[name+".Fatalf"] = true
			f.exits[name+".Fatalln"] = true
		}
	}
	return f, nil
}

// position is where the compiler reports p: in the file's absolute path, or as a //line directive
// says.
func (u *unit) position(p token.Pos) token.Position {
	at := u.fset.Position(p)
	if path, ok := u.paths[at.Filename]; ok {
		at.Filename = path
	}
	return at
}

func (f *file) offset(p token.Pos) int { return f.tok.Offset(p) }

// reserved are the names an instrumented package must not use for anything else.
var reserved = map[string]bool{"plxCov": true, "plxMap": true, "plxLen": true, "plxOrd": true, "plxSeq": true, "plxOne": true, "plxHit": true}

// declaredTypes are used by the support file in their predeclared meaning.
var declaredTypes = map[string]bool{"uint8": true, "uint32": true, "uint64": true, "int": true}

// check finds names that clash with what is inserted, and names that hide a function that does not
// return.
func (u *unit) check(f *file) error {
	var clash *ast.Ident
	outer := map[*ast.Ident]bool{} // identifiers that declare or hide nothing
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
				outer[id] = true
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				outer[n.Name] = true
			}
		case *ast.SelectorExpr:
			outer[n.Sel] = true
			if id, ok := n.X.(*ast.Ident); ok {
				outer[id] = true
			}
		case *ast.ImportSpec:
			if n.Name != nil && !reserved[n.Name.Name] {
				outer[n.Name] = true
			}
		case *ast.Ident:
			switch {
			case reserved[n.Name] && clash == nil && !outer[n]:
				clash = n
			case outer[n]:
			case n.Name == "panic":
				u.panics = false
			default:
				for _, call := range []string{".Exit", ".Goexit", ".Fatal", ".Fatalf", ".Fatalln"} {
					delete(f.exits, n.Name+call)
				}
			}
		}
		return true
	})
	for _, d := range f.ast.Decls {
		for _, id := range declaredBy(d) {
			if declaredTypes[id.Name] && clash == nil {
				clash = id
			}
		}
	}
	if clash != nil {
		return fmt.Errorf("%v: the name %s is needed for counters; rename it or leave the package uninstrumented",
			u.position(clash.Pos()), clash.Name)
	}
	return nil
}

// declaredBy returns the names a package-level declaration brings in.
func declaredBy(d ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

// terminates reports whether control never comes back from a call.
func (f *file) terminates(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic" && f.unit.panics
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			return f.exits[x.Name+"."+fun.Sel.Name]
		}
	}
	return false
}

// walk builds the functions of the file. inits counts the init functions of the package.
func (f *file) walk(inits *int) {
	var specs []*ast.ValueSpec
	end := f.ast.Name.End()
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := FuncName(d)
			if d.Recv == nil && d.Name.Name == "init" {
				name = fmt.Sprintf("init.%d", *inits)
				*inits++
			}
			if d.Body != nil && !f.excluded(end, d) {
				f.build(&function{name: name, pos: d.Type.Func, results: resultsOf(d.Type)}, d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				for _, s := range d.Specs {
					specs = append(specs, s.(*ast.ValueSpec))
				}
			}
		}
		end = d.End()
	}
	f.buildInit(specs)
}

// excludedBy lists the directives of functions that cannot hold a counter. They have no stack to
// spare, or run where the runtime is not ready for any compiled code.
var excludedBy = []string{"//go:nosplit", "//go:nowritebarrier", "//go:nowritebarrierrec", "//go:yeswritebarrierrec",
	"//go:systemstack"}

// excluded reports whether a directive between the declaration before and the function forbids
// counters.
func (f *file) excluded(before token.Pos, d *ast.FuncDecl) bool {
	groups := f.ast.Comments
	first := sort.Search(len(groups), func(i int) bool { return groups[i].Pos() >= before })
	for _, group := range groups[first:] {
		if group.Pos() >= d.Type.Func {
			return false
		}
		for _, c := range group.List {
			if word, _, _ := strings.Cut(c.Text, " "); slices.Contains(excludedBy, strings.TrimSpace(word)) {
				return true
			}
		}
	}
	return false
}

// FuncName is the name of a declared function as the runtime prints it.
func FuncName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		if d.Type.TypeParams != nil {
			return d.Name.Name + "[...]"
		}
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		p, ok := t.(*ast.ParenExpr)
		if !ok {
			break
		}
		t = p.X
	}
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = star.X
	}
	suffix := ""
	switch x := t.(type) {
	case *ast.IndexExpr:
		t, suffix = x.X, "[...]"
	case *ast.IndexListExpr:
		t, suffix = x.X, "[...]"
	}
	name := "?"
	if id, ok := t.(*ast.Ident); ok {
		name = id.Name
	}
	if pointer {
		return "(*" + name + suffix + ")." + d.Name.Name
	}
	return name + suffix + "." + d.Name.Name
}
