package corpus_test

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
	"parallax/internal/input"
)

var (
	raw   = input.Shape{input.Bytes}
	typed = input.Shape{input.String, input.Int}
)

func open(t *testing.T, dir string, shape input.Shape) *corpus.Store {
	t.Helper()
	s, err := corpus.Open(atomicfile.OS, dir, shape)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *corpus.Store, flat string, m corpus.Meta) string {
	t.Helper()
	hash, _, err := s.Put([]byte(flat), m)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func load(t *testing.T, s *corpus.Store) ([]corpus.Entry, []string) {
	t.Helper()
	entries, problems, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return entries, problems
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRoundTrip(t *testing.T) {
	flatTyped, err := typed.Pack("a\x00b", 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		shape input.Shape
		flat  string
	}{{raw, "hello"}, {raw, ""}, {raw, "go test fuzz v1\n[]byte(\"x\")\n"}, {typed, string(flatTyped)}} {
		dir := filepath.Join(t.TempDir(), "out", "corpus")
		s := open(t, dir, c.shape)
		m := corpus.Meta{Parent: "0123456789abcdef", Operators: []string{"splice", "bit"}, Inputs: 12, New: []string{"fine"}, Worker: 1}
		hash, added, err := s.Put([]byte(c.flat), m)
		if err != nil || !added {
			t.Fatalf("%q: added %v, %v", c.flat, added, err)
		}
		file := c.shape.Encode([]byte(c.flat))
		if hash != corpus.Hash(file) || s.Len() != 1 || s.Size() != int64(len(file)) {
			t.Errorf("%q: hash %s, length %d, size %d", c.flat, hash, s.Len(), s.Size())
		}
		if got, err := os.ReadFile(s.Path(hash)); err != nil || string(got) != string(file) {
			t.Errorf("%q: stored as %q, %v", c.flat, got, err)
		}
		m.Version = corpus.MetaVersion
		want := []corpus.Entry{{Hash: hash, Flat: []byte(c.flat), Meta: m}}
		for _, s := range []*corpus.Store{s, open(t, dir, c.shape)} {
			got, problems := load(t, s)
			if len(problems) != 0 || len(got) != 1 || got[0].Hash != hash || string(got[0].Flat) != c.flat ||
				!reflect.DeepEqual(got[0].Meta, want[0].Meta) {
				t.Errorf("%q: loaded %+v, %q", c.flat, got, problems)
			}
			if s.Len() != 1 || s.Size() != int64(len(file)) {
				t.Errorf("%q: length %d, size %d", c.flat, s.Len(), s.Size())
			}
		}
	}
}

func TestPutAgainKeepsTheFirstMetadata(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir, raw), open(t, dir, raw) // as two processes
	put(t, first, "x", corpus.Meta{Inputs: 1})
	for _, s := range []*corpus.Store{first, second, open(t, dir, raw)} {
		if _, added, err := s.Put([]byte("x"), corpus.Meta{Inputs: 2}); added || err != nil {
			t.Errorf("added %v, %v", added, err)
		}
		entries, _ := load(t, s)
		if len(entries) != 1 || entries[0].Meta.Inputs != 1 {
			t.Errorf("loaded %+v", entries)
		}
		if s.Len() != 1 || s.Size() != 1 {
			t.Errorf("length %d, size %d", s.Len(), s.Size())
		}
	}
}

func TestLoadOrder(t *testing.T) {
	s := open(t, t.TempDir(), raw)
	for i, inputs := range []uint64{5, 3, 3, 0, 9} {
		put(t, s, fmt.Sprint("input", i), corpus.Meta{Inputs: inputs})
	}
	entries, _ := load(t, s)
	for i := 1; i < len(entries); i++ {
		a, b := entries[i-1], entries[i]
		if a.Meta.Inputs > b.Meta.Inputs || a.Meta.Inputs == b.Meta.Inputs && a.Hash >= b.Hash {
			t.Errorf("%d: %d %s before %d %s", i, a.Meta.Inputs, a.Hash, b.Meta.Inputs, b.Hash)
		}
	}
	if len(entries) != 5 {
		t.Errorf("%d entries", len(entries))
	}
}

func TestPutRejectsInvalid(t *testing.T) {
	s := open(t, t.TempDir(), typed)
	if _, _, err := s.Put([]byte("x"), corpus.Meta{}); err == nil || s.Len() != 0 {
		t.Errorf("%v, %d stored", err, s.Len())
	}
}

// TestBrokenFiles checks that each broken file is reported once and moved to .broken, and that the
// sound input next to it still loads.
func TestBrokenFiles(t *testing.T) {
	sound := "sound"
	name := corpus.Hash([]byte(sound))
	other := corpus.Hash([]byte("other"))
	cases := []struct {
		name    string
		shape   input.Shape
		damage  func(t *testing.T, dir string)
		problem string // empty means none
		aside   string // name in .broken
		inputs  int
	}{
		{"half-written", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, other), "oth") },
			"half-written or corrupt", other, 1},
		{"empty", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, other), "") },
			"half-written or corrupt", other, 1},
		{"misnamed", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, "seed.json"), "{}") },
			"--seeds imports files", "seed.json", 1},
		{"folder", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, "sub", "x"), "x") },
			"not a file: ignored", "", 1},
		{"pipe", raw, func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, other), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "not a file: ignored", "", 1},
		{"dangling link", raw, func(t *testing.T, dir string) {
			if err := os.Symlink("nowhere", filepath.Join(dir, other)); err != nil {
				t.Fatal(err)
			}
		}, "", "", 1},
		{"metadata missing", raw, func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, name+".json")) },
			"missing: the input is kept without its origin", "", 1},
		{"metadata broken", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, name+".json"), `{"inpu`) },
			"the input is kept without its origin", "", 1},
		{"metadata alone", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, other+".json"), `{}`) }, "", "", 1},
		{"temporary file", raw, func(t *testing.T, dir string) { write(t, filepath.Join(dir, tempName), `{}`) }, "", "", 1},
		{"of another shape", typed, func(*testing.T, string) {}, "not an input of", name, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, open(t, dir, raw), sound, corpus.Meta{Inputs: 3})
			c.damage(t, dir)

			viewer, err := corpus.OpenExisting(atomicfile.OS, dir, c.shape)
			if err != nil {
				t.Fatal(err)
			}
			before := tree(t, dir)
			if entries, problems := load(t, viewer); len(entries) != c.inputs || (len(problems) != 0) != (c.problem != "") {
				t.Errorf("viewer: %d inputs, problems %q", len(entries), problems)
			}
			if after := tree(t, dir); after != before {
				t.Errorf("the viewer changed\n%s to\n%s", before, after)
			}
			if _, _, err := viewer.Put([]byte("x"), corpus.Meta{}); err == nil {
				t.Error("the viewer can write")
			}

			s := open(t, dir, c.shape)
			entries, problems := load(t, s)
			if len(entries) != c.inputs || s.Len() != c.inputs && c.name != "pipe" {
				t.Errorf("%d inputs, length %d", len(entries), s.Len())
			}
			text := strings.Join(problems, "\n")
			if c.problem == "" && text != "" || !strings.Contains(text, c.problem) || len(problems) > 1 {
				t.Errorf("problems %q", problems)
			}
			if c.aside != "" {
				if _, err := os.Stat(filepath.Join(dir, ".broken", c.aside)); err != nil {
					t.Error(err)
				}
				if _, problems := load(t, s); len(problems) != 0 {
					t.Errorf("reported again: %q", problems)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, tempName)); err == nil {
				t.Error("temporary file left")
			}
		})
	}
}

