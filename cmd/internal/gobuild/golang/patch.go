package golang

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
)

// A patch inserts a statement into a function of the standard library. It finds the place in the
// syntax tree, since names, further parameters and the surrounding text differ between releases of
// Go. The insertion stays on one line, so that stack traces keep their lines.
type patch struct {
	receiver string // without the star; "" for a function
	function string
	// text is the statement. In it, $0 is the receiver, and $1, $2, ... are the parameters that
	// have the types want.
	text string
	want []string
	// The statement belongs before the first that mentions a field of name before, after the
	// declaration of the variable after. It belongs at the beginning of the function if both are
	// empty.
	before, after string
}

func (p *patch) name() string {
	if p.receiver == "" {
		return p.function
	}
	return "(*" + p.receiver + ")." + p.function
}

// patchFiles applies patches to the files of a package, by base name, and returns all of them.
func patchFiles(files map[string]string, patches []patch) (map[string]string, error) {
	fset := token.NewFileSet()
	found := make([]int, len(patches))
	out := map[string]string{}
	for name, text := range files {
		out[name] = text
		if !slices.ContainsFunc(patches, func(p patch) bool { return strings.Contains(text, " "+p.function+"(") }) {
			continue
		}
		tree, err := gosyntax.ParseFile(fset, name, text, 0)
		if err != nil {
			return nil, err
		}
		type insertion struct {
			at   int
			text string
		}
		var list []insertion
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			for i := range patches {
				p := &patches[i]
				if f.Name.Name != p.function || receiverOf(f) != p.receiver {
					continue
				}
				found[i]++
				at, text, err := p.apply(f)
				if err != nil {
					return nil, fmt.Errorf("%s in %s: %w", p.name(), name, err)
				}
				list = append(list, insertion{fset.Position(at).Offset, text})
			}
		}
		slices.SortFunc(list, func(a, b insertion) int { return b.at - a.at })
		for _, i := range list {
			text = text[:i.at] + i.text + text[i.at:]
		}
		out[name] = text
	}
	for i, n := range found {
		if n != 1 {
			return nil, fmt.Errorf("%s is declared %d times, and not once", patches[i].name(), n)
		}
	}
	return out, nil
}

// apply returns where the patch belongs in a function, and its text there.
func (p *patch) apply(f *ast.FuncDecl) (token.Pos, string, error) {
	at, text := f.Body.Lbrace+1, " "+p.text
	if p.before != "" {
		var err error
		if at, err = p.find(f); err != nil {
			return 0, "", err
		}
		text = p.text + " "
	}
	names := map[string]string{"$0": ""}
	if f.Recv != nil && len(f.Recv.List[0].Names) == 1 {
		names["$0"] = f.Recv.List[0].Names[0].Name
	}
	var params []*ast.Field
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			params = append(params, &ast.Field{Names: []*ast.Ident{name}, Type: field.Type})
		}
	}
	for i, want := range p.want {
		k := slices.IndexFunc(params, func(one *ast.Field) bool { return typeText(one.Type) == want })
		if k < 0 {
			return 0, "", fmt.Errorf("it has no parameter of type %s", want)
		}
		names[fmt.Sprintf("$%d", i+1)] = params[k].Names[0].Name
		params = slices.Delete(params, k, k+1)
	}
	for mark, name := range names {
		if !strings.Contains(text, mark) {
			continue
		}
		if name == "" || name == "_" {
			return 0, "", fmt.Errorf("a parameter that the hook needs has no name")
		}
		text = strings.ReplaceAll(text, mark, name)
	}
	return at, text, nil
}

// receiverOf returns the name of the receiver's type, without the star; "" for a function without
// receiver.
func receiverOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	return strings.TrimPrefix(typeText(f.Recv.List[0].Type), "*")
}

// typeText formats the types that patches match.
func typeText(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return "*" + typeText(t.X)
	case *ast.ArrayType:
		if t.Len == nil {
			return "[]" + typeText(t.Elt)
		}
	case *ast.SelectorExpr:
		return typeText(t.X) + "." + t.Sel.Name
	}
	return "?"
}

// find returns the place between two statements.
func (p *patch) find(f *ast.FuncDecl) (token.Pos, error) {
	declared := false
	for _, s := range f.Body.List {
		if d, ok := s.(*ast.DeclStmt); ok && declares(d, p.after) {
			declared = true
		} else if declared && mentions(s, p.before) {
			return s.Pos(), nil
		}
	}
	return 0, fmt.Errorf("no statement after the declaration of a variable %s mentions .%s", p.after, p.before)
}

func declares(d *ast.DeclStmt, variable string) bool {
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return false
	}
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Names) == 1 && v.Names[0].Name == variable {
			return true
		}
	}
	return false
}

func mentions(s ast.Stmt, field string) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == field {
			found = true
		}
		return !found
	})
	return found
}

// runPatched compiles a package of the standard library. patched changes its files and adds some;
// unfit words the errors.
func (c compilation) runPatched(pkg, flag string, patched func(map[string]string) (map[string]string, error), unfit func(error) error) (code int, err error) {
	if c.pkg != pkg {
		return 0, fmt.Errorf("%s is for package %s only", flag, pkg)
	}
	texts := map[string]string{}
	for _, path := range c.files {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		texts[filepath.Base(path)] = string(text)
	}
	out, err := patched(texts)
	if err != nil {
		return 0, unfit(err)
	}
	temp, remove, err := c.tempDir()
	if err != nil {
		return 0, err
	}
	defer remove(&err)
	files := slices.Clone(c.files)
	write := func(base, shown string) (string, error) {
		path := filepath.Join(temp, base)
		return path, os.WriteFile(path, fmt.Appendf(nil, "//line %s:1:1\n%s", shown, out[base]), 0o600)
	}
	for i, path := range files {
		if base := filepath.Base(path); out[base] != texts[base] {
			if files[i], err = write(base, path); err != nil {
				return 0, err
			}
		}
	}
	for base := range out {
		if _, ok := texts[base]; !ok {
			path, err := write(base, base)
			if err != nil {
				return 0, err
			}
			files = append(files, path)
		}
	}
	code, err = c.compile(files)
	if err == nil && code != 0 {
		err = unfit(errors.New("the addition does not compile there"))
	}
	return code, err
}
