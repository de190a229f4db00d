package tomldoc

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
)

// Disk is what the reader asks of the file system.
type Disk interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
}

// Problem is something wrong with the file.
type Problem struct {
	At   Position
	Text string
}

// Reader collects what is wrong with a file while it is read.
type Reader struct {
	Dir      string // the folder that holds the file: paths in it are relative to that
	Disk     Disk
	problems []Problem
}

// Bad tells what is wrong at a place.
func (r *Reader) Bad(at Position, format string, args ...any) {
	r.problems = append(r.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// Problems are what was told, in the order of the file.
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

// Exists tells of a path that leads nowhere, and returns what is there.
func (r *Reader) Exists(name string, written string, at Position) fs.FileInfo {
	info, err := r.Disk.Stat(r.Path(written))
	if err != nil {
		r.Bad(at, "%s: %s%s", name, reason(err, written), beside(written, r.Dir))
		return nil
	}
	return info
}

// Read returns the content of a file that must be there.
func (r *Reader) Read(name, written string, at Position) ([]byte, bool) {
	info := r.Exists(name, written, at)
	if info == nil {
		return nil, false
	}
	if !info.Mode().IsRegular() {
		r.Bad(at, "%s: %s is no regular file", name, written)
		return nil, false
	}
	data, err := r.Disk.ReadFile(r.Path(written))
	if err != nil {
		r.Bad(at, "%s: %s", name, reason(err, written))
		return nil, false
	}
	return data, true
}

// reason is what the file system says, without its own words around it.
func reason(err error, written string) string {
	if e, ok := err.(*fs.PathError); ok {
		err = e.Err
	}
	return fmt.Sprintf("%s: %v", written, err)
}

func beside(written, dir string) string {
	if filepath.IsAbs(written) {
		return ""
	}
	return ": paths are relative to " + dir
}
