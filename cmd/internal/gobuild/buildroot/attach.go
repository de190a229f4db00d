package buildroot

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/internal/atomicfile"
)

// Module is source code that is built as a module of its own, in addition to the user's.
type Module struct {
	Path  string // which no proxy has
	Files []File
}

// The go line of an attached module, and the oldest of a go.mod that may require it.
const attachedMinor = 21

// Attach makes the go.mod in force require a module kept in a folder of its own below parent. The
// go command then finds its compiled packages again, whatever else is built. The user's go.mod
// stays unchanged, and an overlay has the requirement. goMod is that of a module of the user, for
// the root of a workspace.
//
// It returns false, and changes nothing, where a requirement does not work: below Go 1.21, and with
// a vendor folder or -mod in GOFLAGS.
func (r *Root) Attach(m Module, goMod, parent string) (bool, error) {
	switch r.Kind {
	case Scratch:
		goMod = filepath.Join(r.dir, "go.mod")
	case Edited:
		goMod = filepath.Join(r.Out, "mod", "go.mod")
	case User:
		if r.Env.GOMOD != "" && r.Env.GOMOD != os.DevNull {
			goMod = r.Env.GOMOD
		}
		if goMod == "" || r.modulesGiven(filepath.Dir(goMod)) {
			return false, nil
		}
	}
	overlay, err := r.Overlay()
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(overlay.Path("", goMod))
	if err != nil {
		return false, nil // the go command explains it better
	}
	file, err := modfile.Parse(goMod, text, nil)
	if err != nil || file.Go == nil {
		return false, nil
	}
	if minor, ok := gocommand.Minor("go" + file.Go.Version); !ok || minor < attachedMinor {
		return false, nil
	}
	dir, err := m.keep(parent)
	if err != nil {
		return false, exit.Infra("keeping the library for builds: %w", err)
	}
	if err := errors.Join(file.AddRequire(m.Path, "v0.0.0"), file.AddReplace(m.Path, "", dir, "")); err != nil {
		return false, fmt.Errorf("adding %s to go.mod: %w", m.Path, err)
	}
	if text, err = file.Format(); err != nil {
		return false, fmt.Errorf("adding %s to go.mod: %w", m.Path, err)
	}
	to := goMod
	if r.Kind == User {
		to = filepath.Join(r.Out, "attached.mod")
		r.instead = Overlay{goMod: to}
	}
	if err := writeIfChanged(to, text); err != nil {
		return false, exit.Infra("writing a copy of go.mod: %w", err)
	}
	return true, nil
}

// modulesGiven reports whether the user configures the source of modules outside of go.mod.
func (r *Root) modulesGiven(dir string) bool {
	for _, f := range gocommand.SplitFlags(r.Env.GOFLAGS) {
		switch name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); name {
		case "mod", "modfile":
			return true
		}
	}
	if work := r.Env.Workspace(); work != "" {
		dir = filepath.Dir(work)
	}
	return exists(filepath.Join(dir, "vendor"))
}

// keep writes the module's files, unless they exist, to a folder named by their hash. Several
// processes may do so at once.
func (m Module) keep(parent string) (dir string, err error) {
	files := append([]File{{Path: "go.mod", Text: fmt.Appendf(nil, "module %s\n\ngo 1.%d\n", m.Path, attachedMinor)}}, m.Files...)
	h := fnv.New64a()
	for _, f := range files {
		fmt.Fprintf(h, "%q %q\n", f.Path, f.Text)
	}
	if real, err := filepath.EvalSymlinks(parent); err == nil {
		parent = real // the go command uses the path, so links must be resolved
	}
	dir = filepath.Join(parent, fmt.Sprintf("%016x", h.Sum64()))
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if info, err := os.Stat(name); err == nil && info.Size() == int64(len(f.Text)) {
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return "", err
		}
		if err := atomicfile.Write(atomicfile.OS, name, f.Text); err != nil {
			return "", err
		}
	}
	now := time.Now()
	return dir, os.Chtimes(dir, now, now) // records the last use
}
