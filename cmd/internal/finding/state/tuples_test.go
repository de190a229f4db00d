package state

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/internal/atomicfile"
)

type tuple struct {
	domain uint8
	hash   uint64
}

func readTuples(t testing.TB, f *Folder) (got []tuple, problems []string) {
	t.Helper()
	problems, err := f.ReadTuples(func(d uint8, h uint64) { got = append(got, tuple{d, h}) })
	if err != nil {
		t.Fatal(err)
	}
	return got, problems
}

func build(t testing.TB, f *Folder, id string) (changed bool, problems []string) {
	t.Helper()
	changed, problems, err := f.Build(id)
	if err != nil {
		t.Fatal(err)
	}
	return changed, problems
}

func TestTuples(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	if err := f.Append(1, []uint64{1}); err == nil {
		t.Error("Append before Build")
	}
	if changed, problems := build(t, f, "b"); changed || problems != nil {
		t.Errorf("changed %v, %q", changed, problems)
	}
	for _, a := range []tuple{{2, 5}, {1, 7}, {2, 1 << 63}} {
		if err := f.Append(a.domain, []uint64{a.hash}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Append(3, nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := readTuples(t, f); len(got) != 0 {
		t.Errorf("before Flush: %v", got)
	}
	for range 2 { // the second one has nothing to write
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	want := []tuple{{1, 7}, {2, 5}, {2, 1 << 63}}
	if got, problems := readTuples(t, f); !slices.Equal(got, want) || problems != nil {
		t.Errorf("%v, %q", got, problems)
	}
	if err := f.Append(0, []uint64{9}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil { // flushes
		t.Fatal(err)
	}
	want = append([]tuple{{0, 9}}, want...) // sorted by domain, once the log is closed
	f = mustOpen(t, dir)
	if changed, problems := build(t, f, "b"); changed || problems != nil {
		t.Errorf("changed %v, %q", changed, problems)
	}
	if got, problems := readTuples(t, f); !slices.Equal(got, want) || problems != nil {
		t.Errorf("%v, %q", got, problems)
	}
}

// TestTuplesInBlocks checks that many tuples are written without Flush, in blocks of a bounded
// size.
func TestTuplesInBlocks(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	build(t, f, "b")
	const n = 2*maxBlock + 5
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = uint64(i)
	}
	if err := f.Append(4, hashes); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(5, []uint64{1}); err != nil {
		t.Fatal(err)
	}
	got, problems := readTuples(t, f)
	if len(got) != n || problems != nil {
		t.Fatalf("%d of %d on disk, %q", len(got), n, problems)
	}
	for i, g := range got {
		if g != (tuple{4, uint64(i)}) {
			t.Fatalf("%d: %v", i, g)
		}
	}
}

// TestCut checks that the hashes of a domain after a number are removed for good, and that later
// ones follow the rest.
func TestCut(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	if err := f.Cut(7, 0); err == nil {
		t.Error("before Build")
	}
	build(t, f, "b")
	for _, hashes := range [][]uint64{{1, 2}, {3}, {4, 5}} {
		if err := errors.Join(f.Append(7, hashes), f.Append(2, hashes), f.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.Cut(7, 3), f.Append(7, []uint64{9})); err != nil {
		t.Fatal(err)
	}
	if err := f.Cut(7, 0); err == nil {
		t.Error("after Append")
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	want := []tuple{{2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {7, 1}, {7, 2}, {7, 3}, {7, 9}}
	for range 2 {
		if got, problems := readTuples(t, f); !slices.Equal(got, want) || problems != nil {
			t.Errorf("%v, %q", got, problems)
		}
		f.Close()
		f = mustOpen(t, dir)
		build(t, f, "b")
	}
}

func TestAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	build(t, f, "one")
	if err := f.Append(1, []uint64{1}); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(Snapshot{Seen: map[string][]byte{"a": {1}}, Counters: map[string]uint64{Inputs: 3}}); err != nil {
		t.Fatal(err)
	}
	f.Close()

	viewer, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := readTuples(t, viewer); len(got) != 1 {
		t.Errorf("the viewer sees %v", got)
	}

	f = mustOpen(t, dir)
	if changed, problems := build(t, f, "two"); !changed || problems != nil {
		t.Errorf("changed %v, %q", changed, problems)
	}
	if got, problems := readTuples(t, f); len(got) != 0 || problems != nil {
		t.Errorf("%v, %q", got, problems)
	}
	s, problems, err := f.Load()
	if err != nil || problems != nil || s.Seen != nil || s.Counters[Inputs] != 3 {
		t.Errorf("%+v, %q, %v", s, problems, err)
	}
	if _, _, err := f.Build("three"); err == nil {
		t.Error("Build twice")
	}
}

// TestTuplesCutAnywhere checks that a log that is cut at any byte keeps its whole blocks, and that
// appended ones can be read. A kill leaves such logs, so they are no problem.
func TestTuplesCutAnywhere(t *testing.T) {
	header := tuplesHeader("b")
	first := appendBlock(nil, 1, []uint64{1, 2})
	second := appendBlock(nil, 2, []uint64{3})
	whole := slices.Concat(header, first, second)
	for cut := range len(whole) + 1 {
		var want []tuple
		if cut >= len(header)+len(first) {
			want = append(want, tuple{1, 1}, tuple{1, 2})
		}
		if cut == len(whole) {
			want = append(want, tuple{2, 3})
		}
		got, after, problems := resumeTuples(t, whole[:cut])
		if !slices.Equal(got, want) || !slices.Equal(after, append(want, tuple{9, 9})) {
			t.Errorf("cut at %d: %v, then %v", cut, got, after)
		}
		if (len(problems) != 0) != (cut < len(header)) {
			t.Errorf("cut at %d: problems %q", cut, problems)
		}
	}
}

// TestTuplesDamagedAnywhere checks that a log with any byte changed keeps the blocks before it,
// reports a problem, and can grow.
func TestTuplesDamagedAnywhere(t *testing.T) {
	header := tuplesHeader("b")
	first := appendBlock(nil, 1, []uint64{1, 2})
	second := appendBlock(nil, 2, []uint64{3})
	whole := slices.Concat(header, first, second)
	for at := range whole {
		var want []tuple
		if at >= len(header)+len(first) {
			want = append(want, tuple{1, 1}, tuple{1, 2})
		}
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x20
		got, after, problems := resumeTuples(t, damaged)
		if !slices.Equal(got, want) || !slices.Equal(after, append(want, tuple{9, 9})) {
			t.Errorf("byte %d: %v, then %v", at, got, after)
		}
		// A number of hashes beyond the end looks like a partial block.
		if len(problems) == 0 && !(at >= len(header) && inCount(at-len(header), len(first))) {
			t.Errorf("byte %d: no problem reported", at)
		}
	}
}

func inCount(at, first int) bool {
	if at >= first {
		at -= first
	}
	return at >= 4 && at < 8
}

// resumeTuples opens a folder with the log, reads it, appends one tuple, and reads it after another
// Open.
func resumeTuples(t *testing.T, log []byte) (got, after []tuple, problems []string) {
	t.Helper()
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	if err := os.WriteFile(filepath.Join(dir, tuplesFile), log, 0o644); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, dir)
	_, problems = build(t, f, "b")
	got, again := readTuples(t, f)
	if again != nil {
		t.Errorf("still a problem after Build: %q", again)
	}
	if err := f.Append(9, []uint64{9}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	f = mustOpen(t, dir)
	if changed, problems := build(t, f, "b"); changed || problems != nil {
		t.Errorf("second Open: changed %v, problems %q", changed, problems)
	}
	after, _ = readTuples(t, f)
	f.Close()
	return got, after, problems
}

func TestForeignTuplesAreKeptAside(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	path := filepath.Join(dir, tuplesFile)
	if err := os.WriteFile(path, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, dir)
	if changed, problems := build(t, f, "b"); !changed || len(problems) != 1 || !strings.Contains(problems[0], "not a log of tuples") {
		t.Errorf("changed %v, %q", changed, problems)
	}
	if data, err := os.ReadFile(path + ".broken"); string(data) != "something else" {
		t.Errorf("%q, %v", data, err)
	}
}

// FuzzTuples checks that blocks that were read are written as the same bytes.
func FuzzTuples(f *testing.F) {
	header := tuplesHeader("build")
	f.Add(header)
	f.Add(slices.Concat(header, appendBlock(nil, 1, []uint64{1, 2}), appendBlock(nil, 255, []uint64{3})))
	f.Add(slices.Concat(header, appendBlock(nil, 1, []uint64{1}))[:30])
	f.Add(slices.Concat(header, []byte{blockMark, 0, 0, 0, 255, 255, 255, 255}))
	f.Add([]byte(tuplesMagic))
	f.Add(slices.Concat(header, (&Known{Domain: 1, Level: 3, Stands: 9, Hashes: []uint64{4, 5}}).append(nil), appendBlock(nil, 1, []uint64{1})))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got []tuple
		var held []Known
		s, err := scanTuples(bytes.NewReader(data), func(k Known) { held = append(held, k) }, func(d uint8, h uint64) { got = append(got, tuple{d, h}) })
		if err != nil {
			t.Fatal(err)
		}
		if s.good > int64(len(data)) || !s.headed && (s.good != 0 || got != nil || s.problem == "") {
			t.Fatalf("%+v of %d bytes, %v", s, len(data), got)
		}
		if !s.headed {
			return
		}
		if data[len(tuplesMagic)] == tuplesVersion && !bytes.HasPrefix(data, tuplesHeader(s.build)) {
			t.Errorf("header of %q is not the one written", s.build)
		}
		// The blocks that Open keeps can be read again, without a problem.
		var again []tuple
		var heldAgain []Known
		kept, err := scanTuples(bytes.NewReader(data[:s.good]), func(k Known) { heldAgain = append(heldAgain, k) }, func(d uint8, h uint64) {
			again = append(again, tuple{d, h})
		})
		if err != nil || kept.problem != "" || kept.good != s.good || !slices.Equal(got, again) || !reflect.DeepEqual(held, heldAgain) {
			t.Errorf("%+v became %+v, %v", s, kept, err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	f := mustOpen(b, b.TempDir())
	build(b, f, "b")
	hashes := make([]uint64, 16)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := f.Append(uint8(i%3), hashes); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleIdentity_Difference() {
	stored := Identity{Mode: "diff", Programs: []Program{{Name: "Valid", Function: "encoding/json.Valid"}}}
	asked := Identity{Mode: "diff", Programs: []Program{{Name: "Valid", Function: "x.org/json.Valid", Version: "v1.0.0"}}}
	fmt.Println(stored.Difference(asked))
	// Output: its program 1 is encoding/json.Valid, and this command's is x.org/json.Valid@v1.0.0
}
