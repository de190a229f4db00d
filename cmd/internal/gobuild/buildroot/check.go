package buildroot

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// Check rejects a package that is missing, is not the version asked for, or cannot be imported.
func (r *Root) Check(f funcname.Func, p *gocommand.Package) error {
	if p == nil || len(p.GoFiles)+len(p.CgoFiles) == 0 {
		why := ""
		if p != nil && p.Error != nil {
			if e := r.Env.NetworkError(f.Package + ": " + strings.ReplaceAll(p.Error.Err, "\n", " ")); e != nil {
				return e
			}
			why = strings.TrimSpace(p.Error.Err)
		}
		outside := r.outside(f)
		switch {
		case outside != "":
			return exit.Usage("%s: its module in %s is not in the workspace %s, which is above it and in force: add it by `go work use %s`, or set GOWORK=off to do without the workspace",
				f.Written, outside, r.Env.Workspace(), shell.Word(outside))
		case strings.Contains(why, "no required module provides package"), strings.Contains(why, "cannot find module providing"):
			return exit.Usage("%s: no module that yours requires has package %s: write %s@latest, or go get %s first%s", f.Written, f.Package, f, f.Package, r.suggestion(f))
		case strings.Contains(why, " is not in std"):
			return exit.Usage("%s: there is no package %s in the standard library or in your module%s", f.Written, f.Package, r.suggestion(f))
		case why != "":
			return exit.Usage("%s: there is no package %s: %s", f.Written, f.Package, why)
		}
		return exit.Usage("%s: there is no package %s", f.Written, f.Package)
	}
	if p.Name == "main" {
		return exit.Usage("%s: %s is a main package, which cannot be imported: move the function to a package of its own", f.Written, p.ImportPath)
	}
	if root, hidden := gocommand.InternalRoot(p.ImportPath); hidden && (p.Module == nil || !p.Module.Main || r.Kind == Scratch) {
		whose := "the standard library"
		if p.Module != nil {
			whose = "module " + p.Module.Path
		}
		if root == "" {
			root = "there"
		}
		return exit.Usage("%s: package %s is internal to %s: only code below %s may import it; name an exported function that calls it, or run parallax inside that module", f.Written, p.ImportPath, whose, root)
	}
	m := p.Module
	switch {
	case m == nil, r.InsteadOf(m.Path) != nil:
		return nil
	case f.Version != "" && m.Replace != nil:
		return exit.Usage("%s: your go.mod or go.work replaces module %s by %s, which is not the version asked for: run parallax outside of the module, or name the function without @%s", f.Written, m.Path, gomod.WithVersion(m.Replace.Path, m.Replace.Version), f.Version)
	case f.Version != "" && gomod.Exact(f.Version) && m.Version != f.Version && m.Version != f.Version+"+incompatible":
		return exit.Usage("%s: module %s resolves to %s, not to the %s asked for: another module in the target, or your go.mod, requires it; ask for %s, or run parallax outside of the module", f.Written, m.Path, m.Version, f.Version, m.Version)
	case f.Version != "" && m.Version != f.Version:
		r.Note("%s is %s", f.Written, m.Version)
	case f.Version == "" && r.Kind == Edited:
		if b := r.before[f.Written]; b != nil && b.Version != m.Version && b.Replace == nil && m.Replace == nil {
			return exit.Usage("%s: module %s is at %s in your go.mod, and the versions asked for in this target raise it to %s: %w", f.Written, m.Path, b.Version, m.Version, &gomod.VersionsError{Text: "two versions of one module cannot share a binary"})
		}
	}
	return nil
}

// outside returns the folder of the module that has the package but is not in the workspace, or "".
func (r *Root) outside(f funcname.Func) string {
	work := r.Env.Workspace()
	if work == "" || f.Version != "" {
		return ""
	}
	dir := r.Dir
	if f.Local() {
		dir = filepath.Join(dir, f.Package)
	}
	var mod []byte
	for {
		var err error
		if mod, err = os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
	if !f.Local() && !gocommand.Within(f.Package, modfile.ModulePath(mod)) {
		return ""
	}
	data, err := os.ReadFile(work)
	if err != nil {
		return ""
	}
	list, err := modfile.ParseWork(work, data, nil)
	if err != nil {
		return ""
	}
	at, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	for _, use := range list.Use {
		if info, err := os.Stat(gocommand.Absolute(filepath.Dir(work), use.Path)); err == nil && os.SameFile(info, at) {
			return ""
		}
	}
	return dir
}

// suggestion suggests the user's folder for a package as written, or the standard package with that
// last element.
func (r *Root) suggestion(f funcname.Func) string {
	if files, _ := filepath.Glob(filepath.Join(r.Dir, filepath.FromSlash(f.Package), "*.go")); len(files) > 0 && f.Version == "" && !f.Local() {
		return "; did you mean ./" + f.Written + "?"
	}
	if strings.Contains(f.Package, ".") {
		return ""
	}
	var found []string
	for _, pattern := range []string{"*", "*/*"} {
		dirs, _ := filepath.Glob(filepath.Join(r.Env.GOROOT, "src", pattern, f.Package))
		for _, d := range dirs {
			path, err := filepath.Rel(filepath.Join(r.Env.GOROOT, "src"), d)
			if _, hidden := gocommand.InternalRoot(filepath.ToSlash(path)); err == nil && !hidden && !strings.HasPrefix(path, "cmd") && !strings.HasPrefix(path, "vendor") {
				found = append(found, filepath.ToSlash(path))
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	sort.Strings(found)
	return "; the standard library has " + strings.Join(found, ", ")
}
