package callgraph

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
)

// TestMain lets the test binary run as the parallax executable.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(gocommand.Guard(os.Args[2:]))
	}
	// most of these tests load the standard library; this saves a fifth of the CPU time
	debug.SetGCPercent(400)
	os.Exit(moduletest.WithScratch(m, "callgraph"))
}

// module is a module that a test writes.
type module struct {
	t   *testing.T
	dir string
}

// newModule writes files from a text like txtar: a name after "-- ", then its text. It adds a
// go.mod if there is none.
func newModule(t *testing.T, text string) *module {
	t.Helper()
	t.Setenv("GOWORK", "off")
	m := &module{t, moduletest.Dir(t)}
	m.write("go.mod", "module m\n\ngo 1.23\n")
	for _, part := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		m.write(strings.TrimSuffix(name, " --"), body+"\n")
	}
	return m
}

func (m *module) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

func (m *module) write(name, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(m.path(name), []byte(text), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

// load makes the graph of packages, with their tests.
func (m *module) load(patterns ...string) *Graph {
	m.t.Helper()
	g, err := Load(context.Background(), m.request(patterns...))
	if err != nil {
		m.t.Fatal(err)
	}
	return g
}

func (m *module) request(patterns ...string) Request {
	return Request{Dir: m.dir, Patterns: patterns, Tests: true, Cache: m.t.TempDir(), Parallax: os.Args[0]}
}

// table returns the block table of a package of the module. It has calls only after Fill.
func (m *module) table(path string, tests bool) *flow.Table {
	m.t.Helper()
	args := []string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}} {{end}}{{range .CgoFiles}}{{$.Dir}}/{{.}} {{end}}`, path}
	if tests {
		args[2] += `{{range .TestGoFiles}}{{$.Dir}}/{{.}} {{end}}`
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatal(err)
	}
	t, err := golang.Analyze(path, strings.Fields(string(out)), golang.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	return t
}
