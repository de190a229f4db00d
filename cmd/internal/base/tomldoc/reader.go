package tomldoc

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
)

// Disk is the part of a file system that the reader needs.
type Disk interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
}

// Problem is a mistake in the file.
type Problem struct {
	At   Position
	Text string
}

// Reader collects the mistakes in a file while it is read.
type Reader struct {
	Dir      string // the folder of the file; paths in the file are relative to it
	Disk     Disk
	problems []Problem
}

// Reportf reports a mistake at a position.
func (r *Reader) Reportf(at Position, format string, args ...any) {
	r.problems = append(r.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// Problems returns the mistakes in the order of the file.
func (r *Reader) Problems() []Problem {
	sort.SliceStable(r.problems, func(i, j int) bool {
		a, b := r.problems[i].At, r.problems[j].At
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return slices.Compact(r.problems)
}

// Path makes a path of the file absolute.
func (r *Reader) Path(written string) string {
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(r.Dir, written)
}

// Exists returns the file at a path. It reports a missing file, and returns nil.
func (r *Reader) Exists(name string, written string, at Position) fs.FileInfo {
	info, err := r.Disk.Stat(r.Path(written))
	if err != nil {
		r.Reportf(at, "%s: %s%s", name, reason(err, written), relativeTo(written, r.Dir))
		return nil
	}
	return info
}

// Read returns the content of a file. It reports a missing file.
func (r *Reader) Read(name, written string, at Position) ([]byte, bool) {
	info := r.Exists(name, written, at)
	if info == nil {
		return nil, false
	}
	if !info.Mode().IsRegular() {
		r.Reportf(at, "%s: %s is no regular file", name, written)
		return nil, false
	}
	data, err := r.Disk.ReadFile(r.Path(written))
	if err != nil {
		r.Reportf(at, "%s: %s", name, reason(err, written))
		return nil, false
	}
	return data, true
}

// reason returns the error of the file system with the path as written.
func reason(err error, written string) string {
	if e, ok := err.(*fs.PathError); ok {
		err = e.Err
	}
	return fmt.Sprintf("%s: %v", written, err)
}

func relativeTo(written, dir string) string {
	if filepath.IsAbs(written) {
		return ""
	}
	return ": paths are relative to " + dir
}
