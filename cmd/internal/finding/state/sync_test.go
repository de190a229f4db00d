package state

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
)

// unsynced is a file system that records the losses of a power failure. These are writes since the
// last sync of a file, and names since the last sync of their folder.
type unsynced struct {
	atomicfile.FS
	written, named map[string]bool
}

type unsyncedFile struct {
	atomicfile.File
	fs   *unsynced
	path string
}

func (u *unsynced) OpenFile(path string, flag int, perm fs.FileMode) (atomicfile.File, error) {
	if _, err := u.FS.Stat(path); err != nil && flag&os.O_CREATE != 0 {
		u.named[path] = true
	}
	f, err := u.FS.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return unsyncedFile{f, u, path}, nil
}

func (f unsyncedFile) Write(p []byte) (int, error) {
	f.fs.written[f.path] = true
	return f.File.Write(p)
}

func (f unsyncedFile) Sync() error {
	delete(f.fs.written, f.path)
	maps.DeleteFunc(f.fs.named, func(path string, _ bool) bool { return filepath.Dir(path) == f.path })
	return f.File.Sync()
}

func (u *unsynced) MkdirAll(path string, perm fs.FileMode) error {
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := u.FS.Stat(dir); err == nil {
			break
		}
		u.named[dir] = true
	}
	return u.FS.MkdirAll(path, perm)
}

func (u *unsynced) Rename(from, to string) error {
	for _, set := range []map[string]bool{u.written, u.named} {
		for path := range maps.Clone(set) {
			if path == from || strings.HasPrefix(path, from+"/") {
				delete(set, path)
				set[to+strings.TrimPrefix(path, from)] = true
			}
		}
	}
	u.named[to] = true
	return u.FS.Rename(from, to)
}

// lost returns the losses of a power failure below path: the path itself, its content, and the
// names above it.
func (u *unsynced) lost(path string) (list []string) {
	for file := range u.written {
		if file == path || strings.HasPrefix(file, path+"/") {
			list = append(list, "the content of "+file)
		}
	}
	for name := range u.named {
		if name == path || strings.HasPrefix(name, path+"/") || strings.HasPrefix(path, name+"/") {
			list = append(list, "the name of "+name)
		}
	}
	return list
}

// TestBucketSurvivesPowerFailure checks that a power failure loses no part of a new bucket or of
// its campaign.
func TestBucketSurvivesPowerFailure(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Home, "target")
	fsys := &unsynced{atomicfile.OS, map[string]bool{}, map[string]bool{}}
	f, err := openWorkload(fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if lost := fsys.lost(f.path(configFile)); len(lost) > 0 {
		t.Errorf("of a new campaign a power failure takes %q", lost)
	}
	for i := range 3 {
		id := fmt.Sprint("bucket", i)
		_, err := f.WriteFinding(id, "0123456789abcdef", map[string][]byte{"input": []byte("x"), "go-a/main.go": []byte("package main")})
		if err == nil {
			err = f.WriteBucket(finding.Bucket{ID: id, Kind: "crash"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(fsys.lost(f.path(findingsDir, id))) == 0 {
			t.Fatal("nothing is lost before it is synced: the test sees nothing")
		}
		if err := f.SyncBucket(id); err != nil {
			t.Fatal(err)
		}
		if lost := fsys.lost(f.path(findingsDir, id)); len(lost) > 0 {
			t.Errorf("of a new bucket a power failure takes %q", lost)
		}
	}
}

// TestDamageIsKept checks that each damaged file is kept, and reported with its new name.
func TestDamageIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for round := 1; round <= 3; round++ {
		f, err := openWorkload(atomicfile.OS, dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Save(Snapshot{Counters: map[string]uint64{Inputs: 5}}); err != nil {
			t.Fatal(err)
		}
		if err := f.WriteBucket(finding.Bucket{ID: "b", Kind: "crash"}); err != nil {
			t.Fatal(err)
		}
		f.Close()
		text := fmt.Sprint("damage ", round)
		names := []string{coverageFile, clockFile, filepath.Join(findingsDir, "b", bucketFile), tuplesFile}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		f, _, err = Open(atomicfile.OS, dir, testConfig())
		if err != nil {
			t.Fatal(err)
		}
		_, one, err := f.Build(workloadBuild)
		if err != nil {
			t.Fatal(err)
		}
		_, two, err := f.Load()
		if err != nil {
			t.Fatal(err)
		}
		_, three, err := f.ReadFindings()
		if err != nil {
			t.Fatal(err)
		}
		said := slices.Concat(one, two, three)
		for _, name := range names {
			aside := filepath.Join(dir, name) + brokenSuffix
			if round > 1 {
				aside += fmt.Sprint(".", round)
			}
			told := slices.ContainsFunc(said, func(p string) bool {
				return strings.HasPrefix(p, filepath.Join(dir, name)+": ") && strings.Contains(p, "the file is now "+aside)
			})
			if data, err := os.ReadFile(aside); err != nil || string(data) != text || !told {
				t.Errorf("round %d: %s has %q, %v; it says %q", round, aside, data, err, said)
			}
		}
		if len(said) != len(names) {
			t.Errorf("it says %q", said)
		}
		f.Close()
	}
}
