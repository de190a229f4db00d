package box

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota/doorstest"
)

// TestMain lets the test's executable make boxes.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "box" {
		os.Exit(Main(os.Args[2:]))
	}
	if len(os.Args) == 3 && os.Args[1] == "doors" {
		if err := errors.Join(enterRoot(), leaveRoot()); err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		os.Exit(doorstest.Main(os.Args[2]))
	}
	os.Exit(m.Run())
}

// enterRoot makes the working folder the root, as package sequence does.
func enterRoot() error {
	return errors.Join(unix.Chroot("."), unix.Chdir("/"))
}

// leaveRoot escapes from the root: the working folder lies above a root that is created below it.
func leaveRoot() error {
	err := errors.Join(unix.Mkdir("way", 0o700), unix.Chroot("way"))
	for range 64 {
		err = errors.Join(err, unix.Chdir(".."))
	}
	return errors.Join(err, unix.Chroot("."))
}

// TestDoors checks that a hostile program in a box finds every door closed, except Unix sockets,
// which its service needs. It can create them, and reaches other sockets by an escape from its
// root.
func TestDoors(t *testing.T) {
	dir := t.TempDir()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := Try(t.Context(), tool, dir, nil); err != nil {
		t.Skipf("this machine permits no box: %v", err)
	}
	outside := t.TempDir()
	o := doorstest.Outside{Socket: filepath.Join(outside, "socket"), Pids: []int{os.Getpid(), os.Getppid()}, Secret: "PATH", Name: fmt.Sprintf("parallax-box-%d", os.Getpid())}
	o.Put(t, outside)
	cmd := exec.Command(tool, "doors", o.Argument())
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	Wrap(cmd, tool, nil)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	open, documented := strings.Split(strings.TrimSpace(string(said)), ", "), []string{"Unix socket", "Unix datagrams"}
	for _, door := range open {
		if door != "" && door != "32-bit socket" && !slices.Contains(documented, door) {
			t.Errorf("open: %s", door)
		}
	}
	for _, door := range documented {
		if !slices.Contains(open, door) {
			t.Errorf("closed: %s", door)
		}
	}
}

// TestWrap checks that a box has an empty writable folder, no other process, no network, and one
// capability. The process has the number that its starter knows, so that its starter can end it.
func TestWrap(t *testing.T) {
	dir := t.TempDir()
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := Try(t.Context(), tool, dir, nil); err != nil {
		t.Skipf("this machine permits no box: %v", err)
	}
	beside := filepath.Join(t.TempDir(), "beside")
	if err := os.WriteFile(filepath.Join(dir, "before"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `echo $$; pwd; echo *; echo text > here && cat here; (echo x > "$0") 2>/dev/null || echo read-only; `+
		`sed -n 's/^Cap...:.//p' /proc/self/status | sort -u; grep -c : /proc/net/dev; test "$PARALLAX_BOX" = "$PWD" && echo named`, beside)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, os.Stderr
	Wrap(cmd, tool, nil)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	want := "1\n" + dir + "\n*\ntext\nread-only\n0000000000040000\n1\nnamed\n"
	if said.String() != want {
		t.Errorf("in the box:\n%s\nwant\n%s", said.String(), want)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) != 1 {
		t.Errorf("the box has left %q (%v)", names, err)
	}
	if _, err := os.Stat(beside); err == nil {
		t.Error("a file beside the box was written")
	}
}

// TestBoxFails checks that a box that cannot be created returns the reason.
func TestBoxFails(t *testing.T) {
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ tool, dir, want string }{
		{tool, "relative", "absolute"},
		{tool, "/nowhere/at/all", "mounting the box's file system"},
		{"/nowhere/at/all", t.TempDir(), "no such file"},
		{"/bin/false", t.TempDir(), "exit status 1"},
	} {
		if err := Try(t.Context(), tt.tool, tt.dir, nil); err == nil || !strings.Contains(err.Error(), tt.want) && !strings.Contains(err.Error(), "permitted") {
			t.Errorf("%s %s: %v, want %s", tt.tool, tt.dir, err, tt.want)
		}
	}
	out, err := exec.Command(tool, "box", t.TempDir()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is started by parallax itself") {
		t.Errorf("by hand: %v %s", err, out)
	}
}

// TestAttributes checks that root creates namespaces as root, and other users create them in a user
// namespace.
func TestAttributes(t *testing.T) {
	for uid, user := range map[int]bool{0: !has(unix.CAP_SYS_ADMIN), 1000: true} {
		var a syscall.SysProcAttr
		attributes(&a, uid)
		if got := a.Cloneflags&unix.CLONE_NEWUSER != 0; got != user || (len(a.UidMappings) > 0) != user || a.Cloneflags&unix.CLONE_NEWNS == 0 {
			t.Errorf("user %d: %#v", uid, a)
		}
	}
}
