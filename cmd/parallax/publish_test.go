package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// TestPublish publishes a copy of the repository under another path on a proxy of files. It
// installs the tool from there with an empty module cache, and runs it. No go.mod may have
// replacements: go install refuses them.
func TestPublish(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tool under another path")
	}
	t.Parallel()
	const path, version = "example.com/owner/parallax", "v0.1.0"
	dir := t.TempDir()
	repository, proxy := filepath.Join(dir, "copy"), filepath.Join(dir, "proxy")
	publish := exec.Command("go", "run", "./tools/publish", "-o", repository, "-version", version, path)
	publish.Dir = filepath.Join("..", "..")
	if out, err := publish.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for folder, path := range map[string]string{"": path, "cmd": path + "/cmd"} {
		offer(t, proxy, filepath.Join(repository, folder), module.Version{Path: path, Version: version})
	}

	out, err := exec.Command("go", "env", "-json", "GOPROXY", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	var env struct{ GOPROXY, GOMODCACHE string }
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	// Dependencies come from the cache of the machine, as from another proxy.
	proxies := "file://" + proxy + ",file://" + filepath.Join(env.GOMODCACHE, "cache", "download") + "," + env.GOPROXY
	environ := append(os.Environ(), "GOPROXY="+proxies, "GONOSUMDB=*", "GOWORK=off", "GOFLAGS=-modcacherw",
		"GOMODCACHE="+filepath.Join(dir, "modules"), "GOBIN="+filepath.Join(dir, "bin"))
	install := exec.Command("go", "install", path+"/cmd/parallax@"+version)
	install.Dir, install.Env = dir, environ
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tool := filepath.Join(dir, "bin", "parallax")
	run := func(code int, args ...string) string {
		t.Helper()
		cmd := exec.Command(tool, args...)
		cmd.Dir, cmd.Env = dir, environ
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
			t.Fatalf("parallax %s: %v, not exit status %d\n%s", strings.Join(args, " "), cmd.ProcessState, code, out)
		}
		return string(out)
	}
	if got := run(0, "version"); !strings.Contains(got, version) {
		t.Errorf("parallax version: %s", got)
	}
	write(t, filepath.Join(dir, "m", "go.mod"), "module example.com/m\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "m", "m.go"), `package m

func Up(s string) int { return len(s) }
func Cap(s string) int { return min(len(s), 3) }
`)
	dir = filepath.Join(dir, "m")
	if got := run(1, "diff", "./.Up", "./.Cap", "-t", "2000x", "--parallel", "1"); !strings.Contains(got, "m.Up") {
		t.Errorf("parallax diff: %s", got)
	}
	run(0, "init")
	if text, err := os.ReadFile(filepath.Join(dir, "internal", "parallax", "gen", "gen.go")); err == nil && strings.Contains(string(text), `"`+path) {
		t.Error("the copy of the library imports the published module")
	}
	test := exec.Command("go", "vet", "./...")
	test.Dir, test.Env = dir, environ
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("the module with a copy of the library: %v\n%s", err, out)
	}
}

// offer puts a folder on a proxy as a version of a module.
func offer(t *testing.T, proxy, folder string, m module.Version) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	write(t, filepath.Join(base, m.Version+".mod"), string(text))
	write(t, filepath.Join(base, m.Version+".info"), `{"Version":"`+m.Version+`"}`)
	write(t, filepath.Join(base, "list"), m.Version+"\n")
	f, err := os.Create(filepath.Join(base, m.Version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, m, folder); err != nil {
		t.Fatal(err)
	}
}
