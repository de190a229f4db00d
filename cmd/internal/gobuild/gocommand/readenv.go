package gocommand

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
)

var envNames = []string{"GOVERSION", "GOMOD", "GOWORK", "GOFLAGS", "GOROOT", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH", "GOPROXY", "GO111MODULE", "GOMODCACHE"}

// ReadEnv asks the go command about itself, with the folder, environment and guard of c, and
// rejects one that is too old.
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

// List runs go list with the folder, environment and guard of c. A package that cannot be read has
// an error of its own, and List has none.
func (e *Env) List(ctx context.Context, c Command, args ...string) ([]*Package, error) {
	c.Args = append([]string{"list", "-e", listFields}, args...)
	out, errs, err := Run(ctx, c)
	if err != nil {
		return nil, e.Explain("go list", errs, err)
	}
	pkgs, err := DecodeStream[Package](out)
	if err != nil {
		return nil, fmt.Errorf("reading the answer of go list: %w", err)
	}
	all := make([]*Package, len(pkgs))
	for i := range pkgs {
		all[i] = &pkgs[i]
	}
	return all, nil
}
