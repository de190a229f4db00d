package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
)

// site is where and how the go command runs for a target. The three kinds of it:
//
//   - scratch: a module of its own in Out, for functions of the standard library and at an @version;
//   - module: the user's module or workspace as it is, with the harness in an overlay;
//   - mixed: the user's module with an edited copy of its go.mod, for the one beside the other.
type site struct {
	kind  siteKind
	dir   string   // working directory of the go command
	env   []string // additions to the environment
	flags []string // for list and build
}

type siteKind uint8

const (
	scratch siteKind = iota
	module
	mixed
)

// readEnv asks the go command about itself where the user stands.
func (r *resolver) readEnv(ctx context.Context) error {
	env, err := gocommand.ReadEnv(ctx, gocommand.Command{Dir: r.Dir, Env: r.toolchain(), Guard: r.Parallax})
	if err != nil {
		return err
	}
	r.env = *env
	return nil
}

// readToolchain asks again where the site's go.mod, not the user's, selects the toolchain.
func (r *resolver) readToolchain(ctx context.Context) error {
	if r.site.kind == module {
		return nil
	}
	out, errs, err := gocommand.Run(ctx, r.command("env", "-json", "GOVERSION", "GOROOT"))
	if err != nil {
		return r.env.Explain("go env", errs, err)
	}
	var env gocommand.Env
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("reading the answer of go env: %w", err)
	}
	r.env.GOVERSION, r.env.GOROOT = env.GOVERSION, env.GOROOT
	return nil
}

// choose sets up the site that the functions call for.
func (r *resolver) choose(ctx context.Context) error {
	var own, versioned []funcname.Func
	for _, f := range r.funcs {
		switch {
		case !f.Local() && r.env.Standard(f.Package):
			if f.Version != "" {
				return exit.Usage("%s: %s belongs to the standard library, whose version is that of the go command (%s): leave @%s away", f.Written, f.Package, r.env.GOVERSION, f.Version)
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
	if !r.env.InModule() {
		f := own[0]
		if f.Local() {
			return exit.Usage("%s: there is no go.mod in %s or above it: run parallax inside the module that holds the function", f.Written, r.Dir)
		}
		return exit.Usage("%s has no version, and there is no go.mod in %s or above it: write %s@latest, or run parallax inside a module that requires it%s", f.Written, r.Dir, f.Written, r.likely(f))
	}
	r.site = site{kind: module, dir: r.Dir, env: gocommand.PlainFlags(r.env.GOFLAGS)}
	if len(r.Instead) > 0 {
		return r.setMixed(ctx, versioned)
	}
	if len(versioned) > 0 {
		selected, err := r.selectedAlready(ctx, own, versioned)
		if err != nil || selected {
			return err
		}
		return r.setMixed(ctx, versioned)
	}
	return nil
}

// selectedAlready reports whether the user's own module selects every version that was asked for. It remembers what the
// module selects for the functions without a version.
func (r *resolver) selectedAlready(ctx context.Context, own, versioned []funcname.Func) (bool, error) {
	paths := make([]string, 0, len(r.funcs))
	for _, f := range append(own[:len(own):len(own)], versioned...) {
		paths = append(paths, f.Package)
	}
	pkgs, err := r.list(ctx, append([]string{"-find"}, paths...)...)
	if err != nil {
		return false, err
	}
	r.before = map[string]*gocommand.Module{}
	for _, f := range own {
		if p := r.match(pkgs, f); p != nil && p.Module != nil {
			r.before[f.Written] = p.Module
		}
	}
	all := true
	for _, f := range versioned {
		p := r.match(pkgs, f)
		if p == nil || p.Module == nil || p.Error != nil {
			all = false
			continue
		}
		if p.Module.Main {
			return false, exit.Usage("%s: %s is the module you stand in, and %w", f.Written, p.Module.Path, gomod.OneVersion(p.Module.Path, f.Version))
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
func (r *resolver) setScratch(ctx context.Context, versioned []funcname.Func) error {
	dir := filepath.Join(r.Out, "src")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Infra("making the folder of the harness: %w", err)
	}
	r.site = site{
		kind: scratch,
		dir:  dir,
		env:  []string{"GO111MODULE=on", "GOWORK=off", "GOFLAGS=" + gocommand.ModuleFlags(r.env.GOFLAGS)},
	}
	line := "1.22"
	if minor, ok := gocommand.Minor(r.env.GOVERSION); ok {
		line = fmt.Sprintf("1.%d", minor) // so that the standard library behaves as in a new program
	}
	start := fmt.Sprintf("module %s\n\ngo %s\n", gomod.Scratch, line)
	for _, i := range r.Instead {
		start += i.Line()
	}
	return r.get(ctx, filepath.Join(dir, "go.mod"), versioned, start, "")
}

// get writes file and go.sum beside it and adds the versions. What was added before for the same request is kept, so that
// a campaign resumes with the versions it began with, and without a network.
func (r *resolver) get(ctx context.Context, file string, versioned []funcname.Func, text, sum string) error {
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
		_, errs, err := gocommand.Run(ctx, r.command(append(append([]string{"get"}, r.site.flags...), args...)...))
		if err != nil {
			return r.getError(errs, err)
		}
		if err := r.checkChanges(string(errs), versioned); err != nil {
			return err
		}
	}
	if err := os.WriteFile(marker, []byte(key), 0o666); err != nil {
		return exit.Infra("writing the harness's module: %w", err)
	}
	return nil
}

// command is a run of the go command at the site.
func (r *resolver) command(args ...string) gocommand.Command {
	return gocommand.Command{Dir: r.site.dir, Env: append(r.toolchain(), r.site.env...), Guard: r.Parallax, Args: args}
}

// toolchain is what makes the go command another one than that of PATH.
func (r *resolver) toolchain() []string {
	if r.Toolchain == "" {
		return nil
	}
	return []string{"GOTOOLCHAIN=go" + r.Toolchain}
}
