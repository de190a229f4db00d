package archive

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// made is a campaign's folder made by hand: bucket ids, and the inputs of their findings.
type made struct {
	dir     string // working directory of the command
	out     string
	shape   input.Shape
	options map[string]string
	buckets map[string][]any // id -> arguments
	kind    map[string]string
	gone    string
	corpus  [][]any
	drawn   map[string]string // id -> the value that a generator draws from the input
}

func (m made) write(t *testing.T) {
	t.Helper()
	cfg := state.Config{
		Target:   "t",
		Identity: state.Identity{Mode: "fuzz", Programs: []state.Program{{Name: "FuzzX", Function: "example.com/m/p.FuzzX"}}, Shape: m.shape.String(), Compare: []string{"verdict"}},
		Dir:      m.dir, Options: m.options,
	}
	folder, _, err := state.Open(atomicfile.OS, m.out, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if err := folder.Seal(); err != nil {
		t.Fatal(err)
	}
	pack := func(values []any) []byte {
		flat, err := m.shape.Pack(values...)
		if err != nil {
			t.Fatal(err)
		}
		return flat
	}
	for id, values := range m.buckets {
		flat := pack(values)
		kind := m.kind[id]
		if kind == "" {
			kind = "crash"
		}
		f := finding.Finding{
			Bucket: id, Kind: kind, Shape: m.shape, Input: flat, Minimized: flat,
			Programs: []finding.Program{{Name: "FuzzX", Detail: oracle.Detail{Outcome: "crashed"}}},
		}
		if m.options["generator"] != "" {
			f.Fuzz = &finding.FuzzHarness{Package: "p", ImportPath: "example.com/m/p", Name: "FuzzX", Generated: true}
		}
		if text, ok := m.drawn[id]; ok {
			f.Takes, f.Drawn = input.Shape{input.String, input.Int8}, "input"
			f.Generated = must(f.Takes.Pack(text, int8(1)))
		}
		outputs, err := f.JSON()
		if err != nil {
			t.Fatal(err)
		}
		file := m.shape.Encode(flat)
		files := map[string][]byte{findings.InputFile: file, findings.MinimizedFile: file, findings.OutputsFile: outputs}
		if _, err := folder.WriteFinding(id, corpus.Hash(file), files); err != nil {
			t.Fatal(err)
		}
		b := finding.Bucket{ID: id, Kind: kind, Outcomes: map[string]string{"FuzzX": "crashed"}, Count: 1}
		if id == m.gone {
			b.Extra = map[string]string{findings.GoneKey: "mended"}
		}
		if err := folder.WriteBucket(b); err != nil {
			t.Fatal(err)
		}
	}
	store, err := corpus.Open(atomicfile.OS, folder.CorpusDir(), m.shape)
	if err != nil {
		t.Fatal(err)
	}
	for i, values := range m.corpus {
		if _, _, err := store.Put(pack(values), corpus.Meta{Inputs: uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// inModule writes a module with a fuzz test in package p and changes to it.
func inModule(t *testing.T, harness string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n", "p/p.go": "package p\n", "p/p_test.go": harness,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	return dir
}

func sh(command string) (output string, ok bool) {
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	return string(out), err == nil
}

func export(t *testing.T, x Export) (output string, notes []string) {
	t.Helper()
	var b bytes.Buffer
	notes, err := x.Write(&b)
	if err != nil {
		t.Fatalf("%+v: %v", x, err)
	}
	return b.String(), notes
}

func fuzzOptions(dir string) map[string]string {
	return map[string]string{"package": "example.com/m/p", "package_dir": filepath.Join(dir, "p"), "fuzz": "FuzzX"}
}

const failsOnX = `package p

import "testing"

func FuzzX(f *testing.F) {
	f.Add("seed", int8(1))
	f.Fuzz(func(t *testing.T, s string, n int8) {
		if len(s) > 0 && s[0] > 'x' && n != 0 {
			t.Fatalf("found %q %d", s, n)
		}
	})
}
`

// TestExportFailsUnderGoTest checks that an exported finding is a regression test that go test runs
// and fails on, by the command that export prints.
func TestExportFailsUnderGoTest(t *testing.T) {
	dir := inModule(t, failsOnX)
	shape := input.Shape{input.String, input.Int8}
	made{
		dir: dir, out: filepath.Join(dir, state.Home, "p.FuzzX"), shape: shape, options: fuzzOptions(dir),
		buckets: map[string][]any{"aa0000000001": {"y\xff", int8(-1)}, "aa0000000002": {"passes", int8(3)}},
		corpus:  [][]any{{"in the corpus", int8(0)}},
	}.write(t)
	out, notes := export(t, Export{Format: corpus.Go, Buckets: []string{"aa0000000001"}})
	name := corpus.Hash(shape.GoFile(must(shape.Pack("y\xff", int8(-1)))))
	want := `aa0000000001: crash on ("y\xff", -1)` + "\nFailing input written to p/testdata/fuzz/FuzzX/" + name +
		"\nTo re-run:\ngo test -run=FuzzX/" + name + " example.com/m/p\n"
	if out != want || notes != nil {
		t.Errorf("%s%q\nwant\n%s", out, notes, want)
	}
	_, command, _ := strings.Cut(strings.TrimSpace(out), "To re-run:\n")
	if out, ok := sh(command); ok || !strings.Contains(out, `found "y\xff" -1`) || !strings.Contains(out, "FuzzX/"+name) {
		t.Errorf("%s: %s", command, out)
	}
	if out, _ := export(t, Export{Format: corpus.Go, Corpus: true}); strings.Count(out, "To re-run:\n") != 2 ||
		!strings.Contains(out, "Failing input is already in p/testdata/fuzz/FuzzX/"+name) ||
		!strings.Contains(out, "Corpus written to p/testdata/fuzz/FuzzX: 1 inputs, 0 of them were already there") {
		t.Errorf("the second time: %s", out)
	}
	if out, ok := sh("go test ./..."); ok || strings.Count(out, "found ") != 1 {
		t.Errorf("go test: %s", out)
	}
}

// TestExportOfDrawnInputs checks that a FuzzXxx gets the drawn inputs, and no tapes, if the user
// named the generator: the FuzzXxx does not use it.
func TestExportOfDrawnInputs(t *testing.T) {
	dir := inModule(t, failsOnX)
	options := fuzzOptions(dir)
	options["generator"] = "example.com/m/p.Draw"
	made{
		dir: dir, out: filepath.Join(dir, state.Home, "p.FuzzX-drawn"), shape: input.Shape{input.Bytes}, options: options,
		buckets: map[string][]any{"aa0000000001": {[]byte("tape")}, "aa0000000002": {[]byte("another")}},
		corpus:  [][]any{{[]byte("a third")}}, drawn: map[string]string{"aa0000000001": "y"},
	}.write(t)
	out, notes := export(t, Export{Format: corpus.Go, Corpus: true})
	name := corpus.Hash(input.Shape{input.String, input.Int8}.GoFile(must(input.Shape{input.String, input.Int8}.Pack("y", int8(1)))))
	if !strings.Contains(out, "Failing input written to p/testdata/fuzz/FuzzX/"+name+"\n") || strings.Count(out, "To re-run") != 1 || strings.Contains(out, "Corpus") {
		t.Errorf("%s", out)
	}
	if text, err := os.ReadFile(filepath.Join("p", "testdata", "fuzz", "FuzzX", name)); err != nil || !strings.Contains(string(text), `string("y")`) {
		t.Errorf("%q, %v", text, err)
	}
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "left out: aa0000000002 is a tape") || !strings.Contains(notes[1], "it holds tapes of the choices of a generator") {
		t.Errorf("%q", notes)
	}
}

// TestExportIsWhatGoWrites checks that names and contents are those of go test -fuzz.
func TestExportIsWhatGoWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("builds for go test -fuzz")
	}
	// With the library's imports, most packages are already compiled for -fuzz by TestUnderGoTest
	// of package parallax.
	const imports = `import (
	_ "encoding/binary"
	_ "encoding/json"
	_ "go/scanner"
	_ "hash/fnv"
	_ "regexp"
	"testing"
)`
	dir := inModule(t, strings.Replace(failsOnX, `import "testing"`, imports, 1))
	t.Setenv("GOFLAGS", "") // go test would reject -count
	if out, ok := sh("go test -fuzz=FuzzX -fuzztime=2000000x -fuzzminimizetime=1x -parallel=1 ./p"); ok || !strings.Contains(out, "Failing input written to") {
		t.Fatalf("%s", out)
	}
	home := filepath.Join(dir, "p", "testdata", "fuzz", "FuzzX")
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(home, entries[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	shape := input.Shape{input.String, input.Int8}
	flat, err := shape.Import(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	values, _ := shape.Unpack(flat)
	made{dir: dir, out: filepath.Join(dir, state.Home, "x"), shape: shape, options: fuzzOptions(dir), buckets: map[string][]any{"aa": values}}.write(t)
	export(t, Export{Format: corpus.Go})
	if again, err := os.ReadFile(filepath.Join(home, entries[0].Name())); err != nil || string(again) != string(text) {
		t.Errorf("%q, %v; go wrote %q", again, err, text)
	}
}

func must(flat []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return flat
}

// TestExportChooses checks the choice of findings, in the order of kinds and sizes.
func TestExportChooses(t *testing.T) {
	dir := inModule(t, failsOnX)
	shape := input.Shape{input.Bytes}
	out := filepath.Join(dir, state.Home, "a")
	made{
		dir: dir, out: out, shape: shape, options: fuzzOptions(dir), gone: "cc",
		buckets: map[string][]any{"aa": {[]byte("a")}, "bb": {[]byte("bb")}, "cc": {[]byte("ccc")}, "dd": {[]byte("")}},
		kind:    map[string]string{"aa": "timeout"},
	}.write(t)
	if _, err := accept.Add(t.Context(), atomicfile.OS, (&subject.Options{Dir: dir}).AcceptedFile(), accept.Entry{Bucket: "bb", Programs: []string{"FuzzX"}, Reason: "known"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x    Export
		want string
		note string
	}{
		{Export{}, "dd aa", ""},
		{Export{All: true}, "dd aa bb cc", ""},
		{Export{Buckets: []string{"bb", "c", "bb"}}, "bb cc", ""},
		{Export{Format: corpus.LibFuzzer, To: filepath.Join(dir, "lib")}, "dd aa", ""},
		{Export{Format: corpus.AFL, To: filepath.Join(dir, "afl"), Out: out}, "dd aa", ""},
	} {
		if c.x.Format == "" {
			c.x.Format = corpus.Go
		}
		text, notes := export(t, c.x)
		var got []string
		for _, line := range strings.Split(text, "\n") {
			if id, _, ok := strings.Cut(line, ": "); ok && len(id) == 2 {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != c.want || strings.Join(notes, "|") != c.note {
			t.Errorf("%+v: %q, notes %q\n%s", c.x, got, notes, text)
		}
		if c.x.Format == corpus.Go && slices.Contains(got, "aa") && !strings.Contains(text, "go test -timeout 60s -run=FuzzX/") {
			t.Errorf("no time limit:\n%s", text)
		}
	}
	for _, path := range []string{
		"lib/crash-da39a3ee5e6b4b0d3255bfef95601890afd80709", "lib/timeout-86f7e437faa5a7fce15d1ddcb9eaeaea377667b8", "afl/queue/id:000000,orig:aa",
	} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestExportOfSeveralCampaigns checks that each campaign goes to its own package, and that one
// folder does not take several.
func TestExportOfSeveralCampaigns(t *testing.T) {
	dir := inModule(t, failsOnX)
	other := fuzzOptions(dir)
	other["fuzz"] = "FuzzY"
	other["package_dir"] = "p" // below the folder of the command
	other["tags"] = "a,b c"
	shape := input.Shape{input.String}
	folder := func(name string) string { return filepath.Join(dir, state.Home, name) }
	one := map[string][]any{"aa": {"x"}}
	made{dir: dir, out: folder("a"), shape: shape, options: fuzzOptions(dir), buckets: one}.write(t)
	made{dir: dir, out: folder("b"), shape: shape, options: other, buckets: map[string][]any{"bb": {"x"}}}.write(t)
	made{dir: dir, out: folder("c"), shape: shape, options: map[string]string{"functions": "a.F b.(*T).G"}, buckets: map[string][]any{"cc": {"y"}}}.write(t)
	made{dir: dir, out: folder("d"), shape: shape, options: map[string]string{"functions": "a.F b.H"}}.write(t)
	made{dir: dir, out: folder("e"), shape: shape, options: fuzzOptions(dir)}.write(t)

	text, notes := export(t, Export{Format: corpus.Go})
	name := corpus.Hash(shape.GoFile([]byte("x")))
	for _, want := range []string{"p/testdata/fuzz/FuzzX/" + name, "p/testdata/fuzz/FuzzY/" + name, "go test -tags 'a,b c' -run=FuzzY/" + name + " example.com/m/p\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	want := []string{
		"left out: .parallax/c compares functions and has no FuzzXxx that reads testdata/fuzz: `parallax init a.F 'b.(*T).G'` writes one; " +
			"or write its inputs elsewhere with --to DIR, as plain files with --format libfuzzer",
		"no open findings in .parallax/e: nothing is exported (--all exports accepted findings, --corpus the corpus)",
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q\nwant %q", notes, want)
	}
	if text, _ := export(t, Export{Format: corpus.Go, Buckets: []string{"bb", "aa"}}); strings.Count(text, "To re-run") != 2 {
		t.Errorf("%s", text)
	}
	if text, _ := export(t, Export{Format: corpus.Go, Buckets: []string{"cc"}, To: filepath.Join(dir, "to")}); strings.Contains(text, "To re-run") ||
		!strings.HasSuffix(text, "\nThe format is go test fuzz v1: go test runs them in testdata/fuzz/FuzzXxx next to the test that `parallax init a.F 'b.(*T).G'` writes. "+
			"`parallax show cc` says how to run it without parallax\n") {
		t.Errorf("%s", text)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "to", corpus.Hash(shape.GoFile([]byte("y"))))); err != nil || string(data) != "go test fuzz v1\nstring(\"y\")\n" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestExportRefuses(t *testing.T) {
	dir := inModule(t, failsOnX)
	typed, raw := input.Shape{input.String, input.Int8}, input.Shape{input.Bytes}
	folder := func(name string) string { return filepath.Join(dir, state.Home, name) }
	cache := filepath.Join(dir, "pkg", "mod", "example.com", "m@v1.2.3", "p")
	std := filepath.Join(dir, "go", "src", "fmt")
	for _, d := range []string{cache, std, filepath.Join(dir, "go", "src", "runtime")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(dir, "go", "src", "runtime", "proc.go"), nil, 0o644)
	made{dir: dir, out: folder("typed"), shape: typed, options: fuzzOptions(dir), buckets: map[string][]any{"aa": {"x", int8(1)}}}.write(t)
	made{dir: dir, out: folder("functions"), shape: typed, options: map[string]string{"functions": "a.F b.G"}}.write(t)
	made{dir: dir, out: folder("harness"), shape: raw, options: map[string]string{"harness": filepath.Join(dir, "h")}}.write(t)
	made{dir: dir, out: folder("config"), shape: typed, options: map[string]string{"config": filepath.Join(dir, "c.toml")}}.write(t)
	made{dir: dir, out: folder("gone"), shape: raw, options: fuzzOptions(filepath.Join(dir, "nowhere"))}.write(t)
	made{dir: dir, out: folder("cache"), shape: raw, options: map[string]string{"fuzz": "FuzzX", "package": "example.com/m/p", "package_dir": cache}}.write(t)
	made{dir: dir, out: folder("std"), shape: raw, options: map[string]string{"fuzz": "FuzzX", "package": "fmt", "package_dir": std}}.write(t)
	to := filepath.Join(dir, "to")
	for _, c := range []struct {
		x    Export
		want string
	}{
		{Export{Format: "zip"}, `--format "zip": choose go, libfuzzer or afl`},
		{Export{Format: corpus.AFL}, "--format afl: name the folder to write to, with --to"},
		{Export{Format: corpus.Go, To: filepath.Join(dir, "go.mod")}, "not a folder"},
		{Export{Format: corpus.Go, To: to}, "one folder takes the inputs of one campaign: choose it with --campaign\n  .parallax/cache\n"},
		{Export{Format: corpus.LibFuzzer, To: to, Out: folder("typed")}, "inputs of (string, int8) are not plain bytes, which is all that format libfuzzer holds: use format go"},
		{Export{Format: corpus.AFL, To: to, Buckets: []string{"aa"}}, "use format go"},
		{Export{Format: corpus.Go, Out: folder("functions")}, "`parallax init a.F b.G` writes one; or write its inputs elsewhere with --to DIR"},
		{Export{Format: corpus.Go, Out: folder("harness")}, "do not read testdata/fuzz: `parallax export --campaign .parallax/harness --format libfuzzer --to DIR` writes their inputs"},
		{Export{Format: corpus.Go, Out: folder("config")}, "`parallax export --campaign .parallax/config --to DIR` writes"},
		{Export{Format: corpus.Go, Out: folder("gone")}, "ran on FuzzX in " + dir + "/nowhere/p, which is gone"},
		{Export{Format: corpus.Go, Out: folder("cache")}, "belongs to the module cache"},
		{Export{Format: corpus.Go, Out: folder("std")}, "belongs to the Go installation"},
		{Export{Format: corpus.Go, Buckets: []string{"zz"}}, `no finding "zz"`},
		{Export{Format: corpus.Go, Out: filepath.Join(dir, "p")}, "no campaign in"},
	} {
		var b bytes.Buffer
		_, err := c.x.Write(&b)
		if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.x, err, c.want)
		}
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("the folder was made")
	}
	if strings.Contains(fmt.Sprint(os.ReadDir(filepath.Join(dir, "p"))), "testdata") {
		t.Error("testdata was made")
	}
	// An existing file with other content stays.
	export(t, Export{Format: corpus.Go, Buckets: []string{"aa"}})
	path := filepath.Join(dir, "p", "testdata", "fuzz", "FuzzX", corpus.Hash(typed.GoFile(must(typed.Pack("x", int8(1))))))
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := (&Export{Format: corpus.Go, Buckets: []string{"aa"}}).Write(&b); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
}

// TestExportToAReadOnlyFolder checks that an unwritable folder ends an export with one message, and
// leaves no partial file.
func TestExportToAReadOnlyFolder(t *testing.T) {
	dir := inModule(t, failsOnX)
	made{dir: dir, out: filepath.Join(dir, state.Home, "a"), shape: input.Shape{input.Bytes}, options: fuzzOptions(dir),
		buckets: map[string][]any{"aa": {[]byte("x")}, "bb": {[]byte("y")}}}.write(t)
	home := filepath.Join(dir, "p", "testdata")
	if err := os.Mkdir(home, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // root can write to any folder
		if err := syscall.Mount("tmpfs", home, "tmpfs", syscall.MS_RDONLY, ""); err != nil {
			t.Skipf("no mount permitted: %v", err)
		}
		defer syscall.Unmount(home, syscall.MNT_DETACH)
	}
	var b bytes.Buffer
	_, err := (&Export{Format: corpus.Go}).Write(&b)
	if exit.Code(err) != exit.InfraCode || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), home) || b.Len() > 0 {
		t.Errorf("%v\n%s", err, b.String())
	}
}
