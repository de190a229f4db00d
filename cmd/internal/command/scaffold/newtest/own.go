package newtest

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// prepare parses the functions, and reads the environment of the package from the go command.
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
	t.root.UseModule("")
	return nil
}

// readOwn lists the package that gets the test. A folder without Go files also is a package.
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

// packageName returns a name for a package without files.
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
