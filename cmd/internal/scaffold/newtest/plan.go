// Package newtest writes the fuzz test that `parallax init` leaves, in memory: its name, its file, seeds that tests of the
// functions have already, and wrappers around functions that cannot be called as they are.
//
// Called by package scaffold, which puts it on disk. The test calls the versions that the user's go.mod selects, compiles as
// it is, and is formatted; where it cannot be so, there is an error that says what to do first.
package newtest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parallax/cmd/internal/buildroot"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/fuzztest"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/signature"
	"parallax/internal/input"
)

// Request says which functions a fuzz test is wanted for, and where.
type Request struct {
	Dir       string   // where the user stands; empty: the working directory
	Package   string   // folder of the package that is to hold the test; empty: Dir
	Functions []string // as written; of the package itself also ones that are not exported
	Name      string   // FuzzXxx; empty: after the functions
	Parallax  string   // path of the parallax executable, for guard; empty: no guard
}

// File is a file with a FuzzXxx, which is not on disk yet.
type File struct {
	Name     string // FuzzXxx
	Path     string // absolute
	Text     []byte
	Compares bool // functions with each other, by the library; else there is one function, and no library
	Notes    []string
}

// plan is a File being made.
type plan struct {
	Request
	root      *buildroot.Root
	funcs     []funcname.Func
	graph     *gocommand.Graph
	own       *gocommand.Package // the package that gets the test
	inside    bool               // the test is in the package itself and not in an external one
	taken     map[string]string  // top-level names of the files that it is compiled with, and where they stand
	calls     []*signature.Function
	problems  []*signature.Problem
	shape     input.Shape
	differing bool // values are not compared, since their types differ
	seeds     [][]byte
}

// Plan reads the functions' signatures and writes a fuzz test of them in memory: for two or more functions one that
// compares them, for one function one that looks for crashes. Functions are those that the module of the package selects.
func Plan(ctx context.Context, req Request) (*File, error) {
	t := &plan{Request: req, taken: map[string]string{}}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	if err := t.readOwn(ctx); err != nil {
		return nil, err
	}
	var err error
	if t.graph, err = t.root.Read(ctx, t.funcs); err != nil {
		return nil, err
	}
	if err := t.versions(); err != nil {
		return nil, err
	}
	if t.calls, err = signature.Find(&t.root.Env, t.graph, t.funcs, t.names(), t.check); err != nil {
		return nil, err
	}
	for _, c := range t.calls {
		c.Inside = t.inside
	}
	t.problems, _ = signature.ReadAll(t.calls)
	if err := t.readTaken(); err != nil {
		return nil, err
	}
	if err := t.chooseName(); err != nil {
		return nil, err
	}
	text, err := t.write()
	if err != nil {
		return nil, err
	}
	f := &File{Name: t.Name, Path: t.path(), Text: text, Compares: t.compares(), Notes: t.root.Notes}
	if _, err := os.Lstat(f.Path); err == nil {
		return nil, exit.Usage("%s exists already and is not overwritten: choose another --name, or remove it", t.shown(f.Path))
	}
	return f, nil
}

func (t *plan) compares() bool { return len(t.Functions) > 1 }

// prepare takes the functions apart and asks the go command about where the package is.
func (t *plan) prepare(ctx context.Context) error {
	var err error
	if t.Dir, err = filepath.Abs(t.Dir); err != nil {
		return exit.Infra("finding the working directory: %w", err)
	}
	if t.Package == "" {
		t.Package = "."
	}
	t.Package = gocommand.Absolute(t.Dir, t.Package)
	if info, err := os.Stat(t.Package); err != nil || !info.IsDir() {
		return exit.Usage("there is no folder %s for the test to be in", t.shown(t.Package))
	}
	for i, arg := range t.Functions {
		f, err := funcname.ParseInside(arg)
		if err != nil {
			return err
		}
		if slices.Contains(t.Functions[:i], arg) {
			return exit.Usage("%s is named twice", arg)
		}
		if f.Local() { // the go command runs in the package's folder
			f.Package = gocommand.Absolute(t.Dir, filepath.FromSlash(f.Package))
		}
		t.funcs = append(t.funcs, f)
	}
	if t.root, err = buildroot.Open(ctx, buildroot.Options{Dir: t.Package, Parallax: t.Parallax}); err != nil {
		return err
	}
	if env := t.root.Env; env.GOMOD == "" || env.GOMOD == os.DevNull {
		return exit.Usage("there is no go.mod in %s or above it: a test belongs to a module, which go mod init makes", t.Package)
	}
	t.root.Stand("")
	return nil
}

