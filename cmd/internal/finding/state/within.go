package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"parallax/internal/atomicfile"
)

// MaxFile bounds a file that is read whole. Coverage of a hundred programs of a million blocks each is a third of it.
const MaxFile = 256 << 20

// maxStream bounds a file that is read in parts or appended to.
const maxStream = 16 << 30

// within is the file system below a campaign's folder, which may come from a stranger: nothing below the folder leads out of
// it, links are not followed, and only regular files are read, of a bounded size. What lies elsewhere is base's.
type within struct {
	base FS
	dir  string
	root *os.Root
}

// confined returns a file system that keeps what is done below dir inside of it. A folder that is not there yet, and a file system
// that a test injects, are left as they are. The runtime closes the folder when nobody uses it any more.
func confined(fsys FS, dir string) FS {
	if fsys != atomicfile.OS {
		return fsys
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fsys // whose errors say what is wrong
	}
	return &within{base: fsys, dir: filepath.Clean(dir), root: root}
}

// below returns the name of a path below the folder.
func (w *within) below(path string) (name string, ok bool) {
	name, err := filepath.Rel(w.dir, path)
	return name, err == nil && filepath.IsLocal(name)
}

// Why something in a campaign's folder is left alone.
var (
	errLink    = errors.New("it is a symbolic link, and a campaign's folder has none: replace it by what it leads to, or remove it")
	errSpecial = errors.New("it is neither a file nor a folder: remove it")
)

// plain refuses a name that is neither a file's nor a folder's, and a file that is far too large.
func (w *within) plain(op, name string) error {
	info, err := w.root.Lstat(name)
	switch {
	case err != nil: // what is wrong, the operation itself says
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return &fs.PathError{Op: op, Path: name, Err: errLink}
	case !info.Mode().IsRegular() && !info.IsDir():
		return &fs.PathError{Op: op, Path: name, Err: errSpecial}
	case info.Mode().IsRegular() && info.Size() > maxStream:
		return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("it is larger than %d GiB, which no file of a campaign is", maxStream>>30)}
	}
	return nil
}

func (w *within) OpenFile(path string, flag int, perm fs.FileMode) (atomicfile.File, error) {
	name, ok := w.below(path)
	if !ok {
		return w.base.OpenFile(path, flag, perm)
	}
	if err := w.plain("open", name); err != nil {
		return nil, err
	}
	// Without O_NONBLOCK a pipe that has just been put there would be waited for. It changes nothing of a regular file.
	f, err := w.root.OpenFile(name, flag|syscall.O_NONBLOCK, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (w *within) ReadFile(path string) ([]byte, error) {
	name, ok := w.below(path)
	if !ok {
		return w.base.ReadFile(path)
	}
	f, err := w.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	large := &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it is larger than %d MiB, which no file of a campaign is", MaxFile>>20)}
	if info, err := w.Stat(path); err == nil && info.Size() > MaxFile {
		return nil, large
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(data) > MaxFile { // it grows
		return nil, large
	}
	return data, err
}

func (w *within) ReadDir(path string) ([]fs.DirEntry, error) {
	name, ok := w.below(path)
	if !ok {
		return w.base.ReadDir(path)
	}
	if err := w.plain("open", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(w.root.FS(), filepath.ToSlash(name))
}

// Stat is that of a link itself, which is neither a file nor a folder.
func (w *within) Stat(path string) (fs.FileInfo, error) {
	if name, ok := w.below(path); ok {
		return w.root.Lstat(name)
	}
	return w.base.Stat(path)
}

func (w *within) MkdirAll(path string, perm fs.FileMode) error {
	name, ok := w.below(path)
	if !ok {
		return w.base.MkdirAll(path, perm)
	}
	if err := w.plain("mkdir", name); err != nil {
		return err
	}
	return w.root.MkdirAll(name, perm)
}

func (w *within) Rename(from, to string) error {
	a, below := w.below(from)
	b, both := w.below(to)
	if !below || !both {
		return w.base.Rename(from, to)
	}
	err := w.root.Rename(a, b)
	var link *os.LinkError
	if err != nil && !errors.As(err, &link) { // package atomicfile knows a source that is gone by it
		err = &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return err
}

func (w *within) Remove(path string) error {
	if name, ok := w.below(path); ok && name != "." {
		return w.root.Remove(name)
	}
	return w.base.Remove(path)
}

func (w *within) RemoveAll(path string) error {
	if name, ok := w.below(path); ok && name != "." {
		return w.root.RemoveAll(name)
	}
	return w.base.RemoveAll(path)
}
