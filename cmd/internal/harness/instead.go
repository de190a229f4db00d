package harness

import (
	"fmt"
	"path/filepath"
	"sort"
	"strconv"
)

// Instead says what a module's code is taken from, whatever the user's go.mod selects: a version of it, or a folder. It
// takes the place that a replace line has, so that no other module's requirements can raise the version.
type Instead struct {
	Module  string
	Version string // empty: Dir
	Dir     string // absolute
	Require bool   // require it too: the go.mod in force may not
}

// to is the right side of a replace line.
func (i Instead) to() string {
	if i.Version != "" {
		return at(i.Module, i.Version)
	}
	return i.Dir
}

// line is the replace line, as in a go.mod.
func (i Instead) line() string {
	if i.Version != "" {
		return fmt.Sprintf("\nreplace %s => %s %s\n", i.Module, i.Module, i.Version)
	}
	return fmt.Sprintf("\nreplace %s => %s\n", i.Module, strconv.Quote(i.Dir))
}

// edits are go mod edit's arguments. A module in a folder needs some version by which it can be required.
func (i Instead) edits() []string {
	edits := []string{"-replace=" + i.Module + "=" + i.to()}
	if i.Require {
		version := i.Version
		if version == "" {
			version = "v0.0.0-00010101000000-000000000000"
		}
		edits = append(edits, "-require="+at(i.Module, version))
	}
	return edits
}

// instead finds what the request says of a module, nil if nothing.
func (r *resolver) instead(module string) *Instead {
	for i := range r.Instead {
		if r.Instead[i].Module == module {
			return &r.Instead[i]
		}
	}
	return nil
}

// ModuleInUse is where code of a target comes from.
type ModuleInUse struct {
	Path    string
	Version string // that is compiled; empty for a folder
	Dir     string // of the code
	Main    bool   // one of the user's own, as its go.mod or go.work says
	Folder  bool   // of the user's own, or in a folder by a replace line
}

// Modules are the modules that the target's code comes from, by path. The standard library is none.
func (p *Plan) Modules() []ModuleInUse {
	seen := map[string]bool{}
	var all []ModuleInUse
	for _, q := range p.r.order {
		m := q.Module
		if m == nil || seen[m.Path] || m.Path == scratchModule {
			continue
		}
		seen[m.Path] = true
		use := ModuleInUse{Path: m.Path, Version: m.Version, Dir: m.CodeDir(), Main: m.Main, Folder: m.Main}
		if m.Replace != nil {
			use.Version, use.Folder = m.Replace.Version, m.Replace.Version == ""
		}
		all = append(all, use)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}

// Within reports whether a file or folder lies in dir, or is it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// ModulePath reads the module line of a go.mod; it is empty where there is none.
func ModulePath(file string) string { return modulePath(file) }
