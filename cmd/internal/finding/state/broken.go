package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
)

// brokenDir holds damaged files of the folder pending, like that of the corpus. brokenSuffix ends
// the names of other damaged files.
const (
	brokenDir    = ".broken"
	brokenSuffix = ".broken"
)

// keepBroken moves a damaged file of the folder out of the way, so that it is not overwritten. It
// returns a message with the damage, its consequence and the new place of the file.
func (f *Folder) keepBroken(name string, cause error, follows string) string {
	path := f.path(name)
	if f.readOnly {
		return fmt.Sprintf("%s: %v: %s", path, cause, follows)
	}
	where, err := f.moveAside(path, path+brokenSuffix)
	if err != nil {
		return fmt.Sprintf("%s: %v: %s; the file could not be kept: %v", path, cause, follows, err)
	}
	return fmt.Sprintf("%s: %v: %s; the file is now %s: put a sound copy back, or remove it", path, cause, follows, where)
}

// maxBroken limits the damaged files of one name that are kept. The last one is overwritten.
const maxBroken = 8

// moveAside moves a damaged file to an unused name, and returns the name. It overwrites no earlier
// file until there are maxBroken of one name.
func (f *Folder) moveAside(path, to string) (where string, err error) {
	if err := f.writable(); err != nil {
		return "", err
	}
	if err := f.fs.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", infra("create", filepath.Dir(to), err)
	}
	where = to
	for n := 2; n <= maxBroken; n++ {
		if _, err := f.fs.Stat(where); errors.Is(err, fs.ErrNotExist) {
			break
		}
		where = to + "." + strconv.Itoa(n)
	}
	if err := f.fs.Rename(path, where); err != nil {
		return "", infra("rename", path, err)
	}
	return where, nil
}
