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

// Folders of the cache, beside those of builds and trees.
const (
	libraries = "library"
	engines   = "engines" // environments of symbolic-execution engines, and their adapters
	runtimes  = "cc"      // the runtime of C programs
	trials    = "bench"   // campaigns of parallax bench that are under way
)

// What a part of the cache holds.
const (
	foldersWithin = iota // folders, each with its lock in it
	foldersBeside        // folders, each with its lock beside it
	foldersShare         // folders with one lock for all, in the part
	foldersSelf          // folders that are locked themselves
	files                // files, which need no lock: they are read whole
)

// parts are what the cache holds. Packages callgraph, plan, extract and cbuild/clang name those with files.
var parts = []struct {
	Name string
	Of   int
}{
	{builds, foldersWithin}, {trees, foldersWithin}, {libraries, foldersShare}, {engines, foldersBeside}, {runtimes, foldersBeside},
	{trials, foldersSelf}, {"callgraph", files}, {"changes", files}, {"extractions", files}, {"table", files},
}

// stays are files below a part that are removed never: rules that compilers wrote for make name the header of C programs.
var stays = map[string]bool{filepath.Join(runtimes, "include"): true}

// item is something that is removed as a whole.
type item struct {
	part string
	path string
	lock string // the file whose lock its users share; "": it needs none
	used time.Time
	size int64
}

// lockSuffix ends the name of a lock beside its folder.
const lockSuffix = ".lock"

// sizeFile keeps the size of a folder, as it was when its last user closed it.
const sizeFile = "size"

// items are what the cache holds, of any process.
func (r root) items() (list []item, err error) {
	for _, p := range parts {
		dir := filepath.Join(string(r), p.Name)
		entries, e := os.ReadDir(dir)
		if e != nil && !os.IsNotExist(e) {
			err = e
		}
		for _, e := range entries {
			it := item{part: p.Name, path: filepath.Join(dir, e.Name())}
			if stays[filepath.Join(p.Name, e.Name())] {
				continue
			}
			if p.Of == files {
				list = append(list, it.files(e)...)
				continue
			}
			if !e.IsDir() {
				continue // a lock
			}
			switch {
			case atomicfile.IsTemp(e.Name()) && p.Of == foldersBeside: // of an installation; its lock is that of what it makes
				if name := made(e.Name()); name != "" {
					it.lock = filepath.Join(dir, name+lockSuffix)
				}
			case p.Of == foldersWithin:
				it.lock = filepath.Join(it.path, useLock)
			case p.Of == foldersBeside:
				it.lock = it.path + lockSuffix
			case p.Of == foldersShare:
				it.lock = filepath.Join(dir, useLock)
			case p.Of == foldersSelf:
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

// made is the name of what a temporary folder becomes, "" if nothing: it lies before the last part of the folder's name.
func made(temp string) string {
	name := strings.TrimPrefix(temp, atomicfile.TempPrefix)
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}

// files are the files of an entry: it, or those of a folder of a version.
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

// recorded is the size of a folder as its last user recorded it, or else as it is.
func recorded(dir string) int64 {
	if text, err := os.ReadFile(filepath.Join(dir, sizeFile)); err == nil {
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n >= 0 {
			return n
		}
	}
	return sizeOf(dir)
}

// measure records the size of a folder, and returns by how much it has grown since it was recorded. What never changes once it
// is there is measured once.
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
		return 0 // what cannot be written does not grow, either
	}
	return now - was
}

// sizeOf is what a folder takes on the disk. A file with several names in it counts once.
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

// onDisk is what a file takes on the disk.
func onDisk(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
