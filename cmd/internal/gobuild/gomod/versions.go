package gomod

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Versions knows the versions of a module, as the user's proxies and repositories have them.
type Versions struct {
	Module    string
	Listed    []string // oldest first, prereleases too
	Retracted []string // of Listed

	command gocommand.Command // with the folder and environment in which the go command is asked
	env     *gocommand.Env
}

// Known returns a module without a list of versions: they are queried one at a time. The go
// command's files are written into out, which is not the user's. So the user's go.mod and vendor
// folder do not affect the versions, but GOPROXY and related variables do.
func Known(ctx context.Context, parallax, out, module string) (*Versions, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, exit.Infra("finding the folder for the go command: %w", err)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, exit.Infra("making a folder for the go command: %w", err)
	}
	if err := os.WriteFile(filepath.Join(out, "go.mod"), []byte("module "+Scratch+"\n"), 0o666); err != nil {
		return nil, exit.Infra("writing a go.mod to ask for versions: %w", err)
	}
	c := gocommand.Command{Dir: out, Guard: parallax}
	env, err := gocommand.ReadEnv(ctx, c)
	if err != nil {
		return nil, err
	}
	c.Env = []string{"GOWORK=off", "GOFLAGS=" + gocommand.ModuleFlags(env.GOFLAGS)}
	return &Versions{Module: module, command: c, env: env}, nil
}

// ListVersions asks the go command for the versions of a module, in a folder as Known needs it.
func ListVersions(ctx context.Context, parallax, out, module string) (*Versions, error) {
	v, err := Known(ctx, parallax, out, module)
	if err != nil {
		return nil, err
	}
	kept, err := v.list(ctx)
	if err != nil {
		return nil, err
	}
	if v.Listed, err = v.list(ctx, "-retracted"); err != nil {
		return nil, err
	}
	for _, version := range v.Listed {
		if !slices.Contains(kept, version) {
			v.Retracted = append(v.Retracted, version)
		}
	}
	return v, nil
}

// Env is the additions to the environment with which the go command is asked.
func (v *Versions) Env() []string { return v.command.Env }

// Language is the version of Go that the go command writes into a new go.mod.
func (v *Versions) Language() string {
	if minor, ok := gocommand.Minor(v.env.GOVERSION); ok {
		return fmt.Sprintf("1.%d", minor)
	}
	return "1.22"
}

// Download has the go command fetch a version, and returns the folder that holds it.
func (v *Versions) Download(ctx context.Context, version string) (dir string, err error) {
	out, errs, err := v.ask(ctx, "mod", "download", "-json", "--", v.Module+"@"+version)
	var m struct{ Dir, Error string }
	json.Unmarshal(out, &m)
	switch {
	case err == nil && m.Dir != "":
		return m.Dir, nil
	case err == nil:
		return "", exit.Infra("go mod download says nothing of %s@%s: %s", v.Module, version, m.Error)
	}
	return "", v.explain(append(errs, m.Error...), err, func() string { return v.lacks(ctx, version) })
}

// lacks says that there is no such version, and which there are.
func (v *Versions) lacks(ctx context.Context, version string) string {
	text := "module " + v.Module + " has no version " + version
	if v.Listed == nil {
		list, err := v.list(ctx, "-retracted")
		if err != nil {
			return text
		}
		v.Listed = list
	}
	return text + v.nearby(version)
}

// ask runs the go command.
func (v *Versions) ask(ctx context.Context, args ...string) (stdout, stderr []byte, err error) {
	c := v.command
	c.Args = args
	return gocommand.Run(ctx, c)
}

func (v *Versions) list(ctx context.Context, flags ...string) ([]string, error) {
	args := append([]string{"list", "-m", "-versions", "-json"}, flags...)
	out, errs, err := v.ask(ctx, append(args, "--", v.Module)...)
	if err != nil {
		return nil, v.explain(errs, err, func() string { return "the versions of module " + v.Module + " cannot be listed" })
	}
	var m struct{ Versions []string }
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, fmt.Errorf("reading the versions of module %s: %w", v.Module, err)
	}
	return m.Versions, nil
}

// Find resolves a version, or a query that the go command knows: latest, v1.2, a branch, a commit.
func (v *Versions) Find(ctx context.Context, query string) (version string, err error) {
	if query == "" || strings.ContainsAny(query, "@ \t\n") {
		return "", exit.Usage("%q is not a version of module %s: write one like v1.2.3, or latest", query, v.Module)
	}
	if slices.Contains(v.Listed, query) {
		return query, nil
	}
	out, errs, err := v.ask(ctx, "list", "-m", "-json", "--", v.Module+"@"+query)
	if err != nil {
		return "", v.explain(errs, err, func() string { return v.lacks(ctx, query) })
	}
	var m struct{ Version string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("resolving %s@%s: %w", v.Module, query, err)
	}
	return m.Version, nil
}

// nearby says which versions there are.
func (v *Versions) nearby(query string) string {
	list := v.Listed
	if slices.Contains(list, "v"+query) {
		return ": did you mean v" + query + "?"
	}
	switch n := len(list); {
	case n == 0:
		return " (no version of it is tagged)"
	case n > 8:
		at, _ := slices.BinarySearchFunc(list, query, semver.Compare)
		if semver.IsValid(query) && at > 0 && at < n { // between two that there are
			near := list[max(0, at-2):min(n, at+2)]
			return fmt.Sprintf(" (the nearest that it has are %s)", strings.Join(near, ", "))
		}
		return fmt.Sprintf(" (it has %s, ..., %s)", strings.Join(list[:2], ", "), strings.Join(list[n-5:], ", "))
	}
	return " (it has " + strings.Join(list, ", ") + ")"
}

// explain says why a module or version could not be had. A network that cannot be reached is
// another thing than a version that does not exist.
func (v *Versions) explain(stderr []byte, err error, what func() string) error {
	var failed *exec.ExitError
	if !errors.As(err, &failed) {
		return err
	}
	if e := gocommand.DiskError(string(stderr)); e != nil {
		return e
	}
	if e := v.env.NetworkError(string(stderr)); e != nil {
		return e
	}
	return exit.Usage("%s:\n%s", what(), gocommand.Relevant(string(stderr)))
}
