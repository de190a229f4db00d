package buildroot

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// Choose makes the root one that the functions call for, and asks for the toolchain that its go.mod
// selects.
func (r *Root) Choose(ctx context.Context, funcs []funcname.Func) error {
	r.funcs = funcs
	if err := r.choose(ctx); err != nil {
		return err
	}
	return r.readToolchain(ctx)
}

func (r *Root) choose(ctx context.Context) error {
	var own, versioned []funcname.Func
	for _, f := range r.funcs {
		switch {
		case !f.Local() && r.Env.Standard(f.Package):
			if f.Version != "" {
				return exit.Usage("%s: %s belongs to the standard library, whose version is that of the go command (%s): leave @%s out", f.Written, f.Package, r.Env.GOVERSION, f.Version)
			}
		case f.Version != "":
			versioned = append(versioned, f)
		default:
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return r.setScratch(ctx, versioned)
	}
	if !r.Env.InModule() {
		f := own[0]
		if f.Local() {
			return exit.Usage("%s: there is no go.mod in %s or above it: run parallax inside the module that holds the function", f.Written, r.Dir)
		}
		return exit.Usage("%s has no version, and there is no go.mod in %s or above it: write %s@latest, or run parallax inside a module that requires it%s", f.Written, r.Dir, f.Written, r.suggestion(f))
	}
	r.UseModule("")
	if len(r.Instead) > 0 {
		return r.setEdited(ctx, versioned)
	}
	if len(versioned) > 0 {
		selected, err := r.selectedAlready(ctx, own, versioned)
		if err != nil || selected {
			return err
		}
		return r.setEdited(ctx, versioned)
	}
	return nil
}

// selectedAlready reports whether the user's own module selects every version that was asked for.
// It remembers what the module selects for the functions without a version.
func (r *Root) selectedAlready(ctx context.Context, own, versioned []funcname.Func) (bool, error) {
	paths := make([]string, 0, len(r.funcs))
	for _, f := range append(own[:len(own):len(own)], versioned...) {
		paths = append(paths, f.Package)
	}
	pkgs, err := r.List(ctx, append([]string{"-find"}, paths...)...)
	if err != nil {
		return false, err
	}
	r.before = map[string]*gocommand.Module{}
	for _, f := range own {
		if p := gocommand.Written(pkgs, f.Package); p != nil && p.Module != nil {
			r.before[f.Written] = p.Module
		}
	}
	all := true
	for _, f := range versioned {
		p := gocommand.Written(pkgs, f.Package)
		if p == nil || p.Module == nil || p.Error != nil {
			all = false
			continue
		}
		if p.Module.Main {
			return false, exit.Usage("%s: %s is the module of this folder, and %w", f.Written, p.Module.Path, gomod.OneVersion(p.Module.Path, f.Version))
		}
		for _, other := range own {
			if m := r.before[other.Written]; m != nil && m.Path == p.Module.Path && m.Version != f.Version && gomod.Exact(f.Version) {
				return false, gomod.TwoVersions(other.Written, m.Path, m.Version, f.Written, f.Version)
			}
		}
		if p.Module.Replace != nil || p.Module.Version != f.Version {
			all = false
		}
	}
	return all, nil
}

// setScratch makes the module of its own.
func (r *Root) setScratch(ctx context.Context, versioned []funcname.Func) error {
	dir := filepath.Join(r.Out, "src")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Infra("making the folder of the harness: %w", err)
	}
	r.Kind, r.dir, r.flags = Scratch, dir, nil
	r.env = []string{"GO111MODULE=on", "GOWORK=off", "GOFLAGS=" + gocommand.ModuleFlags(r.Env.GOFLAGS)}
	line := "1.22"
	if minor, ok := gocommand.Minor(r.Env.GOVERSION); ok {
		line = fmt.Sprintf("1.%d", minor) // so that the standard library behaves as in a new program
	}
	start := fmt.Sprintf("module %s\n\ngo %s\n", gomod.Scratch, line)
	for _, need := range r.Require {
		start += "\nrequire " + need + "\n"
	}
	for _, i := range r.Instead {
		start += i.Line()
	}
	return r.get(ctx, filepath.Join(dir, "go.mod"), versioned, start, "")
}

// readToolchain asks again where the root's go.mod, not the user's, selects the toolchain.
func (r *Root) readToolchain(ctx context.Context) error {
	if r.Kind == User {
		return nil
	}
	out, errs, err := gocommand.Run(ctx, r.Command("env", "-json", "GOVERSION", "GOROOT"))
	if err != nil {
		return r.Env.Explain("go env", errs, err)
	}
	var env gocommand.Env
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("reading the answer of go env: %w", err)
	}
	r.Env.GOVERSION, r.Env.GOROOT = env.GOVERSION, env.GOROOT
	return nil
}
