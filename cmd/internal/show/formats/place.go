package formats

import (
	"path/filepath"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/report"
)

// Where findings are shown: code scanning and annotations know files of the repository only, by their paths from its root.

// A Place is where a finding is shown.
type Place struct {
	File  string // from the repository's root, with slashes; "": nowhere
	Line  int    // 0: the file as a whole
	Stand string // what the place is, if it stands in for the finding's own: "the harness"
	Own   string // the finding's own place then, as a reader knows it; "": not known
}

// A Repository is what places are named from.
type Repository struct {
	Root string // absolute
	Dir  string // where the campaign was started: positions may be relative to it
}

// Open finds the repository of a folder: the nearest above it that version control has its data in, else workspace, if the folder is in
// it, else the folder alone.
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

// inside is a path from root on.
func inside(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// File is the path of a file from the root on. The module cache is no part of the repository, though some keep it there.
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

// Place is a position in the repository.
func (r Repository) Place(position string) (Place, bool) {
	name, line := report.Position(position)
	file, ok := r.File(name)
	return Place{File: file, Line: line}, ok
}

// Where is where a finding is shown: its own place, or instead, where that is in a dependency or not known.
func (r Repository) Where(b *report.Bucket, instead Place) Place {
	if at, ok := r.Place(b.Location); ok {
		return at
	}
	if b.Location != "" {
		instead.Own = escape.Text(escape.ShortPath(b.Location))
	}
	return instead
}

// Beside are the places in the repository at which the programs of a finding decide, but for the one where it is shown.
func (r Repository) Beside(b *report.Bucket, programs []string, shown Place) []Beside {
	var list []Beside
	for _, name := range programs {
		if at, ok := r.Place(b.Deciding[name]); ok && at != shown {
			list = append(list, Beside{name, at})
		}
	}
	return list
}

// words say what is shown, if it is not the finding's own place; empty otherwise.
func (p *Place) words() string {
	switch {
	case p.Stand == "":
		return ""
	case p.Own == "":
		return "No line is known that decides; this is " + p.Stand + "."
	}
	return "It was decided in " + p.Own + ", outside of the repository; this is " + p.Stand + "."
}

// String is a place as people write it.
func (p *Place) String() string {
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
