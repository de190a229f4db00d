package confine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/program"
)

func TestEnds(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
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
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
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
			before.Kill() // is over: it must not hit the other
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

// A late Kill of a process that is over does not reach the next, which the test above would see only by chance.
func TestKillOfTheOneBefore(t *testing.T) {
	b := openBox(t, Options{Plain: true})
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

func TestNothingStays(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
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
	eachWay(t, func(t *testing.T, plain bool) {
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
			t.Errorf("started in a closed box: %v", err)
		}
	})
}

// The owner is killed: nothing may be left, though nobody says so to the box.
func TestOwnerKilled(t *testing.T) {
	mounts := readFile(t, "/proc/self/mountinfo")
	for _, way := range []string{"namespaces", "plain"} {
		t.Run(way, func(t *testing.T) {
			dir, mark := t.TempDir(), newMark()
			cmd, box := startOwner(t, way, mark, dir)
			if way == "plain" {
				if made, _ := filepath.Glob(dir + "/*/parallax/started"); len(made) != 1 {
					t.Errorf("the private folder is not where it should be: %v", made)
				}
			}
			cmd.Process.Kill()
			cmd.Wait()
			eventually(t, "all processes are gone", func() bool { return len(marked(t, mark)) == 0 && isGone(box) })
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
	if now := readFile(t, "/proc/self/mountinfo"); now != mounts {
		t.Errorf("mounts were\n%sand are\n%s", mounts, now)
	}
}

// The box is killed: its owner learns it, and opens another.
func TestBoxKilled(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		mark := newMark()
		script := daemons(mark)
		if b.rung == (rung{}) {
			// Who has left the group lives on where there are no namespaces: documented.
			script = "trap '' TERM HUP; sleep " + mark + " & sleep " + mark
		}
		p, err := b.Start(shell(script))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "a process runs", func() bool { return len(sleepers(t, mark)) >= 2 })
		b.box.Kill()
		if s := p.Wait(); !errors.Is(s.Err, ErrGone) || s.Exit == 0 {
			t.Errorf("%+v", s)
		}
		eventually(t, "all processes are gone", func() bool { return len(marked(t, mark)) == 0 })
		if _, err := b.Start(shell("exit 0")); !errors.Is(err, ErrGone) {
			t.Errorf("started in a dead box: %v", err)
		}
		if r := ran(t, openBox(t, Options{Plain: plain}), shell("exit 4")); r.Exit != 4 {
			t.Errorf("in another: %+v", r)
		}
	})
}

func TestMemory(t *testing.T) {
	const limit = 128 << 20
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain, Limits: program.Limits{Memory: limit}})
		inChild := own("hog", "400", "30000")
		inChild.Args = append([]string{"sh", "-c", `"$@" & wait`, "sh", tool()}, inChild.Args[1:]...)
		inChild.Path = "/bin/sh"
		together := own("hog", "50", "30000") // none of the four alone
		together.Args = []string{"sh", "-c", `for i in 1 2 3 4; do "$@" & done; wait`, "sh", tool(), "50", "30000"}
		together.Path = "/bin/sh"
		for _, c := range []struct {
			name string
			Command
			oom bool
		}{
			{"much", own("hog", "400", "30000"), true},
			{"shortly", own("hog", "200", "0"), true}, // may be over before anybody looks
			{"a child", inChild, true},
			{"together", together, true},
			{"little", own("hog", "30", "30"), false},
		} {
			if r := ran(t, b, c.Command); r.OOM != c.oom || r.Forked || !c.oom && r.Exit != 0 {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
	})
}

// At most 256 processes, if nothing stopped them.
const bomb = `f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; exec %s sleep ` + "%s" + `; }; f 7`

func TestForkBomb(t *testing.T) {
	for _, wrapper := range []string{"", "setsid -w"} {
		t.Run(wrapper, func(t *testing.T) {
			eachWay(t, func(t *testing.T, plain bool) {
				b := openBox(t, Options{Plain: plain, Limits: program.Limits{Processes: 32}})
				mark := newMark()
				if r := ran(t, b, shell(fmt.Sprintf(bomb, wrapper, mark))); !r.Forked || r.Signal != unix.SIGKILL {
					t.Errorf("%+v", r)
				}
				if left := marked(t, mark); len(left) > 0 {
					t.Errorf("%d are left", len(left))
				}
				if r := ran(t, b, shell("for i in 1 2 3 4 5; do sleep 0.02 & done; wait; exit 2")); r.Forked || r.Exit != 2 {
					t.Errorf("few: %+v", r)
				}
			})
		})
	}
}

