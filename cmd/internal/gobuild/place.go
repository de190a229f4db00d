package gobuild

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/library"
	"parallax/internal"
)

// mainFolder is the folder of the worker's package main in a user's module. It exists only in the
// overlay.
const mainFolder = "plxharness"

// write generates the worker's package main, in the scratch module or in an overlay of the user's
// module.
func (p *Plan) write() error {
	importPath, dir, goMod, err := p.place()
	if err != nil {
		return err
	}
	p.main = importPath
	needed := []string{"input", "oracle", "worker"}
	if p.gen != nil {
		if needed = append(needed, "generator"); p.gen.Generator == nil {
			needed = append(needed, library.Gen)
		}
	}
	if p.seq != nil {
		needed = append(needed, "sequence")
	}
	copyPath, err := p.useLibrary(goMod, path.Join(importPath, "plx"), needed...)
	if err != nil {
		return err
	}
	text, err := p.mainFile(copyPath, p.req.Order)
	if err != nil {
		return err
	}
	p.files = append(p.files, p.file("main.go", text))
	return p.root.Lay(dir, p.files)
}

// file returns a generated file in the language of the toolchain.
func (p *Plan) file(path string, text []byte) buildroot.File {
	if minor, ok := gocommand.Minor(p.root.Env.GOVERSION); ok && minor == gocommand.Oldest { // it has no later language; the library needs none
		text = bytes.Replace(text, []byte("go1.22"), []byte("go1.21"), 1)
	}
	return buildroot.File{Path: path, Text: text}
}

// files returns the files of the library.
func (req *Request) files() []internal.File {
	if req.library != nil {
		return req.library
	}
	return append(internal.Files(), library.Generators()...)
}

// shared lists the packages of the library that a worker may need.
var shared = []string{"fuzzfunc", "generator", "implementation", "input", "oracle", "sequence", "worker", library.Gen}

// useLibrary returns the import path below which the worker finds the library. It is that of a
// module that go.mod is made to require. Otherwise it is below, to which useLibrary copies the
// needed packages.
func (p *Plan) useLibrary(goMod, below string, needed ...string) (importPath string, err error) {
	if p.req.Libraries != "" {
		m := buildroot.Module{Path: library.Attached}
		if m.Files, err = p.copyLibrary(m.Path, shared); err != nil {
			return "", err
		}
		if ok, err := p.root.Attach(m, goMod, p.req.Libraries); ok || err != nil {
			return m.Path, err
		}
	}
	files, err := p.copyLibrary(below, needed)
	for _, f := range files {
		f.Path = "plx/" + f.Path
		p.files = append(p.files, f)
	}
	return below, err
}

// copyLibrary returns packages of the library below another import path.
func (p *Plan) copyLibrary(importPath string, packages []string) (files []buildroot.File, err error) {
	copied, err := library.Copy(p.req.files(), importPath, packages...)
	for _, f := range copied {
		files = append(files, p.file(f.Path, f.Text))
	}
	return files, err
}

// place chooses the import path and folder of the worker's package main. It is the deepest folder
// of the user's module that may import every needed internal package. It also returns that module's
// go.mod.
func (p *Plan) place() (importPath, dir, goMod string, err error) {
	if p.root.Kind == buildroot.Scratch {
		return gomod.Scratch, p.root.ScratchDir(), "", nil
	}
	var home *gocommand.Module // of package main
	var need, needed string
	for _, c := range p.called() {
		m := c.Package.Module
		if m == nil || !m.Main {
			continue
		}
		root, hidden := gocommand.InternalRoot(c.Package.ImportPath)
		if !hidden {
			continue
		}
		switch {
		case needed == "" || gocommand.Within(root, need):
			need, needed, home = root, c.Func.Written, m
		case gocommand.Within(need, root):
		default:
			return "", "", "", exit.Usage("%s and %s are internal to different parts of the code (%s and %s): no package may import both; move one of them, or wrap it in an exported function", needed, c.Func.Written, need, root)
		}
	}
	if home == nil {
		home = p.homeModule()
	}
	if home == nil || home.Dir == "" {
		return "", "", "", exit.Usage("none of the functions belongs to a module of yours, and there is no go.mod in %s: write the versions (@latest), or run parallax inside a module", p.root.Dir)
	}
	importPath, dir = home.Path, home.Dir
	if rest, ok := strings.CutPrefix(need, home.Path+"/"); ok {
		importPath, dir = need, filepath.Join(home.Dir, filepath.FromSlash(rest))
	}
	name := buildroot.FreeName(dir, mainFolder, "")
	return path.Join(importPath, name), filepath.Join(dir, name), home.GoMod, nil
}

// homeModule returns the user's module or, at a workspace's root, one that holds a function.
func (p *Plan) homeModule() *gocommand.Module {
	var first *gocommand.Module
	for _, c := range p.called() {
		if m := c.Package.Module; m != nil && m.Main {
			if m.GoMod == p.root.Env.GOMOD {
				return m
			}
			if first == nil {
				first = m
			}
		}
	}
	if p.root.Env.GOMOD != "" && p.root.Env.GOMOD != os.DevNull {
		if name := gomod.PathOf(p.root.Env.GOMOD); name != "" {
			return &gocommand.Module{Path: name, Dir: filepath.Dir(p.root.Env.GOMOD), GoMod: p.root.Env.GOMOD, Main: true}
		}
	}
	return first
}
