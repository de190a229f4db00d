package state

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"parallax/internal/atomicfile"
)

// PutPending keeps a candidate until RemovePending, even if the process is killed. It replaces a
// candidate of the same name.
func (f *Folder) PutPending(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	return f.write(f.path(pendingDir, name), data)
}

// CountPending returns the number of candidates, without reading them.
func (f *Folder) CountPending() (n int) {
	entries, _ := f.fs.ReadDir(f.path(pendingDir))
	for _, e := range entries {
		if !atomicfile.IsTemp(e.Name()) && e.Type().IsRegular() {
			n++
		}
	}
	return n
}

// Pending returns the sorted names of the candidates.
func (f *Folder) Pending() (names []string, problems []string, err error) {
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
		if !e.Type().IsRegular() {
			problems = append(problems, f.path(pendingDir, e.Name())+": not a file: no candidate is read from it")
			continue
		}
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names, problems, nil
}

// ReadPending returns the file of a candidate, or nil if the candidate has been triaged meanwhile.
// A file that cannot be read stays.
func (f *Folder) ReadPending(name string) ([]byte, error) {
	data, err := f.read(f.path(pendingDir, name))
	if err != nil {
		return nil, fmt.Errorf("%w: the candidate waits until the file can be read", err)
	}
	return data, nil
}

// BreakPending moves a damaged candidate aside, and returns a message.
func (f *Folder) BreakPending(name string, cause error) (problem string) {
	path := f.path(pendingDir, name)
	where, err := f.moveAside(path, f.path(pendingDir, brokenDir, name))
	if err != nil {
		return fmt.Sprintf("%s: %v: the candidate in it is not triaged, and the file stays: %v", path, cause, err)
	}
	return fmt.Sprintf("%s: %v: the candidate in it is not triaged; the file is now %s: put a sound copy back, or remove it", path, cause, where)
}

// RemovePending removes a candidate. A missing one is no error.
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

// maxName stays below the 255 bytes that file systems allow.
const maxName = 200

// checkName accepts plain file names that are valid everywhere and not hidden. The program makes
// the names from hashes, so an invalid one is a bug.
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
