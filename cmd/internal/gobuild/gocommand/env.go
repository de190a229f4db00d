package gocommand

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Oldest is the first Go minor release whose toolchain parallax builds workers with.
const Oldest = 21

// Env is the output of `go env -json`.
type Env struct {
	GOVERSION, GOMOD, GOWORK, GOFLAGS, GOROOT, GOOS, GOARCH, GOHOSTOS, GOHOSTARCH, GOPROXY, GO111MODULE, GOMODCACHE string
}

// Minor returns 26 for "go1.26.8". It fails for development versions, which count as new.
func Minor(version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	minor, err := strconv.Atoi(rest)
	return minor, err == nil
}

// InModule reports whether the user's folder belongs to a module or workspace.
func (e *Env) InModule() bool {
	return e.GOMOD != "" && e.GOMOD != os.DevNull || e.GOWORK != "" && e.GOWORK != "off"
}

// Workspace returns the go.work file in force, if any.
func (e *Env) Workspace() string {
	if e.GOWORK == "off" {
		return ""
	}
	return e.GOWORK
}

// Standard reports whether the import path is a package of the toolchain's standard library.
func (e *Env) Standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	if strings.Contains(first, ".") || path == "" {
		return false
	}
	found, _ := filepath.Glob(filepath.Join(e.GOROOT, "src", filepath.FromSlash(path), "*.go"))
	return len(found) > 0
}
