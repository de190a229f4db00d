package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

func mustFind(t *testing.T, f *Folder, bucket, hash string) {
	t.Helper()
	added, err := f.WriteFinding(bucket, hash, map[string][]byte{"input": []byte(hash), "repro/main.go": []byte("package main")})
	if err != nil || !added {
		t.Fatalf("added %v, %v", added, err)
	}
}

func readFindings(t *testing.T, f *Folder) ([]finding.Bucket, []string) {
	t.Helper()
	buckets, problems, err := f.ReadFindings()
	if err != nil {
		t.Fatal(err)
	}
	return buckets, problems
}

// filesOf returns the sorted names of the files of a finding.
func filesOf(t *testing.T, f *Folder, bucket, hash string) (names []string) {
	t.Helper()
	dir := f.findingDir(bucket, hash)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !atomicfile.IsTemp(e.Name()) {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestFindings(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	if buckets, problems := readFindings(t, f); buckets != nil || problems != nil {
		t.Errorf("%+v, %q", buckets, problems)
	}
	mustFind(t, f, "bb", "2")
	mustFind(t, f, "bb", "1")
	mustFind(t, f, "aa", "3")
	b := finding.Bucket{Version: finding.BucketVersion, ID: "bb", Kind: "discrepancy", Outcomes: map[string]string{"a": "accepted", "b": "rejected"},
		Classes: map[string]string{"b": "EOF"}, Minority: []string{"b"}, Location: "x.go:1", Count: 7, FirstSeen: 1, LastSeen: 9,
		Accepted: true, Extra: map[string]string{"k": "v"}}
	if err := f.WriteBucket(b); err != nil {
		t.Fatal(err)
	}
	if added, err := f.WriteFinding("bb", "1", map[string][]byte{"input": []byte("other")}); added || err != nil {
		t.Errorf("again: added %v, %v", added, err)
	}
	if err := f.UpdateFinding("bb", "1", map[string][]byte{"minimized": []byte("m"), "input": []byte("new"), "repro/go.mod": nil}); err != nil {
		t.Fatal(err)
	}
	if err := f.UpdateFinding("bb", "none", map[string][]byte{"minimized": nil}); err == nil {
		t.Error("updated what is not there")
	}
	f.Close()

	viewer, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := filesOf(t, f, "bb", "1"); !slices.Equal(got, []string{"input", "minimized", "repro/go.mod", "repro/main.go"}) {
		t.Errorf("files %q", got)
	}
	if got := filesOf(t, f, "bb", "2"); !slices.Equal(got, []string{"input", "repro/main.go"}) {
		t.Errorf("files %q", got)
	}
	b.Hashes = []string{"1", "2"}
	want := []finding.Bucket{{Version: finding.BucketVersion, ID: "aa", Count: 1, Hashes: []string{"3"}}, b}
	for _, f := range []*Folder{viewer, mustOpen(t, dir)} {
		if got, problems := readFindings(t, f); !reflect.DeepEqual(got, want) || problems != nil {
			t.Errorf("got %+v, %q\nwant %+v", got, problems, want)
		}
		if data, err := f.ReadFinding("bb", "1", "input"); string(data) != "new" || err != nil {
			t.Errorf("%q, %v", data, err)
		}
		if data, err := f.ReadFinding("bb", "1", "none"); data != nil || err != nil {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := os.Stat(f.FindingPath("bb", "1", "repro/main.go")); err != nil {
			t.Error(err)
		}
	}
}

func TestFindingNames(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	for _, c := range [][3]string{
		{"", "h", "f"}, {"b", "", "f"}, {"../b", "h", "f"}, {"b", "h/i", "f"}, {"b", bucketFile, "f"},
		{"b", "h", ""}, {"b", "h", "."}, {"b", "h", "../f"}, {"b", "h", "/f"}, {"b", "h", "a//f"}, {"b", "h", "a/../f"},
	} {
		if _, err := f.WriteFinding(c[0], c[1], map[string][]byte{c[2]: nil}); err == nil {
			t.Errorf("%q: written", c)
		}
	}
	if err := f.WriteBucket(finding.Bucket{ID: "a/b"}); err == nil {
		t.Error("bucket a/b written")
	}
	if buckets, _ := readFindings(t, f); buckets != nil {
		t.Errorf("left %+v", buckets)
	}
}

func TestHalfMadeFindings(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	mustFind(t, f, "b", "1")
	f.Close()
	top := filepath.Join(dir, findingsDir)
	for _, path := range []string{
		filepath.Join(top, atomicfile.TempPrefix+"0000000000000001", "repro", "main.go"),
		filepath.Join(top, "b", atomicfile.TempPrefix+"0000000000000002"),
		filepath.Join(top, "b", "1", atomicfile.TempPrefix+"0000000000000003"),
		filepath.Join(top, "b", "1", "repro", atomicfile.TempPrefix+"0000000000000004"),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(top, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "notes.txt"), nil, 0o644); err != nil { // of a user
		t.Fatal(err)
	}
	viewer, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := readFindings(t, viewer)
	after, problems := readFindings(t, mustOpen(t, dir))
	for _, got := range [][]finding.Bucket{before, after} {
		if len(got) != 1 || !slices.Equal(got[0].Hashes, []string{"1"}) || problems != nil {
			t.Errorf("%+v, %q", got, problems)
		}
	}
	if got := filesOf(t, viewer, "b", "1"); !slices.Equal(got, []string{"input", "repro/main.go"}) {
		t.Errorf("files %q", got)
	}
	noLeftovers(t, dir)
	if _, err := os.Stat(filepath.Join(top, "empty")); err == nil {
		t.Error("the empty bucket stayed")
	}
	if _, err := os.Stat(filepath.Join(top, "notes.txt")); err != nil {
		t.Error(err)
	}
}

func TestDamagedBucket(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	mustFind(t, f, "b", "1")
	path := filepath.Join(dir, findingsDir, "b", bucketFile)
	if err := os.WriteFile(path, []byte(`{"id":`), 0o644); err != nil {
		t.Fatal(err)
	}
	buckets, problems := readFindings(t, f)
	if len(buckets) != 1 || buckets[0].ID != "b" || buckets[0].Count != 1 || len(buckets[0].Hashes) != 1 {
		t.Errorf("%+v", buckets)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], path) {
		t.Errorf("problems %q", problems)
	}
}

func FuzzBucket(f *testing.F) {
	f.Add(encodeBucket(finding.Bucket{ID: "b", Kind: "crash", Outcomes: map[string]string{"a": "crashed"}, Minority: []string{"a"}}))
	f.Add([]byte(`{"version":9,"count":1,"later":{}}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := parseBucket(data)
		if err != nil {
			return
		}
		again, err := parseBucket(encodeBucket(b))
		if err != nil {
			t.Fatal(err)
		}
		if string(encodeBucket(again)) != string(encodeBucket(b)) {
			t.Errorf("%+v became %+v", b, again)
		}
	})
}

// TestRecordIsReplacedLast checks that a finding whose files are replaced keeps its old record
// until all other files are written. After a kill before that, it is replaced again.
func TestRecordIsReplacedLast(t *testing.T) {
	for k := int64(0); ; k++ {
		dir := t.TempDir()
		f := mustOpen(t, dir)
		old := map[string][]byte{"input": []byte("i"), "minimized": []byte("old"), recordFile: []byte("old"), "report.md": []byte("old")}
		if _, err := f.WriteFinding("b", "h", old); err != nil {
			t.Fatal(err)
		}
		f.Close()
		fsys := faultfs.New(atomicfile.OS)
		f, _, err := Open(fsys, dir, testConfig())
		if err != nil {
			t.Fatal(err)
		}
		fsys.CrashAfter(k)
		err = f.UpdateFinding("b", "h", map[string][]byte{"minimized": []byte("new"), recordFile: []byte("new"), "report.md": []byte("new")})
		f.Close()
		read := func(name string) string {
			data, err := os.ReadFile(f.FindingPath("b", "h", name))
			if err != nil {
				t.Error(err)
			}
			return string(data)
		}
		if read(recordFile) == "new" && (read("minimized") != "new" || read("report.md") != "new") {
			t.Errorf("after %d changes the record is there before %q and %q", k, read("minimized"), read("report.md"))
		}
		if err == nil {
			return
		}
	}
}
