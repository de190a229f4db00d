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

// MaxFile bounds a file that is read at once. Coverage of a hundred programs with a million blocks
// each takes a third of it.
const MaxFile = 256 << 20

// maxStream bounds a file that is read in parts or appended to.
const maxStream = 16 << 30

// confinedFS is the file system below a campaign's folder, which may come from a stranger. No name
// below the folder leads out of it, links are not followed, and only regular files of a bounded
// size are read. Other paths go to base.
type confinedFS struct {
	base FS
	dir  string
	root *os.Root
}

// confined returns a file system that keeps all operations below dir inside of it. It returns fsys
// if the folder does not exist, or for the file system of a test. The runtime closes an unreachable
// root.
func confined(fsys FS, dir string) FS {
	if fsys != atomicfile.OS {
		return fsys
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fsys // whose errors describe the problem
	}
	return &confinedFS{base: fsys, dir: filepath.Clean(dir), root: root}
}

// relative returns the name of a path relative to the folder.
func (w *confinedFS) relative(path string) (name string, ok bool) {
	name, err := filepath.Rel(w.dir, path)
	return name, err == nil && filepath.IsLocal(name)
}

// Reasons for skipping an entry of a campaign's folder.
var (
	errLink    = errors.New("it is a symbolic link, and a campaign's folder has none: replace it by what it leads to, or remove it")
	errSpecial = errors.New("it is neither a file nor a folder: remove it")
)

// check rejects links, special files and files beyond the bounds.
func (w *confinedFS) check(op, name string) error {
	info, err := w.root.Lstat(name)
	switch {
	case err != nil: // the operation itself reports the error
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

func (w *confinedFS) OpenFile(path string, flag int, perm fs.FileMode) (atomicfile.File, error) {
	name, ok := w.relative(path)
	if !ok {
		return w.base.OpenFile(path, flag, perm)
	}
	if err := w.check("open", name); err != nil {
		return nil, err
	}
	// With O_NONBLOCK, opening a pipe that was just put there does not wait. Regular files are not
	// affected.
	f, err := w.root.OpenFile(name, flag|syscall.O_NONBLOCK, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (w *confinedFS) ReadFile(path string) ([]byte, error) {
	name, ok := w.relative(path)
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
	if err == nil && len(data) > MaxFile { // it is growing
		return nil, large
	}
	return data, err
}

func (w *confinedFS) ReadDir(path string) ([]fs.DirEntry, error) {
	name, ok := w.relative(path)
	if !ok {
		return w.base.ReadDir(path)
	}
	if err := w.check("open", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(w.root.FS(), filepath.ToSlash(name))
}

// Stat does not follow a link, which is neither a file nor a folder.
func (w *confinedFS) Stat(path string) (fs.FileInfo, error) {
	if name, ok := w.relative(path); ok {
		return w.root.Lstat(name)
	}
	return w.base.Stat(path)
}

func (w *confinedFS) MkdirAll(path string, perm fs.FileMode) error {
	name, ok := w.relative(path)
	if !ok {
		return w.base.MkdirAll(path, perm)
	}
	if err := w.check("mkdir", name); err != nil {
		return err
	}
	return w.root.MkdirAll(name, perm)
}

func (w *confinedFS) Rename(from, to string) error {
	a, below := w.relative(from)
	b, both := w.relative(to)
	if !below || !both {
		return w.base.Rename(from, to)
	}
	err := w.root.Rename(a, b)
	var link *os.LinkError
	if err != nil && !errors.As(err, &link) { // package atomicfile recognizes a missing source by it
		err = &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return err
}

func (w *confinedFS) Remove(path string) error {
	if name, ok := w.relative(path); ok && name != "." {
		return w.root.Remove(name)
	}
	return w.base.Remove(path)
}

func (w *confinedFS) RemoveAll(path string) error {
	if name, ok := w.relative(path); ok && name != "." {
		return w.root.RemoveAll(name)
	}
	return w.base.RemoveAll(path)
}