func TestFileSize(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain, Limits: program.Limits{FileSize: 1 << 20}})
		if r := ran(t, b, shell("exec head -c 3000000 /dev/zero > big")); r.Signal != unix.SIGXFSZ {
			t.Errorf("%+v", r)
		}
		// The box is not bound by it.
		c := shell("wc -c < input")
		c.Files = map[string][]byte{"input": make([]byte, 3000000)}
		if r := ran(t, b, c); strings.TrimSpace(r.out) != "3000000" {
			t.Errorf("%+v", r)
		}
	})
}

func TestFullFolder(t *testing.T) {
	b := openBox(t, Options{TempMB: 1})
	if !b.rung.private {
		t.Log("this machine permits no private file system, so there is no size")
		return
	}
	for range 2 { // what one filled, the next finds empty
		if r := ran(t, b, shell("head -c 500000 /dev/zero > small && echo fits && head -c 3000000 /dev/zero > big")); r.Exit != 1 || !strings.Contains(r.out, "fits") {
			t.Errorf("%+v", r)
		}
		if r := ran(t, b, shell("i=0; while : > f$i; do i=$((i+1)); done 2> /dev/null; exit 1")); r.Exit == 0 {
			t.Errorf("endless files: %+v", r)
		}
	}
	c := shell("exit 0")
	c.Files = map[string][]byte{"input": make([]byte, 3<<20), "second": []byte("x")}
	if _, err := b.Start(c); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("an input that does not fit: %v", err)
	}
	if r := ran(t, b, shell("exit 6")); r.Exit != 6 {
		t.Errorf("after it: %+v", r)
	}
}

func TestFolder(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		c := shell(`pwd; cat a; cat "$1/b"; ls -A; mkdir -p x/y; touch x/y/z ../outside; chmod 0 x/y x; umask 777; echo`, b.Folder())
		c.Files = map[string][]byte{"a": []byte("one\n"), "b": []byte("two\n")}
		want := b.Folder() + "\none\ntwo\na\nb\n\n"
		for range 3 {
			if r := ran(t, b, c); r.out != want || r.Exit != 0 {
				t.Errorf("%+v, want %q", r, want)
			}
		}
		for _, script := range []string{"chmod 0 .", "chmod 777 .", "rmdir $PWD", "rm -r $PWD; : > $PWD", "mv $PWD ../moved; mkdir $PWD $PWD/x", "mkdir x; mv x/ ../y; rmdir $PWD; ln -s / $PWD", "ln -s / x"} {
			ran(t, b, shell(script))
			if r := ran(t, b, shell("pwd; stat -c %a .; ls -A . ..")); r.out != b.Folder()+"\n700\n.:\n\n..:\nparallax\n" {
				t.Errorf("after %s: %+v", script, r)
			}
		}
		c = shell("pwd; test ! -e " + b.Folder() + "/../outside; echo $?")
		c.Dir = "/usr"
		if r := ran(t, b, c); r.out != "/usr\n0\n" {
			t.Errorf("%+v", r)
		}
		for _, name := range []string{"", ".", "..", "a/b", "../a", "a\x00"} {
			if _, err := b.Start(Command{Args: []string{"/bin/true"}, Files: map[string][]byte{name: nil}}); err == nil {
				t.Errorf("a file %q was accepted", name)
			}
		}
	})
}

func TestKeep(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		for script, want := range map[string]string{
			"echo kept > o":                "kept\n",
			"echo kept > o; exit 1":        "kept\n",
			"exit 0":                       "",
			"ln -s /etc/passwd o":          "",
			"mkfifo o":                     "",
			"mkdir o":                      "",
			"echo kept > o; kill -KILL $$": "kept\n",
		} {
			c := shell(script)
			c.Keep = "o"
			s := ran(t, b, c).Status
			got := ""
			if s.Kept != nil {
				data, err := io.ReadAll(s.Kept)
				if err != nil {
					t.Error(err)
				}
				got = string(data)
				s.Kept.Close()
			}
			if got != want || (s.Kept != nil) != (want != "") {
				t.Errorf("%s: %q, want %q", script, got, want)
			}
		}
	})
}

