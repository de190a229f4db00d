package quota

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNotifierOrphan checks that a process does not wait for an answer if its parent is killed just
// after the start. It has its parent's descriptors, and may first signal itself. No process is left
// to answer the kernel's question.
func TestNotifierOrphan(t *testing.T) {
	const name = "PARALLAX_TEST_ORPHAN"
	if os.Getenv(name) != "" {
		OnThread(func() {
			if err := RestrictSignals(true, os.Getpid()); err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(fork())
			select {}
		})
		select {}
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestNotifierOrphan$")
	parent.Env = append(os.Environ(), name+"=1")
	out, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	parent.Process.Kill()
	parent.Wait()
	child, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil || child <= 0 {
		t.Fatalf("no child: %q, %v", line, err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if err != nil {
			return
		}
		if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) == 0 || string(fields[0]) == "Z" {
			return
		}
		if time.Now().After(deadline) {
			unix.Kill(child, unix.SIGKILL)
			t.Fatal("it waits for an answer")
		}
	}
}

// fork starts a process that executes no other program. When its parent has ended, it signals
// itself, like package syscall does, and ends.
//
//go:norace
func fork() int {
	parent, _, _ := unix.RawSyscall(unix.SYS_GETPID, 0, 0, 0)
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno != 0 {
		return -int(errno)
	}
	if pid != 0 {
		return int(pid)
	}
	for {
		if now, _, _ := unix.RawSyscall(unix.SYS_GETPPID, 0, 0, 0); now != parent {
			break
		}
		unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
	}
	self, _, _ := unix.RawSyscall(unix.SYS_GETPID, 0, 0, 0)
	unix.RawSyscall(unix.SYS_KILL, self, uintptr(unix.SIGTERM), 0)
	for {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 3, 0, 0)
	}
}

// TestManyNotifiers checks that answering threads end with the asking processes, while others wait
// for timers and pipes. The descriptors by which the runtime wakes those must be open. Any other
// one would keep a pipe from being closed.
func TestManyNotifiers(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stop := make(chan struct{})
	var working sync.WaitGroup
	for range 4 {
		working.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Microsecond):
				}
			}
		})
	}
	const all, wide = 200, 10
	held := make(chan error)
	for i := range all {
		OnThread(func() { held <- RestrictSignals(true, os.Getpid()) })
		if i < wide {
			continue
		}
		if err := <-held; err != nil {
			t.Fatal(err)
		}
	}
	for range wide {
		if err := <-held; err != nil {
			t.Fatal(err)
		}
	}
	alive := make(chan struct{})
	OnThread(func() { // one that still answers
		if err := RestrictSignals(true, os.Getpid()); err != nil {
			t.Error(err)
		}
		alive <- struct{}{}
		<-alive
	})
	<-alive
	w.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("%d bytes, %v", n, err)
	}
	alive <- struct{}{}
	close(stop)
	working.Wait()
}
