package change

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/golang"
)

// realCode lists packages of the standard library. Tests check properties of all code on them.
var realCode = []string{"strconv", "encoding/json", "text/template/parse", "regexp/syntax", "go/printer", "net/textproto", "sort", "maps", "time"}

func standard(t *testing.T, path string) *Package {
	t.Helper()
	dir := filepath.Join(build.Default.GOROOT, "src", path)
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := listedPackage{ImportPath: path, Name: p.Name, Dir: dir, GoFiles: p.GoFiles, Module: &listedModule{Path: path, Main: true}}
	return l.converted("")
}

// TestEveryBlock checks that each block of a function belongs to some of its code, so the
// normalizer and the block table agree.
func TestEveryBlock(t *testing.T) {
	for _, path := range realCode {
		tree := &Tree{Packages: []*Package{standard(t, path)}}
		tree.prepare()
		s, err := tree.parse(tree.Packages[0], ".", true)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		use := func(c *code) {
			for _, a := range c.atoms {
				seen[a.block], seen[a.body] = true, true
				for _, w := range a.words {
					seen[w.block] = true
				}
			}
			for _, l := range c.lists {
				seen[l.block] = true
			}
		}
		for _, f := range s.funcs {
			use(f.code())
			for _, id := range f.blocks() {
				if f.pkgBlock(id).Kind == flow.Entry && !seen[id] {
					t.Errorf("%s: the entry of %s is not seen", path, f.name)
				}
			}
		}
		for _, v := range s.order {
			use(s.valueOf(v))
		}
		missed := 0
		for _, b := range s.pkg.Table.Blocks {
			if !seen[b.ID] && b.Kind != flow.ImplicitElse && b.Kind != flow.ImplicitDefault && s.pkg.Table.Funcs[b.Func].Name != "_" {
				missed++
				t.Logf("%s:%d:%d: %s in %s", filepath.Base(b.File), b.Line, b.Col, b.Kind, s.pkg.Table.Funcs[b.Func].Name)
			}
		}
		if missed > 0 {
			t.Errorf("%s: %d of %d blocks are not seen", path, missed, len(s.pkg.Table.Blocks))
		}
	}
}

func (f *function) pkgBlock(id int) flow.Block { return f.p.pkg.Table.Blocks[id] }

// TestRenamedCode checks that other names of locals and other formatting are no change.
func TestRenamedCode(t *testing.T) {
	for _, path := range realCode {
		old := standard(t, path)
		dir := t.TempDir()
		renamed := *old
		renamed.Dir, renamed.Files = dir, nil
		for name, text := range disguised(t, old.Files) {
			to := filepath.Join(dir, name)
			if err := os.WriteFile(to, text, 0o644); err != nil {
				t.Fatal(err)
			}
			renamed.Files = append(renamed.Files, to)
		}
		slices.Sort(renamed.Files)
		r, err := Compare(context.Background(), &Tree{Packages: []*Package{old}}, &Tree{Packages: []*Package{&renamed}})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Points {
			t.Errorf("%s: %s %s:%d\n%s", path, p.Kind, filepath.Base(p.File), p.Line, p.Text)
		}
	}
}

