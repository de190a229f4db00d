package gomod

import (
	"fmt"
	"sort"
	"strconv"

	"parallax/cmd/internal/gobuild/gocommand"
)

// Instead says what a module's code is taken from, whatever the user's go.mod selects: a version of
// it, or a folder. It takes the place that a replace line has, so that no other module's
// requirements can raise the version.
type Instead struct {
	Module  string
	Version string // empty: Dir
	Dir     string // absolute
	Require bool   // require it too: the go.mod in force may not
}

// to is the right side of a replace line.
func (i Instead) to() string {
	if i.Version != "" {
		return WithVersion(i.Module, i.Version)
	}
	return i.Dir
}

// Line is the replace line, as in a go.mod.
func (i Instead) Line() string {
	if i.Version != "" {
		return fmt.Sprintf("\nreplace %s => %s %s\n", i.Module, i.Module, i.Version)
	}
	return fmt.Sprintf("\nreplace %s => %s\n", i.Module, strconv.Quote(i.Dir))
}

// Edits are go mod edit's arguments. A module in a folder needs some version by which it can be
// required.
func (i Instead) Edits() []string {
	edits := []string{"-replace=" + i.Module + "=" + i.to()}
	if i.Require {
		version := i.Version
		if version == "" {
			version = "v0.0.0-00010101000000-000000000000"
		}
		edits = append(edits, "-require="+WithVersion(i.Module, version))
	}
	return edits
}

// InUse is where code of a target comes from.
type InUse struct {
	Path    string
	Version string // that is compiled; empty for a folder
	Dir     string // of the code
	Main    bool   // one of the user's own, as its go.mod or go.work says
	Folder  bool   // of the user's own, or in a folder by a replace line
}

// ModulesOf are the modules that packages belong to, by path. The standard library is none.
func ModulesOf(pkgs []*gocommand.Package) []InUse {
	seen := map[string]bool{}
	var all []InUse
	for _, q := range pkgs {
		m := q.Module
		if m == nil || seen[m.Path] || m.Path == Scratch {
			continue
		}
		seen[m.Path] = true
		use := InUse{Path: m.Path, Version: m.Version, Dir: m.CodeDir(), Main: m.Main, Folder: m.Main}
		if m.Replace != nil {
			use.Version, use.Folder = m.Replace.Version, m.Replace.Version == ""
		}
		all = append(all, use)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Path < all[j].Path })
	return all
}

// WithVersion returns a path with its version, if it has one.
func WithVersion(path, version string) string {
	if version == "" {
		return path
	}
	return path + "@" + version
}
