package scaffold

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"parallax"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/library"
)

// update is the planned change of the library's copy.
type update struct {
	files    []File
	obsolete []string // Go files that an earlier library had
	others   []string // files of the user in its folders, which stay
	changed  int      // number of files to write or remove; 0 means that the copy is up to date
	fresh    bool     // there is no copy yet
	left     bool     // the user changed the copy, which so stays unchanged
	from     int      // version of the library that the copy was made from
}

// prepareCopy compares the copy with the library, without writing.
func (s *scaffold) prepareCopy() error {
	u := &s.update
	var err error
	if u.files, err = Files(s.where.path); err != nil {
		return err
	}
	kept, made, err := library.Open(s.where.dir)
	if err != nil {
		return exit.Usage("the copy of the library in %s: %w", s.shown(s.where.dir), err)
	}
	if !made {
		u.fresh, u.changed = true, len(u.files)
		return nil
	}
	u.others, u.from = kept.Others, kept.Version
	if kept.Version > parallax.Version {
		return library.Check(s.where.path, s.where.dir)
	}
	wanted := map[string]bool{}
	for _, f := range u.files {
		wanted[f.Path] = true
		if text, ok := kept.Files[f.Path]; !ok || !bytes.Equal(library.Unix(text), f.Text) {
			u.changed++
		}
	}
	var edited []string
	for name, text := range kept.Files {
		ours := library.Unchanged(text)
		if !ours {
			edited = append(edited, name)
		}
		if ours && !wanted[name] {
			u.changed++
			u.obsolete = append(u.obsolete, name)
		}
	}
	sort.Strings(edited)
	sort.Strings(u.obsolete)
	if u.changed == 0 || len(edited) == 0 {
		return nil
	}
	return s.keepEdited(edited)
}

// keepEdited handles a copy that the user changed, which is never overwritten. If it still fits the
// tool, a test can be written.
func (s *scaffold) keepEdited(files []string) error {
	where := s.shown(s.where.dir)
	if err := library.Check(s.where.path, s.where.dir); len(s.Functions) > 0 && err == nil {
		s.result.Notes = append(s.result.Notes, "the copy of the library in "+where+" is not brought up to date, since it was changed: "+list(files))
		s.update.left = true
		return nil
	}
	return exit.Usage("the copy of the library in %s was changed after parallax init made it (%s), and is not overwritten: undo the changes, or move %s away, and run parallax init again",
		where, list(files), where)
}

// writeCopy installs the library atomically.
func (s *scaffold) writeCopy() error {
	dir, u := s.where.dir, &s.update
	where := s.shown(dir)
	if u.left {
		return nil
	}
	if u.changed == 0 {
		s.done("the copy of the library in %s is up to date", where)
		return nil
	}
	if err := s.swap(dir); err != nil {
		return s.unwritten(err)
	}
	switch {
	case u.fresh:
		s.done("wrote a copy of the library to %s", where)
		if len(s.Functions) == 0 {
			s.done("import %q for parallax.Diff, and %q for generators", s.where.path, s.where.path+"/gen")
		}
	case u.from < parallax.Version:
		s.done("updated the copy of the library in %s from version %d to %d", where, u.from, parallax.Version)
	default:
		s.done("updated the copy of the library in %s (%s)", where, counted(u.changed, "file"))
	}
	return nil
}

func counted(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return strconv.Itoa(n) + " " + word
}

func (s *scaffold) unwritten(err error) error {
	return exit.Infra("the library cannot be written to %s: %w", s.shown(s.where.dir), err)
}

// Prefixes of folders next to the copy while it is written, without their digits. The go command
// ignores such folders.
const (
	newFolder    = ".tmp-parallax-init-"
	oldFolder    = ".tmp-parallax-old-"
	suffixDigits = 16 // of 64 random bits, hexadecimal: no folder of the user has such a name
)

// isOurs reports whether a name is a prefix and such digits.
func isOurs(name, prefix string) bool {
	digits, ok := strings.CutPrefix(name, prefix)
	return ok && len(digits) == suffixDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// recover removes the remains of a killed init next to the copy, and restores a copy that it had
// moved away.
func (s *scaffold) recover(dir string) error {
	parent := filepath.Dir(dir)
	entries, err := s.disk.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		left := filepath.Join(parent, e.Name())
		if _, err := os.Lstat(dir); isOurs(e.Name(), oldFolder) && errors.Is(err, fs.ErrNotExist) {
			if err := s.disk.Rename(left, dir); err != nil {
				return err
			}
		} else if isOurs(e.Name(), oldFolder) || isOurs(e.Name(), newFolder) {
			if err := s.disk.RemoveAll(left); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxNames limits a list of files in a message.
const maxNames = 12

// list joins names, at most maxNames of them.
func list(names []string) string {
	if len(names) > maxNames {
		names = append(names[:maxNames:maxNames], "and more")
	}
	return strings.Join(names, ", ")
}
