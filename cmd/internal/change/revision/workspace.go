package revision

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/internal/atomicfile"
)

// adjust rewrites paths in go.mod, go.work and vendor/modules.txt that lead out of the repository,
// since they would have other targets in the folder of a commit. It returns notes about them.
func (l *layout) adjust(files []file, root string) (notes []string, err error) {
	if l.top == "" {
		return nil, nil
	}
	var leading []string
	for _, f := range files {
		base := path.Base(f.Path)
		if f.Mode == git.Symlink || base != "go.mod" && base != "go.work" && (base != "modules.txt" || path.Base(path.Dir(f.Path)) != "vendor") {
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(f.Path))
		old, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		at := path.Dir(f.Path)
		var text []byte
		before := len(leading)
		if base == "modules.txt" {
			text = l.vendored(path.Dir(at), old)
		} else {
			text, leading = paths(old, func(p string) string { return l.moved(at, p) }, leading)
		}
		if text == nil || base != "modules.txt" && len(leading) == before && !bytes.Contains(old, []byte(l.top)) {
			continue // only its format
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return nil, err
		}
	}
	if len(leading) > 0 {
		slices.Sort(leading)
		notes = append(notes, "Modules outside of the repository are taken as they are now: "+listed(slices.Compact(leading))+".")
	}
	return notes, nil
}

// moved returns the replacement for a path in a file of folder at, below the top. A path to the
// commit's own files does not change.
func (l *layout) moved(at, p string) string {
	to, outside := l.link(path.Join(at, "file"), p)
	switch {
	case outside:
		return to
	case filepath.IsAbs(p): // into the repository
		if !strings.HasPrefix(to, ".") {
			to = "./" + to
		}
		return to
	}
	return p
}

// paths returns the text of a go.mod or go.work with replaced folders in its replace and use lines.
// It returns nil if the text is invalid, since the go command gives a better error. A use line
// whose folder becomes empty is removed. Lines are edited one by one, so syntax of later Go
// releases is preserved.
func paths(text []byte, moved func(string) string, leading []string) ([]byte, []string) {
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return nil, leading
	}
	line := func(verb string, l *modfile.Line, tokens []string) {
		at := -1
		switch arrow := slices.Index(tokens, "=>"); {
		case verb == "use" && len(tokens) == 1:
			at = 0
		case verb == "replace" && arrow > 0 && arrow == len(tokens)-2:
			at = arrow + 1
		}
		if at < 0 {
			return
		}
		old := tokens[at]
		if plain, err := strconv.Unquote(old); err == nil {
			old = plain
		}
		to := moved(old)
		switch {
		case to == "":
			l.Token = nil
			return
		case filepath.IsAbs(to) && verb == "replace":
			leading = append(leading, fmt.Sprintf("%s (%s)", tokens[0], to))
		case filepath.IsAbs(to):
			leading = append(leading, to)
		}
		if to != old {
			tokens[at] = modfile.AutoQuote(to) // in the line's own tokens
		}
	}
	for _, statement := range f.Syntax.Stmt {
		switch s := statement.(type) {
		case *modfile.Line:
			if len(s.Token) > 1 {
				line(s.Token[0], s, s.Token[1:])
			}
		case *modfile.LineBlock:
			for _, l := range s.Line {
				if len(s.Token) == 1 {
					line(s.Token[0], l, l.Token)
				}
			}
		}
	}
	f.Syntax.Cleanup()
	return modfile.Format(f.Syntax), leading
}

// vendored returns the text of vendor/modules.txt with replaced paths of replace directives. at is
// the folder of go.mod. The go command compares both files.
func (l *layout) vendored(at string, text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		before, p, ok := strings.Cut(line, " => ")
		if ok && strings.HasPrefix(line, "# ") && (strings.HasPrefix(p, ".") || filepath.IsAbs(p)) && !strings.Contains(p, " ") {
			lines[i] = before + " => " + l.moved(at, p)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// workspace returns the environment that selects the workspace for a commit's files. It is the
// commit's own, or the user's outside of the repository, with the repository's modules taken from
// the commit. A workspace above the cache is ignored.
func (l *layout) workspace(dir, tree string) (env []string, err error) {
	if l.work == "off" {
		return []string{"GOWORK=off"}, nil
	}
	for at := filepath.Join(tree, l.rel); git.Within(at, tree); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.work")); err == nil {
			return []string{"GOWORK=" + filepath.Join(at, "go.work")}, nil
		}
	}
	work := git.Real(l.work)
	if l.work == "" || l.top == "" || git.Within(work, l.top) {
		return []string{"GOWORK=off"}, nil
	}
	text, err := os.ReadFile(work)
	if err != nil {
		return nil, exit.Usage("reading %s: %w", work, err)
	}
	text, _ = paths(text, func(p string) string {
		if !filepath.IsAbs(p) {
			p = filepath.Join(filepath.Dir(work), p)
		}
		rel, err := filepath.Rel(l.top, git.Real(p))
		if err != nil || !filepath.IsLocal(rel) {
			return p
		}
		if p = filepath.Join(tree, rel); exists(p) {
			return p
		}
		return "" // the commit lacks the module
	}, nil)
	if text == nil {
		return nil, exit.Usage("%s is no go.work that could be read: `go work edit -fmt` says why", work)
	}
	to := filepath.Join(dir, "go.work")
	sum, _ := os.ReadFile(work + ".sum")
	for name, text := range map[string][]byte{to: text, to + ".sum": sum} {
		if old, err := os.ReadFile(name); err == nil && string(old) == string(text) {
			continue
		}
		if err := atomicfile.Write(atomicfile.OS, name, text); err != nil {
			return nil, exit.Infra("writing a copy of go.work: %w", err)
		}
	}
	return []string{"GOWORK=" + to}, nil
}
