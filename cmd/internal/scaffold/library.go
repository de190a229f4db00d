package scaffold

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/library"
	"parallax/internal/atomicfile"
)

const (
	// defaultFolder is where the copy goes, below the user's module: a module in a folder of its own is not reached by
	// ./..., is replaced like any other, and is vendored.
	defaultFolder = "third_party/parallax"
	// mark begins the go.mod of a copy. Folders without it are not touched.
	mark = "// A copy of the library of parallax, made by `parallax init`, which also brings it up to date."
)

// library brings the copy of the library up to date and adds the lines of go.mod.
func (s *scaffold) library(ctx context.Context) error {
	if s.module.Path == library.Path {
		if v, err := library.Version(s.module.Dir); err == nil && v == parallax.Version {
			s.done("the module of this folder is the library itself")
			return nil
		}
		return exit.Usage("your module has the path of the library, %s, and so cannot import it: give it another path in %s", library.Path, s.shown(s.module.GoMod))
	}
	dir, replaced, err := s.folder()
	if err != nil {
		return err
	}
	if dir == "" { // replaced by a version of a module
		return nil
	}
	if err := s.writeCopy(dir); err != nil {
		return err
	}
	return s.require(ctx, dir, replaced)
}

// folder decides where the library is: where go.mod leads already, where another module of the workspace has it, or a new
// folder.
func (s *scaffold) folder() (dir string, replaced bool, err error) {
	if to := replacement(s.module); to != nil {
		if to.New.Version != "" {
			s.done("%s replaces %s with %s@%s, which is left unchanged", s.shown(s.module.GoMod), library.Path, to.New.Path, to.New.Version)
			return "", true, nil
		}
		if s.Library != "" && absolute(s.Dir, s.Library) != to.New.Path {
			return "", true, exit.Usage("--library: %s has the library in %s: leave --library out, or remove the line that replaces %s", s.shown(s.module.GoMod), s.shown(to.New.Path), library.Path)
		}
		return to.New.Path, true, nil
	}
	for i := range s.module.Siblings {
		m := &s.module.Siblings[i]
		other := ""
		if m.Path == library.Path {
			other = m.Dir
		} else if to := replacement(m); to != nil && to.New.Version == "" {
			other = to.New.Path
		}
		switch {
		case other == "":
		case s.Library != "" && absolute(s.Dir, s.Library) != other:
			return "", false, exit.Usage("--library: module %s of your workspace has the library in %s, and a workspace can have only one: leave --library out", m.Path, s.shown(other))
		default:
			return other, false, nil
		}
	}
	if s.Library != "" {
		return absolute(s.Dir, s.Library), false, nil
	}
	return filepath.Join(s.module.Dir, filepath.FromSlash(defaultFolder)), false, nil
}

func replacement(m *gomod.Module) *gomod.Replacement {
	for i := range m.Replace {
		if m.Replace[i].Old.Path == library.Path {
			return &m.Replace[i]
		}
	}
	return nil
}

// writeCopy makes the folder hold the library. One that somebody else keeps up to date is only checked.
func (s *scaffold) writeCopy(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return exit.Usage("the folder for the library: %w", err)
	case len(entries) > 0 && !isCopy(dir):
		if _, err := library.Version(dir); err == nil {
			s.done("the library in %s is not a copy made by parallax init, and is left unchanged", s.shown(dir))
			return library.Check(library.Path, dir)
		}
		return exit.Usage("%s exists already and is not a copy of the library: choose another folder by --library", s.shown(dir))
	}
	fresh := len(entries) == 0
	files, err := Files()
	if err != nil {
		return err
	}
	changed, err := lay(dir, files)
	s.changed = s.changed || changed > 0
	switch {
	case err != nil:
		return exit.Infra("writing the library: %w", err)
	case fresh:
		s.done("wrote a copy of the library to %s", s.shown(dir))
	case changed > 0:
		s.done("updated the copy of the library in %s (%d files)", s.shown(dir), changed)
	default:
		s.done("the copy of the library in %s is up to date", s.shown(dir))
	}
	return nil
}

// isCopy reports whether a folder holds a copy that init made.
func isCopy(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(text), mark)
}

// lay writes files and removes Go files that are none of them. It returns how many changed.
func lay(dir string, files []File) (changed int, err error) {
	keep := map[string]bool{}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		keep[name] = true
		if old, err := os.ReadFile(name); err == nil && string(old) == string(f.Text) {
			continue
		}
		changed++
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return changed, err
		}
		if err := atomicfile.Write(atomicfile.OS, name, f.Text); err != nil {
			return changed, err
		}
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || keep[name] || !strings.HasSuffix(name, ".go") {
			return err
		}
		changed++
		return os.Remove(name)
	})
	return changed, err
}

// require adds the lines of go.mod that are missing.
func (s *scaffold) require(ctx context.Context, dir string, replaced bool) error {
	var edits, lines []string
	required := false
	for _, r := range s.module.Require {
		required = required || r.Path == library.Path
	}
	if !required {
		edits, lines = append(edits, "-require="+library.Path+"@v0.0.0"), append(lines, "require "+library.Path)
	}
	if !replaced {
		to, err := filepath.Rel(s.module.Dir, dir)
		if err != nil {
			to = dir
		}
		to = filepath.ToSlash(to)
		if !strings.HasPrefix(to, "../") && !filepath.IsAbs(to) {
			to = "./" + to
		}
		edits, lines = append(edits, "-replace="+library.Path+"="+to), append(lines, "replace "+library.Path+" => "+to)
	}
	if len(edits) == 0 {
		return nil
	}
	if err := gomod.Edit(ctx, s.module, s.Parallax, edits...); err != nil {
		return err
	}
	s.changed = true
	s.done("added to %s: %s", s.shown(s.module.GoMod), strings.Join(lines, "; "))
	return nil
}
