package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// testingSources returns the files of package testing that are compiled here, by base name.
func testingSources(t *testing.T) map[string]string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "testing", "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sources of package testing: %v", err)
	}
	files := map[string]string{}
	for _, path := range paths {
		base := filepath.Base(path)
		if strings.HasSuffix(base, "_test.go") || strings.HasSuffix(base, "_other.go") || strings.HasSuffix(base, "_windows.go") || strings.HasSuffix(base, "_wasm.go") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[base] = string(data)
	}
	return files
}

func TestPatchTesting(t *testing.T) {
	files := testingSources(t)
	patched, err := patchTesting(files)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for name, text := range files {
		was, is := strings.Split(text, "\n"), strings.Split(patched[name], "\n")
		if len(was) != len(is) {
			t.Errorf("%s has %d lines, and had %d", name, len(is), len(was))
			continue
		}
		for i := range was {
			if was[i] != is[i] {
				changed++
				if !strings.Contains(is[i], "plx") {
					t.Errorf("%s:%d: %q from %q", name, i+1, is[i], was[i])
				}
			}
		}
	}
	if changed != len(testingPatches) {
		t.Errorf("%d lines have changed, want %d", changed, len(testingPatches))
	}
	if hook := patched["plx_hook.go"]; !strings.Contains(hook, "\n\t\tt.setOutputWriter()\n") || strings.Contains(hook, "//plx:outputWriter ") {
		t.Error("the hook lacks a part that this release has")
	}

	// A release with further parameters and other names and text.
	for _, r := range []struct{ file, old, new string }{
		{"testing.go", "func (c *common) log(s string) {", "func (self *common) log(isErr bool, text, more string) {"},
		{"testing.go", "func (c *common) log(s string, isErr bool) {", "func (self *common) log(isErr bool, text, more string) {"},
		{"fuzz.go", "\tif f.fstate.mode != fuzzWorker {\n", "\tif started := true; !started || f.fstate.begin() { // more\n"},
	} {
		files[r.file] = strings.ReplaceAll(files[r.file], r.old, r.new)
	}
	patched, err = patchTesting(files)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"testing.go": "func (self *common) log(isErr bool, text, more string) { if plxLog(self, text) { return };\n",
		"fuzz.go":    "\tif plxHook != nil { plxFuzz(f, ff, types); return }; if started := true;",
	} {
		if !strings.Contains(patched[file], want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}

	// A release without output writers.
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, "func (c *common) setOutputWriter()", "func (c *common) other()")
	}
	patched, err = patchTesting(files)
	if err != nil || strings.Contains(patched["plx_hook.go"], "\n\t\tt.setOutputWriter()\n") {
		t.Errorf("the hook has a part that the release lacks: %v", err)
	}
}

// TestChangedTesting checks that a package testing without the hook's places is an error with the
// release of Go and advice. A misplaced hook would be worse than no fuzzing.
func TestChangedTesting(t *testing.T) {
	// A compiler that prints its version and fails otherwise.
	tool := filepath.Join(t.TempDir(), "compile")
	script := "#!/bin/sh\nif test \"$1\" = -V; then echo compile version go1.99.3; exit 0; fi\nexit 2\n"
	if err := os.WriteFile(tool, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	type change func(files map[string]string)
	replace := func(file, old, new string) change {
		return func(files map[string]string) {
			if !strings.Contains(files[file], old) {
				t.Fatalf("%s has no %q", file, old)
			}
			files[file] = strings.ReplaceAll(files[file], old, new)
		}
	}
	cases := map[string]struct {
		change change
		want   string
	}{
		"hook that does not compile": {func(map[string]string) {}, "the addition does not compile there"},
		"no fuzz.go":                 {func(files map[string]string) { delete(files, "fuzz.go") }, "(*F).Fuzz is declared 0 times"},
		"another name":               {replace("testing.go", ") Fail() {", ") Fails() {"), "(*common).Fail is declared 0 times"},
		"declared twice":             {replace("testing.go", "func (c *common) Fail() {", "func (c *common) Fail() {}\nfunc (c *common) Fail() {"), "(*common).Fail is declared 2 times"},
		"another type":               {replace("fuzz.go", "Fuzz(ff any) {", "Fuzz(ff int) {"), "(*F).Fuzz in fuzz.go: it has no parameter of type any"},
		"no name":                    {replace("fuzz.go", "Fuzz(ff any) {", "Fuzz(_ any) {"), "a parameter that the hook needs has no name"},
		"another variable":           {replace("fuzz.go", "types", "kinds"), "after the declaration of a variable types"},
		"another field":              {replace("fuzz.go", "fstate", "state"), "mentions .fstate"},
		"no Go":                      {replace("fuzz.go", "package testing", "pakage testing"), "fuzz.go"},
	}
	for name, test := range cases {
		files := testingSources(t)
		test.change(files)
		dir := t.TempDir()
		c := compilation{tool: tool, pkg: "testing", hook: true, output: filepath.Join(dir, "testing.a")}
		for base, text := range files {
			path := filepath.Join(dir, base)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			c.files = append(c.files, path)
		}
		_, err := c.runTesting()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range []string{"package testing of go1.99.3 has changed", test.want, TestedReleases, "GOTOOLCHAIN"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error lacks %q: %v", name, want, err)
			}
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) != len(files) {
			t.Errorf("%s: what was temporary is left: %q", name, left)
		}
	}
	if _, err := (compilation{tool: tool, pkg: "fmt", hook: true}).runTesting(); err == nil {
		t.Error("another package is given the hook")
	}
}

// TestTestingFlag checks that the flag changes with everything that is inserted into the package,
// so that the build cache does not mix versions.
func TestTestingFlag(t *testing.T) {
	flag := TestingFlag()
	if flag != TestingFlag() || !strings.HasPrefix(flag, testingFlag) {
		t.Errorf("%q, then %q", flag, TestingFlag())
	}
	old := testingPatches[0].text
	defer func() { testingPatches[0].text = old }()
	testingPatches[0].text += " "
	if TestingFlag() == flag {
		t.Error("another patch has the same flag")
	}
}
