package golang

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeCompiler writes a tool called compile that logs its arguments and process id, and then runs
// body. It returns the arguments for the wrapper.
func fakeCompiler(t *testing.T, flag, body string) (dir string, args []string) {
	t.Helper()
	m := newModule(t, "a.go", "package a\n\nfunc F() {}\n", "bin/compile",
		"#!/bin/sh\necho \"$@\" > \"$PLX_DIR/args\"\necho $$ > \"$PLX_DIR/pid.new\"\nmv \"$PLX_DIR/pid.new\" \"$PLX_DIR/pid\"\n"+body)
	if err := os.Chmod(filepath.Join(m.dir, "bin/compile"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLX_DIR", m.dir)
	args = []string{"toolexec", filepath.Join(m.dir, "bin/compile"), "-o", filepath.Join(m.dir, "out.a"), "-p", "a"}
	if flag != "" {
		args = append(args, flag)
	}
	return m.dir, append(args, filepath.Join(m.dir, "a.go"))
}

// pidOf waits until the fake compiler runs.
func pidOf(t *testing.T, dir string) int {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the compiler does not start")
	return 0
}

// hasEnded waits for a process to end. A zombie has ended.
func hasEnded(pid int) bool {
	for range 1000 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDiesWithParent kills the process that started the wrapper.
func TestDiesWithParent(t *testing.T) {
	for _, flag := range []string{"", Flag(Options{})} {
		dir, args := fakeCompiler(t, flag, "exec sleep 1000\n")
		// The shell is the parent: with a command after it, it does not replace itself by the
		// wrapper.
		parent := exec.Command("/bin/sh", append([]string{"-c", `"$@"; true`, "sh", self(t)}, args...)...)
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		pid := pidOf(t, dir)
		_ = parent.Process.Kill()
		_ = parent.Wait()
		if !hasEnded(pid) {
			t.Errorf("flag %q: the compiler outlives the go command", flag)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// TestSignal ends the wrapper by a signal; nothing temporary stays.
func TestSignal(t *testing.T) {
	dir, args := fakeCompiler(t, Flag(Options{}), "exec sleep 1000\n")
	cmd := exec.Command(self(t), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := pidOf(t, dir)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d", code)
	}
	if !hasEnded(pid) {
		t.Error("the compiler outlives the wrapper")
	}
	if _, err := os.Stat(filepath.Join(dir, "plx")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is still there (%v)", err)
	}
}

// TestPassThrough checks what the tool receives and what its caller receives.
func TestPassThrough(t *testing.T) {
	const plain = "-o DIR/out.a -p a DIR/a.go\n"
	for _, test := range []struct {
		flag      string
		code      int
		out, want string
	}{
		{"", 7, "in\n", plain},
		{Flag(Options{}), 0, "in\n", "-o DIR/out.a -p a DIR/plx/0_a.go DIR/plx/plx_cov.go\n"},
		{Flag(Options{}), 7, "", plain}, // the second time, on the user's files
		{Flag(recording), 7, "in\n", plain},
	} {
		dir, args := fakeCompiler(t, test.flag, fmt.Sprintf("cat; echo err >&2; exit %d\n", test.code))
		cmd := exec.Command(self(t), args...)
		cmd.Stdin = strings.NewReader("in\n")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != test.code || out.String() != test.out || errs.String() != "err\n" {
			t.Errorf("flag %q: exit code %d, output %q, errors %q", test.flag, code, &out, &errs)
		}
		text, err := os.ReadFile(filepath.Join(dir, "args"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(string(text), dir, "DIR"); got != test.want {
			t.Errorf("flag %q: the tool gets %q, want %q", test.flag, got, test.want)
		}
	}

	for _, flag := range []string{"-plx=0123", Flag(Options{}) + ",nonsense"} {
		_, args := fakeCompiler(t, flag, "")
		out, err := exec.Command(self(t), args...).CombinedOutput()
		if err == nil || !strings.HasPrefix(string(out), "parallax: instrumenting a: "+flag) {
			t.Errorf("flag %q: %v, %s", flag, err, out)
		}
	}
}
