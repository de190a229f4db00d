package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/limits"
)

func TestNoLeaks(t *testing.T) {
	count := func() (descriptors, goroutines int) {
		runtime.GC()
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries), runtime.NumGoroutine()
	}
	cycle := func() {
		for _, plain := range []bool{false, true} {
			b, err := Open(t.Context(), Options{Tool: tool(), Plain: plain, Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				p, err := b.Start(shell("exit 0"))
				if err != nil {
					t.Fatal(err)
				}
				p.Wait()
				b.Start(Command{Args: []string{"/none"}})
			}
			inside := descriptors(t, b)
			for range 10 {
				ran(t, b, shell("exit 0"))
				b.Start(Command{Args: []string{"/none"}, Stdin: os.Stdin, Stdout: os.Stdin})
			}
			if after := descriptors(t, b); after != inside {
				t.Errorf("descriptors in the sandbox: %s, then %s", inside, after)
			}
			b.Close()
		}
	}
	cycle()
	fds, goroutines := count()
	for range 3 {
		cycle()
	}
	eventually(t, "no more descriptors and goroutines than before", func() bool {
		f, g := count()
		return f <= fds && g <= goroutines
	})
}

// descriptors lists the descriptors of the sandbox while a program runs.
func descriptors(t *testing.T, b *Sandbox) string {
	in, say, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer say.Close()
	c := shell("read go; ls -m /proc/$PPID/fd")
	c.Stdin = in
	wait := started(t, b, c)
	in.Close()
	fmt.Fprintln(say, "go") // the sandbox has finished the start
	return wait().out
}

// TestAsUser runs all tests as an ordinary user, too.
func TestAsUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("it is an ordinary user who tests: there is nothing to add")
		return
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "confine-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	data, err := os.ReadFile(tool())
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "confine.test")
	if err := errors.Join(os.WriteFile(copied, data, 0o755), os.Chmod(dir, 0o755), os.Mkdir(dir+"/tmp", 0o755), os.Chown(dir+"/tmp", nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(copied, "-test.run=.", "-test.skip=TestAsUser", "-test.v")
	c.Dir = dir
	c.Env = append(os.Environ(), "TMPDIR="+dir+"/tmp")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if testing.Verbose() {
		t.Logf("%s", out)
	}
}

// BenchmarkStart measures a run in a sandbox, and a run by package os/exec for comparison.
func BenchmarkStart(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, plain := range []bool{false, true} {
		b.Run(fmt.Sprintf("sandbox/plain=%v", plain), func(b *testing.B) {
			sandbox, err := Open(b.Context(), Options{Tool: tool(), Plain: plain, Dir: b.TempDir(), Limits: limits.Limits{Memory: 1 << 30, FileSize: 1 << 30, Processes: 64}})
			if err != nil {
				b.Fatal(err)
			}
			defer sandbox.Close()
			for b.Loop() {
				p, err := sandbox.Start(Command{Args: []string{"/bin/true"}})
				if err != nil {
					b.Fatal(err)
				}
				if s := p.Wait(); s.Exit != 0 || s.Err != nil {
					b.Fatal(s)
				}
			}
		})
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			sandbox, err := Open(b.Context(), Options{Tool: tool(), Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			sandbox.Close()
		}
	})
}
