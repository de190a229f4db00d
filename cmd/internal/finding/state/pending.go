package state

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"parallax/internal/atomicfile"
)

// Candidate is something seen that has not been triaged yet, in whatever form triage keeps it.
type Candidate struct {
	Name string
	Data []byte
}

// PutPending keeps a candidate until RemovePending, over a kill. A candidate of the same name is replaced.
func (f *Folder) PutPending(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	return f.write(f.path(pendingDir, name), data)
}

// Pending returns the candidates, ordered by name. What cannot be read is named in problems, and stays where it is.
func (f *Folder) Pending() (out []Candidate, problems []string, err error) {
	dir := f.path(pendingDir)
	entries, err := f.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, infra("read", dir, err)
	}
	for _, e := range entries {
		if atomicfile.IsTemp(e.Name()) || e.Name() == brokenDir {
			continue
		}
		path := f.path(pendingDir, e.Name())
		if !e.Type().IsRegular() {
			problems = append(problems, path+": not a file: no candidate is read from it")
			continue
		}
		data, err := f.fs.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // triaged by the campaign that is running while we look
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%v: the candidate waits until the file can be read", infra("read", path, err)))
			continue
		}
		out = append(out, Candidate{e.Name(), data})
	}
	slices.SortFunc(out, func(a, b Candidate) int { return cmp.Compare(a.Name, b.Name) })
	return out, problems, nil
}

// BreakPending moves a candidate that is damaged aside, and says what was done.
func (f *Folder) BreakPending(name string, cause error) (problem string) {
	path := f.path(pendingDir, name)
	where, err := f.setAside(path, f.path(pendingDir, brokenDir, name))
	if err != nil {
		return fmt.Sprintf("%s: %v: the candidate in it is not triaged, and the file stays: %v", path, cause, err)
	}
	return fmt.Sprintf("%s: %v: the candidate in it is not triaged; the file is now %s: put a sound copy back, or remove it", path, cause, where)
}

// RemovePending forgets a candidate. One that is not there is no error.
func (f *Folder) RemovePending(name string) error {
	if err := f.writable(); err != nil {
		return err
	}
	if err := checkName(name); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	path := f.path(pendingDir, name)
	if err := f.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return infra("remove", path, err)
	}
	return nil
}

// maxName leaves room under the 255 bytes that file systems allow.
const maxName = 200

// checkName admits what is one plain file name everywhere and not hidden. Names are made by us, of hashes, so that a
// bad one is a mistake in the program.
func checkName(name string) error {
	if name == "" || len(name) > maxName || name[0] == '.' {
		return fmt.Errorf("%q is not a file name", name)
	}
	for _, c := range []byte(name) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '_', c == '-':
		default:
			return fmt.Errorf("%q is not a file name", name)
		}
	}
	return nil
}