func TestCannotStart(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		for _, c := range []struct {
			name string
			Command
			errno syscall.Errno
		}{
			{"missing", Command{Args: []string{dir + "/none"}}, unix.ENOENT},
			{"not executable", Command{Args: []string{write("plain", "#!/bin/sh\n", 0o644)}}, unix.EACCES},
			{"no interpreter", Command{Args: []string{write("bad", "#!/no/such\n", 0o755)}}, unix.ENOENT},
			{"no format", Command{Args: []string{write("text", "hello\n", 0o755)}}, unix.ENOEXEC},
			{"a folder", Command{Args: []string{dir}}, unix.EACCES},
			{"no folder", Command{Args: []string{"/bin/true"}, Dir: dir + "/none"}, unix.ENOENT},
			{"a zero byte", Command{Args: []string{"/bin/true", "a\x00b"}}, unix.EINVAL},
			{"a long argument", Command{Args: []string{"/bin/true", strings.Repeat("x", 200<<10)}}, unix.E2BIG},
		} {
			if _, err := b.Start(c.Command); !errors.Is(err, c.errno) {
				t.Errorf("%s: %v, want %v", c.name, err, c.errno)
			}
			if r := ran(t, b, shell("exit 0")); r.Exit != 0 {
				t.Errorf("after %s: %+v", c.name, r)
			}
		}
		if _, err := b.Start(Command{}); err == nil {
			t.Error("an empty command was started")
		}
		wait := started(t, b, shell("exit 0"))
		if _, err := b.Start(shell("exit 0")); err == nil || errors.Is(err, ErrGone) {
			t.Errorf("a second program at once: %v", err)
		}
		wait()
	})
}

func TestNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "from outside")
			conn.Close()
		}
	}()
	eachWay(t, func(t *testing.T, plain bool) {
		outside := own("connect", listener.Addr().String())
		b := openBox(t, Options{Plain: plain})
		if r := ran(t, b, outside); r.Exit != 1 {
			t.Errorf("reached the network: %+v", r)
		}
		if r := ran(t, b, own("local")); (r.Exit == 0) != b.rung.private {
			t.Errorf("localhost: %+v", r)
		}
		allowed := openBox(t, Options{Plain: plain, Limits: program.Limits{Network: true}})
		if r := ran(t, allowed, outside); r.Exit != 0 || !strings.Contains(r.out, "from outside") {
			t.Errorf("did not reach the network: %+v", r)
		}
	})
}

// What a program inherits is what it was given.
func TestInheritance(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		c := Command{Path: "/usr/bin/env", Args: []string{"env"}, Env: []string{"A=1", "B=\xff\n2"}}
		if r := ran(t, b, c); r.out != "A=1\nB=\xff\n2\n" {
			t.Errorf("environment: %q", r.out)
		}
		if r := ran(t, b, shell("ls /proc/self/fd")); r.out != "0\n1\n2\n3\n" { // 3 is the listing itself
			t.Errorf("descriptors: %q", r.out)
		}
		r := ran(t, b, shell("grep -E 'NoNewPrivs|SigIgn|SigBlk' /proc/self/status; ulimit -c; ulimit -n; cat; exec 3< /dev/tty"))
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(r.out, "\n")
		if len(lines) < 5 || lines[3] != "0" || !strings.HasSuffix(lines[2], "1") || r.Exit == 0 {
			t.Errorf("%+v", r)
		}
		if strings.Trim(strings.TrimPrefix(lines[0], "SigBlk:"), "\t0") != "" {
			t.Errorf("blocked signals: %q", lines[0])
		}
		if os.Geteuid() != 0 {
			if r := ran(t, b, shell("grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status; id -u")); strings.Trim(strings.NewReplacer("CapInh:", "", "CapPrm:", "", "CapEff:", "", "CapAmb:", "", "\n", "", "\t", "").Replace(r.out[:strings.LastIndex(r.out[:len(r.out)-1], "\n")]), "0") != "" {
				t.Errorf("capabilities: %s", r.out)
			}
		}
		if r := ran(t, b, shell("id -u; id -g")); r.out != fmt.Sprintf("%d\n%d\n", os.Geteuid(), os.Getegid()) {
			t.Errorf("user: %q", r.out)
		}
		if b.rung.pid {
			if r := ran(t, b, shell("echo $$; echo /proc/[0-9]*")); r.out != "100\n/proc/1 /proc/100\n" {
				t.Errorf("processes: %q", r.out)
			}
		}
	})
}

func TestStandardStreams(t *testing.T) {
	eachWay(t, func(t *testing.T, plain bool) {
		b := openBox(t, Options{Plain: plain})
		in, input, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		output, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer output.Close()
		p, err := b.Start(Command{Path: "/bin/cat", Args: []string{"cat"}, Stdin: in, Stdout: out})
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		out.Close()
		for i := range 10 { // a conversation
			if _, err := fmt.Fprintln(input, i); err != nil {
				t.Fatal(err)
			}
			answer := make([]byte, 2)
			if _, err := io.ReadFull(output, answer); err != nil || string(answer) != fmt.Sprintln(i) {
				t.Fatalf("%q, %v", answer, err)
			}
		}
		input.Close()
		if s := p.Wait(); s.Exit != 0 || s.Signal != 0 {
			t.Errorf("%+v", s)
		}
		if rest, err := io.ReadAll(output); len(rest) > 0 || err != nil {
			t.Errorf("%q, %v", rest, err)
		}
	})
}

