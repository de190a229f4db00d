// Package buildcache owns the folders of build products, of files of earlier versions, and of what was computed of sources, in the user's
// cache. Building, in package subject, bisecting, and packages revision, callgraph and plan use them. Packages extract, cbuild/clang and
// trial make their own folders there by MkdirAll.
//
// Invariants: nobody builds in a folder while another process does; what a process runs is not replaced by the build of another
// one; a folder that is in use is not removed; what the cache holds has a limit (usage.go).
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

// Folder is the folder of a target's build products in the user's cache: one for what makes the same build,
// so that building again is quick, in another campaign too. Nothing in it is worth keeping; what nobody has used for a month is removed.
type Folder struct {
	Dir string

	root  root
	kind  string
	use   *filelock.Lock // shared by those that use the folder
	mu    sync.Mutex     // guards what follows
	token string         // in the names of files of this process; "" until one is asked for
	mine  *filelock.Lock // of the token
	kept  []string       // see RemoveLater
	libs  *filelock.Lock // shared by those that build with the library; nil until Libraries
	built bool           // Lock was called: the folder may have grown
}

// Names in a build folder.
const (
	useLock   = "in-use"
	buildLock = "building"
	ownPrefix = "own-" // with a token: the lock of the process that has files with this token in their names
)

// The kinds of folders.
const (
	builds = "build"
	trees  = "tree"
)

// Open opens the folder for what the identity names, and creates it.
func Open(ctx context.Context, identity ...string) (*Folder, error) {
	return open(ctx, builds, identity)
}

// OpenTree opens the folder for the files of a version that the identity names, and creates it.
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
		s.use, err = filelock.Take(ctx, filepath.Join(s.Dir, useLock), filelock.Shared, nil)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // else it has just been removed
			return nil, s.fault(ctx, err)
		}
	}
	now := time.Now()
	os.Chtimes(s.Dir, now, now) // when it was used last
	return s, nil
}

// fault is why a lock could not be had.
func (s *Folder) fault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return exit.Infra("using the folder for build products: %w: set XDG_CACHE_HOME to a folder that can be written", err)
}

// Libraries is the folder of what all builds share. It is in use until Close. A process that removes a library holds the folder
// for a moment: Libraries waits for it until ctx ends, and calls say with who it is.
func (s *Folder) Libraries(ctx context.Context, say func(string)) string {
	dir := filepath.Join(string(s.root), libraries)
	if MkdirAll(dir) != nil {
		return dir
	}
	// Without the lock, a build fails at worst and is repeated.
	l, _ := filelock.Take(ctx, filepath.Join(dir, useLock), filelock.Shared, say)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.libs != nil { // it was asked for before
		l.Release()
		return dir
	}
	s.libs = l
	return dir
}

// Digest makes one number of several words.
func Digest(parts ...string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", parts)
	return h.Sum64()
}

// Lock keeps others from building in the folder until release is called. While another process builds there, Lock waits until
// ctx ends, and calls say with who it is.
func (s *Folder) Lock(ctx context.Context, say func(string)) (release func(), err error) {
	l, err := filelock.Take(ctx, filepath.Join(s.Dir, buildLock), filelock.Exclusive, say)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.built = true
	return l.Release, nil
}

// Own gives this process a name of its own for a built worker: others may build in the folder while it is used.
func (s *Folder) Own(binary string) (string, error) {
	path := s.OwnName(binary)
	os.Remove(path)
	if err := os.Link(binary, path); err != nil {
		return "", exit.Infra("keeping the worker that was built: %w", err)
	}
	s.RemoveLater(path)
	return path, nil
}

// OwnName is the name that Own gives, by which no other process calls a file: of those in containers that share the cache,
// neither. It ends with Token.
func (s *Folder) OwnName(binary string) string { return binary + "-" + s.Token() }

// Token is a word that no other process has for this folder. Files with it in their names are removed when this process is
// gone.
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
	// Without the lock, as on a full disk, another process may remove the names while they are used; Own then fails itself.
	s.mine, _ = filelock.Try(filepath.Join(s.Dir, ownPrefix+s.token), filelock.Exclusive)
	return s.token
}

// sweep removes what processes left that were killed.
func (s *Folder) sweep() {
	locks, _ := filepath.Glob(filepath.Join(s.Dir, ownPrefix+"*"))
	for _, path := range locks {
		l, err := filelock.Try(path, filelock.Exclusive)
		if err != nil {
			continue // it lives
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

// RemoveLater has Close remove a file.
func (s *Folder) RemoveLater(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, path)
}

// Close gives up what Own and Open took, and keeps the cache within its limit.
func (s *Folder) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range s.kept {
		os.Remove(path)
	}
	if s.mine != nil {
		os.Remove(filepath.Join(s.Dir, ownPrefix+s.token))
		s.mine.Release()
	}
	grown := int64(0)
	if s.built {
		grown = measure(s.Dir, s.kind == trees)
	}
	s.use.Release()
	s.libs.Release()
	s.root.grow(grown, time.Now())
}
