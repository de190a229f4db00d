// Package gomod reads modules: the user's go.mod and go.work, the published versions, and the
// replacements in a build. It also explains why two versions of one module cannot share a binary
// (VersionsError). Commands then build each version by itself, and run them in lockstep.
//
// Packages buildroot, gobuild and subject build by it. Package scaffold removes lines of go.mod,
// and package bisect lists versions. The package changes no file of the user.
package gomod

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Module is a module of the user's, as its go.mod has it.
type Module struct {
	Path     string
	Dir      string
	GoMod    string // the file
	Require  []Requirement
	Replace  []Replacement
	Work     string        // the go.work in force, empty if none
	Siblings []Module      // the other modules of the workspace, without siblings of their own
	Instead  []Replacement // the replace lines of the go.work
}

// Requirement is a require line.
type Requirement struct{ Path, Version string }

// Replacement is a replace line. Without a version the new path is a folder, absolute here.
type Replacement struct {
	Old, New struct{ Path, Version string }
}

// Find finds the module that a folder belongs to. Parallax is the path of the executable, for
// guard.
func Find(ctx context.Context, dir, parallax string) (*Module, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, exit.Infra("finding the working directory: %w", err)
	}
	c := gocommand.Command{Dir: dir, Guard: parallax}
	env, err := gocommand.ReadEnv(ctx, c)
	if err != nil {
		return nil, err
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull {
		return nil, exit.Usage("there is no go.mod in %s or above it: make one with go mod init", dir)
	}
	m, err := readModule(ctx, c, env.GOMOD)
	if err != nil {
		return nil, err
	}
	m.Work = env.Workspace()
	if m.Work == "" {
		return m, nil
	}
	out, err := edit(ctx, c, "work", "edit", "-json", m.Work)
	if err != nil {
		return nil, err
	}
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []Replacement
	}
	if err := json.Unmarshal(out, &work); err != nil {
		return nil, exit.Usage("reading %s: %w", m.Work, err)
	}
	m.Instead = absolute(work.Replace, filepath.Dir(m.Work))
	for _, use := range work.Use {
		file := filepath.Join(gocommand.Absolute(filepath.Dir(m.Work), filepath.FromSlash(use.DiskPath)), "go.mod")
		if file == m.GoMod {
			continue
		}
		sibling, err := readModule(ctx, c, file)
		if err != nil {
			return nil, err
		}
		m.Siblings = append(m.Siblings, *sibling)
	}
	return m, nil
}

func readModule(ctx context.Context, c gocommand.Command, file string) (*Module, error) {
	out, err := edit(ctx, c, "mod", "edit", "-json", file)
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
	dir := filepath.Dir(file)
	return &Module{Path: text.Module.Path, Dir: dir, GoMod: file, Require: text.Require, Replace: absolute(text.Replace, dir)}, nil
}

// absolute has replace lines name the folders that they are read as in a file of a folder.
func absolute(lines []Replacement, dir string) []Replacement {
	for i := range lines {
		if to := &lines[i].New; to.Version == "" {
			to.Path = gocommand.Absolute(dir, filepath.FromSlash(to.Path))
		}
	}
	return lines
}

// edit runs a go command that reads go.mod or go.work.
func edit(ctx context.Context, c gocommand.Command, args ...string) ([]byte, error) {
	c.Args = args
	out, errs, err := gocommand.Run(ctx, c)
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

// PathOf reads the module line of a go.mod; it is empty where there is none.
func PathOf(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for _, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[0] == "module" {
			if name, err := strconv.Unquote(fields[1]); err == nil {
				return name
			}
			return fields[1]
		}
	}
	return ""
}

// Scratch is the path of the module made for functions that need nothing of the user's. It can
// never be fetched.
const Scratch = "harness.invalid/harness"
