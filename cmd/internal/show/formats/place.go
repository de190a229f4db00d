package formats

import (
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/text"
)

// Places of findings. Code scanning and annotations only know files of the repository, by their
// paths from its root.

// Anchor is the place at which a finding is shown.
type Anchor struct {
	File  string // relative to the repository's root, with slashes; empty means none
	Line  int    // 0 means the whole file
	Stand string // for a substitute, its description: "the harness"
	Own   string // for a substitute, the finding's own place in words; empty means unknown
}

// Repository is a root to which places are relative.
type Repository struct {
	Root string // absolute
	Dir  string // start folder of the campaign: positions may be relative to it
}

// Open finds the repository of a folder: the nearest folder above it with data of version control.
// Without one, it is workspace if that holds the folder, and else the folder itself.
func Open(dir, workspace string, exists func(path string) bool) Repository {
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ".git")) {
			return Repository{at, dir}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if _, ok := inside(workspace, dir); ok && filepath.IsAbs(workspace) {
		return Repository{filepath.Clean(workspace), dir}
	}
	return Repository{dir, dir}
}

// inside returns a path relative to root.
func inside(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// File returns the path of a file relative to the root. The module cache does not belong to the
// repository, though some users keep it there.
func (r Repository) File(path string) (string, bool) {
	if path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir, path)
	}
	rel, ok := inside(r.Root, path)
	if !ok || rel == "." || strings.Contains("/"+rel, "/pkg/mod/") {
		return "", false
	}
	return rel, true
}

// Place returns a position in the repository.
func (r Repository) Place(position string) (Anchor, bool) {
	name, line := text.Position(position)
	file, ok := r.File(name)
	return Anchor{File: file, Line: line}, ok
}

// Where returns the place at which a finding is shown: its own place, or the call of the dependency
// that crashed. It returns instead if neither is known in the repository.
func (r Repository) Where(b *finding.Row, instead Anchor) Anchor {
	if at, ok := r.Place(b.Location); ok {
		return at
	}
	if at, ok := r.Place(b.Caller); ok {
		at.Stand = "the call"
		instead = at
	}
	if b.Location != "" {
		instead.Own = escape.Text(escape.ShortPath(b.Location))
	}
	return instead
}

// Related returns the places in the repository at which the programs of a finding decide, except
// the shown place.
func (r Repository) Related(b *finding.Row, programs []string, shown Anchor) []Related {
	var list []Related
	for _, name := range programs {
		if at, ok := r.Place(b.Deciding[name]); ok && at != shown {
			list = append(list, Related{name, at})
		}
	}
	return list
}

// words explains a place that is not the finding's own. Empty means that it is.
func (p *Anchor) words() string {
	switch {
	case p.Stand == "":
		return ""
	case p.Own == "":
		return "No line is known that decides; this is " + p.Stand + "."
	}
	return "It was decided in " + p.Own + ", outside of the repository; this is " + p.Stand + "."
}

// String formats a place for people.
func (p *Anchor) String() string {
	switch {
	case p.Own != "":
		return p.Own
	case p.File == "" || p.Stand != "":
		return ""
	case p.Line == 0:
		return escape.Text(p.File)
	}
	return escape.Text(p.File) + ":" + strconv.Itoa(p.Line)
}
