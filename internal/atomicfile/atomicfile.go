// Package atomicfile owns how parallax writes files that must be whole or absent: the data goes into a temporary
// file of the same folder, which is then renamed over the name it is meant for. A reader, or the same campaign after a
// kill at any moment, sees the old content or the new, never a part.
//
// It also owns FS, the small file system that everything on disk is written through, so that a full disk, a read-only
// folder and a death between two system calls can be injected (package faultfs).
//
// Called by corpus, the campaign's folder and the file of accepted differences. Invariants:
//   - a temporary name is TempPrefix and digits that nobody else chooses, so that Clean removes no file of the user's;
//     temporary files are rubbish as soon as their writer is gone;
//   - a file that is written anew keeps its permissions, and a new one has those that the umask leaves;
//   - several processes may write into one folder at once, also while one of them calls Clean: a writer whose
//     temporary file was taken away starts again;
//   - without Sync a file survives the death of the process, not a power failure. A campaign can afford to lose its
//     last seconds to a power failure and cannot afford an fsync for each input.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// TempPrefix begins the name of every temporary file and folder, and tempDigits more follow.
const (
	TempPrefix = ".tmp-parallax-"
	tempDigits = 16 // of 64 random bits, hexadecimal
)

// attempts bounds how often Write starts again after another process cleaned its temporary file away. Cleaning
// happens once when a folder is opened, so more than one or two in a row means that something else is wrong.
const attempts = 16

// Write makes path hold exactly data, or leaves it as it was and returns an *Error.
func Write(fsys FS, path string, data []byte) error { return write(fsys, path, data, false) }

// WriteSync is Write that also survives a power failure: file and folder are synchronized before it returns.
func WriteSync(fsys FS, path string, data []byte) error { return write(fsys, path, data, true) }

func write(fsys FS, path string, data []byte, sync bool) error {
	var err error
	for range attempts {
		if err = writeOnce(fsys, path, data, sync); err == nil {
			return nil
		}
		// Only a rename can miss its source: our temporary file was cleaned away by another process.
		var link *os.LinkError
		if !errors.As(err, &link) || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return Explain("write", path, err)
}

func writeOnce(fsys FS, path string, data []byte, sync bool) error {
	dir := filepath.Dir(path)
	keep, perm := permissions(fsys, path)
	temp, f, err := create(fsys, dir, perm)
	if err != nil {
		return err
	}
	if keep {
		err = f.Chmod(perm) // whatever the umask took
	}
	if e := fill(f, data, sync); err == nil {
		err = e
	}
	if err != nil {
		fsys.Remove(temp)
		return err
	}
	if err := fsys.Rename(temp, path); err != nil {
		fsys.Remove(temp)
		return err
	}
	if sync {
		return Sync(fsys, dir)
	}
	return nil
}

// permissions returns those of the file that path names, or those of a new file.
func permissions(fsys FS, path string) (keep bool, perm fs.FileMode) {
	if info, err := fsys.Stat(path); err == nil && info.Mode().IsRegular() {
		return true, info.Mode().Perm()
	}
	return false, 0o666
}

func create(fsys FS, dir string, perm fs.FileMode) (string, File, error) {
	for {
		temp := TempName(dir)
		f, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue // 64 random bits: once in a lifetime
		}
		return temp, f, err
	}
}

func fill(f File, data []byte, sync bool) error {
	_, err := f.Write(data)
	if err == nil && sync {
		err = f.Sync()
	}
	// Some file systems report a full disk or quota only here.
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// Sync has a file or folder as it is survive a power failure: of a folder the names in it, not what they name. File systems
// that cannot do that to a folder are left alone.
func Sync(fsys FS, path string) error {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// TempName returns a new temporary name in dir, for a file or a folder that is to be renamed when it is whole.
func TempName(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%0*x", TempPrefix, tempDigits, rand.Uint64()))
}

// IsTemp reports whether name, without its folder, is that of a temporary file or folder.
func IsTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, TempPrefix)
	return ok && len(digits) == tempDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// Clean removes the temporary files and folders that dead writers left in dir, which is a folder of parallax's own. A folder
// that is missing is clean.
func Clean(fsys FS, dir string) error {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Explain("read", dir, err)
	}
	for _, e := range entries {
		if !IsTemp(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if err := fsys.RemoveAll(path); err != nil {
			return Explain("remove", path, err)
		}
	}
	return nil
}
