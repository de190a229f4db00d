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
)

// maxLines bounds what is shown of the go command's output.
const maxLines = 12

// networkWords are parts of messages that mean a module could not be fetched for want of a connection.
var networkWords = []string{"dial tcp", "no such host", "connection refused", "i/o timeout", "network is unreachable", "TLS handshake",
	"proxyconnect", "connection reset", "module lookup disabled by GOPROXY=off", "Temporary failure in name resolution", "Client.Timeout", "unexpected EOF"}

var (
	tooNew    = regexp.MustCompile(`requires go >= ?[0-9.]+[^\n]*`)
	raises    = regexp.MustCompile(`go: (\S+?)@(\S+) (?:\(matching [^)]*\) )?((?:indirectly )?requires) (\S+?)@(\S+), not (\S+?)@(\S+)`)
	conflicts = regexp.MustCompile(`(?m)^go: (?:for module (\S+), )?(\S+)@(\S+)(?: \(matching ([^)]*)\))? conflicts with (\S+)@(\S+)`)
	lacks     = regexp.MustCompile(`module (\S+) found(?: \([^)]*\))?, but does not contain package (\S+)`)
)

// goError explains a go command that failed before any package was looked at.
func (r *resolver) goError(doing string, stderr []byte, err error) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err // no go command, or the context ended
	}
	text := string(stderr)
	if m := tooNew.FindString(text); m != "" {
		return exit.Usage("%s: the go command on PATH (%s) is too old: %s; install a newer Go, or set GOTOOLCHAIN=auto", doing, r.env.GOVERSION, m)
	}
	if e := diskError(text); e != nil {
		return e
	}
	if e := r.networkError(text); e != nil {
		return e
	}
	return exit.Usage("%s failed:\n%s", doing, relevant(text))
}

// diskError returns the error for a disk that is full or cannot be written, nil if text is about something else.
func diskError(text string) error {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range []string{"creating work dir", "GOCACHE is not defined", "GOMODCACHE ()", "module cache not found"} {
			if strings.Contains(line, word) {
				return exit.Infra("the go command has no folder to work in: %s\nset HOME, or GOCACHE and GOMODCACHE, and let TMPDIR name a folder that can be written", strings.TrimSpace(line))
			}
		}
		for _, word := range []string{"no space left on device", "disk quota exceeded", "read-only file system", "too many open files"} {
			if strings.Contains(line, word) {
				return exit.Infra("the go command could not write or open files: %s", strings.TrimSpace(line))
			}
		}
	}
	return nil
}

// ErrNetwork is in errors of modules that could not be asked for.
var ErrNetwork = errors.New("the module proxy could not be reached")

// networkError returns the error for a module that could not be fetched, nil if text is about something else.
func (r *resolver) networkError(text string) error {
	for _, line := range strings.Split(text, "\n") {
		for _, word := range networkWords {
			if strings.Contains(line, word) {
				return exit.Usage("%w (GOPROXY=%s): %s\ncheck the network, or name functions of modules that are downloaded already", ErrNetwork, r.env.GOPROXY, strings.TrimPrefix(strings.TrimSpace(line), "go: "))
			}
		}
	}
	return nil
}

// getError explains a version that could not be had.
func (r *resolver) getError(stderr []byte, err error) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err
	}
	text := string(stderr)
	if e := diskError(text); e != nil {
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
		return exit.Usage("%s@%s and %s@%s are two versions of module %s, and %w", m[2], m[3], m[5], m[6], path, oneVersion(path, m[6]))
	}
	if m := lacks.FindStringSubmatch(text); m != nil {
		return exit.Usage("module %s has no package %s: check the import path", m[1], m[2])
	}
	if m := tooNew.FindString(text); m != "" {
		return exit.Usage("a module asks for a newer Go than %s: %s\ninstall a newer Go, set GOTOOLCHAIN=auto, or ask for an older version of the module:\n%s", r.env.GOVERSION, m, relevant(text))
	}
	if e := r.networkError(text); e != nil {
		return e
	}
	for _, f := range r.funcs {
		if f.Version != "" && strings.Contains(text, f.Package+"@"+f.Version) || f.Version != "" && strings.Contains(text, f.Package+": ") {
			return exit.Usage("%s: there is no module that holds package %s at version %s:\n%s", f.Written, f.Package, f.Version, relevant(text))
		}
	}
	return exit.Usage("the modules of the functions could not be resolved:\n%s", relevant(text))
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

// relevant trims the go command's output: no progress, at most maxLines lines.
func relevant(text string) string {
	var keep []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: finding ") || strings.TrimSpace(line) == "" {
			continue
		}
		if line == "FAIL" || strings.HasPrefix(line, "FAIL\t") { // go test says so of a package that does not build
			continue
		}
		keep = append(keep, "\t"+strings.TrimRight(line, " \t\r"))
	}
	if n := len(keep); n > maxLines {
		keep = append(keep[:maxLines:maxLines], "\t...")
	}
	return strings.Join(keep, "\n")
}

// unresolved explains a signature with types that were not found: a package that the function's own imports is missing.
func (r *resolver) unresolved(c *callable) error {
	for _, q := range r.order {
		if q.Error == nil {
			continue
		}
		if e := r.networkError(q.ImportPath + ": " + strings.ReplaceAll(q.Error.Err, "\n", " ")); e != nil {
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
			if _, hidden := internalRoot(filepath.ToSlash(path)); err == nil && !hidden && !strings.HasPrefix(path, "cmd") && !strings.HasPrefix(path, "vendor") {
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
