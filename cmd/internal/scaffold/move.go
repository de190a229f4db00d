package scaffold

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/gomod"
	"parallax/cmd/internal/library"
)

// mark begins the go.mod of a copy that is a module of its own, as init made them once.
const mark = "// A copy of the library of parallax, made by `parallax init`"

// move is what is to be done where an earlier init added lines to go.mod, or where tests import the library by the path that it
// has in its own module. It is done in this order, so that tests build at any moment and another init goes on with the rest.
type move struct {
	files []string          // that import the library by another path then
	texts map[string][]byte // of these
	goMod []byte            // nil: it stays as it is
	lines []string          // that it loses
	old   string            // the folder of the copy that is not used any more; empty: none
}

// prepareMove reads what is to be changed. Nothing is written yet.
func (s *scaffold) prepareMove(ctx context.Context) error {
	m := &s.move
	if s.module.Path == library.Path || s.sibling() != "" {
		return nil // the path leads elsewhere
	}
	m.texts = map[string][]byte{}
	for _, name := range s.tree.imports {
		text, err := os.ReadFile(name)
		if err != nil {
			return exit.Usage("reading what imports the library: %w", err)
		}
		m.files, m.texts[name] = append(m.files, name), importing(text, s.where.path)
	}
	var edits []string
	for _, r := range s.module.Require {
		if r.Path == library.Path {
			edits, m.lines = append(edits, "-droprequire="+r.Path), append(m.lines, "require "+r.Path)
		}
	}
	for i := range s.module.Replace {
		if r := &s.module.Replace[i]; r.Old.Path == library.Path {
			edits, m.lines = append(edits, "-dropreplace="+gomod.At(r.Old.Path, r.Old.Version)), append(m.lines, s.line(r))
			if isFolder(r.New.Path) {
				m.old = r.New.Path
			}
		}
	}
	if len(s.tree.ignored) > 0 && len(edits)+len(m.files) > 0 {
		s.result.Notes = append(s.result.Notes, s.names(s.tree.ignored)+" is left as it is: it imports the library, which is "+s.where.path+" now")
	}
	if len(edits) == 0 {
		return nil
	}
	var err error
	m.goMod, err = gomod.Edited(ctx, s.module, s.Parallax, edits...)
	return err
}

// writeMove changes the files.
func (s *scaffold) writeMove() error {
	m := &s.move
	for _, name := range m.files {
		if err := s.replace(name, m.texts[name]); err != nil {
			return exit.Infra("changing the import of the library in %s: %w", s.shown(name), err)
		}
	}
	if len(m.files) > 0 {
		s.done("changed the import of the library to %s in %s", s.where.path, s.names(m.files))
	}
	if m.goMod == nil {
		return nil
	}
	if err := s.replace(s.module.GoMod, m.goMod); err != nil {
		return exit.Infra("removing the library's lines from %s: %w", s.shown(s.module.GoMod), err)
	}
	s.done("removed from %s: %s", s.shown(s.module.GoMod), strings.Join(m.lines, "; "))
	return nil
}

// afterMove says what is left to do for the user.
func (s *scaffold) afterMove() (commands []string) {
	m := &s.move
	if m.goMod == nil {
		return nil
	}
	var users []string
	for i := range s.module.Siblings {
		if to := replacement(&s.module.Siblings[i]); to != nil && to.New.Path == m.old {
			users = append(users, s.module.Siblings[i].Path)
		}
	}
	switch {
	case m.old == "":
	case len(users) > 0:
		s.result.Notes = append(s.result.Notes, strings.Join(users, " and ")+" of your workspace still has the library from "+s.shown(m.old)+": run parallax init there too")
	default:
		commands = append(commands, "rm -r "+s.shown(m.old))
	}
	if vendored(s.module.Dir) {
		commands = append(commands, "go mod vendor")
	}
	if s.module.Work != "" && vendored(filepath.Dir(s.module.Work)) {
		commands = append(commands, "go work vendor")
	}
	return commands
}

// madeAsModule reports whether an earlier init made a copy in a folder. One that is not there any more was made by it too.
func madeAsModule(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return !isFolder(dir)
	}
	return err == nil && strings.HasPrefix(string(text), mark)
}

// line is a replace line as it stands in go.mod.
func (s *scaffold) line(r *gomod.Replacement) string {
	to := gomod.At(r.New.Path, r.New.Version)
	if rel, err := filepath.Rel(s.module.Dir, r.New.Path); err == nil && r.New.Version == "" {
		if to = filepath.ToSlash(rel); !strings.HasPrefix(to, "../") {
			to = "./" + to
		}
	}
	return "replace " + r.Old.Path + " => " + to
}

// maxNames bounds a list of files in a message.
const maxNames = 12

// names lists files as the user would write them.
func (s *scaffold) names(files []string) string {
	var names []string
	for _, f := range files {
		names = append(names, s.shown(f))
	}
	return list(names)
}

func list(names []string) string {
	if len(names) > maxNames {
		names = append(names[:maxNames:maxNames], "and more")
	}
	return strings.Join(names, ", ")
}
