package newtest

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"parallax/cmd/internal/codegen"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/library"
	"parallax/cmd/internal/signature"
	"parallax/internal/input"
)

// ownAlias stands for the package of the test itself while its text is written: a qualifier that is dropped in the end.
const ownAlias = "plxOwnPackage"

// identifier reports whether s is a Go identifier and no keyword.
func identifier(s string) bool { return token.IsIdentifier(s) }

// topLevel lists the names that a file declares in its package's block.
func topLevel(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// reserved are names of the test's own, and those of packages that every test or some wrappers import, with their paths.
var reserved = map[string]string{
	"f": "", "t": "", "v": "", "x": "", "s": "", "err": "", "ok": "", "data": "",
	"testing": "testing", "parallax": library.Path, "bytes": "bytes", "strings": "strings", "bufio": "bufio", "io": "io",
	"utf16": "unicode/utf16", "context": "context",
}

// writer writes the text of a test.
type writer struct {
	*plan
	*codegen.Wrapper
	names map[string]string // names of imports, and their paths
}

// write makes the file's text.
func (t *plan) write() ([]byte, error) {
	w := &writer{plan: t, names: map[string]string{}}
	w.Wrapper = codegen.NewWrapper(w.importName)
	w.Taken[t.Name] = true
	for name := range t.taken {
		w.Taken[name] = true
	}
	impls, shapes, err := w.implementations()
	if err != nil {
		return nil, err
	}
	if err := t.agree(shapes); err != nil {
		return nil, err
	}
	t.mine()
	wrappers := w.Take()
	w.test(impls)
	body := w.Take() + wrappers
	w.header()
	text := strings.ReplaceAll(w.Take()+body, ownAlias+".", "")
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("writing the test: %w\n%s", err, text)
	}
	return formatted, nil
}

// implementations returns an expression and a shape for each function. For one that cannot be called as it is it writes a
// wrapper, whose name is the expression.
func (w *writer) implementations() (impls []string, shapes []input.Shape, err error) {
	for i, c := range w.calls {
		problem := w.problems[i]
		if problem == nil {
			impl := ""
			if w.compares() { // a test of one function calls it where it stands
				impl = w.implementation(c)
			}
			impls, shapes = append(impls, impl), append(shapes, c.Shape)
			continue
		}
		name := w.Function(c)
		shape, err := w.wrapped()
		if err != nil {
			return nil, nil, exit.Usage("%s: %s: %s\n\tit is %s", c.Func.Written, problem.Where, problem.Why, c.Signature())
		}
		impls, shapes = append(impls, name), append(shapes, shape)
		w.root.Note("%s cannot be called as it is (%s): look at %s, which adapts it", c.Func.Written, problem.Where, name)
	}
	return impls, shapes, nil
}

// test writes the FuzzXxx.
func (w *writer) test(impls []string) {
	w.Printf("%s\nfunc %s(f *testing.F) {\n", w.describe(), w.Name)
	w.addSeeds()
	if !w.compares() {
		w.single(impls[0])
		w.Printf("}\n\n")
		return
	}
	if w.differing {
		w.Printf("// Values are not compared, since their types differ. With a part such as\n" +
			"//\tparallax.Normalize(func(v T) any { return ... })\n// what it returns is compared in place of every T.\n")
	}
	w.Printf("parallax.Diff(f,\n")
	for i, c := range w.calls {
		w.Printf("parallax.Impl(%q, %s),\n", c.Name, impls[i])
	}
	w.Printf(")\n}\n\n")
}

// importName chooses the name of an import: that of the package, or one made of its path where that is taken.
func (w *writer) importName(importPath string) string {
	if importPath == w.own.ImportPath && w.inside {
		return ownAlias
	}
	name := path.Base(importPath)
	if p := w.graph.Package(importPath); p != nil && p.Name != "" {
		name = p.Name
	}
	parts := strings.Split(importPath, "/")
	if last := parts[len(parts)-1]; funcname.IsMajor(last) && len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	last := plain(parts[len(parts)-1])
	candidates := []string{name, last}
	if len(parts) > 1 {
		candidates = append(candidates, plain(parts[len(parts)-2])+last)
	}
	for i := 2; ; i++ {
		for _, c := range candidates {
			if w.free(c, importPath) {
				w.names[c] = importPath
				return c
			}
		}
		candidates = []string{name + strconv.Itoa(i)}
	}
}

