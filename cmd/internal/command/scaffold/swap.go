package scaffold

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"parallax/internal/atomicfile"
)

// disk is the file system that init writes to.
type disk interface {
	atomicfile.FS
	Exchange(a, b string) error // exchanges two folders atomically
}

// machine is the file system of the machine.
type machine struct{ atomicfile.FS }

func (machine) Exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// swap writes the copy into a folder next to its place, and then moves it there. A kill leaves the
// old copy or the new one.
func (s *scaffold) swap(dir string) error {
	parent := filepath.Dir(dir)
	suffix := fmt.Sprintf("%0*x", suffixDigits, rand.Uint64())
	made, away := filepath.Join(parent, newFolder+suffix), filepath.Join(parent, oldFolder+suffix)
	for _, f := range s.update.files {
		name := filepath.Join(made, filepath.FromSlash(f.Path))
		if err := s.disk.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := atomicfile.Write(s.disk, name, f.Text); err != nil {
			s.disk.RemoveAll(made)
			return err
		}
	}
	for _, name := range s.update.others {
		if err := s.carry(filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(made, filepath.FromSlash(name))); err != nil {
			s.disk.RemoveAll(made)
			return err
		}
	}
	if s.update.fresh {
		if isFolder(dir) { // an empty folder
			if err := s.disk.Remove(dir); err != nil {
				return err
			}
		}
		return s.disk.Rename(made, dir)
	}
	err := s.disk.Exchange(made, dir)
	if !unsupported(err) {
		return errors.Join(err, s.disk.RemoveAll(made))
	}
	switch err = s.disk.Rename(dir, away); {
	case err == nil:
		if err = s.disk.Rename(made, dir); err == nil { // before that, recover can restore the copy
			return s.disk.RemoveAll(away)
		}
		return err
	case unsupported(err):
		err = s.overwrite(dir)
	}
	return errors.Join(err, s.disk.RemoveAll(made))
}

// unsupported reports whether a file system lacks an operation. Some have no exchange, and in a
// container the folders of its image cannot be renamed (docs.kernel.org/filesystems/overlayfs.html,
// "Renaming directories").
func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EOPNOTSUPP)
}

// overwrite changes the copy file by file. A kill leaves files of both versions, which the next
// init repairs.
func (s *scaffold) overwrite(dir string) error {
	for _, name := range s.update.obsolete {
		if err := s.disk.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for _, f := range s.update.files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := s.disk.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := atomicfile.Write(s.disk, name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// carry copies a file of the user into the new folder.
func (s *scaffold) carry(from, to string) error {
	if err := s.disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	text, err := s.disk.ReadFile(from)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(s.disk, to, text); err != nil {
		return err
	}
	return os.Chmod(to, info.Mode().Perm())
}
