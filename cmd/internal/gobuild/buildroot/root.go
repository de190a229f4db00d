// Package buildroot decides where the go command runs for a target. It runs in a scratch module, in
// the user's module as it is, or with an edited copy of its go.mod. The package resolves functions
// and versions to packages there, and lays generated files into an overlay.
//
// Packages gobuild, fuzztest and scaffold call it. It changes no file of the user, and writes only
// below Options.Out. Notes are for the user, in the order in which they were found.
package buildroot

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
)

// Kind is which go.mod is in force.
type Kind uint8

const (
	// Scratch is a module of its own in Out, for functions of the standard library and at an
	// @version.
	Scratch Kind = iota
	// User is the user's module or workspace as it is, with generated files in an overlay.
	User
	// Edited is the user's module with an edited copy of its go.mod, for functions of both kinds.
	Edited
)

// Options describe the user's folder and the go command's configuration.
type Options struct {
	Dir       string   // the user's folder; empty means the working directory
	Out       string   // folder for what is made; exists
	Parallax  string   // path of the parallax executable, for guard; empty means no guard
	Toolchain string   // Go version that builds, such as 1.21.0; empty means that of PATH
	Environ   []string // additions to the environment of the go command, such as the GOWORK of a version
	Tags      string   // build tags of functions, as -tags takes them; those of tests are UseModule's
	// for a scratch module: requirements besides the functions' versions, as "path version"
	Require  []string
	Instead  []gomod.Instead   // modules whose code is taken from elsewhere
	Laid     Overlay           // files of another tree laid over this one; "" removes a file
	Progress func(step string) // called at each long step; may be nil
}

// Root is where and how the go command runs for a target.
type Root struct {
	Options // with absolute paths
	Env     gocommand.Env
	Kind    Kind
	Notes   []string // for the user

	funcs   []funcname.Func
	dir     string                       // working directory of the go command
	env     []string                     // additions to the environment
	flags   []string                     // for list and build
	instead Overlay                      // files of the user's that Attach changed
	before  map[string]*gocommand.Module // by what was written: the module as the user's own go.mod selects it
}

// Open asks the go command about its environment in the user's folder. Call Choose or UseModule
// next.
func Open(ctx context.Context, o Options) (*Root, error) {
	r := &Root{}
	if err := r.complete(o); err != nil {
		return nil, err
	}
	r.Progress("asking the go command")
	env, err := gocommand.ReadEnv(ctx, r.plain())
	if err != nil {
		return nil, err
	}
	r.Env = *env
	if r.Tags != "" {
		r.Env.GOFLAGS = strings.TrimSpace(r.Env.GOFLAGS + " -tags=" + r.Tags)
		r.Environ = append(slices.Clone(r.Environ), "GOFLAGS="+r.Env.GOFLAGS)
	}
	return r, r.writeLaid()
}

// Reopen is Open and UseModule with what the go command said before.
func Reopen(o Options, env gocommand.Env, tags string) (*Root, error) {
	r := &Root{Env: env}
	if err := r.complete(o); err != nil {
		return nil, err
	}
	r.UseModule(tags)
	return r, r.writeLaid()
}

// complete fills in what the options leave out.
func (r *Root) complete(o Options) (err error) {
	r.Options = o
	if r.Progress == nil {
		r.Progress = func(string) {}
	}
	if r.Dir, err = filepath.Abs(r.Dir); err != nil {
		return exit.Infra("finding the working directory: %w", err)
	}
	if r.Out, err = filepath.Abs(r.Out); err != nil {
		return exit.Infra("finding the folder for the build: %w", err)
	}
	return nil
}

// UseModule makes the user's module the root, whatever the functions. Tags are build tags, as -tags
// takes them.
func (r *Root) UseModule(tags string) {
	r.Kind, r.dir, r.env, r.flags = User, r.Dir, gocommand.PlainFlags(r.Env.GOFLAGS), nil
	if tags != "" {
		r.flags = []string{"-tags=" + tags}
	}
	if len(r.Laid) > 0 {
		r.flags = append(r.flags, "-overlay="+r.laidFile())
	}
}

// Note adds a note for the user.
func (r *Root) Note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// plain returns a run of the go command in the user's folder.
func (r *Root) plain(args ...string) gocommand.Command {
	return gocommand.Command{Dir: r.Dir, Env: r.base(), Guard: r.Parallax, Args: args}
}

// Command is a run of the go command at the root.
func (r *Root) Command(args ...string) gocommand.Command {
	return gocommand.Command{Dir: r.dir, Env: append(r.base(), r.env...), Guard: r.Parallax, Args: args}
}

// base returns the environment for every go command.
func (r *Root) base() []string {
	env := r.Environ[:len(r.Environ):len(r.Environ)]
	if r.Toolchain != "" { // another one than that of PATH
		env = append(env, "GOTOOLCHAIN=go"+r.Toolchain)
	}
	return env
}

// List runs go list at the root.
func (r *Root) List(ctx context.Context, args ...string) ([]*gocommand.Package, error) {
	return r.Env.List(ctx, r.Command(), append(r.flags[:len(r.flags):len(r.flags)], args...)...)
}

// ScratchDir is the folder of the scratch module.
func (r *Root) ScratchDir() string { return r.dir }

// InsteadOf finds what the options say of a module, nil if nothing.
func (r *Root) InsteadOf(module string) *gomod.Instead {
	for i := range r.Instead {
		if r.Instead[i].Module == module {
			return &r.Instead[i]
		}
	}
	return nil
}
