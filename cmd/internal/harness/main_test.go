package harness

import (
	"context"
	"debug/elf"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/instrument/golang"
	"parallax/internal"
)

// The test binary stands for the parallax executable.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(Guard(os.Args[2:]))
		case "toolexec":
			os.Exit(golang.Toolexec(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

// fakeLibrary reads the stand-in for the library from testdata.
func fakeLibrary(t *testing.T) []internal.File {
	t.Helper()
	root := filepath.Join("testdata", "fakelib")
	var files []internal.File
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files = append(files, internal.File{Path: filepath.ToSlash(rel), Text: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tree writes a txtar-like list of files, "-- name --" before each, and returns their folder.
func tree(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var name string
	var body strings.Builder
	flush := func() {
		if name == "" {
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		body.Reset()
	}
	for _, line := range strings.SplitAfter(text, "\n") {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "-- ") && strings.HasSuffix(trimmed, " --") {
			flush()
			name = strings.TrimSpace(trimmed[3 : len(trimmed)-3])
			continue
		}
		body.WriteString(line)
	}
	flush()
	return dir
}

func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// request resolves functions with the stand-in library, as a user standing in dir.
func request(t *testing.T, dir string, functions ...string) Request {
	return Request{Dir: dir, Functions: functions, Out: t.TempDir(), Parallax: self(t), library: fakeLibrary(t)}
}

func resolve(t *testing.T, dir string, functions ...string) *Plan {
	t.Helper()
	p, err := Resolve(context.Background(), request(t, dir, functions...))
	if err != nil {
		t.Fatalf("Resolve(%q): %v", functions, err)
	}
	return p
}

// runWorker builds the plan and returns what its programs do with one text.
func runWorker(t *testing.T, p *Plan, text string) string {
	t.Helper()
	binary, err := p.Build(context.Background())
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	out, err := exec.Command(binary, text).CombinedOutput()
	if err != nil {
		t.Fatalf("the worker: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// wantError checks the exit code of an error and that its message holds every part.
func wantError(t *testing.T, err error, code int, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", parts)
	}
	if got := exit.Code(err); got != code {
		t.Errorf("exit code %d, want %d: %v", got, code, err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q:\n%v", part, err)
		}
	}
}

// untouched fails the test if anything below dir is not as it was.
func untouched(t *testing.T, dir string) {
	t.Helper()
	snapshot := func() string {
		var b strings.Builder
		filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, _ := os.ReadFile(name)
				b.WriteString(name + "\n" + string(text) + "\n")
			} else {
				b.WriteString(name + "/\n")
			}
			return nil
		})
		return b.String()
	}
	before := snapshot()
	t.Cleanup(func() {
		if snapshot() != before {
			t.Errorf("%s was changed", dir)
		}
	})
}

func goRun(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// variables are the sizes of package-level variables of a name, by package.
func variables(t *testing.T, binary, suffix string) map[string]int {
	t.Helper()
	f, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, s := range symbols {
		if pkg, ok := strings.CutSuffix(s.Name, suffix); ok {
			pkg, _ = url.PathUnescape(pkg)
			found[pkg] = int(s.Size)
		}
	}
	return found
}
