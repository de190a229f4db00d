// Package filelock locks files between processes, and describes the holder of a lock to those that
// wait.
//
// A lock belongs to the open file. It ends with its process, however that ends, so no lock is
// stale. The file names the last process with an exclusive lock; this text is for messages only. A
// process may remove the file while others wait for its lock. They then lock the new file of that
// name.
//
// Packages accept, base/buildcache, extract and cbuild/clang call it for files that several
// processes of parallax share.
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

// Mode is the mode of a lock.
type Mode int

// An exclusive lock has one holder. A shared lock may have several.
const (
	Exclusive Mode = syscall.LOCK_EX
	Shared    Mode = syscall.LOCK_SH
)

// ErrHeld reports that another process holds the lock.
var ErrHeld = errors.New("another process holds the lock")

// Lock is a lock that this process holds.
type Lock struct {
	file     *os.File
	recorded bool
}

// The wait between two tries doubles from firstWait to lastWait. The waiting process reports the
// holder after reportAfter.
const (
	firstWait   = 2 * time.Millisecond
	lastWait    = 100 * time.Millisecond
	reportAfter = time.Second
)

// Acquire locks a file, and creates it if needed. It waits for the lock until ctx ends. After a
// second, it reports the holder to say once. A nil say reports nothing.
func Acquire(ctx context.Context, path string, mode Mode, report func(string)) (*Lock, error) {
	began, reported := time.Now(), report == nil
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := Try(path, mode)
		if !errors.Is(err, ErrHeld) {
			return l, err
		}
		if !reported && time.Since(began) >= reportAfter {
			reported = true
			report(fmt.Sprintf("waiting for %s, which holds %s", HolderOf(path), path))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Use locks a file in shared mode once ready reports true. Before that, one process calls make with
// an exclusive lock. Use does not wait for an exclusive lock: once make has succeeded, others hold
// the shared lock for as long as they like.
func Use(ctx context.Context, path string, ready func() bool, make func() error, report func(string)) (*Lock, error) {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		l, err := Acquire(ctx, path, Shared, report)
		if err != nil || ready() {
			return l, err
		}
		l.Release()
		l, err = Try(path, Exclusive)
		if errors.Is(err, ErrHeld) {
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if !ready() {
			err = make()
		}
		l.Release()
		if err != nil {
			return nil, err
		}
	}
}

// Try locks a file, and creates it if needed. It returns ErrHeld if another process has locked the
// file.
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
			continue // the last holder has removed the file
		}
		l := &Lock{file: f}
		if mode == Exclusive {
			l.recorded = recordHolder(f)
		}
		return l, nil
	}
}

// open opens a file for its lock. Folders and read-only files can be locked, too.
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

// Release releases the lock. A nil Lock is valid, and does nothing.
func (l *Lock) Release() {
	if l == nil {
		return
	}
	l.clearHolder()
	l.file.Close()
}

// clearHolder removes this process's description from the file.
func (l *Lock) clearHolder() {
	if l.recorded {
		l.file.Truncate(0)
		l.recorded = false
	}
}
