// Package workertest builds a worker with two programs that misbehave on request, for tests of
// packages that run workers. The victim is an ordinary worker binary as a harness would build it.
// Package subject describes its programs.
package workertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
)

const (
	victim = "parallax/cmd/internal/process/execute/workertest/victim"
	// Subject is the instrumented package with the victim's programs.
	Subject = "parallax/cmd/internal/process/execute/workertest/subject"
)

// Main is for TestMain: builds use the test binary as the parallax executable.
func Main(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "toolexec":
			os.Exit(golang.Toolexec(os.Args[2:]))
		case "guard":
			os.Exit(gocommand.Guard(os.Args[2:]))
		}
	}
	code := moduletest.WithScratch(m, strings.TrimSuffix(filepath.Base(os.Args[0]), ".test"))
	for _, dir := range built {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

var (
	mu       sync.Mutex
	binaries = map[bool]string{}
	built    []string
)

// Build returns the path of the victim. It builds it once per test binary, with and without
// counters.
func Build(t testing.TB, counters bool) string {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if binary := binaries[counters]; binary != "" {
		return binary
	}
	dir, err := os.MkdirTemp("", "workertest")
	if err != nil {
		t.Fatal(err)
	}
	built = append(built, dir)
	binary := filepath.Join(dir, "victim")
	args := []string{"build", "-buildvcs=false", "-ldflags=-w", "-o", binary}
	if counters {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, "-toolexec='"+self+"' toolexec", "-gcflags="+Subject+"="+golang.Flag(golang.Options{Apart: true}))
	}
	if out, err := exec.Command("go", append(args, victim)...).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", victim, err, out)
	}
	binaries[counters] = binary
	return binary
}

// Table returns the blocks of the instrumented victim.
func Table(t testing.TB) *flow.Table {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", Subject).Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(string(dir[:len(dir)-1]), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := golang.Analyze(Subject, files, golang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}
