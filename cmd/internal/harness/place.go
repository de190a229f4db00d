package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gocommand"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/library"
)

// harnessFolder is the name of the folder, never on disk, that holds the harness in a user's module.
const harnessFolder = "plxharness"

// write generates the harness: into the scratch module, or into an overlay of the user's module.
func (p *Plan) write() error {
	importPath, dir, err := p.place()
	if err != nil {
		return err
	}
	p.main = importPath
	if err := p.copyLibrary(path.Join(importPath, "plx"), "input", "judge", "worker"); err != nil {
		return err
	}
	text, err := p.mainFile(path.Join(importPath, "plx"), p.r.Order)
	if err != nil {
		return err
	}
	p.files = append(p.files, file{path: "main.go", text: text})
	if minor, ok := gocommand.Minor(p.r.env.GOVERSION); ok && minor == gocommand.Oldest {
		for i := range p.files { // which knows no later language; the library keeps to what it has
			p.files[i].text = bytes.Replace(p.files[i].text, []byte("go1.22"), []byte("go1.21"), 1)
		}
	}
	return p.lay(dir)
}

// copyLibrary adds packages of the library under an import path of their own.
func (p *Plan) copyLibrary(importPath string, packages ...string) error {
	files, err := library.Copy(p.r.library, importPath, packages...)
	for _, f := range files {
		p.files = append(p.files, file{path: "plx/" + f.Path, text: f.Text})
	}
	return err
}

// lay writes the files, and the overlay that puts them into dir where dir is the user's.
func (p *Plan) lay(dir string) error {
	src := filepath.Join(p.r.Out, "src")
	if err := p.dropStale(src); err != nil {
		return exit.Infra("cleaning the harness's folder: %w", err)
	}
	overlay, err := p.r.userOverlay()
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for from, to := range overlay {
		replace[from] = to
	}
	for _, f := range p.files {
		name := filepath.Join(src, filepath.FromSlash(f.path))
		if err := writeIfChanged(name, f.text); err != nil {
			return exit.Infra("writing the harness: %w", err)
		}
		at := filepath.Join(dir, filepath.FromSlash(f.path))
		if f.at != "" {
			at = f.at
		}
		replace[at] = name
	}
	if p.r.site.kind == scratch {
		return nil
	}
	data, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	if err := writeIfChanged(p.overlayFile(), data); err != nil {
		return exit.Infra("writing the overlay: %w", err)
	}
	return nil
}

func (p *Plan) overlayFile() string { return filepath.Join(p.r.Out, "overlay.json") }

// dropStale removes files of an earlier harness that this one does not have.
func (p *Plan) dropStale(src string) error {
	keep := map[string]bool{}
	for _, f := range p.files {
		keep[filepath.Join(src, filepath.FromSlash(f.path))] = true
	}
	err := filepath.WalkDir(src, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || keep[name] || !strings.HasSuffix(name, ".go") {
			return err
		}
		return os.Remove(name)
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// place decides the harness's import path and folder: in the user's module at the deepest folder that may import every
// internal package needed.
func (p *Plan) place() (importPath, dir string, err error) {
	if p.r.site.kind == scratch {
		return gomod.Scratch, p.r.site.dir, nil
	}
	var home *gocommand.Module // of the harness
	var need, needed string
	for _, c := range p.called() {
		m := c.pkg.Module
		if m == nil || !m.Main {
			continue
		}
		root, hidden := gocommand.InternalRoot(c.pkg.ImportPath)
		if !hidden {
			continue
		}
		switch {
		case needed == "" || gocommand.Within(root, need):
			need, needed, home = root, c.fn.Written, m
		case gocommand.Within(need, root):
		default:
			return "", "", exit.Usage("%s and %s are internal to different parts of the code (%s and %s): no package may import both; move one of them, or wrap it in an exported function", needed, c.fn.Written, need, root)
		}
	}
	if home == nil {
		home = p.homeModule()
	}
	if home == nil || home.Dir == "" {
		return "", "", exit.Usage("none of the functions belongs to a module of yours, and there is no go.mod in %s: write the versions (@latest), or run parallax inside a module", p.r.Dir)
	}
	importPath, dir = home.Path, home.Dir
	if rest, ok := strings.CutPrefix(need, home.Path+"/"); ok {
		importPath, dir = need, filepath.Join(home.Dir, filepath.FromSlash(rest))
	}
	name := free(dir, harnessFolder, "")
	return path.Join(importPath, name), filepath.Join(dir, name), nil
}

// free returns a name that nothing in the folder has: base and suffix, with a number between them if need be.
func free(dir, base, suffix string) string {
	name := base + suffix
	for i := 2; exists(filepath.Join(dir, name)); i++ {
		name = base + strconv.Itoa(i) + suffix
	}
	return name
}

// homeModule is the module that the user stands in or, at a workspace's root, one that holds a function.
func (p *Plan) homeModule() *gocommand.Module {
	var first *gocommand.Module
	for _, c := range p.calls {
		if m := c.pkg.Module; m != nil && m.Main {
			if m.GoMod == p.r.env.GOMOD {
				return m
			}
			if first == nil {
				first = m
			}
		}
	}
	if p.r.env.GOMOD != "" && p.r.env.GOMOD != os.DevNull {
		if name := gomod.PathOf(p.r.env.GOMOD); name != "" {
			return &gocommand.Module{Path: name, Dir: filepath.Dir(p.r.env.GOMOD), GoMod: p.r.env.GOMOD, Main: true}
		}
	}
	return first
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// userOverlay reads the overlay of the user's own GOFLAGS, which ours takes the place of and so includes.
func (r *resolver) userOverlay() (map[string]string, error) {
	if r.site.kind == scratch {
		return nil, nil
	}
	overlay := map[string]string{}
	for _, f := range gocommand.SplitFlags(r.env.GOFLAGS) {
		name, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "overlay=")
		if !ok || name == "" {
			continue
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.Dir, name)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, exit.Usage("reading the -overlay of GOFLAGS: %w", err)
		}
		var file struct{ Replace map[string]string }
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, exit.Usage("reading the -overlay of GOFLAGS, %s: %w", name, err)
		}
		for from, to := range file.Replace {
			overlay[gocommand.Absolute(r.Dir, from)] = gocommand.Absolute(r.Dir, to)
		}
	}
	return overlay, nil
}

// file is one generated file of the harness.
type file struct {
	path string // below the harness's folder
	at   string // absolute: where it lies instead
	text []byte
}

// writeIfChanged leaves a file alone that holds the text already.
func writeIfChanged(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}
