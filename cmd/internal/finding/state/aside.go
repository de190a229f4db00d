package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
)

// brokenDir holds files of a folder that are damaged, as that of the corpus does; brokenSuffix ends the names of others.
const (
	brokenDir    = ".broken"
	brokenSuffix = ".broken"
)

// aside moves a damaged file of the folder, named from there, out of the way, and says what is damaged, what follows and
// where the file is. Without it the file would be written over.
func (f *Folder) aside(name string, cause error, follows string) string {
	path := f.path(name)
	if f.readOnly {
		return fmt.Sprintf("%s: %v: %s", path, cause, follows)
	}
	where, err := f.setAside(path, path+brokenSuffix)
	if err != nil {
		return fmt.Sprintf("%s: %v: %s; the file could not be kept: %v", path, cause, follows, err)
	}
	return fmt.Sprintf("%s: %v: %s; the file is now %s: put a sound copy back, or remove it", path, cause, follows, where)
}

// mostAside is how many damaged files of one name are kept. The last makes room for those that follow.
const mostAside = 8

// setAside moves a damaged file out of the way, to a name that is free, and returns the name. Nothing that was set aside
// before is lost to it, up to mostAside of one name.
func (f *Folder) setAside(path, to string) (where string, err error) {
	if err := f.writable(); err != nil {
		return "", err
	}
	if err := f.fs.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", infra("create", filepath.Dir(to), err)
	}
	where = to
	for n := 2; n <= mostAside; n++ {
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
