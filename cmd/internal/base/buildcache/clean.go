package buildcache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/internal/atomicfile"
)

// Request selects what Clean removes. The zero value selects everything that no process uses.
type Request struct {
	Older time.Duration // minimum time since the last use; 0 means any
	// stop once the rest fits in To, oldest use first; items over a positive Older go anyway
	Bounded bool
	To      int64 // in bytes
	Dry     bool  // remove nothing

	now  time.Time
	stop func() bool
}

// Cleaned reports the result of Clean.
type Cleaned struct {
	Version int    `json:"version"`
	Dir     string `json:"dir"`
	Freed   int64  `json:"freed_bytes"`
	Removed int    `json:"removed"`
	Left    int64  `json:"left_bytes"`
	InUse   int    `json:"in_use"` // items that would have been removed, but are in use
	Parts   []Part `json:"parts"`
	// Problems lists items that could not be removed, with the reasons.
	Problems []string `json:"problems,omitempty"`
	Dry      bool     `json:"dry_run,omitempty"` // nothing was removed
}

// Part reports the result of Clean for one part of the cache.
type Part struct {
	Name    string `json:"name"`
	Removed int    `json:"removed"`
	Freed   int64  `json:"freed_bytes"`
	Left    int64  `json:"left_bytes"`
	InUse   int    `json:"in_use"`
}

// Clean removes the items that the request selects, except those that another process uses. When
// ctx ends, it returns the result so far.
func Clean(ctx context.Context, q Request, report func(string)) (*Cleaned, error) {
	r, err := openRoot()
	if err != nil {
		return nil, exit.Infra("there is no cache: %w: set HOME or XDG_CACHE_HOME", err)
	}
	if _, err := os.Stat(string(r)); errors.Is(err, fs.ErrNotExist) {
		return newCleaned(r, q), nil
	} else if err != nil {
		return nil, exit.Infra("reading the cache: %w", err)
	}
	if q.now.IsZero() {
		q.now = time.Now()
	}
	if q.Dry {
		return clean(r, q), ctx.Err()
	}
	// A concurrent sweep would count the items that are removed here.
	l, err := filelock.Acquire(ctx, filepath.Join(string(r), usageLock), filelock.Exclusive, report)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // the cache cannot be written: clean reports that for each part
		l = nil
	}
	defer l.Release()
	q.stop = func() bool { return ctx.Err() != nil }
	done := clean(r, q)
	if l != nil {
		r.write(usage{Bytes: done.Left, Swept: q.now})
	}
	return done, nil
}

func newCleaned(r root, q Request) *Cleaned {
	return &Cleaned{Version: 1, Dir: string(r), Parts: []Part{}, Dry: q.Dry}
}

// clean removes items, least recently used first.
func clean(r root, q Request) *Cleaned {
	c := newCleaned(r, q)
	list, err := r.items()
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
	}
	for i := range list {
		c.Left += list[i].size
		c.part(list[i].part).Left += list[i].size
	}
	slices.SortStableFunc(list, func(a, b item) int { return a.used.Compare(b.used) })
	for i := range list {
		it := &list[i]
		old := q.Older > 0 && q.now.Sub(it.used) > q.Older
		switch {
		case q.stop != nil && q.stop():
			return c
		case !q.Bounded && q.Older == 0, old, q.Bounded && c.Left > q.To:
		default:
			continue
		}
		used, err := it.remove(q.Dry)
		switch {
		case used:
			c.InUse++
			c.part(it.part).InUse++
		case err != nil:
			c.Problems = append(c.Problems, err.Error())
		default:
			p := c.part(it.part)
			c.Removed, c.Freed, c.Left = c.Removed+1, c.Freed+it.size, c.Left-it.size
			p.Removed, p.Freed, p.Left = p.Removed+1, p.Freed+it.size, p.Left-it.size
		}
	}
	return c
}

// part returns the entry of a part, and adds it if needed.
func (c *Cleaned) part(name string) *Part {
	i := slices.IndexFunc(c.Parts, func(p Part) bool { return p.Name == name })
	if i < 0 {
		c.Parts, i = append(c.Parts, Part{Name: name}), len(c.Parts)
	}
	return &c.Parts[i]
}

// remove removes an item, unless a process uses it. Concurrent readers see the whole item or none
// of it.
func (it *item) remove(dry bool) (used bool, err error) {
	if dry {
		if _, err := os.Stat(it.lock); err != nil {
			return false, nil // it was never locked
		}
	}
	release, err := it.hold()
	if errors.Is(err, filelock.ErrHeld) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", it.path, err)
	}
	defer release()
	if dry {
		return false, nil
	}
	if err := discard(it.path); err != nil {
		return false, err
	}
	if it.lock == it.path+lockSuffix {
		os.Remove(it.lock)
	}
	return false, nil
}

// hold locks an item for this process alone.
func (it *item) hold() (release func(), err error) {
	switch it.lock {
	case "":
		return func() {}, nil
	case it.path: // parallax bench locks the folder itself
		f, err := os.Open(it.path)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			f.Close()
			return nil, filelock.ErrHeld
		}
		return func() { f.Close() }, nil
	}
	l, err := filelock.Try(it.lock, filelock.Exclusive)
	if err != nil {
		return nil, err
	}
	return l.Release, nil
}

// discard removes a file or folder. It renames it first, so that other processes see it vanish at
// once.
func discard(path string) error {
	temp := filepath.Join(filepath.Dir(path), atomicfile.TempPrefix+strconv.FormatUint(rand.Uint64(), 36))
	if !atomicfile.IsTemp(filepath.Base(path)) {
		if err := os.Rename(path, temp); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return atomicfile.Explain("remove", path, err)
		}
		path = temp
	}
	if os.RemoveAll(path) == nil {
		return nil
	}
	filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error { // a program may have removed its own write permission
		if d != nil && d.IsDir() {
			os.Chmod(name, 0o755)
		}
		return nil
	})
	return os.RemoveAll(path)
}

// Discard removes a folder of builds or trees, unless a process uses it.
func Discard(dir string) {
	it := item{path: dir, lock: filepath.Join(dir, useLock)}
	it.remove(false)
}
