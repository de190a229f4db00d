package gocommand

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/exit"
)

// Oldest is the first Go minor release whose toolchain parallax builds workers with.
const Oldest = 21

// Env is what `go env -json` says.
type Env struct {
	GOVERSION, GOMOD, GOWORK, GOFLAGS, GOROOT, GOOS, GOARCH, GOHOSTOS, GOHOSTARCH, GOPROXY, GO111MODULE, GOMODCACHE string
}

var envNames = []string{"GOVERSION", "GOMOD", "GOWORK", "GOFLAGS", "GOROOT", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH", "GOPROXY", "GO111MODULE", "GOMODCACHE"}

// ReadEnv asks the go command about itself, with the folder, environment and guard of c, and rejects one that is too old.
func ReadEnv(ctx context.Context, c Command) (*Env, error) {
	e := &Env{}
	c.Args = append([]string{"env", "-json"}, envNames...)
	out, errs, err := Run(ctx, c)
	if err != nil {
		return nil, e.Explain("go env", errs, err)
	}
	if err := json.Unmarshal(out, e); err != nil {
		return nil, fmt.Errorf("reading the answer of go env: %w", err)
	}
	if minor, ok := Minor(e.GOVERSION); ok && minor < Oldest {
		return nil, exit.Usage("the go command on PATH is %s, and parallax needs go1.%d or later: install it from https://go.dev/dl or put a newer one first on PATH", e.GOVERSION, Oldest)
	}
	if strings.EqualFold(e.GO111MODULE, "off") {
		return nil, exit.Usage("GO111MODULE=off: parallax works with modules only; unset it")
	}
	if e.GOOS != e.GOHOSTOS || e.GOARCH != e.GOHOSTARCH {
		return nil, exit.Usage("GOOS and GOARCH ask for %s/%s, but programs must run here, on %s/%s: unset them", e.GOOS, e.GOARCH, e.GOHOSTOS, e.GOHOSTARCH)
	}
	return e, nil
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

// InModule reports whether the user stands in a module or workspace.
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
