package newtest

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// versions compares the written versions with the selected ones, and returns an error with the
// commands that change them.
func (t *plan) versions() error {
	var get []string
	for _, f := range t.funcs {
		p := t.graph.Written(f.Package)
		arg := f.Package
		if f.Version != "" {
			arg += "@" + f.Version
		}
		switch {
		case !f.Local() && t.root.Env.Standard(f.Package):
			if f.Version != "" {
				return exit.Usage("%s: %s belongs to the standard library, whose version is that of the go command (%s): leave @%s out", f.Written, f.Package, t.root.Env.GOVERSION, f.Version)
			}
			continue
		case p == nil:
			continue
		case p.Error != nil && p.Module == nil && strings.Contains(f.Package, ".") && missing(p.Error.Err):
		case f.Version == "" || p.Module == nil:
			continue
		case p.Module.Main:
			return exit.Usage("%s: %s is your own module: leave @%s out", f.Written, p.Module.Path, f.Version)
		case p.Module.Replace != nil:
			t.root.Note("%s: your go.mod or go.work replaces module %s by %s, and the test calls that", f.Written, p.Module.Path, gomod.WithVersion(p.Module.Replace.Path, p.Module.Replace.Version))
			continue
		case !gomod.Exact(f.Version):
			t.root.Note("%s is %s in your go.mod, and the test calls that", f.Written, p.Module.Version)
			continue
		case p.Module.Version == f.Version || p.Module.Version == f.Version+"+incompatible":
			continue
		}
		if line := "go get " + arg; !slices.Contains(get, line) {
			get = append(get, line)
		}
	}
	if len(get) == 0 {
		return nil
	}
	return exit.Usage("your go.mod does not require what the functions are in; run\n\t%s\nand then parallax init again: a test builds with the versions in your go.mod", strings.Join(get, "\n\t"))
}

// missing reports whether an error of the go command means that no module in go.mod has a package.
func missing(text string) bool {
	return strings.Contains(text, "no required module provides package") || strings.Contains(text, "cannot find module providing") ||
		strings.Contains(text, "cannot find package")
}

// check checks that the test can import a package. The test can always import its own package.
func (t *plan) check(f funcname.Func, p *gocommand.Package) error {
	if p != nil && p.Name != "" && p.ImportPath == t.own.ImportPath {
		return nil
	}
	f.Version = "" // already compared
	if written, err := funcname.ParseInside(f.Written); err == nil {
		f.Package = written.Package // as the user wrote it
	}
	if err := t.root.Check(f, p); err != nil {
		return err
	}
	if root, hidden := gocommand.InternalRoot(p.ImportPath); hidden && !gocommand.Within(t.own.ImportPath, root) {
		return exit.Usage("%s: package %s is internal to %s: give a folder there by --dir", f.Written, p.ImportPath, root)
	}
	if t.inside && slices.Contains(t.graph.Closure(p.ImportPath), t.own.ImportPath) {
		return exit.Usage("%s: package %s imports %s, whose test cannot import it then: functions that are not exported, or belong to a main package, cannot be compared with it", f.Written, p.ImportPath, t.own.ImportPath)
	}
	return nil
}
