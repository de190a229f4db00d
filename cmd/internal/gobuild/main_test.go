package gobuild

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

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/internal"
)

// TestMain runs the test binary as the parallax executable, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(gocommand.Guard(os.Args[2:]))
		case "toolexec":
			os.Exit(golang.Toolexec(os.Args[2:]))
		}
	}
	os.Exit(moduletest.WithScratch(m, "gobuild"))
}

// fakeLibrary reads the fake of the library from testdata.
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

// request resolves functions with the fake library, for a user in dir.
func request(t *testing.T, dir string, functions ...string) Request {
	return Request{Options: buildroot.Options{Dir: dir, Out: t.TempDir(), Parallax: moduletest.Self(t)}, Functions: functions, Libraries: moduletest.Libraries(), library: fakeLibrary(t)}
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
