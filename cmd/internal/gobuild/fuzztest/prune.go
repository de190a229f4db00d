package fuzztest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/base/lazyregexp"
)

// Prune writes test files of a package into a folder without the declarations that a FuzzXxx does
// not need. It returns the paths of the files that changed. Tests of new functions in the same file
// would not compile with an old version. It compares only names, as Needed does. The rest keeps its
// lines and columns, so that calls are found by their places. Names of the module and the package
// become those of the old tree.
func Prune(from, onto Tree, fuzz string, files []string, dir string) (map[string]string, error) {
	p := pruner{fuzz: fuzz, set: token.NewFileSet(), declares: map[string][]ast.Decl{}, methods: map[string][]ast.Decl{}, kept: map[ast.Decl]bool{}}
	p.module[0], p.module[1] = modulePath(from.Dir), modulePath(onto.Dir)
	p.name[0], p.name[1] = packageName(from.path()), packageName(onto.path())
	p.path[0], p.path[1] = path.Join(p.module[0], from.Package), path.Join(p.module[1], onto.Package)
	var texts [][]byte
	var trees []*ast.File
	for _, name := range files {
		text, err := os.ReadFile(from.path(name))
		if err != nil {
			return nil, err
		}
		f, err := gosyntax.ParseFile(p.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		texts, trees = append(texts, text), append(trees, f)
	}
	p.reach(trees)
	out := map[string]string{}
	for i, name := range files {
		pruned := p.file(trees[i], slices.Clone(texts[i]))
		if bytes.Equal(pruned, texts[i]) {
			continue
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		out[name] = filepath.Join(dir, name)
		if err := os.WriteFile(out[name], pruned, 0o644); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// packageName returns the name in a package's clauses, or "".
func packageName(dir string) string {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*.go"))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly); err == nil {
			return f.Name.Name
		}
	}
	return ""
}

func modulePath(dir string) string {
	text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
	return modfile.ModulePath(text)
}

// pruner knows what a FuzzXxx needs.
type pruner struct {
	fuzz     string
	set      *token.FileSet
	module   [2]string // path, in the new and in the old tree
	name     [2]string // of the package
	path     [2]string // of the package, its import path
	declares map[string][]ast.Decl
	methods  map[string][]ast.Decl // by type
	kept     map[ast.Decl]bool
}

// reach finds what the FuzzXxx reaches, and what runs without being called.
func (p *pruner) reach(files []*ast.File) {
	var queue []ast.Decl
	for _, f := range files {
		for _, d := range f.Decls {
			names, root := p.names(d)
			for _, name := range names {
				p.declares[name] = append(p.declares[name], d)
			}
			if root {
				queue = append(queue, d)
			}
		}
	}
	for len(queue) > 0 {
		d := queue[0]
		if queue = queue[1:]; p.kept[d] {
			continue
		}
		p.kept[d] = true
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				queue = append(append(queue, p.declares[id.Name]...), p.methods[id.Name]...)
			}
			return true
		})
	}
}

// names are those that a declaration declares. A root is needed though nothing may name it.
func (p *pruner) names(d ast.Decl) (names []string, root bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil {
			typ := receiverName(d)
			p.methods[typ] = append(p.methods[typ], d)
			return nil, typ == ""
		}
		name := d.Name.Name
		return []string{name}, name == p.fuzz || name == "init" || name == "TestMain" || name == "_"
	case *ast.GenDecl:
		names = declared(&ast.File{Decls: []ast.Decl{d}})
		return names, d.Tok == token.IMPORT || d.Tok == token.VAR && len(names) == 0
	}
	return nil, true
}

// receiverName is the type whose method a function is.
func receiverName(d *ast.FuncDecl) (name string) {
	ast.Inspect(d.Recv, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		ast.Inspect(field.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && name == "" {
				name = id.Name
			}
			return true
		})
		return false
	})
	return name
}

// file blanks out what is not needed of a file.
func (p *pruner) file(f *ast.File, text []byte) []byte {
	blank := func(from, to token.Pos) {
		for i := p.set.Position(from).Offset; i < p.set.Position(to).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	uses := map[bool]map[string]bool{true: {}, false: {}} // of packages, by declarations that are kept and those that are not
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					uses[p.kept[d]][id.Name] = true
				}
			}
			return true
		})
		if p.kept[d] {
			continue
		}
		from := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
		case *ast.GenDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
		}
		blank(from, d.End())
	}
	var moved []*ast.ImportSpec
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			s := s.(*ast.ImportSpec)
			called := func(name string) bool { return uses[true][name] }
			was := func(name string) bool { return uses[false][name] }
			switch names := importNames(s); {
			case slices.ContainsFunc(names, was) && !slices.ContainsFunc(names, called):
				if g.Lparen.IsValid() {
					blank(s.Pos(), s.End())
				} else {
					blank(g.Pos(), g.End())
				}
			default:
				moved = append(moved, s)
			}
		}
	}
	slices.Reverse(moved)
	replace := func(n ast.Node, by string) {
		text = slices.Replace(text, p.set.Position(n.Pos()).Offset, p.set.Position(n.End()).Offset, []byte(by)...)
	}
	for _, s := range moved { // from the end, since the text may become longer
		if to := p.elsewhere(s); to != s.Path.Value {
			replace(s.Path, to)
		}
	}
	renamed := p.name[0] != p.name[1] && p.name[0] != "" && p.name[1] != ""
	if rest, ok := strings.CutPrefix(f.Name.Name, p.name[0]); renamed && ok && (rest == "" || rest == "_test") {
		replace(f.Name, p.name[1]+rest)
	}
	return text
}

// elsewhere is how an import is written in the old tree, where its module has another path or, of
// the package itself, another name.
func (p *pruner) elsewhere(s *ast.ImportSpec) string {
	at, err := strconv.Unquote(s.Path.Value)
	if err != nil || p.module[0] == "" || p.module[1] == "" {
		return s.Path.Value
	}
	to := at
	if rest, ok := strings.CutPrefix(at, p.module[0]); ok && (rest == "" || rest[0] == '/') {
		to = p.module[1] + rest
	}
	if at == p.path[0] {
		to = p.path[1]
	}
	if to = strconv.Quote(to); at == p.path[0] && s.Name == nil && p.name[0] != p.name[1] {
		to = p.name[0] + " " + to
	} else if to == strconv.Quote(at) {
		return s.Path.Value
	}
	return to
}

var major = lazyregexp.New(`^v[0-9]+$`)

// importNames returns the names by which a file may refer to an import, as far as its path shows.
// An import for side effects has none.
func importNames(s *ast.ImportSpec) (names []string) {
	if s.Name != nil {
		if s.Name.Name == "_" || s.Name.Name == "." {
			return nil
		}
		return []string{s.Name.Name}
	}
	at, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return nil
	}
	last := path.Base(at)
	if major().MatchString(last) {
		last = path.Base(path.Dir(at))
	}
	last, _, _ = strings.Cut(last, ".") // gopkg.in/yaml.v3
	return append(strings.Split(last, "-"), last, strings.ReplaceAll(last, "-", ""), strings.ReplaceAll(last, "-", "_"))
}
