package golang

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMain runs the test binary as its own -toolexec wrapper, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "toolexec" {
		if log := os.Getenv("PLX_TEST_LOG"); log != "" {
			logTool(log, os.Args[2:])
		}
		if log := os.Getenv("PLX_TEST_UNRECORDED"); log != "" {
			notRecorded = func(pkg string, why error) { appendTo(log, pkg+": "+why.Error()+"\n") }
		}
		os.Exit(Toolexec(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// logTool notes which package is compiled.
func logTool(log string, args []string) {
	if !strings.HasPrefix(filepath.Base(args[0]), "compile") {
		return
	}
	for i, a := range args[:len(args)-1] {
		if a == "-p" {
			appendTo(log, args[i+1]+"\n")
		}
	}
}

func appendTo(name, text string) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	_, _ = f.WriteString(text)
}

// A module is a folder of sources to build.
type module struct {
	t   *testing.T
	dir string
	env []string
}

// newModule writes files, given as "path", "text" pairs.
func newModule(t *testing.T, files ...string) *module {
	t.Helper()
	m := &module{t: t, dir: t.TempDir(), env: []string{"GOFLAGS=", "GOWORK=off", "GOPROXY=off"}}
	for i := 0; i < len(files); i += 2 {
		m.write(files[i], files[i+1])
	}
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *module) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), m.env...)
	return cmd
}

// goBuild runs go build with the wrapper; pkgs are the packages to instrument.
func (m *module) goBuild(o Options, pkgs []string, args ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	all := []string{"build", "-ldflags=-w", "-toolexec", "'" + self + "' toolexec"}
	for _, p := range pkgs {
		all = append(all, "-gcflags="+p+"="+Flag(o))
	}
	cmd := m.command("go", append(all, args...)...)
	cmd.Env = append(cmd.Env, "GOGC=400") // the compiler then takes four fifths of the time
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// build builds the main package to a binary.
func (m *module) build(o Options, pkgs []string, args ...string) (binary string) {
	m.t.Helper()
	binary = filepath.Join(m.dir, "out.bin")
	if out, err := m.goBuild(o, pkgs, append([]string{"-o", binary}, args...)...); err != nil {
		m.t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// run runs a binary and returns its standard output.
func (m *module) run(binary string, args ...string) string {
	m.t.Helper()
	cmd := m.command(binary, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		m.t.Fatalf("%s: %v\n%s%s", binary, err, out.Bytes(), errs.Bytes())
	}
	return out.String()
}

// std copies a package of the standard library into the module, except for some files. Few packages
// depend on the copy and need compilation.
func (m *module) std(pkg string, edit *strings.Replacer, but ...string) {
	m.t.Helper()
	root, err := m.command("go", "env", "GOROOT").Output()
	if err != nil {
		m.t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", pkg, "*.go"))
	if err != nil || len(files) == 0 {
		m.t.Fatalf("package %s: %d files, %v", pkg, len(files), err)
	}
	for _, name := range files {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || slices.Contains(but, base) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			m.t.Fatal(err)
		}
		m.write(filepath.Join(pkg, base), edit.Replace(string(text)))
	}
}

// goFiles lists the Go files of packages, by import path.
func (m *module) goFiles(pkgs ...string) map[string][]string {
	m.t.Helper()
	format := `{{.ImportPath}}{{$d := .Dir}}{{range .GoFiles}} {{$d}}/{{.}}{{end}}{{range .CgoFiles}} {{$d}}/{{.}}{{end}}`
	out, err := m.command("go", append([]string{"list", "-f", format}, pkgs...)...).Output()
	if err != nil {
		m.t.Fatal(err)
	}
	files := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Fields(line)
		files[f[0]] = f[1:]
	}
	return files
}
