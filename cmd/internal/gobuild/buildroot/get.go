package buildroot

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

var (
	raises    = lazyregexp.New(`go: (\S+?)@(\S+) (?:\(matching [^)]*\) )?((?:indirectly )?requires) (\S+?)@(\S+), not (\S+?)@(\S+)`)
	conflicts = lazyregexp.New(`(?m)^go: (?:for module (\S+), )?(\S+)@(\S+)(?: \(matching ([^)]*)\))? conflicts with (\S+)@(\S+)`)
	lacks     = lazyregexp.New(`module (\S+) found(?: \([^)]*\))?, but does not contain package (\S+)`)
)

// get writes file, with go.sum next to it, and adds the versions. Additions for an equal request
// are kept, so that a campaign resumes with the same versions and without a network.
func (r *Root) get(ctx context.Context, file string, versioned []funcname.Func, text, sum string) error {
	var args []string
	for _, f := range versioned {
		if arg := f.Package + "@" + f.Version; !slices.Contains(args, arg) {
			args = append(args, arg)
		}
	}
	key := strings.Join(args, "\n") + "\n" + text + sum
	marker := filepath.Join(r.Out, "resolved")
	if old, err := os.ReadFile(marker); err == nil && string(old) == key {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
	}
	os.Remove(marker)
	for name, content := range map[string]string{file: text, strings.TrimSuffix(file, ".mod") + ".sum": sum} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return exit.Infra("writing the harness's module: %w", err)
		}
	}
	if len(args) > 0 {
		r.Progress("resolving " + strings.Join(args, ", "))
		_, errs, err := gocommand.Run(ctx, r.Command(append(append([]string{"get"}, r.flags...), args...)...))
		if err != nil {
			return r.getError(errs, err)
		}
		if err := r.checkChanges(string(errs), versioned); err != nil {
			return err
		}
	}
	return exit.Doing("writing the harness's module", os.WriteFile(marker, []byte(key), 0o666))
}

// checkChanges reads the changes of go get to other requirements of a user's module. It reports a
// raise; later code checks whether it affects a function. It refuses lowered or dropped
// requirements, which would change the program under test.
func (r *Root) checkChanges(output string, versioned []funcname.Func) error {
	if r.Kind != Edited {
		return nil
	}
	for _, line := range strings.Split(output, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 4 || fields[0] != "go:" || fields[2] == "go" || fields[2] == "toolchain" {
			continue
		}
		change := strings.Join(fields[2:], " ") // path v1 => v2
		asked := false
		for _, f := range versioned {
			asked = asked || gocommand.Within(f.Package, fields[2])
		}
		switch {
		case fields[1] == "upgraded", fields[1] == "downgraded" && asked:
			r.Note("in a copy of your go.mod, for the versions asked for: %s", change)
		case fields[1] == "downgraded", fields[1] == "removed":
			return exit.Usage("%s cannot be built with your module: %s would be %s, since it requires another version; run parallax outside of the module, or ask for a later version", versioned[0].Written, change, fields[1])
		}
	}
	return nil
}

// getError explains a version that could not be had.
func (r *Root) getError(stderr []byte, err error) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err
	}
	text := string(stderr)
	if e := gocommand.DiskError(text); e != nil {
		return e
	}
	if m := raises().FindStringSubmatch(text); m != nil {
		return exit.Usage("%s cannot be used at %s: %s@%s %s %s@%s; ask for that version, or for another one of %s", r.writtenOf(m[6], m[7]), m[7], m[1], m[2], m[3], m[4], m[5], m[1])
	}
	if m := conflicts().FindStringSubmatch(text); m != nil {
		path := m[1]
		if path == "" {
			path = m[2]
		}
		return exit.Usage("%s@%s and %s@%s are two versions of module %s, and %w", m[2], m[3], m[5], m[6], path, gomod.OneVersion(path, m[6]))
	}
	if m := lacks().FindStringSubmatch(text); m != nil {
		return exit.Usage("module %s has no package %s: check the import path", m[1], m[2])
	}
	if m := gocommand.TooNew().FindString(text); m != "" {
		return exit.Usage("a module needs a newer Go than %s: %s\ninstall a newer Go, set GOTOOLCHAIN=auto, or ask for an older version of the module:\n%s", r.Env.GOVERSION, m, gocommand.Relevant(text))
	}
	if e := r.Env.NetworkError(text); e != nil {
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
func (r *Root) writtenOf(path, version string) string {
	for _, f := range r.funcs {
		if f.Version == version && (f.Package == path || strings.HasPrefix(f.Package, path+"/")) {
			return f.Written
		}
	}
	return path
}
