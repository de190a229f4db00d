package harness

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	p := resolve(t, t.TempDir(), "encoding/json.Valid", "github.com/goccy/go-json.Valid@v0.10.5")
	if want := "json.Valid+go-json.Valid@v0.10.5"; p.Target != want {
		t.Errorf("target %q, want %q", p.Target, want)
	}
	want := "[[]byte] false\njson.Valid rejected\ngo-json.Valid@v0.10.5 rejected"
	if got := runWorker(t, p, `[1,`); got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
}

// The library itself, as embedded, makes a worker: in a scratch module and in a user's module with an old go line.
func TestRealLibrary(t *testing.T) {
	dir := tree(t, local)
	for _, functions := range [][]string{
		{"encoding/json.Valid", "unicode/utf8.Valid"},
		{"./a/internal/x.Valid", "encoding/json.Valid"},
	} {
		req := request(t, dir, functions...)
		req.library = nil
		p, err := Resolve(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		binary, err := p.Build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(binary).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "worker of parallax") {
			t.Errorf("started by hand, the worker says %q, %v", out, err)
		}
		tables, err := p.Tables()
		if err != nil {
			t.Fatal(err)
		}
		if len(tables) != len(p.Packages) || len(tables) == 0 || len(tables[0].Blocks) == 0 {
			t.Errorf("%d tables for %d packages", len(tables), len(p.Packages))
		}
		for i, table := range tables {
			if table.Package != p.Packages[i].ImportPath {
				t.Errorf("table %d is of %s, want %s", i, table.Package, p.Packages[i].ImportPath)
			}
		}
	}
}
