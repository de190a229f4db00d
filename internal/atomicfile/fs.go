package atomicfile

import (
	"io"
	"io/fs"
	"os"
)

// FS is the part of a file system that parallax uses. Errors are those of package os.
type FS interface {
	OpenFile(path string, flag int, perm fs.FileMode) (File, error)
	ReadFile(path string) ([]byte, error)
	ReadDir(path string) ([]fs.DirEntry, error) // sorted by name
	Stat(path string) (fs.FileInfo, error)
	MkdirAll(path string, perm fs.FileMode) error
	Rename(from, to string) error
	Remove(path string) error
	RemoveAll(path string) error
}

// File is an open file of an FS. *os.File is one.
type File interface {
	io.Reader
	io.Writer
	io.Closer
	Sync() error
	Chmod(mode fs.FileMode) error
	Truncate(size int64) error
	Fd() uintptr // for flock(2)
}

// OS is the file system of the machine.
var OS FS = system{}

type system struct{}

func (system) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	f, err := os.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err // not f: a nil *os.File would be a non-nil File
	}
	return f, nil
}

func (system) ReadFile(path string) ([]byte, error)         { return os.ReadFile(path) }
func (system) ReadDir(path string) ([]fs.DirEntry, error)   { return os.ReadDir(path) }
func (system) Stat(path string) (fs.FileInfo, error)        { return os.Stat(path) }
func (system) MkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }
func (system) Rename(from, to string) error                 { return os.Rename(from, to) }
func (system) Remove(path string) error                     { return os.Remove(path) }
func (system) RemoveAll(path string) error                  { return os.RemoveAll(path) }
