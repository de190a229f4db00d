package state

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"parallax/internal/atomicfile"
)

// project makes a folder with a module and a configuration, and returns a campaign that was started
// in it.
func project(t *testing.T, dir string) Config {
	t.Helper()
	for _, name := range []string{"go.mod", "sub/parallax.toml"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("module example.com/m\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := testConfig()
	c.Dir = filepath.Join(dir, "sub")
	c.SeedPaths, c.Dictionary = []string{filepath.Join(c.Dir, "seeds"), "/elsewhere/seeds"}, filepath.Join(c.Dir, "x.dict")
	c.Options = map[string]string{
		"config": filepath.Join(c.Dir, "parallax.toml"), "package_dir": c.Dir, "tags": "a,b",
		"harnesses": filepath.Join(c.Dir, "parallax.toml") + ":/elsewhere/h",
	}
	return c
}

func create(t *testing.T, dir string, c Config) {
	t.Helper()
	f, _, err := Open(atomicfile.OS, dir, c)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestConfigNamesNoPlace checks that campaign.json does not depend on the project's place, but
// finds it.
func TestConfigNamesNoPlace(t *testing.T) {
	var texts [][]byte
	for range 2 {
		dir := t.TempDir()
		c := project(t, dir)
		out := filepath.Join(c.Dir, ".parallax", "x")
		create(t, out, c)
		text, err := os.ReadFile(filepath.Join(out, configFile))
		if err != nil || bytes.Contains(text, []byte(dir)) {
			t.Errorf("%v\n%s", err, text)
		}
		texts = append(texts, text)
		moved := filepath.Join(t.TempDir(), "moved")
		if err := os.Rename(dir, moved); err != nil {
			t.Fatal(err)
		}
		f, err := OpenExisting(atomicfile.OS, filepath.Join(moved, "sub", ".parallax", "x"))
		if err != nil {
			t.Fatal(err)
		}
		want := project(t, moved)
		got := f.Config()
		if got.Dir != want.Dir || !reflect.DeepEqual(got.Options, want.Options) || !reflect.DeepEqual(got.SeedPaths, want.SeedPaths) || got.Dictionary != want.Dictionary {
			t.Errorf("moved: %+v\nwant %+v", got, want)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

// TestFolderNamedAsHarness checks a campaign's folder with the name of its harness.
func TestFolderNamedAsHarness(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "h"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	c := testConfig()
	c.Dir, c.Options = dir, map[string]string{"harness": filepath.Join(dir, "h")}
	for _, out := range []string{filepath.Join(dir, Home, "h"), filepath.Join(dir, "sub", "h")} {
		create(t, out, c)
		f, err := OpenExisting(atomicfile.OS, out)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Config().Dir; got != dir {
			t.Errorf("%s: %s, want %s", out, got, dir)
		}
	}
}

// TestFolderMovedAlone checks that a folder that was moved without its project belongs to the
// current folder, if that has the campaign's files.
func TestFolderMovedAlone(t *testing.T) {
	dir := t.TempDir()
	c := project(t, dir)
	out := filepath.Join(c.Dir, ".parallax", "x")
	create(t, out, c)
	alone := filepath.Join(t.TempDir(), "alone")
	if err := os.Rename(out, alone); err != nil {
		t.Fatal(err)
	}
	look := func() string {
		f, err := OpenExisting(atomicfile.OS, alone)
		if err != nil {
			t.Fatal(err)
		}
		return f.Config().Dir
	}
	t.Chdir(c.Dir)
	if got := look(); got != c.Dir {
		t.Errorf("in the project's folder: %s", got)
	}
	t.Chdir(t.TempDir())
	if got := look(); got == c.Dir {
		t.Errorf("elsewhere: %s", got)
	}
}

// TestTuplesAreGathered checks that the final log does not depend on the number of writes.
func TestTuplesAreGathered(t *testing.T) {
	var logs [][]byte
	for _, flushes := range []bool{false, true} {
		dir := t.TempDir()
		f := mustOpen(t, dir)
		if _, _, err := f.Build("b"); err != nil {
			t.Fatal(err)
		}
		for i := range uint64(100) {
			if err := f.Append(uint8(1+i%3), []uint64{i}); err != nil {
				t.Fatal(err)
			}
			if flushes && i%7 == 0 {
				if err := f.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(filepath.Join(dir, tuplesFile))
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, log)
		n := 0
		if problems, err := mustOpen(t, dir).ReadTuples(func(domain uint8, hash uint64) { n++ }); err != nil || problems != nil || n != 100 {
			t.Errorf("%d read, %q, %v", n, problems, err)
		}
	}
	if !bytes.Equal(logs[0], logs[1]) {
		t.Errorf("%x\n%x", logs[0], logs[1])
	}
}

// TestLockIsEmptied checks that the lock of an unused folder names no process.
func TestLockIsEmptied(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	if data, err := os.ReadFile(filepath.Join(dir, lockFile)); err != nil || len(data) == 0 {
		t.Errorf("%q, %v", data, err)
	}
	f.Close()
	if data, err := os.ReadFile(filepath.Join(dir, lockFile)); err != nil || len(data) > 0 {
		t.Errorf("%q, %v", data, err)
	}
}

// TestClock checks that the time has its own file.
func TestClock(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	save := func(s Snapshot) []byte {
		if err := f.Save(s); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, coverageFile))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	counters := map[string]uint64{Inputs: 3}
	if !bytes.Equal(save(Snapshot{BuildID: "b", Counters: counters, Clock: Clock{1, 2}}), save(Snapshot{BuildID: "b", Counters: counters, Clock: Clock{3, 4}})) {
		t.Error("the time shows in coverage.bin")
	}
	if s, problems, err := f.Load(); err != nil || problems != nil || s.Clock != (Clock{3, 4}) {
		t.Errorf("%+v, %q, %v", s.Clock, problems, err)
	}
	os.Remove(filepath.Join(dir, clockFile))
	if s, problems, err := f.Load(); err != nil || problems != nil || s.Clock != (Clock{}) {
		t.Errorf("without %s: %+v, %q, %v", clockFile, s, problems, err)
	}
	os.WriteFile(filepath.Join(dir, clockFile), []byte("{"), 0o644)
	if _, problems, err := f.Load(); err != nil || len(problems) != 1 || !strings.Contains(problems[0], clockFile) {
		t.Errorf("damaged: %q, %v", problems, err)
	}
}

func FuzzClock(f *testing.F) {
	f.Add(Clock{1, 2}.encode())
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseClock(data)
		if err != nil {
			return
		}
		if again, err := parseClock(c.encode()); err != nil || again != c {
			t.Errorf("written again: %+v, %v, want %+v", again, err, c)
		}
	})
}

// TestLogHolds checks that held records are written after all others, with their own times.
func TestLogHolds(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	now := time.Unix(0, 0)
	clock := func() time.Time { now = now.Add(time.Second); return now }
	one, other := f.Log(clock), f.Log(clock)
	other.Hold()
	for _, w := range []*LogWriter{other, one, other} {
		if _, err := w.Write([]byte("in " + dir + "/pending\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	other.Write([]byte("last\n"))
	const want = "1970-01-01T00:00:02.000Z in pending\n1970-01-01T00:00:01.000Z in pending\n1970-01-01T00:00:03.000Z in pending\n1970-01-01T00:00:04.000Z last\n"
	if got, err := os.ReadFile(filepath.Join(dir, logFile)); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