func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(t.Context(), Options{Tool: dir + "/none", Dir: dir}); !errors.Is(err, unix.ENOENT) {
		t.Errorf("no parallax: %v", err)
	}
	if _, err := Open(t.Context(), Options{Tool: "/bin/true", Dir: dir}); !errors.Is(err, ErrGone) {
		t.Errorf("another program: %v", err)
	}
	if _, err := Open(t.Context(), Options{Tool: tool(), Dir: dir + "/none", Plain: true}); !errors.Is(err, unix.ENOENT) {
		t.Errorf("no folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Options{Tool: tool(), Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if out, err := exec.Command(tool(), "box", "by hand").CombinedOutput(); err == nil || !strings.Contains(string(out), "by parallax itself") {
		t.Errorf("by hand: %s, %v", out, err)
	}
}

// Each way on its own, also those that this machine does not need.
func TestLadder(t *testing.T) {
	for _, r := range append(ladder(false, 0), rung{user: true, private: true}) {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			mark := newMark()
			b, err := open(t.Context(), Options{Tool: tool(), Dir: t.TempDir()}, r)
			if err != nil {
				t.Skip("this machine does not permit it: ", err)
			}
			defer b.Close()
			script, _ := strings.CutSuffix(daemons(mark), "sleep "+mark)
			if got := ran(t, b, shell(script+"exit 7")); got.Exit != 7 {
				t.Errorf("%+v", got)
			}
			if left := marked(t, mark); len(left) > 0 {
				t.Errorf("%d processes are left", len(left))
			}
		})
	}
	if got := ladder(true, 0); !reflect.DeepEqual(got, []rung{{}}) {
		t.Errorf("plain: %+v", got)
	}
	if notes := (rung{}).missing(unix.EPERM, false); len(notes) != 2 {
		t.Errorf("notes: %q", notes)
	}
}

// A private file system on a folder that had to be made.
func TestMadeFolder(t *testing.T) {
	was := mounts
	mounts = nil
	defer func() { mounts = was }()
	b := openBox(t, Options{})
	if r := ran(t, b, shell("pwd")); r.out != b.Folder()+"\n" {
		t.Errorf("%+v", r)
	}
}

// The two ways to find descendants agree.
func TestKin(t *testing.T) {
	k, err := newKin(false)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(k.proc)
	c := exec.Command("/bin/sh", "-c", "sleep 1000 & echo; wait")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 1))
	all := k.parents()
	if !strings.Contains(fmt.Sprint(all), strconv.Itoa(c.Process.Pid)) || len(all) < 2 {
		t.Errorf("children: %v", all)
	}
	if below, ok := k.below(); ok && len(below) != len(all) {
		t.Errorf("below: %v, but by parents: %v", below, all)
	}
	if u := k.use(); u.processes != len(all) || u.memory < 1<<16 {
		t.Errorf("use: %+v", u)
	}
	for _, pid := range all {
		unix.Kill(pid, unix.SIGKILL)
	}
	c.Wait()
}

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
				t.Errorf("descriptors in the box: %s, then %s", inside, after)
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

// descriptors are those of the box while a program runs.
func descriptors(t *testing.T, b *Box) string {
	in, say, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer say.Close()
	c := shell("read go; ls -m /proc/$PPID/fd")
	c.Stdin = in
	wait := started(t, b, c)
	in.Close()
	fmt.Fprintln(say, "go") // the box is done with starting
	return wait().out
}

// All of it as an ordinary user.
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

// BenchmarkStart is what a run in a box costs, beside the same by package os/exec.
func BenchmarkStart(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, plain := range []bool{false, true} {
		b.Run(fmt.Sprintf("box/plain=%v", plain), func(b *testing.B) {
			box, err := Open(b.Context(), Options{Tool: tool(), Plain: plain, Dir: b.TempDir(), Limits: program.Limits{Memory: 1 << 30, FileSize: 1 << 30, Processes: 64}})
			if err != nil {
				b.Fatal(err)
			}
			defer box.Close()
			for b.Loop() {
				p, err := box.Start(Command{Args: []string{"/bin/true"}})
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
			box, err := Open(b.Context(), Options{Tool: tool(), Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			box.Close()
		}
	})
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
