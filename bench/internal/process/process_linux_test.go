package process

import (
	"context"
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

// role is the environment variable that turns the test binary into a command under test. burn works
// for a while and records its own CPU time. family starts two that burn, waits for one and leaves
// the other an orphan. sleep hangs, and leave leaves a process that hangs.
const role = "BENCH_PROCESS_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "burn":
		burn()
	case "family":
		first, second := self("burn"), self("burn")
		if first.Start() != nil || second.Start() != nil || first.Wait() != nil {
			os.Exit(9)
		}
		os.Exit(3)
	case "sleep":
		time.Sleep(time.Hour)
	case "leave":
		if self("sleep").Start() != nil {
			os.Exit(9)
		}
	default:
		os.Exit(m.Run())
	}
}

func self(as string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	return cmd
}

func burn() {
	for n, used := 0, time.Duration(0); used < 80*time.Millisecond; n++ {
		if n%1000 == 0 {
			used = own()
		}
	}
	name := filepath.Join(os.Getenv("BENCH_PROCESS_DIR"), strconv.Itoa(os.Getpid()))
	if err := os.WriteFile(name, []byte(fmt.Sprint(int64(own()))), 0o644); err != nil {
		os.Exit(9)
	}
}

func own() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reported sums up what burning processes wrote down.
func reported(t *testing.T, dir string) (total time.Duration, processes int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		total += time.Duration(n)
		processes++
	}
	return total, processes
}

// TestUsage: the time of a descendant counts whether its parent waits for it or has died.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	p, err := Start(Command{Path: os.Args[0], Env: []string{role + "=family", "BENCH_PROCESS_DIR=" + dir}})
	if err != nil {
		t.Fatal(err)
	}
	most := time.Duration(0)
	for running := true; running; {
		select {
		case <-p.Ended():
			running = false
		case <-time.After(time.Millisecond):
			most = max(most, p.CPU())
		}
	}
	u, err := p.Wait(time.Minute)
	if err != nil || u.Exit != 3 {
		t.Fatalf("%+v, %v", u, err)
	}
	total, processes := reported(t, dir)
	if processes != 2 || u.CPU < total {
		t.Errorf("CPU time %v, %d processes report %v", u.CPU, processes, total)
	}
	// The figures are counted in two ways. On a virtual machine with shared processors, /proc may
	// report a tenth more for running processes than the kernel reports at their end. If time were
	// counted twice, it would be twice as much.
	if most > u.CPU+u.CPU/2 || most == 0 {
		t.Errorf("%v on the way, %v in the end", most, u.CPU)
	}
	if left := tree(os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestLeftover(t *testing.T) {
	p, err := Start(Command{Path: os.Args[0], Env: []string{role + "=leave"}})
	if err != nil {
		t.Fatal(err)
	}
	if u, err := p.Wait(0); err != nil || u.Exit != 0 {
		t.Errorf("%+v, %v", u, err)
	}
	if left := tree(os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	u, err := Run(ctx, Command{Path: os.Args[0], Env: []string{role + "=sleep"}})
	if err == nil || u.Exit != -1 {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestStartMissing(t *testing.T) {
	if _, err := Start(Command{Path: filepath.Join(t.TempDir(), "nothing")}); err == nil {
		t.Error("a program that does not exist was started")
	}
}
