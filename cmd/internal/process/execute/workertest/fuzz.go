package workertest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// Fuzz holds the built tests of a package.
type Fuzz struct {
	Dir    string // of the package
	Binary string
	CmpLog string // the cmplog build; empty for tests that compare implementations
}

// BuildFuzz builds the test binaries of a package with FuzzXxx, as parallax fuzz does. It copies
// the module in folder. LIBRARY in its go.mod is replaced by the folder of the library. diff builds
// only tests that compare implementations.
func BuildFuzz(t testing.TB, folder string, diff bool) Fuzz {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(moduletest.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	_, here, _, _ := runtime.Caller(0)
	library := filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "..")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), bytes.ReplaceAll(mod, []byte("LIBRARY"), []byte(library)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	pkgs, _, err := fuzztest.List(ctx, fuzztest.Request{Dir: dir, Parallax: self, Match: regexp.MustCompile(""), Diff: diff})
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("%d packages, %v", len(pkgs), err)
	}
	plan, err := gobuild.PlanFuzz(ctx, gobuild.Request{Options: buildroot.Options{Dir: dir, Out: t.TempDir(), Parallax: self}, Libraries: moduletest.Libraries()}, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	f := Fuzz{Dir: pkgs[0].Dir}
	if f.Binary, err = plan.Build(ctx); err != nil {
		t.Fatal(err)
	}
	if diff {
		return f
	}
	if f.CmpLog, err = plan.BuildCmpLog(ctx); err != nil {
		t.Fatal(err)
	}
	return f
}
