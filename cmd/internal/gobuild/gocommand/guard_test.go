package gocommand

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// asParent is set in the process that TestKilledParentLeavesNothing kills.
const asParent = "GOCOMMAND_TEST_PARENT"

// mark is an environment variable by which the test finds the descendants of that process.
const mark = "GOCOMMAND_TEST_MARK"

// TestParent is no test: it is the parallax that is killed in the middle of a build.
func TestParent(t *testing.T) {
	dir := os.Getenv(asParent)
	if dir == "" {
		t.Skip("run by TestKilledParentLeavesNothing")
	}
	_, _, err := Run(context.Background(), Command{Dir: dir, Guard: moduletest.Self(t), Args: []string{"build", "-a", "-p=4", "-o", os.DevNull, "."}, Env: []string{"GOCACHE=" + filepath.Join(dir, "cache")}})
	t.Fatalf("the build ended before the kill: %v", err)
}

// marked returns the processes, zombies left out, whose environment holds the mark; by command
// line.
func marked(t *testing.T, value string) map[int]string {
	t.Helper()
	found := map[int]string{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip("needs /proc")
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil || !bytes.Contains(env, []byte(mark+"="+value)) {
			continue
		}
		if stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat")); err != nil || strings.Contains(string(stat), ") Z ") {
			continue
		}
		line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
	}
	return found
}

// eventually polls until ok or for a minute.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what)
		}
	}
}

func compiling(t *testing.T, value string) bool {
	for _, line := range marked(t, value) {
		if strings.Contains(line, "/compile ") && strings.Contains(line, " -p ") {
			return true
		}
	}
	return false
}

// bigBuild is a program that takes a while to compile from nothing.
func bigBuild(t *testing.T) string {
	return moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n-- m.go --\npackage main\n\nimport _ \"net/http\"\n\nfunc main() {}\n")
}

func TestKilledParentLeavesNothing(t *testing.T) {
	dir := bigBuild(t)
	value := strconv.Itoa(os.Getpid()) + filepath.Base(dir)
	parent := exec.Command(moduletest.Self(t), "-test.run=^TestParent$")
	parent.Env = append(os.Environ(), asParent+"="+dir, mark+"="+value)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no compiler runs", func() bool { return compiling(t, value) })
	if err := parent.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	parent.Wait()
	eventually(t, "processes are left", func() bool { return len(marked(t, value)) == 0 })
}

func TestCancelledBuildLeavesNothing(t *testing.T) {
	dir := bigBuild(t)
	value := strconv.Itoa(os.Getpid()) + filepath.Base(dir)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, _, err := Run(ctx, Command{Dir: dir, Guard: moduletest.Self(t), Args: []string{"build", "-a", "-o", os.DevNull, "."},
			Env: []string{mark + "=" + value, "GOCACHE=" + filepath.Join(dir, "cache")}})
		done <- err
	}()
	eventually(t, "no compiler runs", func() bool { return compiling(t, value) })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("run returns %v, want context.Canceled", err)
	}
	eventually(t, "processes are left", func() bool { return len(marked(t, value)) == 0 })
}

func TestGuardPassesThrough(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"--", "/bin/sh", "-c", "echo out; exit 7"}, 7, "out\n"},
		{[]string{"/bin/sh", "-c", "exit 0"}, 0, ""},
		{[]string{"--", "/bin/sh", "-c", "kill -9 $$"}, exit.InfraCode, ""},
		{[]string{"--", "/no/such/command"}, exit.InfraCode, ""},
		{[]string{"--"}, exit.UsageCode, ""},
	} {
		cmd := exec.Command(moduletest.Self(t), append([]string{"guard"}, tt.args...)...)
		out, err := cmd.Output()
		var failed *exec.ExitError
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != tt.code || string(out) != tt.out {
			t.Errorf("guard %q: exit code %d, output %q; want %d, %q", tt.args, got, out, tt.code, tt.out)
		}
	}
}
