// Package atomicfile writes files that are whole or absent. The data goes into a temporary file of
// the same folder, which is then renamed to the final name. After a kill at any moment, a reader
// sees the old content or the new, never a part.
//
// It also defines FS, the small file system through which everything on disk is written. Package
// faultfs uses it to inject a full disk, a read-only folder, and a death between two system calls.
//
// The corpus, the campaign's folder and the file of accepted differences use it.
//   - A temporary name is TempPrefix and digits, a form that Clean may remove without risk to the
//     user's files. Temporary files are garbage once their writer has exited.
//   - A rewritten file keeps its permissions, and a new one has those that the umask allows.
//   - Several processes may write into one folder at once, also during a call of Clean. A writer
//     whose temporary file was removed starts again.
//   - Without Sync, a file survives the death of the process, but not a power failure. A campaign
//     can lose its last seconds to a power failure, but cannot afford an fsync per input.
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

// TempPrefix begins the name of every temporary file and folder. tempDigits digits follow.
const (
	TempPrefix = ".tmp-parallax-"
	tempDigits = 16 // of 64 random bits, in hexadecimal
)

// attempts limits the restarts of Write after another process removed its temporary file. Cleaning
// happens once when a folder is opened. More than two restarts in a row mean that something else is
// wrong.
const attempts = 16

// Write replaces the content of path by data. On failure, it leaves the file as it was and returns
// an *Error.
func Write(fsys FS, path string, data []byte) error { return write(fsys, path, data, false) }

// WriteSync is Write that also survives a power failure: file and folder are synchronized before it
// returns.
func WriteSync(fsys FS, path string, data []byte) error { return write(fsys, path, data, true) }

func write(fsys FS, path string, data []byte, sync bool) error {
	var err error
	for range attempts {
		if err = writeOnce(fsys, path, data, sync); err == nil {
			return nil
		}
		// Only a rename can lack its source: another process cleaned the temporary file away.
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
		err = f.Chmod(perm) // restores the bits of the umask
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

// permissions returns those of the existing file, or of a new file.
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
			continue // 64 random bits practically never collide
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

// Sync makes a file or folder survive a power failure in its current state. For a folder, this
// covers its names, not the files. It ignores file systems that cannot sync folders.
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

// TempName returns a new temporary name in dir, for a file or a folder that will be renamed once it
// is whole.
func TempName(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%0*x", TempPrefix, tempDigits, rand.Uint64()))
}

// IsTemp reports whether name, without its folder, is that of a temporary file or folder.
func IsTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, TempPrefix)
	return ok && len(digits) == tempDigits && strings.Trim(digits, "0123456789abcdef") == ""
}

// Clean removes the temporary files and folders of dead writers in dir, which is a folder of
// parallax. A missing folder is clean.
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
