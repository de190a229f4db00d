package gobuild

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestVariantIsKept checks that a variant is not built again while the worker is unchanged, and is
// built again after the worker.
func TestVariantIsKept(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.22
-- m.go --
package m

func A(s string) bool { return s == "one" }

func B(s string) bool { return s == "two" }
`)
	source := filepath.Join(dir, "m.go")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(source, old, old); err != nil {
		t.Fatal(err)
	}
	req := request(t, dir, "./.A", "./.B")
	resolved := func() *Plan {
		t.Helper()
		p, err := Resolve(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	build := func(what func(context.Context) (string, error)) string {
		t.Helper()
		binary, err := what(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return buildID(binary)
	}
	without := func(what func(context.Context) (string, error)) error { // the go command
		path := os.Getenv("PATH")
		os.Setenv("PATH", t.TempDir())
		defer os.Setenv("PATH", path)
		_, err := what(context.Background())
		return err
	}
	p := resolved()
	worker, operands := build(p.Build), build(p.BuildCmpLog)
	if worker == "" || operands == "" || worker == operands {
		t.Fatalf("build IDs %q and %q", worker, operands)
	}
	if err := without(p.BuildCmpLog); err != nil {
		t.Errorf("it is built again: %v", err)
	}
	if err := without(p.BuildOrdered); err == nil {
		t.Error("another variant is there that nobody has built")
	}

	// The next campaign: its worker first.
	p = resolved()
	if err := without(p.BuildCmpLog); err == nil {
		t.Error("it is not built before it is known what the worker is")
	}
	build(p.BuildCmpLog) // with a worker that this plan has not built
	if build(p.Build) != worker {
		t.Error("the worker is another one")
	}
	build(p.BuildCmpLog)
	if err := without(p.BuildCmpLog); err != nil {
		t.Errorf("it is built again: %v", err)
	}

	// Another source makes another worker.
	if err := os.WriteFile(source, []byte("package m\n\nfunc A(s string) bool { return s == \"three\" }\n\nfunc B(s string) bool { return s == \"two\" }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p = resolved()
	if build(p.Build) == worker {
		t.Error("the worker is the old one")
	}
	if err := without(p.BuildCmpLog); err == nil {
		t.Error("the variant of the old worker is taken")
	}
	if build(p.BuildCmpLog) == operands {
		t.Error("the variant is the old one")
	}

	// A file that was edited after the build of the worker is not in it. So parallax knows nothing of
	// such a variant.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(source, later, later); err != nil {
		t.Fatal(err)
	}
	build(p.BuildOrdered)
	if err := without(p.BuildOrdered); err == nil {
		t.Error("a variant of an edited source is kept")
	}

	// A damaged variant is built again.
	if err := os.Truncate(filepath.Join(req.Out, CmpLogFile), 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := without(p.BuildCmpLog); err == nil {
		t.Error("a damaged variant is taken")
	}
}
