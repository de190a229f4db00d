// Package buildcache owns the parts of the user's cache: folders of build products, trees of
// earlier versions, and results computed from sources. Building, bisecting and the packages
// revision, callgraph and plan use it. Packages extract, cbuild/clang and trial create folders of
// their own there with MkdirAll.
//
// Invariants: at most one process builds in a folder. A build never replaces a file that another
// process runs. A folder in use is not removed. The size of the cache is limited (usage.go).
package buildcache

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
)

// Folder is a folder in the user's cache for one target's build products. Equal builds share it, so
// that the next build is quick in any campaign. Its content can always be built again. It is
// removed after a month without use.
type Folder struct {
	Dir string

	root      root
	kind      string
	use       *filelock.Lock // shared by the users of the folder
	mu        sync.Mutex     // guards the fields below
	token     string         // in the names of this process's files; empty until Token
	tokenLock *filelock.Lock // locks the token
	removals  []string       // files that Close removes
	libs      *filelock.Lock // shared by builds that use the library; nil until Libraries
	built     bool           // Lock was called, so the folder may have grown
}

// Names in a build folder.
const (
	useLock   = "in-use"
	buildLock = "building"
	// followed by a token: the lock of the process whose file names contain the token
	ownPrefix = "own-"
)

// Kinds of folders.
const (
	builds = "build"
	trees  = "tree"
)

// Open opens the build folder of an identity, and creates it if needed.
func Open(ctx context.Context, identity ...string) (*Folder, error) {
	return open(ctx, builds, identity)
}

// OpenTree opens the folder for the files of a version that identity names, and creates it if
// needed.
func OpenTree(ctx context.Context, identity ...string) (*Folder, error) {
	return open(ctx, trees, identity)
}

func open(ctx context.Context, kind string, identity []string) (*Folder, error) {
	r, err := openRoot()
	if err != nil {
		return nil, exit.Infra("there is no folder for build products: %w: set HOME or XDG_CACHE_HOME", err)
	}
	if _, err := Limit(); err != nil {
		return nil, err
	}
	s := &Folder{root: r, kind: kind, Dir: filepath.Join(string(r), kind, fmt.Sprintf("%016x", Digest(identity...)))}
	for s.use == nil {
		if err := MkdirAll(s.Dir); err != nil {
			return nil, exit.Infra("creating the folder for build products: %w: set XDG_CACHE_HOME to a folder that can be written", err)
		}
		s.use, err = filelock.Acquire(ctx, filepath.Join(s.Dir, useLock), filelock.Shared, nil)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // otherwise another process has just removed it
			return nil, s.lockError(ctx, err)
		}
	}
	now := time.Now()
	os.Chtimes(s.Dir, now, now) // records the last use
	return s, nil
}

// lockError explains why a lock could not be taken.
func (s *Folder) lockError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return exit.Infra("using the folder for build products: %w: set XDG_CACHE_HOME to a folder that can be written", err)
}

// Libraries returns the folder that all builds share, and keeps it in use until Close. A process
// that removes a library locks the folder for a moment. Libraries waits for it until ctx ends, and
// passes the holder's description to say.
func (s *Folder) Libraries(ctx context.Context, report func(string)) string {
	dir := filepath.Join(string(s.root), libraries)
	if MkdirAll(dir) != nil {
		return dir
	}
	// Without the lock, a build fails at worst, and is repeated.
	l, _ := filelock.Acquire(ctx, filepath.Join(dir, useLock), filelock.Shared, report)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.libs != nil { // an earlier call holds it
		l.Release()
		return dir
	}
	s.libs = l
	return dir
}

// Digest hashes several words into one number.
func Digest(parts ...string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", parts)
	return h.Sum64()
}

// Lock keeps other processes from building in the folder until release is called. While another
// process builds there, Lock waits until ctx ends, and passes that process's description to say.
func (s *Folder) Lock(ctx context.Context, report func(string)) (release func(), err error) {
	l, err := filelock.Acquire(ctx, filepath.Join(s.Dir, buildLock), filelock.Exclusive, report)
	if err != nil {
		return nil, s.lockError(ctx, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.built = true
	return l.Release, nil
}

// Own links a built worker under a name of this process's own: others may replace the build while
// the worker runs.
func (s *Folder) Own(binary string) (string, error) {
	path := s.OwnName(binary)
	os.Remove(path)
	if err := os.Link(binary, path); err != nil {
		return "", exit.Infra("keeping the worker that was built: %w", err)
	}
	s.RemoveOnClose(path)
	return path, nil
}

// OwnName returns the name that Own gives. No other process uses it, not even one in a container
// that shares the cache. It ends with Token.
func (s *Folder) OwnName(binary string) string { return binary + "-" + s.Token() }

// Token returns a word that no other process has for this folder. A later process removes files
// with the word in their names once this process has ended.
func (s *Folder) Token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token != "" {
		return s.token
	}
	var random [8]byte
	rand.Read(random[:])
	s.token = hex.EncodeToString(random[:])
	s.sweep()
	// The lock can fail, as on a full disk. Another process may then remove the files while they
	// are in use, and Own fails.
	s.tokenLock, _ = filelock.Try(filepath.Join(s.Dir, ownPrefix+s.token), filelock.Exclusive)
	return s.token
}

// sweep removes the files of processes that were killed.
func (s *Folder) sweep() {
	locks, _ := filepath.Glob(filepath.Join(s.Dir, ownPrefix+"*"))
	for _, path := range locks {
		l, err := filelock.Try(path, filelock.Exclusive)
		if err != nil {
			continue // its process lives
		}
		token := strings.TrimPrefix(filepath.Base(path), ownPrefix)
		filepath.WalkDir(s.Dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && token != "" && strings.Contains(d.Name(), "-"+token) {
				os.Remove(name)
			}
			return nil
		})
		os.Remove(path)
		l.Release()
	}
}

// RemoveOnClose makes Close remove a file.
func (s *Folder) RemoveOnClose(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removals = append(s.removals, path)
}

// Close releases the locks of Own and Open, and keeps the cache within its limit.
func (s *Folder) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range s.removals {
		os.Remove(path)
	}
	if s.tokenLock != nil {
		os.Remove(filepath.Join(s.Dir, ownPrefix+s.token))
		s.tokenLock.Release()
	}
	grown := int64(0)
	if s.built {
		grown = measure(s.Dir, s.kind == trees)
	}
	s.use.Release()
	s.libs.Release()
	s.root.grow(grown, time.Now())
}