// shown is a path as seen from where the user stands, if it is below.
func (t *plan) shown(path string) string {
	if rel, err := filepath.Rel(t.Dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

// readOwn lists the package that gets the test. A folder without Go files is one too.
func (t *plan) readOwn(ctx context.Context) error {
	pkgs, err := t.root.List(ctx, "-find", "--", ".")
	if err != nil {
		return err
	}
	if len(pkgs) != 1 {
		return exit.Usage("%s is no package", t.shown(t.Package))
	}
	t.own = pkgs[0]
	if t.own.Error != nil && !strings.Contains(t.own.Error.Err, "no Go files in") {
		return exit.Usage("%s cannot be read: %s", t.shown(t.Package), t.own.Error)
	}
	if t.own.Name == "" {
		root := filepath.Dir(t.root.Env.GOMOD)
		rel, err := filepath.Rel(root, t.Package)
		if err != nil {
			return exit.Infra("finding the package in its module: %w", err)
		}
		t.own.Dir = t.Package
		t.own.ImportPath = path.Join(gomod.PathOf(t.root.Env.GOMOD), filepath.ToSlash(rel))
		t.own.Name = packageName(t.own.ImportPath)
	}
	for _, f := range t.funcs {
		if !exported(f) {
			t.inside = true
			if f.Package != t.Package {
				return exit.Usage("%s is not exported, so only a test of its own package can call it: name its folder with --dir", f.Written)
			}
		} else if t.own.Name == "main" && (f.Package == t.Package || f.Package == t.own.ImportPath) {
			t.inside = true
		}
	}
	return nil
}

func exported(f funcname.Func) bool {
	upper := func(name string) bool { return name == "" || unicode.IsUpper([]rune(name)[0]) }
	return upper(f.Name) && upper(f.Receiver)
}

// packageName is the name for a package that has no files yet.
func packageName(importPath string) string {
	parts := strings.Split(importPath, "/")
	name := parts[len(parts)-1]
	if funcname.IsMajor(name) && len(parts) > 1 {
		name = parts[len(parts)-2]
	}
	name = strings.TrimPrefix(name, "go-")
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, name)
	if name == "" || unicode.IsDigit(rune(name[0])) {
		name = "fuzz" + name
	}
	return name
}

// names names the implementations: local ones by their package, whatever was written.
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

// readTaken collects the top-level names that the test is compiled with, and those of FuzzXxx of the other package of
// tests, which go test cannot tell from ours.
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

// chooseName names the FuzzXxx after the functions, or checks the name given.
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

// path is the file for the test: valid_parallax_test.go for a FuzzValid that compares, else valid_fuzz_test.go.
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

// agree decides the shape of the inputs and notes what cannot be compared.
func (t *plan) agree(shapes []input.Shape) error {
	t.shape = shapes[0]
	whole := true
	for i := range t.calls {
		whole = whole && t.problems[i] == nil
	}
	if whole {
		if !t.compares() {
			return nil
		}
		a, err := signature.Agree(t.calls)
		if err != nil {
			return err
		}
		for _, c := range t.calls {
			t.differing = t.differing || len(c.Compared()) > 0 && !a.Values
		}
		t.root.Notes = append(t.root.Notes, a.Notes...)
		return nil
	}
	for i, s := range shapes {
		if !signature.SameShape(t.shape, s) {
			return exit.Usage("the functions do not take the same arguments: %s takes %s and %s takes %s (only []byte and string stand for each other)", t.calls[0].Name, t.shape, t.calls[i].Name, s)
		}
	}
	return nil
}

// describe says in a comment what the test does.
func (t *plan) describe() string {
	if !t.compares() {
		return fmt.Sprintf("// %s looks for inputs that crash %s.", t.Name, t.calls[0].Name)
	}
	var names []string
	for _, c := range t.calls {
		names = append(names, c.Name)
	}
	return fmt.Sprintf("// %s looks for inputs on which %s and %s disagree.\n// go test replays the seeds and testdata/fuzz/%s; parallax diff . --fuzz ^%s$\n// and go test -fuzz ^%s$ look for more.",
		t.Name, strings.Join(names[:len(names)-1], ", "), names[len(names)-1], t.Name, t.Name, t.Name)
}
