package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

func testConfig() Config {
	return Config{
		Version: ConfigVersion,
		Target:  "json.Valid",
		Identity: Identity{
			Mode: "diff",
			Programs: []Program{
				{Name: "json.Valid", Function: "encoding/json.Valid"},
				{Name: "go-json.Valid", Function: "github.com/goccy/go-json.Valid", Module: "github.com/goccy/go-json", Version: "v0.10.5"},
			},
			Shape:   "([]byte)",
			Compare: []string{"verdict", "value"},
		},
		Seeds:    []uint64{1},
		Guidance: []string{"coverage", "path-fine"},
		Limits:   Limits{MaxBytes: 4096, TimeoutMS: 1000},
		Go:       "go1.26",
	}
}

func mustOpen(t testing.TB, dir string) *Folder {
	t.Helper()
	f, _, err := Open(atomicfile.OS, dir, testConfig())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// tree lists a folder with the content of its files, to check that nothing changed.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "%s %v", rel, d.Type())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func wantExit(t testing.TB, err error, code int, texts ...string) {
	t.Helper()
	if exit.Code(err) != code {
		t.Errorf("exit code %d (%v), want %d", exit.Code(err), err, code)
	}
	if err == nil {
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("message %q does not say %q", err, text)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("message of several lines: %q", err)
	}
}

func TestOpenCreatesAndResumes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".parallax", "x")
	cfg := testConfig()
	f, resumed, err := Open(atomicfile.OS, dir, cfg)
	if err != nil || resumed {
		t.Fatalf("resumed %v, %v", resumed, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for i, seed := range []uint64{1, 1, 7, 7, 1} {
		cfg.Seeds = []uint64{seed}
		cfg.Identity.Compare = []string{"value", "verdict", "value"} // as a set
		cfg.Guidance = []string{fmt.Sprint("guidance", i)}
		f, resumed, err = Open(atomicfile.OS, dir, cfg)
		if err != nil || !resumed {
			t.Fatalf("resumed %v, %v", resumed, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err = OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Config()
	if fmt.Sprint(got.Seeds) != "[1 7 1]" || got.Guidance[0] != "guidance4" || got.Version != ConfigVersion {
		t.Errorf("%+v", got)
	}
	if diff := got.Identity.Difference(testConfig().Identity); diff != "" {
		t.Error(diff)
	}
}

func TestFoldersThatAreNotOurs(t *testing.T) {
	ours := string(testConfig().encode())
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"of something else", map[string]string{"main.go": "package main"}, []string{"not empty", "main.go", "--out"}},
		{"corrupt", map[string]string{configFile: ours[:len(ours)/2]}, []string{"corrupt", "--seeds", "corpus"}},
		{"of zeros", map[string]string{configFile: "\x00\x00\x00\x00"}, []string{"corrupt", "--out"}},
		{"empty file", map[string]string{configFile: ""}, []string{"corrupt", "--out"}},
		{"without version", map[string]string{configFile: "{}"}, []string{"corrupt", "no version"}},
		{"without programs", map[string]string{configFile: `{"version":1}`}, []string{"corrupt", "no programs"}},
		{"newer", map[string]string{configFile: `{"version":2,"identity":[]}`}, []string{"newer parallax", "format 2", "--out"}},
		{"another campaign", map[string]string{configFile: strings.Replace(ours, "encoding/json.Valid", "a/b.Valid", 1), "corpus/x": "x"},
			[]string{"another campaign", "program 1 is a/b.Valid", "this command's is encoding/json.Valid", "--out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range c.files {
				path := filepath.Join(dir, name)
				os.MkdirAll(filepath.Dir(path), 0o755)
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			before := tree(t, dir)
			_, _, err := Open(atomicfile.OS, dir, testConfig())
			wantExit(t, err, exit.UsageCode, append(c.want, dir)...)
			if after := tree(t, dir); after != before {
				t.Errorf("touched:\n%s\nwas:\n%s", after, before)
			}
		})
	}
}

func TestOutIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := Open(atomicfile.OS, path, testConfig())
	wantExit(t, err, exit.UsageCode, path, "is a file", "--out")
}

func TestExistingNeedsACampaign(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		_, err := OpenExisting(atomicfile.OS, dir)
		wantExit(t, err, exit.UsageCode, "no campaign in "+dir)
		_, err = Reopen(atomicfile.OS, dir)
		wantExit(t, err, exit.UsageCode, "no campaign in "+dir)
	}
}

// TestDifferenceOfVersions checks that a campaign on two versions continues with other versions,
// and with no other programs.
func TestDifferenceOfVersions(t *testing.T) {
	id := Identity{Mode: regressMode, Programs: []Program{{Name: "new", Function: "m.FuzzF"}, {Name: "old", Function: "m.FuzzF", Version: "1"}}}
	next := Identity{Mode: regressMode, Programs: []Program{{Name: "new", Function: "m.FuzzF", Version: "3"}, {Name: "old", Function: "m.FuzzF", Version: "2"}}}
	if diff := id.Difference(next); diff != "" {
		t.Error(diff)
	}
	next.Programs[1].Function = "m.FuzzG"
	if diff := id.Difference(next); diff == "" {
		t.Error("another function is the same campaign")
	}
}

