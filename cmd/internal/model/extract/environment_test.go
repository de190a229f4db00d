package extract

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parallax/cmd/internal/base/filelock"
)

// wheel writes a package that pip installs, which has one module.
func wheel(t *testing.T, dir, version, module string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "plx_fake_engine-"+version+"-py3-none-any.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	info := "plx_fake_engine-" + version + ".dist-info/"
	for _, file := range [][2]string{
		{"plx_fake_engine.py", module},
		{info + "METADATA", "Metadata-Version: 2.1\nName: plx-fake-engine\nVersion: " + version + "\n"},
		{info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{info + "RECORD", "plx_fake_engine.py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"},
	} {
		w, err := z.Create(file[0])
		if err == nil {
			_, err = w.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// withRow adds an engine to the table whose packages lie in a folder.
func withRow(t *testing.T, pythons ...string) {
	t.Helper()
	packages := t.TempDir()
	wheel(t, packages, "1.0", "VERSION = '1.0'\n")
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_FIND_LINKS", packages)
	before := table
	table = append(append([]row{}, before...), row{"fake", "plx-fake-engine", "plx_fake_engine", pythons, 1, []string{"protocol.py"}, false})
	t.Cleanup(func() { table = before })
}

// TestEnvironment checks that an environment is made once, whole or not at all.
func TestEnvironment(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles many programs")
	}
	withRow(t, "python3")
	dir := t.TempDir()
	engines := filepath.Join(dir, "engines")
	// by a process that was killed
	if err := os.MkdirAll(filepath.Join(engines, ".tmp-parallax-fake-1.0-v1-left", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var said []string
	say := func(text string) {
		mu.Lock()
		defer mu.Unlock()
		if !strings.HasPrefix(text, "waiting for ") {
			said = append(said, text)
		}
	}
	var wg sync.WaitGroup
	var made [2]*Env
	for i := range made {
		wg.Go(func() {
			var err error
			if made[i], err = Environment(t.Context(), dir, "fake", "1.0", say); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	final := filepath.Join(engines, "fake-1.0-v1")
	if made[0].Made == made[1].Made || made[0].Dir != final || made[1].Dir != final {
		t.Errorf("two that ask at once get %+v and %+v", made[0], made[1])
	}
	if len(said) != 2 || said[0] != "installing fake 1.0 into "+final+" (about 1 MB, once; some minutes)" || !strings.HasPrefix(said[1], "installed fake 1.0: ") {
		t.Errorf("said was %q", said)
	}
	if text, err := run(t.Context(), made[0].Command[0], "-s", "-c", "import plx_fake_engine; print(plx_fake_engine.VERSION)"); err != nil || text != "1.0\n" {
		t.Errorf("the environment runs %q, %v", text, err)
	}
	if _, err := os.Stat(made[0].Command[2]); err != nil {
		t.Errorf("the adapter: %v", err)
	}

	for _, version := range []string{"../1", "", "latest"} {
		_, err := Environment(t.Context(), dir, "fake", version, nil)
		if !errors.Is(err, ErrNoVersion) || !strings.HasPrefix(err.Error(), fmt.Sprintf("%q is no version of fake", version)) {
			t.Errorf("version %q: %v", version, err)
		}
	}
	entries, err := os.ReadDir(engines)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && name != "fake-1.0-v1" && !strings.HasPrefix(name, "adapter-") {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestNoEnvironment(t *testing.T) {
	if _, err := Environment(t.Context(), t.TempDir(), "anger", "9.2.213", nil); !errors.Is(err, ErrUnknownEngine) || err.Error() != `there is no engine "anger": the engines are angr, crosshair` {
		t.Errorf("an engine that is none: %v", err)
	}
	bin := t.TempDir()
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	withRow(t, "python3.11", "python3")
	kind := ErrUnavailable
	check := func(want string) {
		t.Helper()
		dir := t.TempDir()
		if _, err := Environment(t.Context(), dir, "fake", "1.0", nil); !errors.Is(err, kind) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "engines", "*fake-1.0-*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	check("fake needs Python, and none of python3.11, python3 is in PATH: install the packages python3 and python3-venv")
	script("python3", "echo \"ModuleNotFoundError: No module named 'ensurepip'\" >&2; exit 1")
	check("no Python here can make an environment for fake (" + bin + "/python3: ModuleNotFoundError: No module named 'ensurepip'): install the package python3-venv")
	script("python3.11", `case "$*" in *venv,*) exit 0;; esac; echo no space left; exit 1`)
	check(bin + "/python3.11 makes no environment for fake: no space left: install the package")
	// within makes an environment whose python runs the script.
	within := func(text string) {
		script("python3.11", `if test "$2" = venv; then d=$3/bin; /bin/mkdir -p $d; echo '#!/bin/sh
`+text+`' >$d/python; /bin/chmod +x $d/python; fi`)
	}
	within("echo No module named pip; exit 1")
	check(bin + "/python3.11 has no pip: install the package python3-venv")
	within("echo ERROR: No matching distribution found for plx-fake-engine==1.0; exit 1")
	check("pip finds no plx-fake-engine==1.0 for " + bin + "/python3.11: see that there is such a version")
	// So it is if the registry cannot be reached, too. Where it can be, pip lists the versions that
	// are there.
	const no = "; echo ERROR: No matching distribution found for plx-fake-engine==1.0; exit 1"
	within("echo \"ERROR: Could not find a version that satisfies the requirement plx-fake-engine==1.0 (from versions: none)\"" + no)
	check("pip finds no plx-fake-engine==1.0 for ")
	within("echo \"ERROR: Ignored the following versions that require a different python version: 1.0 Requires-Python >=3.99\"; echo \"(from versions: 0.8, 0.9)\"" + no)
	check("pip finds no plx-fake-engine==1.0 for ")
	kind = ErrNoVersion
	within("echo \"ERROR: Could not find a version that satisfies the requirement plx-fake-engine==1.0 (from versions: 0.8, 0.9)\"" + no)
	check("there is no plx-fake-engine==1.0 for " + bin + "/python3.11: the versions are listed by: pip index versions plx-fake-engine")
	within("echo \"ERROR: Ignored the following versions that require a different python version: 1.0.1 Requires-Python >=3.99; 2.0 Requires-Python >=3.99\"; echo \"(from versions: 0.8, 0.9)\"" + no)
	check("there is no plx-fake-engine==1.0 for ")
	kind = ErrUnavailable
	within("echo ERROR: Could not connect; exit 1")
	check("pip does not install plx-fake-engine==1.0: ERROR: Could not connect: see that the package registry can be reached")
	within(`test "$1 $2" = "-c import plx_fake_engine" || exit 0; echo ImportError: no ConstBitStream; exit 1`)
	check("plx-fake-engine==1.0 was installed and does not start on " + bin + "/python3.11: ImportError: no ConstBitStream: try another version")

	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "engines"), 0o755)
	l, err := filelock.Try(filepath.Join(dir, "engines", "fake-1.0-v1.lock"), filelock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	cancel()
	if _, err := Environment(ctx, dir, "fake", "1.0", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("while another process makes it: %v", err)
	}
}
