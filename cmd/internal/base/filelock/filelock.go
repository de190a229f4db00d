// Package filelock locks files between processes, and says who holds a lock that others wait for.
//
// A lock belongs to the open file, so it ends with its process, however that ends: no lock is stale. The file says who locked
// it last for itself: this is for messages only. A file may be removed while processes wait for its lock. They then lock the
// new one of its name.
//
// Called by packages accept, base/buildcache, extract and cbuild/clang, for what several processes of parallax share.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Mode says who may hold a lock at the same time.
type Mode int

// A lock is held by one process, or by all that share it.
const (
	Exclusive Mode = syscall.LOCK_EX
	Shared    Mode = syscall.LOCK_SH
)

// ErrHeld says that another process holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// Lock is a lock that this process holds.
type Lock struct {
	file  *os.File
	wrote bool
}

// Waits between two tries double from the first to the last. Others hear who holds a lock after tellAfter.
const (
	firstWait = 2 * time.Millisecond
	lastWait  = 100 * time.Millisecond
	tellAfter = time.Second
)

// Take locks a file, which it creates, and waits for the lock until ctx ends. It has say told once, after a second, who holds
// it; say may be nil.
func Take(ctx context.Context, path string, mode Mode, say func(string)) (*Lock, error) {
	began, told := time.Now(), say == nil
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := Try(path, mode)
		if !errors.Is(err, ErrHeld) {
			return l, err
		}
		if !told && time.Since(began) >= tellAfter {
			told = true
			say(fmt.Sprintf("waiting for %s, which holds %s", HolderOf(path), path))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Try locks a file, which it creates. The error is ErrHeld if another process has locked it.
func Try(path string, mode Mode) (*Lock, error) {
	for {
		f, err := open(path)
		if err != nil {
			return nil, err
		}
		if err := flock(f, mode); err != nil {
			f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, ErrHeld
			}
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(path); err != nil || !os.SameFile(mine, now) {
			f.Close()
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			continue // who held it has removed the file
		}
		l := &Lock{file: f}
		if mode == Exclusive {
			l.wrote = note(f)
		}
		return l, nil
	}
}

// open opens a file for its lock. A folder, and a file that this process may not write, can be locked as well.
func open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EISDIR) {
		if read, e := os.Open(path); e == nil {
			return read, nil
		}
	}
	return f, err
}

func flock(f *os.File, mode Mode) error {
	for {
		err := syscall.Flock(int(f.Fd()), int(mode)|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return err
		}
	}
}

// Share lets others share a lock that was exclusive. Between the two, another process may hold it for a moment.
func (l *Lock) Share() error {
	l.forget()
	return flock(l.file, Shared)
}

// Release gives the lock up. A nil lock is none.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	l.forget()
	l.file.Close()
}

// forget removes what the file says of this process, which no longer holds it alone.
func (l *Lock) forget() {
	if l.wrote {
		l.file.Truncate(0)
		l.wrote = false
	}
}