// plain makes an element of an import path a name.
func plain(element string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, element)
}

// free reports whether an import can have the name.
func (w *writer) free(name, importPath string) bool {
	_, used := w.names[name]
	whose, kept := reserved[name]
	return identifier(name) && !used && (!kept || whose == importPath) && !w.Taken[name] && types.Universe.Lookup(name) == nil
}

// implementation is an expression for a function with the same arguments and results: its name, or for a method a function
// that calls it on a new value.
func (w *writer) implementation(c *signature.Function) string {
	pkg := w.Alias(c.Package.ImportPath)
	switch {
	case c.Variable:
		return pkg + "." + c.Func.Receiver + "." + c.Func.Name
	case c.Receiver == nil:
		return pkg + "." + c.Func.Name
	}
	params, args := w.params(c)
	if c.Decodes {
		params, args = append(params, "v any"), append(args, "v")
	}
	var results, vars []string
	for i := 0; i < c.Type.Results().Len(); i++ {
		results = append(results, w.result(c, c.Type.Results().At(i).Type()))
		vars = append(vars, fmt.Sprintf("r%d", i+1))
	}
	if n := len(vars); n > 0 && c.Ending == signature.BoolLast {
		vars[n-1] = "ok"
	} else if n > 0 && c.Ending != signature.NoVerdict {
		vars[n-1] = "err"
	}
	call := fmt.Sprintf("x.%s(%s)", c.Func.Name, strings.Join(args, ", "))
	asError := c.Ending == signature.PointerError && results[len(results)-1] == "error" // where a nil pointer is no nil
	if !c.OfReceiver && !asError && len(vars) > 0 {
		return fmt.Sprintf("func(%s) (%s) {\nreturn new(%s.%s).%s(%s)\n}", strings.Join(params, ", "), strings.Join(results, ", "),
			pkg, c.Func.Receiver, c.Func.Name, strings.Join(args, ", "))
	}
	if len(vars) > 0 {
		call = strings.Join(vars, ", ") + " := " + call
	}
	if c.OfReceiver {
		// The receiver is the value. It is compared by its pointer where that is possible on all sides, and where it must
		// not be copied.
		value, typ := "*x", w.TypeName(c.Receiver)
		if w.allReceivers() || locks(c.Receiver, 0) {
			value, typ = "x", "*"+typ
		}
		results, vars = append([]string{typ}, results...), append([]string{value}, vars...)
	}
	body := fmt.Sprintf("x := new(%s.%s)\n%s\n", pkg, c.Func.Receiver, call)
	if n := len(vars); asError {
		body += fmt.Sprintf("if err == nil {\nreturn %s\n}\n", strings.Join(append(vars[:n-1:n-1], "nil"), ", "))
	}
	if len(vars) > 0 {
		body += "return " + strings.Join(vars, ", ") + "\n"
	}
	return fmt.Sprintf("func(%s) (%s) {\n%s}", strings.Join(params, ", "), strings.Join(results, ", "), body)
}

// result is the type of a result, any where it has no name here.
func (w *writer) result(c *signature.Function, t types.Type) string {
	if t == types.Universe.Lookup("error").Type() || c.Writable(t) {
		return w.TypeName(t)
	}
	if signature.IsError(t) {
		return "error"
	}
	return "any"
}

func (w *writer) allReceivers() bool {
	for i, c := range w.calls {
		if !c.OfReceiver || w.problems[i] != nil {
			return false
		}
	}
	return true
}

