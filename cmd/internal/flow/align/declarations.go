package align

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/flow"
)

// maxOutside limits the variables and constants that are searched in all lines of a package.
const maxOutside = 200

// outside returns the variables and constants of a Go package that differ between two versions, or
// that only one has. Declarations are not executed, so that the lines which name them represent
// them.
func outside(a, b *flow.Table) []string {
	x, y := declarations(a), declarations(b)
	var written, counted []string
	for name, d := range x {
		switch other, ok := y[name]; {
		case !ok || d.code != other.code:
			written = append(written, name)
		case d.iota != other.iota:
			counted = append(counted, name)
		}
	}
	for name := range y {
		if _, ok := x[name]; !ok {
			written = append(written, name)
		}
	}
	names := append(counted, written...)
	if len(names) > maxOutside { // a new constant may renumber very many others
		names = written
	}
	if len(names) > maxOutside {
		return nil
	}
	slices.Sort(names)
	return names
}

// declaration holds the value of a variable or a constant as code. For a group of constants whose
// code uses iota, it also has the numbers of iota. A constant without a value has the code that it
// repeats.
type declaration struct{ code, iota string }

// declarations returns the package-level variables and constants of a package. Code other than Go
// has none. The declarations of one name for several systems are concatenated.
func declarations(t *flow.Table) map[string]declaration {
	all := map[string]declaration{}
	for _, path := range sources(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		files := token.NewFileSet()
		file, err := gosyntax.ParseFile(files, path, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		code := func(n ast.Node) string {
			lines := linesIn(text[files.Position(n.Pos()).Offset:files.Position(n.End()).Offset])
			return strings.Join(texts(lines), "\n")
		}
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR && group.Tok != token.CONST {
				continue
			}
			var valued *ast.ValueSpec
			for i, s := range group.Specs {
				spec := s.(*ast.ValueSpec)
				if valued == nil || len(spec.Values) > 0 || group.Tok == token.VAR {
					valued = spec
				}
				for k, name := range spec.Names {
					if name.Name == "_" {
						continue
					}
					d := all[name.Name]
					// of the one before, not its names
					if d.code += code(spec) + "\n"; valued != spec {
						d.code += fmt.Sprint(k)
						for _, v := range valued.Values {
							d.code += " " + code(v)
						}
						if valued.Type != nil {
							d.code += " " + code(valued.Type)
						}
						d.code += "\n"
					}
					if group.Tok == token.CONST && slices.ContainsFunc(valued.Values, counts) {
						d.iota += fmt.Sprint(i, " ")
					}
					all[name.Name] = d
				}
			}
		}
	}
	return all
}

// counts reports whether an expression uses iota.
func counts(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "iota"
		return true
	})
	return found
}

// sources returns the files of a Go package. They are those of its functions, and others in their
// folders with the same package clause that are no tests. It ignores build constraints.
func sources(t *flow.Table) (list []string) {
	folders, known, packages := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range t.Funcs {
		if strings.HasSuffix(f.File, ".go") && !known[f.File] {
			known[f.File], folders[filepath.Dir(f.File)], packages[packageOf(f.File)] = true, true, true
		}
	}
	for folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			if !e.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !known[path] && packages[packageOf(path)] {
				known[path] = true
			}
		}
	}
	return slices.SortedFunc(maps.Keys(known), func(a, b string) int {
		return cmp.Or(cmp.Compare(filepath.Base(a), filepath.Base(b)), cmp.Compare(a, b))
	})
}

// packageOf returns the package name of a file.
func packageOf(path string) string {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}

// naming returns the lines of a function that use changed declarations, by name.
func naming(lines []codeLine, names []string) map[string][]int {
	at := map[string][]int{}
	for _, l := range lines {
		for _, name := range l.names {
			if _, ok := slices.BinarySearch(names, name); ok {
				at[name] = append(at[name], l.number)
			}
		}
	}
	return at
}
