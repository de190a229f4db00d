package confine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/process/quota/doorstest"
)

// programVariable makes the test's executable one of testPrograms.
const programVariable = "CONFINE_TEST_PROGRAM"

// TestMain lets the test's executable be the sandbox and the programs of the tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "sandbox" {
		os.Exit(Main(os.Args[2:]))
	}
	if name := os.Getenv(programVariable); name != "" {
		os.Exit(testPrograms()[name](os.Args[1:]))
	}
	os.Exit(m.Run())
}

func testPrograms() map[string]func(args []string) int {
	return map[string]func(args []string) int{"hog": hog, "bomber": bomber, "leaver": leaver, "connect": connect, "local": local, "owner": owner,
		"doors": func(args []string) int { return doorstest.Main(args[0]) }}
}

// hog takes the given MiB of memory and then the given milliseconds.
func hog(args []string) int {
	n, _ := strconv.Atoi(args[0])
	ms, _ := strconv.Atoi(args[1])
	all := make([][]byte, 0, n)
	for range n {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 512 {
			block[i] = 1
		}
		all = append(all, block)
	}
	time.Sleep(time.Duration(ms) * time.Millisecond)
	return int(all[0][0]) - 1
}

// connect connects to an address.
func connect(args []string) int {
	conn, err := net.DialTimeout("tcp", args[0], 10*time.Second)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer conn.Close()
	text, err := io.ReadAll(conn)
	fmt.Println(string(text), err)
	return 0
}

// local connects to itself on localhost.
func local([]string) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	return connect([]string{listener.Addr().String()})
}

// owner opens a sandbox, leaves processes with a mark in it, prints their folder and waits to be
// killed.
func owner(args []string) int {
	b, err := Open(context.Background(), Options{Tool: tool(), Plain: args[0] == "plain", Dir: args[2]})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := b.Start(shell(daemons(args[1]))); err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("sandbox", b.sandbox.Pid)
	time.Sleep(time.Hour)
	return 1
}

// daemons returns a shell command that leaves processes of several kinds behind: in the group, in
// another session, orphans that ignore polite signals, and itself. The mark is their sleeping time
// in their command lines. It creates a file once all of them run.
func daemons(mark string) string {
	return `trap '' TERM HUP INT
sleep ` + mark + ` & setsid sleep ` + mark + ` & (setsid sh -c 'trap "" TERM HUP; sleep ` + mark + ` & sleep ` + mark + `' &)
: > started
sleep ` + mark
}

// shell returns a shell command.
func shell(script string, args ...string) Command {
	return Command{Path: "/bin/sh", Args: append([]string{"sh", "-c", script, "sh"}, args...), Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}}
}

// own returns a command that runs one of testPrograms.
func own(name string, args ...string) Command {
	return Command{Path: tool(), Args: append([]string{name}, args...), Env: []string{programVariable + "=" + name, "GOMAXPROCS=1"}}
}

func tool() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// newMark returns a unique sleeping time in seconds.
func newMark() string { return fmt.Sprintf("86%d.%09d", os.Getpid(), time.Now().UnixNano()%1e9) }

// marked returns the processes with the mark in their command lines.
func marked(t *testing.T, mark string) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, _ := os.ReadFile("/proc/" + entry.Name() + "/cmdline")
		if strings.Contains(string(line), mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("in a minute, not: " + what)
		}
	}
}

// result is the status and output of a process.
type result struct {
	Status
	out string
}

// ran runs a command to its end.
func ran(t *testing.T, b *Sandbox, c Command) result {
	t.Helper()
	return started(t, b, c)()
}

// started starts a command and returns a function that waits for its end.
func started(t *testing.T, b *Sandbox, c Command) func() result {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = out, out
	p, err := b.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	return func() result {
		defer out.Close()
		s := p.Wait()
		if s.Err != nil {
			t.Fatal(s.Err)
		}
		data, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return result{s, string(data)}
	}
}

// withAndWithoutNamespaces runs a test with the isolation that the machine permits, and without
// any.
func withAndWithoutNamespaces(t *testing.T, test func(t *testing.T, plain bool)) {
	t.Run("namespaces", func(t *testing.T) { test(t, false) })
	t.Run("plain", func(t *testing.T) { test(t, true) })
}

func openSandbox(t *testing.T, o Options) *Sandbox {
	t.Helper()
	o.Tool = tool()
	if o.Plain && os.Geteuid() != 0 {
		t.Setenv(quota.Waiver, "1") // TestRefused
	}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	b, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range b.Notes() {
		t.Log("note: " + note)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 0 {
			t.Errorf("left in the folder: %v, %v", left, err)
		}
	})
	return b
}

// startOwner starts another owner of a sandbox, and returns once all of its processes run.
func startOwner(t *testing.T, way, mark, dir string) (cmd *exec.Cmd, sandbox int) {
	t.Helper()
	cmd = exec.Command(tool(), way, mark, dir)
	cmd.Env = append(os.Environ(), programVariable+"=owner")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, bad := fmt.Sscanf(line, "sandbox %d", &sandbox); err != nil || bad != nil {
		t.Fatal(line, err)
	}
	eventually(t, "the program's processes run", func() bool { return len(sleepers(t, mark)) == 5 })
	return cmd, sandbox
}

// sleepers returns the processes that only sleep for the mark.
func sleepers(t *testing.T, mark string) (pids []int) {
	for _, pid := range marked(t, mark) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if string(line) == "sleep\x00"+mark+"\x00" {
			pids = append(pids, pid)
		}
	}
	return pids
}

func isGone(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return errors.Is(err, os.ErrNotExist)
}