// locks reports whether a type holds something that go vet does not let one copy.
func locks(t types.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) {
		set := types.NewMethodSet(types.NewPointer(t))
		if set.Lookup(nil, "Lock") != nil && set.Lookup(nil, "Unlock") != nil {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := 0; i < u.NumFields(); i++ {
			if locks(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Array:
		return locks(u.Elem(), depth+1)
	}
	return false
}

// params are parameters of the kinds' own types, and the arguments that pass them on.
func (w *writer) params(c *signature.Function) (params, args []string) {
	used := map[string]bool{"x": true, "v": true, "t": true, "f": true, "err": true, "ok": true}
	hides := func(name string) bool {
		return w.names[name] != "" || reserved[name] != "" || w.Taken[name] || types.Universe.Lookup(name) != nil
	}
	for i, t := range c.Params {
		name := c.Type.Params().At(i).Name()
		if !identifier(name) || name == "_" || used[name] || hides(name) {
			if name = fmt.Sprintf("a%d", i+1); len(c.Params) == 1 {
				name = map[input.Kind]string{input.Bytes: "data", input.String: "s"}[c.Shape[0]]
			}
			if name == "" {
				name = "n"
			}
		}
		used[name] = true
		params = append(params, name+" "+c.Shape[i].String())
		arg := name
		if named, ok := types.Unalias(t).(*types.Named); ok && !signature.Assignable(c.Shape[i], named) {
			arg = fmt.Sprintf("%s(%s)", w.TypeName(t), name)
		}
		args = append(args, arg)
	}
	return params, args
}

// wrapped is the shape of the wrapper that was written last.
func (w *writer) wrapped() (input.Shape, error) {
	var kinds []string
	for _, p := range w.Params {
		_, typ, _ := strings.Cut(p, " ")
		kinds = append(kinds, typ)
	}
	return input.ParseShape("(" + strings.Join(kinds, ", ") + ")")
}

// single writes the body of a test that only calls a function, or its wrapper if it has one.
func (w *writer) single(wrapper string) {
	c := w.calls[0]
	if wrapper != "" {
		var names []string
		for _, p := range w.Params {
			name, _, _ := strings.Cut(p, " ")
			names = append(names, name)
		}
		w.Printf("f.Fuzz(func(t *testing.T, %s) {\n%s(%s)\n})\n", strings.Join(w.Params, ", "), wrapper, strings.Join(names, ", "))
		return
	}
	params, args := w.params(c)
	w.Printf("f.Fuzz(func(t *testing.T, %s) {\n", strings.Join(params, ", "))
	pkg := w.Alias(c.Package.ImportPath)
	callee := pkg + "." + c.Func.Name
	switch {
	case c.Variable:
		callee = pkg + "." + c.Func.Receiver + "." + c.Func.Name
	case c.Receiver != nil:
		callee = fmt.Sprintf("new(%s.%s).%s", pkg, c.Func.Receiver, c.Func.Name)
	}
	if c.Decodes {
		w.Printf("var v any\n")
		args = append(args, "&v")
	}
	if n := c.Type.Results().Len(); n > 0 {
		w.Printf("%s = ", strings.TrimSuffix(strings.Repeat("_, ", n), ", "))
	}
	w.Printf("%s(%s)\n})\n", callee, strings.Join(args, ", "))
}

// header writes everything before the functions.
func (w *writer) header() {
	name := w.own.Name
	if !w.inside {
		name += "_test"
	}
	w.Printf("package %s\n\nimport (\n", name)
	std := []string{`"testing"`}
	var others []string
	for path := range w.Std {
		std = append(std, strconv.Quote(path))
	}
	for _, importPath := range w.Paths() {
		alias := w.Alias(importPath)
		if alias == ownAlias || w.Std[importPath] {
			continue
		}
		line := strconv.Quote(importPath)
		p := w.graph.Package(importPath)
		if p == nil || p.Name != alias {
			line = alias + " " + line
		}
		if p != nil && p.Standard {
			std = append(std, line)
		} else {
			others = append(others, line)
		}
	}
	if w.compares() {
		others = append(others, strconv.Quote(library.Path))
	}
	byPath := func(list []string) func(i, j int) bool {
		key := func(s string) string { return s[strings.IndexByte(s, '"'):] }
		return func(i, j int) bool { return key(list[i]) < key(list[j]) }
	}
	sort.Slice(std, byPath(std))
	sort.Slice(others, byPath(others))
	w.Printf("%s\n\n%s\n)\n\n", strings.Join(std, "\n"), strings.Join(others, "\n"))
}