// TestEveryStatement checks that a block of the function represents each statement that is removed,
// or swapped with the next.
func TestEveryStatement(t *testing.T) {
	path := filepath.Join(build.Default.GOROOT, "src/encoding/csv/reader.go")
	dir := t.TempDir()
	at := filepath.Join(dir, "reader.go")
	pkg := func(file string) *Package {
		return &Package{Path: "p", Name: "csv", Dir: filepath.Dir(file), Module: "p", Main: true, Files: []string{file}}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	try := func(what, function string) {
		t.Helper()
		tried++
		var text bytes.Buffer
		if err := format.Node(&text, fset, file); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Compare(context.Background(), &Tree{Packages: []*Package{pkg(path)}}, &Tree{Packages: []*Package{pkg(at)}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Points) == 0 { // a local that is no longer declared gives many points
			t.Errorf("%s in %s: no point", what, function)
		}
		for _, p := range r.Points {
			if p.Function != function || len(p.Blocks) == 0 {
				t.Errorf("%s in %s is a change of %s in blocks %d", what, function, p.Function, p.Blocks)
			}
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var list *[]ast.Stmt
			switch n := n.(type) {
			case *ast.BlockStmt:
				list = &n.List
			case *ast.CaseClause:
				list = &n.Body
			}
			if list == nil || len(*list) == 0 {
				return true
			}
			whole := *list
			for i, s := range whole {
				if _, clause := s.(*ast.CaseClause); clause {
					continue
				}
				where := fset.Position(s.Pos())
				*list = slices.Delete(slices.Clone(whole), i, i+1)
				try(fmt.Sprint("without line ", where.Line), golang.FuncName(f))
				if i+1 < len(whole) {
					*list = slices.Clone(whole)
					(*list)[i], (*list)[i+1] = whole[i+1], whole[i]
					try(fmt.Sprint("with line ", where.Line, " behind the next"), golang.FuncName(f))
				}
			}
			*list = whole
			return true
		})
	}
	if tried < 100 {
		t.Errorf("only %d edits were tried", tried)
	}
}

// disguised returns the files of a package with other names for locals, without comments, and with
// parentheses around operands.
func disguised(t *testing.T, names []string) map[string][]byte {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	nothing := importer(func(path string) *types.Package {
		p := types.NewPackage(path, filepath.Base(path))
		p.MarkComplete()
		return p
	})
	config := types.Config{Importer: nothing, Error: func(error) {}}
	config.Check("p", fset, files, info)
	local := map[types.Object]int{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name != "_" {
				if v, ok := info.Defs[id].(*types.Var); ok && !v.IsField() && v.Parent() != nil && v.Parent().Parent() != types.Universe {
					local[v] = len(local) + 1
				}
			}
			return true
		})
	}
	keep := map[*ast.Ident]bool{}
	for _, file := range files { // names that may be fields, since types are unknown
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					keep[id] = true
					delete(local, info.Uses[id])
				}
			}
			return true
		})
	}
	out := map[string][]byte{}
	for i, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				obj := info.Defs[n]
				if obj == nil {
					obj = info.Uses[n]
				}
				if number := local[obj]; number > 0 && !keep[n] {
					n.Name = fmt.Sprintf("zz%d", number)
				}
			case *ast.BinaryExpr:
				if _, ok := n.X.(*ast.CallExpr); ok {
					n.X = &ast.ParenExpr{X: n.X}
				}
			}
			return true
		})
		var text bytes.Buffer
		if err := format.Node(&text, fset, file); err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(names[i])] = bytes.ReplaceAll(text.Bytes(), []byte("{\n"), []byte("{\n\n"))
	}
	return out
}

// TestBroken checks versions that do not parse. A broken new version does not build. With a broken
// old version, all code counts as new.
func TestBroken(t *testing.T) {
	root := t.TempDir()
	lay(t, root, "-- old/m.go --\npackage m\n-- new/m.go --\npackage m\nfunc {\n")
	old, new := tree(t, filepath.Join(root, "old")), tree(t, filepath.Join(root, "new"))
	if len(new.Packages) == 0 { // go/build does not list files that it cannot read
		p := *old.Packages[0]
		p.Dir, p.Files = filepath.Join(root, "new"), []string{filepath.Join(root, "new/m.go")}
		new.Packages = append(new.Packages, &p)
	}
	_, err := Compare(context.Background(), old, new)
	if want := "the new version does not parse: m.go:2:6: "; exit.Code(err) != exit.BuildCode || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	lay(t, root, "-- old/m.go --\npackage m\nfunc F() {}\n")
	old = tree(t, filepath.Join(root, "old"))
	r, err := Compare(context.Background(), new, old)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, old, []string{`function F: entry "func F() {}"`}, []string{"broken: The base does not parse: m.go:2:6"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, old, old); err == nil {
		t.Error("a canceled context is no error")
	}
}

// TestLineDirectiveNote checks that a change at a place named by a //line directive is not reported
// as a change of comments.
func TestLineDirectiveNote(t *testing.T) {
	root := t.TempDir()
	const text = "/m.go --\npackage m\n\nfunc F() {\n//line x.y:10\n\tif true {\n\t\tprint(NUMBER)\n\t}\n}\n"
	lay(t, root, "-- old"+strings.ReplaceAll(text, "NUMBER", "1")+"-- new"+strings.ReplaceAll(text, "NUMBER", "2"))
	r, err := Compare(context.Background(), tree(t, filepath.Join(root, "old")), tree(t, filepath.Join(root, "new")))
	if err != nil || len(r.Points) != 1 || len(r.Notes) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
