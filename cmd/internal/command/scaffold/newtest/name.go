package newtest

import (
	"go/ast"
	"path/filepath"
	"strings"
	"unicode"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand"
)

// names returns the names of the implementations. Local ones have the name of their package,
// however the user wrote them.
func (t *plan) names() []string {
	funcs := append([]funcname.Func(nil), t.funcs...)
	for i, f := range funcs {
		name := "." + f.Name
		switch {
		case f.Pointer:
			name = ".(*" + f.Receiver + ")" + name
		case f.Receiver != "":
			name = "." + f.Receiver + name
		}
		importPath := f.Package
		if p := t.graph.Written(f.Package); p != nil {
			importPath = p.ImportPath
		}
		funcs[i].Written = importPath + name
	}
	return funcname.Shortest(funcs)
}

// readTaken collects the top-level names of the files that are compiled with the test. It adds the
// FuzzXxx of the other package of tests, since go test cannot select between equal names.
func (t *plan) readTaken() error {
	overlay, err := t.root.Overlay()
	if err != nil {
		return err
	}
	for _, list := range []struct {
		names []string
		with  bool // compiled with the test
	}{{t.own.GoFiles, t.inside}, {t.own.CgoFiles, t.inside}, {t.own.TestGoFiles, t.inside}, {t.own.XTestGoFiles, !t.inside}} {
		for _, name := range list.names {
			file := gocommand.Absolute(t.own.Dir, name)
			f, err := fuzztest.ParseFile(file, overlay.Path(t.own.Dir, name), 0)
			if err != nil {
				return exit.Build("%s does not build: %w", t.own.ImportPath, err)
			}
			for _, name := range topLevel(f.Tree) {
				if list.with || fuzztest.IsName(name) {
					t.taken[name] = file
				}
			}
		}
	}
	return nil
}

// chooseName derives the name of the FuzzXxx from the functions, or checks the given name.
func (t *plan) chooseName() error {
	if t.Name != "" {
		if !fuzztest.IsName(t.Name) || t.Name == "Fuzz" || !identifier(t.Name) {
			return exit.Usage("--name %s: the name of a fuzz test is Fuzz and a word that does not begin with a lower-case letter, as in FuzzParse", t.Name)
		}
	} else {
		first := t.calls[0].Func
		name := first.Receiver + upperFirst(first.Name)
		for _, c := range t.calls[1:] {
			if c.Func.Receiver != first.Receiver {
				name = upperFirst(first.Name)
			}
		}
		t.Name = "Fuzz" + upperFirst(name)
	}
	if file := t.taken[t.Name]; file != "" {
		return exit.Usage("%s is already declared in %s: choose another --name", t.Name, t.shown(file))
	}
	return nil
}

func upperFirst(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// path returns the file of the test: valid_parallax_test.go for a FuzzValid that compares, and
// otherwise valid_fuzz_test.go.
func (t *plan) path() string {
	var b strings.Builder
	var last rune
	for _, c := range strings.TrimPrefix(t.Name, "Fuzz") {
		if unicode.IsUpper(c) && (unicode.IsLower(last) || unicode.IsDigit(last)) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
		last = c
	}
	kind := "_fuzz_test.go"
	if t.compares() {
		kind = "_parallax_test.go"
	}
	return filepath.Join(t.own.Dir, strings.TrimLeft(b.String(), "_")+kind)
}

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
