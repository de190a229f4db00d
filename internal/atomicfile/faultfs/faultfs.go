// Package faultfs implements an atomicfile.FS for tests that fails on demand. A fault is a disk
// that fills up, a read-only folder, or a process that dies at its n-th change of the disk. The
// package works on real files of a temporary folder. The files that a fault leaves can be opened
// through atomicfile.OS.
package faultfs

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"sync"
	"syscall"

	"parallax/internal/atomicfile"
)

// ErrCrashed is the error of every operation after the simulated death, so that clean-up code has
// no effect.
var ErrCrashed = errors.New("the process is dead")

// FS fails as configured. New returns one without faults. Configure it before its first use, or
// through its methods.
type FS struct {
	mu       sync.Mutex
	base     atomicfile.FS
	free     int64 // bytes that still fit
	steps    int64 // changes of the disk until death
	readOnly bool
	crashed  bool
	changes  int64
}

// New returns a file system over base that never fails.
func New(base atomicfile.FS) *FS {
	return &FS{base: base, free: math.MaxInt64, steps: math.MaxInt64}
}

// Full makes the disk full after n more bytes. The write that reaches the limit is cut short, as
// write(2) does. Removed files free no space; call Full again for that.
func (f *FS) Full(n int64) *FS { f.mu.Lock(); defer f.mu.Unlock(); f.free = n; return f }

// ReadOnly makes every change fail with EROFS.
func (f *FS) ReadOnly(on bool) *FS { f.mu.Lock(); defer f.mu.Unlock(); f.readOnly = on; return f }

// CrashAfter allows n more changes of the disk. The process dies at the next one: a write leaves
// half of its data, and any other change does not happen.
func (f *FS) CrashAfter(n int64) *FS { f.mu.Lock(); defer f.mu.Unlock(); f.steps = n; return f }

// Crashed reports whether the simulated death has happened.
func (f *FS) Crashed() bool { f.mu.Lock(); defer f.mu.Unlock(); return f.crashed }

// Changes returns the number of attempted changes of the disk.
func (f *FS) Changes() int64 { f.mu.Lock(); defer f.mu.Unlock(); return f.changes }

// change counts one change of the disk, and returns its failure.
func (f *FS) change(op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	switch {
	case f.crashed:
		return ErrCrashed
	case f.steps <= 0:
		f.crashed = true
		return ErrCrashed
	case f.readOnly:
		return &fs.PathError{Op: op, Path: path, Err: syscall.EROFS}
	}
	f.steps--
	return nil
}

func (f *FS) alive() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.crashed {
		return ErrCrashed
	}
	return nil
}

func (f *FS) OpenFile(path string, flag int, perm fs.FileMode) (atomicfile.File, error) {
	check := f.alive
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC) != 0 {
		check = func() error { return f.change("open", path) }
	}
	if err := check(); err != nil {
		return nil, err
	}
	g, err := f.base.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return &file{File: g, fs: f, path: path}, nil
}

func (f *FS) ReadFile(path string) ([]byte, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.base.ReadFile(path)
}

func (f *FS) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.base.ReadDir(path)
}

func (f *FS) Stat(path string) (fs.FileInfo, error) {
	if err := f.alive(); err != nil {
		return nil, err
	}
	return f.base.Stat(path)
}

func (f *FS) MkdirAll(path string, perm fs.FileMode) error {
	if i, err := f.base.Stat(path); err == nil && i.IsDir() {
		return f.alive() // no change of the disk
	}
	if err := f.change("mkdir", path); err != nil {
		return err
	}
	return f.base.MkdirAll(path, perm)
}

func (f *FS) Rename(from, to string) error {
	if err := f.change("rename", to); err != nil {
		return err
	}
	return f.base.Rename(from, to)
}

func (f *FS) Remove(path string) error {
	if err := f.change("remove", path); err != nil {
		return err
	}
	return f.base.Remove(path)
}

func (f *FS) RemoveAll(path string) error {
	if err := f.change("remove", path); err != nil {
		return err
	}
	return f.base.RemoveAll(path)
}

type file struct {
	atomicfile.File
	fs   *FS
	path string
}

func (g *file) Write(p []byte) (int, error) {
	wasDead := g.fs.Crashed()
	if err := g.fs.change("write", g.path); err != nil {
		if errors.Is(err, ErrCrashed) && !wasDead {
			g.File.Write(p[:len(p)/2])
		}
		return 0, err
	}
	n := g.fs.reserve(len(p))
	written, err := g.File.Write(p[:n])
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "write", Path: g.path, Err: syscall.ENOSPC}
	}
	return written, err
}

// reserve uses up to n bytes of the free space.
func (f *FS) reserve(n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n = int(min(int64(n), f.free))
	f.free -= int64(n)
	return n
}

func (g *file) Truncate(size int64) error {
	if err := g.fs.change("truncate", g.path); err != nil {
		return err
	}
	return g.File.Truncate(size)
}

func (g *file) Sync() error {
	if err := g.fs.alive(); err != nil {
		return err
	}
	return g.File.Sync()
}