func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		fmt.Fprintln(&b, path, d)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPutRepairsACutFile has a file that a power failure cut short.
func TestPutRepairsACutFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, corpus.Hash([]byte("content"))), "con")
	s := open(t, dir, raw)
	if _, added, err := s.Put([]byte("content"), corpus.Meta{}); !added || err != nil {
		t.Fatalf("added %v, %v", added, err)
	}
	if entries, problems := load(t, s); len(entries) != 1 || len(problems) != 0 || s.Len() != 1 || s.Size() != 7 {
		t.Errorf("%d entries, problems %q, length %d, size %d", len(entries), problems, s.Len(), s.Size())
	}
}

func TestTwoProcessesAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewSource(int64(w)))
			for range 5 { // each Open removes the temporary files of the others
				s, err := corpus.Open(atomicfile.OS, dir, raw)
				if err != nil {
					t.Error(err)
					return
				}
				for _, i := range r.Perm(20) {
					if _, _, err := s.Put([]byte(fmt.Sprint("input ", i)), corpus.Meta{Inputs: uint64(i), Worker: w}); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	s := open(t, dir, raw)
	entries, problems := load(t, s)
	if len(entries) != 20 || len(problems) != 0 || s.Len() != 20 {
		t.Errorf("%d entries, length %d, problems %q", len(entries), s.Len(), problems)
	}
	for i, e := range entries {
		if e.Meta.Inputs != uint64(i) {
			t.Errorf("entry %d has %d inputs", i, e.Meta.Inputs)
		}
	}
}

// TestCrashAtEveryStep ends the process at each change of the disk. Inputs whose Put had returned
// must be there with their metadata, and nothing may be broken.
func TestCrashAtEveryStep(t *testing.T) {
	for k := int64(0); ; k++ {
		dir := filepath.Join(t.TempDir(), "corpus")
		f := faultfs.New(atomicfile.OS).CrashAfter(k)
		var announced []string
		s, err := corpus.Open(f, dir, raw)
		for i := 0; err == nil && i < 3; i++ {
			var hash string
			if hash, _, err = s.Put([]byte(fmt.Sprint("input", i)), corpus.Meta{Inputs: uint64(i)}); err == nil {
				announced = append(announced, hash)
			}
		}
		after := open(t, dir, raw)
		entries, problems := load(t, after)
		if len(problems) != 0 || len(entries) < len(announced) {
			t.Fatalf("step %d: announced %q, loaded %v, problems %q", k, announced, entries, problems)
		}
		for i, hash := range announced {
			if entries[i].Hash != hash || entries[i].Meta.Inputs != uint64(i) {
				t.Fatalf("step %d: input %d is %+v", k, i, entries[i])
			}
		}
		if strings.Contains(tree(t, dir), atomicfile.TempPrefix) {
			t.Fatalf("step %d: temporary files left", k)
		}
		if err == nil {
			if k < 10 {
				t.Fatalf("only %d steps", k)
			}
			return
		}
	}
}

func TestFullDiskAtEveryByte(t *testing.T) {
	for k := int64(0); ; k++ {
		dir := t.TempDir()
		put(t, open(t, dir, raw), "announced", corpus.Meta{})
		f := faultfs.New(atomicfile.OS)
		s, err := corpus.Open(f, dir, raw)
		if err != nil {
			t.Fatal(err)
		}
		f.Full(k)
		_, _, err = s.Put([]byte("one more"), corpus.Meta{Inputs: 1})
		if err != nil && (!errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "free space")) {
			t.Fatalf("after %d bytes: %v", k, err)
		}
		want := 1
		if err == nil {
			want = 2
		}
		if entries, problems := load(t, s); len(entries) != want || len(problems) != 0 || s.Len() != want {
			t.Fatalf("after %d bytes: %d entries, problems %q", k, len(entries), problems)
		}
		f.Full(1 << 20)
		if _, added, err := s.Put([]byte("one more"), corpus.Meta{Inputs: 1}); err != nil || added != (want == 1) {
			t.Fatalf("with space again: added %v, %v", added, err)
		}
		if want == 2 {
			return
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, open(t, dir, raw), "x", corpus.Meta{})
	write(t, filepath.Join(dir, "misnamed"), "y")
	write(t, filepath.Join(dir, tempName), "y")
	f := faultfs.New(atomicfile.OS).ReadOnly(true)
	s, err := corpus.Open(f, dir, raw)
	if err != nil {
		t.Fatal(err)
	}
	if entries, problems := load(t, s); len(entries) != 1 || len(problems) != 1 || !strings.Contains(problems[0], "ignored") {
		t.Errorf("%d entries, problems %q", len(entries), problems)
	}
	if _, _, err := s.Put([]byte("z"), corpus.Meta{}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("Put: %v", err)
	}
	if _, err := corpus.Open(f, filepath.Join(dir, "new"), raw); !errors.Is(err, syscall.EROFS) {
		t.Errorf("Open of a new folder: %v", err)
	}
}

// tempName returns a name that a dead writer may leave.
const tempName = atomicfile.TempPrefix + "0123456789abcdef"
