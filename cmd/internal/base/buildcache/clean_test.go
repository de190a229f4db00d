package buildcache

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/filelock"
)

// opened returns a folder of the cache with the given size. After its Close, its last use is ago in
// the past.
func opened(t *testing.T, name string, bytes int) *Folder {
	t.Helper()
	f, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	release, err := f.Lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := os.WriteFile(filepath.Join(f.Dir, "worker"), make([]byte, bytes), 0o755); err != nil {
		t.Fatal(err)
	}
	return f
}

func used(t *testing.T, dir string, ago time.Duration) {
	t.Helper()
	when := time.Now().Add(-ago)
	if err := os.Chtimes(dir, when, when); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// TestClean checks that Clean removes the items of each part that no process uses, and keeps those
// that the request does not select.
func TestClean(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	root := filepath.Join(home, "parallax")
	old, recent, held := opened(t, "old", 1<<20), opened(t, "recent", 1<<20), opened(t, "held", 1<<20)
	old.Close()
	recent.Close()
	put := func(path string) string {
		path = filepath.Join(root, path)
		os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, make([]byte, 8192), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	stays := []string{put("cc/include/parallax.h"), put("a part of another version/file")}
	engine := put("engines/angr-1-v1/bin/python")
	var goes []string
	for _, path := range []string{
		"library/0123/go.mod", "cc/0123/libparallax.a", "engines/angr-2-v1/bin/python", "engines/adapter-01/angr.py", "engines/.tmp-angr-3-v1-123/bin/pip",
		"callgraph/0123", "changes/0123", "extractions/0123", "table/1/0123", "bench/0123/x", "tree/.tmp-4fz/x",
	} {
		goes = append(goes, put(path))
	}
	lock, err := filelock.Try(filepath.Join(root, "engines", "angr-1-v1.lock"), filelock.Shared)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	used(t, old.Dir, 3*time.Hour)

	check := func(what string, q Request, gone ...string) *Cleaned {
		t.Helper()
		c, err := Clean(t.Context(), q, nil)
		if err != nil || len(c.Problems) > 0 {
			t.Fatalf("%s: %v, %v", what, err, c)
		}
		for _, path := range slices.Concat(stays, goes, []string{engine, old.Dir, recent.Dir, held.Dir}) {
			if there, wanted := exists(path), !slices.Contains(gone, path); there != wanted {
				t.Errorf("%s: %s is there: %v", what, path, there)
			}
		}
		return c
	}
	dry := check("a dry run", Request{Dry: true})
	check("older", Request{Older: 2 * time.Hour}, old.Dir)
	c := check("to", Request{Bounded: true, To: 1 << 30}, old.Dir)
	if c.Freed != 0 || c.Left < 2<<20 {
		t.Errorf("%+v", c)
	}
	c = check("all", Request{}, append(goes, old.Dir, recent.Dir)...)
	if c.InUse != 2 || dry.InUse != 2 || c.Freed < 1<<20 || dry.Freed < 2<<20 || dry.Removed != c.Removed+1 || c.Left < 1<<20 {
		t.Errorf("%+v after %+v", c, dry)
	}
	held.Close()
	if c = check("held", Request{}, append(goes, old.Dir, recent.Dir, held.Dir)...); c.InUse != 1 || c.Freed < 1<<20 {
		t.Errorf("%+v", c)
	}
}

// TestLimit checks that each run keeps the cache below its limit. The least recently used items go
// first, and items in use stay.
func TestLimit(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv(LimitVariable, "10MiB")
	held := opened(t, "held", 3<<20)
	defer held.Close()
	used(t, held.Dir, 100*time.Hour)
	var dirs []string
	for i := range 12 {
		f := opened(t, string(rune('a'+i)), 1<<20)
		f.Close()
		used(t, f.Dir, time.Duration(50-i)*time.Hour)
		dirs = append(dirs, f.Dir)
		if r, _ := openRoot(); sizeOf(string(r)) > 10<<20+1<<16 {
			t.Fatalf("%d bytes after %d builds", sizeOf(string(r)), i+1)
		}
	}
	left := 0
	for i, dir := range dirs {
		if exists(dir) {
			left++
		} else if left > 0 {
			t.Errorf("build %d went before an earlier one", i)
		}
	}
	if left < 4 || !exists(held.Dir) {
		t.Errorf("%d builds are left, the one in use: %v", left, exists(held.Dir))
	}
	t.Setenv(LimitVariable, "off")
	for i := range 12 {
		opened(t, "more"+string(rune('a'+i)), 1<<20).Close()
	}
	if r, _ := openRoot(); sizeOf(string(r)) < 16<<20 {
		t.Error("there is a limit with off")
	}
	// Items without use for 30 days go once a day, whatever the limit.
	if Unused != 30*24*time.Hour { // docs/reference/campaign-folder.md
		t.Errorf("%v", Unused)
	}
	used(t, dirs[11], Unused+time.Hour)
	r, _ := openRoot()
	r.grow(0, time.Now())
	if !exists(dirs[11]) {
		t.Error("it is swept at each run")
	}
	r.grow(0, time.Now().Add(sweepEvery))
	if exists(dirs[11]) {
		t.Error("what nobody uses is still there")
	}
	for _, text := range []string{"0", "-1", "much", "10 elephants"} {
		t.Setenv(LimitVariable, text)
		if _, err := Open(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), LimitVariable+"="+text) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestTokens checks that file names of this process are unique, whatever its process number. Names
// of killed processes are removed.
func TestTokens(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a := opened(t, "x", 10)
	binary := filepath.Join(a.Dir, "worker")
	// Another process is killed: its lock ends, and its files stay.
	b, err := Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	dead, err := b.Own(binary)
	if err != nil {
		t.Fatal(err)
	}
	inPart := filepath.Join(a.Dir, "part", "lockstep-"+b.Token()+"-1.json")
	os.MkdirAll(filepath.Dir(inPart), 0o755)
	os.WriteFile(inPart, nil, 0o644)
	mine, err := a.Own(binary)
	if err != nil || mine == dead {
		t.Fatalf("%s and %s: %v", mine, dead, err)
	}
	if !exists(dead) || !exists(inPart) {
		t.Fatal("the files of a process that lives are gone")
	}
	b.tokenLock.Release()
	b.use.Release()
	c, err := Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Token()
	if exists(dead) || exists(inPart) || !exists(mine) {
		t.Errorf("of a process that was killed: %v, %v; of one that lives: %v", exists(dead), exists(inPart), exists(mine))
	}
	a.Close()
	if exists(mine) {
		t.Error("the worker is still there after the end")
	}
}

// TestForeignCache checks that a read-only cache, or one of another user, is read, measured and
// left alone. The error names a way to choose another folder.
func TestForeignCache(t *testing.T) {
	if os.Getuid() == 0 { // root may write everywhere
		asUnprivileged(t)
		return
	}
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	f := opened(t, "x", 1<<20)
	f.Close()
	filepath.WalkDir(home, func(name string, d os.DirEntry, err error) error {
		os.Chmod(name, 0o555)
		t.Cleanup(func() { os.Chmod(name, 0o755) })
		return nil
	})
	c, err := Clean(t.Context(), Request{}, nil)
	if err != nil || len(c.Problems) != 1 || c.Freed != 0 || c.Left < 1<<20 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = Clean(t.Context(), Request{Dry: true}, nil); err != nil || c.Freed < 1<<20 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Open(t.Context(), "another"); err == nil || !strings.Contains(err.Error(), "set XDG_CACHE_HOME to a folder that can be written") {
		t.Errorf("%v", err)
	}
	if g, err := Open(t.Context(), "x"); err == nil { // an existing folder can be used
		g.Close()
	} else {
		t.Error(err)
	}
}

// asUnprivileged runs the test as a user without permission to write everywhere.
func asUnprivileged(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "cache-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o777)
	binary, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "cache.test"), binary, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(dir, "cache.test"), "-test.run=^"+t.Name()+"$", "-test.v")
	c.Dir = dir
	c.Env = append(os.Environ(), "TMPDIR="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}
