package harness

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gocommand"
)

// Module is a module of the user's, as its go.mod has it.
type Module struct {
	Path     string
	Dir      string
	GoMod    string // the file
	Require  []Requirement
	Replace  []Replacement
	Work     string   // the go.work in force, empty if none
	Siblings []Module // the other modules of the workspace, without siblings of their own
}

// Requirement is a require line.
type Requirement struct{ Path, Version string }

// Replacement is a replace line. Without a version the new path is a folder, absolute here.
type Replacement struct {
	Old, New struct{ Path, Version string }
}

// FindModule finds the module that a folder belongs to.
func FindModule(ctx context.Context, dir, parallax string) (*Module, error) {
	r := &resolver{pkgs: map[string]*gocommand.Package{}, Request: Request{Dir: dir, Parallax: parallax}}
	if err := r.complete(); err != nil {
		return nil, err
	}
	if err := r.readEnv(ctx); err != nil {
		return nil, err
	}
	if r.env.GOMOD == "" || r.env.GOMOD == os.DevNull {
		return nil, exit.Usage("there is no go.mod in %s or above it: make one with go mod init", r.Dir)
	}
	m, err := r.readModule(ctx, r.env.GOMOD)
	if err != nil {
		return nil, err
	}
	m.Work = r.env.Workspace()
	if m.Work == "" {
		return m, nil
	}
	out, err := r.edit(ctx, "work", "edit", "-json", m.Work)
	if err != nil {
		return nil, err
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return nil, exit.Usage("reading %s: %w", m.Work, err)
	}
	for _, use := range work.Use {
		file := filepath.Join(gocommand.Absolute(filepath.Dir(m.Work), filepath.FromSlash(use.DiskPath)), "go.mod")
		if file == m.GoMod {
			continue
		}
		sibling, err := r.readModule(ctx, file)
		if err != nil {
			return nil, err
		}
		m.Siblings = append(m.Siblings, *sibling)
	}
	return m, nil
}

// EditModule runs go mod edit on the module's file.
func EditModule(ctx context.Context, m *Module, parallax string, edits ...string) error {
	r := &resolver{Request: Request{Dir: m.Dir, Parallax: parallax}}
	_, err := r.edit(ctx, append(append([]string{"mod", "edit"}, edits...), m.GoMod)...)
	return err
}

func (r *resolver) readModule(ctx context.Context, file string) (*Module, error) {
	out, err := r.edit(ctx, "mod", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var text struct {
		Module  struct{ Path string }
		Require []Requirement
		Replace []Replacement
	}
	if err := json.Unmarshal(out, &text); err != nil {
		return nil, exit.Usage("reading %s: %w", file, err)
	}
	m := &Module{Path: text.Module.Path, Dir: filepath.Dir(file), GoMod: file, Require: text.Require, Replace: text.Replace}
	for i := range m.Replace {
		if to := &m.Replace[i].New; to.Version == "" {
			to.Path = gocommand.Absolute(m.Dir, filepath.FromSlash(to.Path))
		}
	}
	return m, nil
}

// edit runs a go command that reads or writes go.mod or go.work.
func (r *resolver) edit(ctx context.Context, args ...string) ([]byte, error) {
	out, errs, err := gocommand.Run(ctx, gocommand.Command{Dir: r.Dir, Env: r.toolchain(), Guard: r.Parallax, Args: args})
	if err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			return nil, err
		}
		if e := gocommand.DiskError(string(errs)); e != nil {
			return nil, e
		}
		return nil, exit.Usage("go %s: %s", strings.Join(args[:2], " "), strings.TrimSpace(string(errs)))
	}
	return out, nil
}
