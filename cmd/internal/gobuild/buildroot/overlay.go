package buildroot

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Overlay maps files of the user's to those that the go command reads in their places, as the
// -overlay of GOFLAGS has them.
type Overlay map[string]string

// Path is where the text of a file in dir is.
func (o Overlay) Path(dir, name string) string {
	path := gocommand.Absolute(dir, name)
	if other := o[path]; other != "" {
		return other
	}
	return path
}

// Overlay reads the overlay of the user's own GOFLAGS, which ours takes the place of and so
// includes, with what is laid over it.
func (r *Root) Overlay() (Overlay, error) {
	if r.Kind == Scratch {
		return nil, nil
	}
	return r.overlay()
}

func (r *Root) overlay() (Overlay, error) {
	overlay := Overlay{}
	for _, f := range gocommand.SplitFlags(r.Env.GOFLAGS) {
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
	maps.Copy(overlay, r.Laid)
	return overlay, nil
}

// writeLaid writes the overlay under which packages are listed, where something is laid over the
// tree.
func (r *Root) writeLaid() error {
	if len(r.Laid) == 0 {
		return nil
	}
	overlay, err := r.overlay()
	if err != nil {
		return err
	}
	return writeOverlay(r.laidFile(), overlay)
}

func (r *Root) laidFile() string { return filepath.Join(r.Out, "laid.json") }

func writeOverlay(file string, replace map[string]string) error {
	data, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return exit.Doing("writing the overlay", writeIfChanged(file, data))
}

// File is one generated file.
type File struct {
	Path string // below the folder that it is laid into
	At   string // absolute: where it lies instead
	Text []byte
}

// Lay writes generated files, and the overlay that puts them into dir where dir is the user's.
// Below a scratch module they are where they belong.
func (r *Root) Lay(dir string, files []File) error {
	src := filepath.Join(r.Out, "src")
	if err := dropStale(src, files); err != nil {
		return exit.Infra("cleaning the harness's folder: %w", err)
	}
	overlay, err := r.Overlay()
	if err != nil {
		return err
	}
	replace := map[string]string{}
	maps.Copy(replace, overlay)
	maps.Copy(replace, r.instead)
	for _, f := range files {
		name := filepath.Join(src, filepath.FromSlash(f.Path))
		if err := writeIfChanged(name, f.Text); err != nil {
			return exit.Infra("writing the harness: %w", err)
		}
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		if f.At != "" {
			at = f.At
		}
		replace[at] = name
	}
	if r.Kind == Scratch {
		return nil
	}
	return writeOverlay(r.overlayFile(), replace)
}

func (r *Root) overlayFile() string { return filepath.Join(r.Out, "overlay.json") }

// dropStale removes generated files of an earlier time that are none of these.
func dropStale(src string, files []File) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[filepath.Join(src, filepath.FromSlash(f.Path))] = true
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

// FreeName returns a name that nothing in the folder has: base and suffix, with a number between
// them if need be.
func FreeName(dir, base, suffix string) string {
	name := base + suffix
	for i := 2; exists(filepath.Join(dir, name)); i++ {
		name = base + strconv.Itoa(i) + suffix
	}
	return name
}

// exists reports whether there is anything at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// BuildFlags are the flags of go build and go test at the root: its own, the overlay that Lay
// wrote, and those of the linker.
func (r *Root) BuildFlags() []string {
	flags := r.flags[:len(r.flags):len(r.flags)]
	if r.Kind != Scratch {
		flags = append(flags, "-overlay="+r.overlayFile())
	}
	return append(flags, "-ldflags="+gocommand.LinkFlags(r.Env.GOFLAGS))
}
