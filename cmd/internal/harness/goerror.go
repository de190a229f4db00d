package harness

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
)

var (
	raises    = regexp.MustCompile(`go: (\S+?)@(\S+) (?:\(matching [^)]*\) )?((?:indirectly )?requires) (\S+?)@(\S+), not (\S+?)@(\S+)`)
	conflicts = regexp.MustCompile(`(?m)^go: (?:for module (\S+), )?(\S+)@(\S+)(?: \(matching ([^)]*)\))? conflicts with (\S+)@(\S+)`)
	lacks     = regexp.MustCompile(`module (\S+) found(?: \([^)]*\))?, but does not contain package (\S+)`)
)

// getError explains a version that could not be had.
func (r *resolver) getError(stderr []byte, err error) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err
	}
	text := string(stderr)
	if e := gocommand.DiskError(text); e != nil {
		return e
	}
	if m := raises.FindStringSubmatch(text); m != nil {
		return exit.Usage("%s cannot be had at %s: %s@%s %s %s@%s; ask for that version, or for another one of %s", r.writtenOf(m[6], m[7]), m[7], m[1], m[2], m[3], m[4], m[5], m[1])
	}
	if m := conflicts.FindStringSubmatch(text); m != nil {
		path := m[1]
		if path == "" {
			path = m[2]
		}
		return exit.Usage("%s@%s and %s@%s are two versions of module %s, and %w", m[2], m[3], m[5], m[6], path, gomod.OneVersion(path, m[6]))
	}
	if m := lacks.FindStringSubmatch(text); m != nil {
		return exit.Usage("module %s has no package %s: check the import path", m[1], m[2])
	}
	if m := gocommand.TooNew.FindString(text); m != "" {
		return exit.Usage("a module asks for a newer Go than %s: %s\ninstall a newer Go, set GOTOOLCHAIN=auto, or ask for an older version of the module:\n%s", r.env.GOVERSION, m, gocommand.Relevant(text))
	}
	if e := r.env.NetworkError(text); e != nil {
		return e
	}
	for _, f := range r.funcs {
		if f.Version != "" && strings.Contains(text, f.Package+"@"+f.Version) || f.Version != "" && strings.Contains(text, f.Package+": ") {
			return exit.Usage("%s: there is no module that holds package %s at version %s:\n%s", f.Written, f.Package, f.Version, gocommand.Relevant(text))
		}
	}
	return exit.Usage("the modules of the functions could not be resolved:\n%s", gocommand.Relevant(text))
}

// writtenOf finds the function that asked for a module at a version.
func (r *resolver) writtenOf(path, version string) string {
	for _, f := range r.funcs {
		if f.Version == version && (f.Package == path || strings.HasPrefix(f.Package, path+"/")) {
			return f.Written
		}
	}
	return path
}

// unresolved explains a signature with types that were not found: a package that the function's own imports is missing.
func (r *resolver) unresolved(c *callable) error {
	for _, q := range r.order {
		if q.Error == nil {
			continue
		}
		if e := r.env.NetworkError(q.ImportPath + ": " + strings.ReplaceAll(q.Error.Err, "\n", " ")); e != nil {
			return e
		}
		return exit.Build("program %s does not build: %s", c.name, q.Error)
	}
	return exit.Build("program %s does not build: types of its signature, %s, do not resolve; go build %s says why", c.name, c.signature(), c.pkg.ImportPath)
}

// likely suggests the user's folder of what was written for a package, or the standard package whose last element it is.
func (r *resolver) likely(f funcname.Func) string {
	if files, _ := filepath.Glob(filepath.Join(r.Dir, filepath.FromSlash(f.Package), "*.go")); len(files) > 0 && f.Version == "" && !f.Local() {
		return "; did you mean ./" + f.Written + "?"
	}
	if strings.Contains(f.Package, ".") {
		return ""
	}
	var found []string
	for _, pattern := range []string{"*", "*/*"} {
		dirs, _ := filepath.Glob(filepath.Join(r.env.GOROOT, "src", pattern, f.Package))
		for _, d := range dirs {
			path, err := filepath.Rel(filepath.Join(r.env.GOROOT, "src"), d)
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
