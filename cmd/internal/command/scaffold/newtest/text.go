package newtest

import (
	"fmt"
	"go/format"
	"sort"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/codegen"
	"parallax/internal/input"
)

// write returns the text of the file.
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
	wrappers := w.Flush()
	w.test(impls)
	body := w.Flush() + wrappers
	w.header()
	text := strings.ReplaceAll(w.Flush()+body, ownAlias+".", "")
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("writing the test: %w\n%s", err, text)
	}
	return formatted, nil
}

// implementations returns an expression and a shape for each function. If a function cannot be
// called directly, the expression is the name of a wrapper, which it writes.
func (w *writer) implementations() (impls []string, shapes []input.Shape, err error) {
	for i, c := range w.calls {
		problem := w.problems[i]
		if problem == nil {
			impl := ""
			if w.compares() { // a test of one function calls it directly
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

// wrapped returns the shape of the last written wrapper.
func (w *writer) wrapped() (input.Shape, error) {
	var kinds []string
	for _, p := range w.Params {
		_, typ, _ := strings.Cut(p, " ")
		kinds = append(kinds, typ)
	}
	return input.ParseShape("(" + strings.Join(kinds, ", ") + ")")
}

// single writes the body of a test that only calls a function, or its wrapper.
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

// header writes the lines before the functions.
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
		others = append(others, strconv.Quote(w.Library))
	}
	byPath := func(list []string) func(i, j int) bool {
		key := func(s string) string { return s[strings.IndexByte(s, '"'):] }
		return func(i, j int) bool { return key(list[i]) < key(list[j]) }
	}
	sort.Slice(std, byPath(std))
	sort.Slice(others, byPath(others))
	w.Printf("%s\n\n%s\n)\n\n", strings.Join(std, "\n"), strings.Join(others, "\n"))
}

// addSeeds writes the calls of f.Add, with zero values if tests of the functions have no seeds.
func (w *writer) addSeeds() {
	seeds := w.seeds
	if len(seeds) == 0 {
		w.Printf("// Typical inputs help most: add some here.\n")
		seeds = [][]byte{w.shape.Zero()}
	}
	for _, flat := range seeds {
		values, err := w.shape.Unpack(flat)
		if err != nil {
			continue
		}
		var args []string
		for _, v := range values {
			args = append(args, literal(v))
		}
		w.Printf("f.Add(%s)\n", strings.Join(args, ", "))
	}
}

// literal writes a value of a fuzzing type with its type.
func literal(v any) string {
	text := func(s string) string {
		if strings.ContainsAny(s, "\"\\") && strconv.CanBackquote(s) {
			return "`" + s + "`"
		}
		return strconv.Quote(s)
	}
	switch v := v.(type) {
	case []byte:
		return "[]byte(" + text(string(v)) + ")"
	case string:
		return text(v)
	case bool, int:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%T(%v)", v, v)
}
