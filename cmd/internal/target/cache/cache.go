// Package cache owns the folders of build products, of files of earlier versions, and of what was computed of sources, in the user's
// cache. Building, in package target, bisecting, and packages revision, callgraph and plan use them.
//
// Invariants: nobody builds in a folder while another process does; what a process runs is not replaced by the build of another
// one; a folder that is in use is not removed.
package cache

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"parallax/cmd/internal/exit"
)

// Folder is the folder of a target's build products in the user's cache: one for what makes the same build,
// so that building again is quick, in another campaign too. Nothing in it is worth keeping; what nobody has used for a month is removed.
type Folder struct {
	Dir  string
	kept []string // see Own
	use  *os.File // locked by those that use the folder, shared, for as long as it is open
}

// unusedAfter is how long a folder is kept after its last use.
const unusedAfter = 30 * 24 * time.Hour

// Names in a build folder.
const (
	useLock   = "in-use"
	buildLock = "building"
)

// Open opens the folder for what the identity names, and creates it.
func Open(identity ...string) (*Folder, error) { return open("build", identity) }

// OpenTree opens the folder for the files of a version that the identity names, and creates it.
func OpenTree(identity ...string) (*Folder, error) { return open("tree", identity) }

func open(kind string, identity []string) (*Folder, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, exit.Infra("there is no folder for build products: %w: set HOME or XDG_CACHE_HOME", err)
	}
	root := filepath.Join(cache, "parallax", kind)
	s := &Folder{Dir: filepath.Join(root, fmt.Sprintf("%016x", Digest(identity...)))}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, exit.Infra("creating the folder for build products: %w: set XDG_CACHE_HOME to a folder that can be written", err)
	}
	if s.use, err = lock(filepath.Join(s.Dir, useLock), syscall.LOCK_SH); err != nil {
		return nil, exit.Infra("using the folder for build products: %w", err)
	}
	now := time.Now()
	os.Chtimes(s.Dir, now, now) // when it was used last
	prune(root, now.Add(-unusedAfter))
	prune(s.Libraries(), now.Add(-unusedAfter))
	return s, nil
}

// Libraries is the folder of what all builds share.
func (s *Folder) Libraries() string {
	return filepath.Join(filepath.Dir(filepath.Dir(s.Dir)), "library")
}

// Digest makes one number of several words.
func Digest(parts ...string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", parts)
	return h.Sum64()
}

// Lock keeps others from building in the folder until release is called.
func (s *Folder) Lock() (release func(), err error) {
	f, err := lock(filepath.Join(s.Dir, buildLock), syscall.LOCK_EX)
	if err != nil {
		return nil, exit.Infra("using the folder for build products: %w", err)
	}
	return func() { f.Close() }, nil
}

// Own gives this process a name of its own for a built worker: others may build in the folder while it is used. It removes
// the names of processes that are gone.
func (s *Folder) Own(binary string) (string, error) {
	old, _ := filepath.Glob(binary + "-*")
	for _, path := range old {
		pid, err := strconv.Atoi(path[len(binary)+1:])
		if err == nil && pid != os.Getpid() && syscall.Kill(pid, 0) == syscall.ESRCH {
			os.Remove(path)
		}
	}
	path := OwnName(binary)
	os.Remove(path)
	if err := os.Link(binary, path); err != nil {
		return "", exit.Infra("keeping the worker that was built: %w", err)
	}
	s.kept = append(s.kept, path)
	return path, nil
}

// OwnName is the name that own gives.
func OwnName(binary string) string { return binary + "-" + strconv.Itoa(os.Getpid()) }

// RemoveLater has close remove a file.
func (s *Folder) RemoveLater(path string) { s.kept = append(s.kept, path) }

// Close gives up what Own and Open took.
func (s *Folder) Close() {
	for _, path := range s.kept {
		os.Remove(path)
	}
	s.use.Close()
}

// lock opens a file and locks it until the file is closed, however the process ends.
func lock(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return f, nil
}

// prune removes folders that were last used before the given time and that nobody uses now. It does what it can.
func prune(root string, before time.Time) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !info.ModTime().Before(before) {
			continue
		}
		Discard(filepath.Join(root, e.Name()))
	}
}

// Discard removes a folder of the cache, unless somebody uses it.
func Discard(dir string) {
	f, err := lock(filepath.Join(dir, useLock), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return
	}
	os.RemoveAll(dir)
	f.Close()
}
