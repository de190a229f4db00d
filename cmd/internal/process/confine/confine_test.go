package confine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFolder(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
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
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
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
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
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

// TestInheritance checks that a program inherits only the descriptors that it was given.
func TestInheritance(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
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
		if b.level.pid {
			if r := ran(t, b, shell("echo $$; echo /proc/[0-9]*")); r.out != "100\n/proc/1 /proc/100\n" {
				t.Errorf("processes: %q", r.out)
			}
		}
	})
}

func TestStandardStreams(t *testing.T) {
	withAndWithoutNamespaces(t, func(t *testing.T, plain bool) {
		b := openSandbox(t, Options{Plain: plain})
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
		for i := range 10 { // a dialog
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
		t.Errorf("canceled: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if out, err := exec.Command(tool(), "sandbox", "by hand").CombinedOutput(); err == nil || !strings.Contains(string(out), "by parallax itself") {
		t.Errorf("by hand: %s, %v", out, err)
	}
}

// TestEachLevel checks that each isolation level works alone, including those that this machine
// does not need.
func TestEachLevel(t *testing.T) {
	for _, r := range append(levels(false, 0), isolationLevel{user: true, private: true}) {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			mark := newMark()
			b, err := open(t.Context(), Options{Tool: tool(), Dir: t.TempDir()}, r)
			if err != nil {
				t.Skip("this machine does not permit these namespaces (parallax doctor tells how to get them): ", err)
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
	if got := levels(true, 0); !reflect.DeepEqual(got, []isolationLevel{{}}) {
		t.Errorf("plain: %+v", got)
	}
	if notes := (isolationLevel{}).notes(unix.EPERM, false); len(notes) != 2 {
		t.Errorf("notes: %q", notes)
	}
}

// TestMadeFolder checks that a private file system is mounted on a folder that was created for it.
func TestMadeFolder(t *testing.T) {
	was := mounts
	mounts = nil
	defer func() { mounts = was }()
	b := openSandbox(t, Options{})
	if r := ran(t, b, shell("pwd")); r.out != b.Folder()+"\n" {
		t.Errorf("%+v", r)
	}
}

// TestDescendants checks that both ways to find descendants agree.
func TestDescendants(t *testing.T) {
	k, err := newDescendants(false)
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
	all := k.byParent()
	if !strings.Contains(fmt.Sprint(all), strconv.Itoa(c.Process.Pid)) || len(all) < 2 {
		t.Errorf("children: %v", all)
	}
	if below, ok := k.childLists(); ok && len(below) != len(all) {
		t.Errorf("below: %v, but by parents: %v", below, all)
	}
	if u := k.usage(); u.processes != len(all) || u.memory < 1<<16 {
		t.Errorf("use: %+v", u)
	}
	for _, pid := range all {
		unix.Kill(pid, unix.SIGKILL)
	}
	c.Wait()
}
