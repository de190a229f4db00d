package buildcache

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parallax/internal/atomicfile"
)

// Folders of the cache besides builds and trees.
const (
	libraries = "library"
	engines   = "engines" // environments and adapters of symbolic-execution engines
	runtimes  = "cc"      // the runtime of C programs
	trials    = "bench"   // running campaigns of parallax bench
)

// How the items of a part are locked.
const (
	lockInside = iota // folders, each with its lock inside
	lockNextTo        // folders, each with its lock next to it
	lockShared        // folders with one lock for all, in the part
	lockSelf          // folders that are locked themselves
	noLock            // files without a lock: readers read them whole
)

// parts lists the parts of the cache. Packages callgraph, plan, extract and cbuild/clang name those
// with files.
var parts = []struct {
	Name string
	Of   int
}{
	{builds, lockInside}, {trees, lockInside}, {libraries, lockShared}, {engines, lockNextTo}, {runtimes, lockNextTo},
	{trials, lockSelf}, {"callgraph", noLock}, {"changes", noLock}, {"extractions", noLock}, {"table", noLock},
}

// permanent are files that are never removed: dependency rules that compilers wrote for make name
// the header of C programs.
var permanent = map[string]bool{filepath.Join(runtimes, "include"): true}

// item is a file or folder that is removed as a whole.
type item struct {
	part string
	path string
	lock string // the file whose lock its users share; empty means it needs none
	used time.Time
	size int64
}

// lockSuffix ends the name of a lock next to its folder.
const lockSuffix = ".lock"

// sizeFile holds the size of a folder at its last Close.
const sizeFile = "size"

// items lists the items of the cache, for all processes.
func (r root) items() (list []item, err error) {
	for _, p := range parts {
		dir := filepath.Join(string(r), p.Name)
		entries, e := os.ReadDir(dir)
		if e != nil && !os.IsNotExist(e) {
			err = e
		}
		for _, e := range entries {
			it := item{part: p.Name, path: filepath.Join(dir, e.Name())}
			if permanent[filepath.Join(p.Name, e.Name())] {
				continue
			}
			if p.Of == noLock {
				list = append(list, it.files(e)...)
				continue
			}
			if !e.IsDir() {
				continue // a lock
			}
			switch {
			// a running installation, which holds the lock of its result
			case atomicfile.IsTemp(e.Name()) && p.Of == lockNextTo:
				if name := installedName(e.Name()); name != "" {
					it.lock = filepath.Join(dir, name+lockSuffix)
				}
			case p.Of == lockInside:
				it.lock = filepath.Join(it.path, useLock)
			case p.Of == lockNextTo:
				it.lock = it.path + lockSuffix
			case p.Of == lockShared:
				it.lock = filepath.Join(dir, useLock)
			case p.Of == lockSelf:
				it.lock = it.path
			}
			if info, err := e.Info(); err == nil {
				it.used = info.ModTime()
			}
			it.size = recorded(it.path)
			list = append(list, it)
		}
	}
	return list, err
}

// installedName returns the name that a temporary folder will get, or "". The name precedes the
// last hyphen.
func installedName(temp string) string {
	name := strings.TrimPrefix(temp, atomicfile.TempPrefix)
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}

// files lists the files of an entry: the entry itself, or the files in a version's folder.
func (it item) files(e fs.DirEntry) (list []item) {
	filepath.WalkDir(it.path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			list = append(list, item{part: it.part, path: name, used: info.ModTime(), size: onDisk(info)})
		}
		return nil
	})
	return list
}

// recorded returns the size of a folder as its last user recorded it, or else measures it.
func recorded(dir string) int64 {
	if text, err := os.ReadFile(filepath.Join(dir, sizeFile)); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n >= 0 {
			return n
		}
	}
	return sizeOf(dir)
}

// measure records the size of a folder, and returns its growth since the last record. A fixed
// folder never changes after it is filled, so it is measured once.
func measure(dir string, fixed bool) int64 {
	was := int64(0)
	name := filepath.Join(dir, sizeFile)
	if text, err := os.ReadFile(name); err == nil {
		if was, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && fixed {
			return 0
		}
	}
	now := sizeOf(dir)
	if now == was || atomicfile.Write(atomicfile.OS, name, []byte(strconv.FormatInt(now, 10)+"\n")) != nil {
		return 0 // a folder that cannot be written does not grow
	}
	return now - was
}

// sizeOf returns the disk usage of a folder. A file with several names in it counts once.
func sizeOf(dir string) (bytes int64) {
	seen := map[uint64]bool{}
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink > 1 && !d.IsDir() {
			if seen[s.Ino] {
				return nil
			}
			seen[s.Ino] = true
		}
		bytes += onDisk(info)
		return nil
	})
	return bytes
}

// onDisk returns the disk usage of a file.
func onDisk(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
