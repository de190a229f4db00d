package confine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestEnds(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
		for _, c := range []struct {
			script string
			exit   int
			signal syscall.Signal
		}{
			{"exit 0", 0, 0},
			{"exit 1", 1, 0},
			{"exit 255", 255, 0},
			{"kill -ABRT $$", -1, unix.SIGABRT},
			{"kill -SEGV $$", -1, unix.SIGSEGV},
			{"kill -KILL $$", -1, unix.SIGKILL},
			{"kill -TERM $$", -1, unix.SIGTERM},
			{"sh -c 'kill -ABRT $$'; exit $?", 134, 0},
		} {
			s := ran(t, b, shell(c.script)).Status
			if s.CPU <= 0 {
				t.Errorf("%s: no time was counted", c.script)
			}
			s.CPU = 0
			if want := (Status{Exit: c.exit, Signal: c.signal}); s != want {
				t.Errorf("%s: %+v, want %+v", c.script, s, want)
			}
		}
	})
}

func TestKill(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
		for _, script := range []string{"exec sleep 1000", "trap '' TERM INT HUP; while :; do sleep 1000; done", "kill -STOP $$", "sh -c 'trap \"\" TERM; sleep 1000'; exit 0"} {
			before, err := b.Start(shell("exit 3"))
			if err != nil {
				t.Fatal(err)
			}
			if s := before.Wait(); s.Exit != 3 {
				t.Fatal(s)
			}
			p, err := b.Start(shell(script))
			if err != nil {
				t.Fatal(err)
			}
			before.Kill() // it has ended: the signal must not reach the other
			time.AfterFunc(20*time.Millisecond, p.Kill)
			if s := p.Wait(); s.Signal != unix.SIGKILL || s.OOM || s.Forked || s.Err != nil {
				t.Errorf("%s: %+v", script, s)
			}
			if again := p.Wait(); again.Signal != unix.SIGKILL {
				t.Errorf("asked again: %+v", again)
			}
			p.Kill()
		}
	})
}

// TestLateKillOfEndedProcess checks that a late Kill of an ended process does not reach the next
// one. The test above would notice it only by chance.
func TestLateKillOfEndedProcess(t *testing.T) {
	b := openSandbox(t, Options{Plain: true})
	for range 20 {
		p, err := b.Start(shell("exit 0"))
		if err != nil {
			t.Fatal(err)
		}
		p.Wait()
		next := started(t, b, shell("read x; exit 5"))
		p.Kill()
		if r := next(); r.Exit != 5 {
			t.Fatalf("%+v", r)
		}
	}
}

func TestEndLeavesNothing(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
		mark := newMark()
		script, _ := strings.CutSuffix(daemons(mark), "sleep "+mark)
		if r := ran(t, b, shell(script+"exit 7")); r.Exit != 7 {
			t.Errorf("%+v", r)
		}
		if left := marked(t, mark); len(left) > 0 {
			t.Errorf("after Wait, there are still %d processes", len(left))
		}
	})
}

func TestClose(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		dir, mark := t.TempDir(), newMark()
		b, err := Open(t.Context(), Options{Tool: tool(), Plain: plain, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.Start(shell(daemons(mark)))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "all run", func() bool { return len(sleepers(t, mark)) == 5 })
		end := make(chan Status)
		go func() { end <- p.Wait() }()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if s := <-end; !errors.Is(s.Err, ErrGone) {
			t.Errorf("%+v", s)
		}
		if left := marked(t, mark); len(left) > 0 {
			t.Errorf("after Close, there are still %d processes", len(left))
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		p.Kill()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if _, err := b.Start(shell("exit 0")); !errors.Is(err, ErrGone) {
			t.Errorf("started in a closed sandbox: %v", err)
		}
	})
}

// TestOwnerKilled checks that when the owner is killed, nothing remains, even without a message to
// the sandbox.
func TestOwnerKilled(t *testing.T) {
	mounts := readFile(t, "/proc/self/mountinfo")
	for _, way := range []string{"namespaces", "plain"} {
		t.Run(way, func(t *testing.T) {
			dir, mark := t.TempDir(), newMark()
			cmd, sandbox := startOwner(t, way, mark, dir)
			if way == "plain" {
				if made, _ := filepath.Glob(dir + "/*/parallax/started"); len(made) != 1 {
					t.Errorf("the private folder is not where it should be: %v", made)
				}
			}
			cmd.Process.Kill()
			cmd.Wait()
			eventually(t, "all processes are gone", func() bool { return len(marked(t, mark)) == 0 && isGone(sandbox) })
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
	if now := readFile(t, "/proc/self/mountinfo"); now != mounts {
		t.Errorf("mounts were\n%sand are\n%s", mounts, now)
	}
}

// TestSandboxKilled checks that when the sandbox is killed, its owner notices it and opens another.
func TestSandboxKilled(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
		mark := newMark()
		script := daemons(mark)
		if b.level == (isolationLevel{}) && b.group == nil {
			// Without namespaces and control groups, a process outside of the group lives on, as
			// documented.
			script = "trap '' TERM HUP; sleep " + mark + " & sleep " + mark
		}
		p, err := b.Start(shell(script))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "a process runs", func() bool { return len(sleepers(t, mark)) >= 2 })
		b.sandbox.Kill()
		if s := p.Wait(); !errors.Is(s.Err, ErrGone) || s.Exit == 0 {
			t.Errorf("%+v", s)
		}
		eventually(t, "all processes are gone", func() bool { return len(marked(t, mark)) == 0 })
		if _, err := b.Start(shell("exit 0")); !errors.Is(err, ErrGone) {
			t.Errorf("started in a dead sandbox: %v", err)
		}
		if r := ran(t, openSandbox(t, Options{Plain: plain}), shell("exit 4")); r.Exit != 4 {
			t.Errorf("in another: %+v", r)
		}
	})
}

// TestKilledSandboxSparesStrangers checks that a process lives if it gets the number of a killed
// sandbox's program.
func TestKilledSandboxSparesStrangers(t *testing.T) {
	for what, kill := range map[string]func(p *Process){
		"at its end": func(p *Process) { p.Wait() },
		"by its number": func(p *Process) {
			p.leader = nil // as on a kernel that cannot signal the group of a descriptor
			p.killGroup()
		},
	} {
		b := openSandbox(t, Options{Plain: true})
		p, err := b.Start(shell("exec sleep 1000"))
		if err != nil {
			t.Fatal(err)
		}
		b.sandbox.Kill()
		eventually(t, "the process is gone", func() bool { return isGone(p.pid) })
		stranger := exec.Command("sleep", "1000")
		stranger.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := stranger.Start(); err != nil {
			t.Fatal(err)
		}
		p.pid = stranger.Process.Pid
		kill(p)
		stranger.Process.Signal(unix.SIGTERM)
		if stranger.Wait(); stranger.ProcessState.Sys().(syscall.WaitStatus).Signal() != unix.SIGTERM {
			t.Errorf("%s: %v", what, stranger.ProcessState)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