// TestDifferenceOfModels checks that a campaign on a model continues when the model is edited or
// sampled differently, and not with a model of another function.
func TestDifferenceOfModels(t *testing.T) {
	id := Identity{Mode: modelMode, Programs: []Program{{Name: "original", Function: "f of f.c"}, {Name: "model", Function: "model of f (f of stub.c, scope: 3 of 5 paths)"}}}
	next := Identity{Mode: modelMode, Programs: []Program{id.Programs[0], {Name: "model", Function: "model of f (f of stub.c, scope: 5 of 5 paths)"}}}
	if diff := id.Difference(next); diff != "" {
		t.Error(diff)
	}
	next.Programs[1].Function = "model of g (g of stub.c, scope: 3 of 5 paths)"
	if diff := id.Difference(next); diff == "" {
		t.Error("the model of another function is the same campaign")
	}
	id.Meaning, next = map[string]string{sequenceMeaning: "{1}"}, id
	next.Meaning = map[string]string{sequenceMeaning: "{2}"}
	if diff := id.Difference(next); !strings.HasPrefix(diff, "the methods, names or errors of its sequences are not") {
		t.Error(diff)
	}
}

func TestDifference(t *testing.T) {
	base := testConfig().Identity
	for want, change := range map[string]func(*Identity){
		"":                        func(*Identity) {},
		"mode is diff":            func(id *Identity) { id.Mode = "fuzz" },
		"program 2 is github.com": func(id *Identity) { id.Programs = id.Programs[:1] },
		"go-json.Valid@v0.10.5, and this command's is github.com/goccy/go-json.Valid@v0.10.6": func(id *Identity) {
			id.Programs[1].Version = "v0.10.6"
		},
		"program 3 is none":           func(id *Identity) { id.Programs = append(id.Programs, Program{Function: "x.Y"}) },
		"name of program 1 is":        func(id *Identity) { id.Programs[0].Name = "other" },
		"module of program 1 is none": func(id *Identity) { id.Programs[0].Module = "m" },
		"program 1 is encoding/json":  func(id *Identity) { id.Programs[0], id.Programs[1] = id.Programs[1], id.Programs[0] },
		"input is ([]byte), and this": func(id *Identity) { id.Shape = "(string)" },
		"generator is none, and this command's is ./g.Document": func(id *Identity) {
			id.Shape, id.Meaning = "(string)", map[string]string{"generator": "./g.Document"}
		},
		"comparison is value, verdict, ": func(id *Identity) { id.Compare = []string{"verdict"} },
	} {
		other := testConfig().Identity
		change(&other)
		got := base.Difference(other)
		if !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	// The open file holds the flock, so a second Open in this process acts like one in another
	// process.
	_, _, err := Open(atomicfile.OS, dir, testConfig())
	wantExit(t, err, exit.UsageCode, "is running", fmt.Sprintf("process %d", os.Getpid()), dir)
	_, err = Reopen(atomicfile.OS, dir)
	wantExit(t, err, exit.UsageCode, "is running")
	if _, err := OpenExisting(atomicfile.OS, dir); err != nil {
		t.Errorf("a look at a running campaign: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := Reopen(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	ro := faultfs.New(atomicfile.OS).ReadOnly(true)
	_, _, err := Open(ro, filepath.Join(dir, "new"), testConfig())
	wantExit(t, err, exit.InfraCode, "read-only file system: make it writable", filepath.Join(dir, "new"))
	if !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v hides its cause", err)
	}
	mustOpen(t, dir).Close()
	before := tree(t, dir)
	_, _, err = Open(ro, dir, testConfig())
	wantExit(t, err, exit.InfraCode, "read-only file system", dir)
	f, err := OpenExisting(ro, dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"PutPending":    f.PutPending("a", nil),
		"RemovePending": f.RemovePending("a"),
		"AppendStats":   f.AppendStats(1),
		"Save":          f.Save(Snapshot{}),
		"Append":        f.Append(1, []uint64{1}),
		"Flush":         f.Flush(),
		"WriteSummary":  f.WriteSummary(nil),
		"WriteBucket":   f.WriteBucket(finding.Bucket{ID: "b"}),
		"UpdateFinding": f.UpdateFinding("b", "h", nil),
	} {
		if err == nil {
			t.Errorf("%s writes", name)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if after := tree(t, dir); after != before {
		t.Errorf("touched:\n%s\nwas:\n%s", after, before)
	}
}

func TestAfterClose(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.AppendStats(1); err == nil {
		t.Error("AppendStats after Close")
	}
	if err := f.WriteSummary(nil); err == nil {
		t.Error("WriteSummary after Close")
	}
	if err := f.Append(1, nil); err == nil {
		t.Error("Append after Close")
	}
	if _, _, err := f.Build("b"); err == nil {
		t.Error("Build after Close")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestSummary(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	if got, err := f.ReadSummary(); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, want := range []string{"{}", `{"version":1}`} {
		if err := f.WriteSummary([]byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := f.ReadSummary(); string(got) != want || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}
