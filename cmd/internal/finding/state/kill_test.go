package state

import (
	"bufio"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"parallax/internal/atomicfile"
)

// roleEnv makes the test binary act as the campaign's process, in the named role.
const roleEnv = "PARALLAX_STATE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "":
		os.Exit(m.Run())
	case "endless":
		os.Exit(endless(os.Args[1:]))
	case "full-disk":
		os.Exit(fullDisk(os.Args[1:]))
	}
	os.Exit(2)
}

func role(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), roleEnv+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// killSize is large enough that a kill interrupts writes.
const killSize = 40000

// endless writes to the folder args[0] from step args[1] on until it is killed, and prints its
// announcements.
func endless(args []string) int {
	start, err := strconv.Atoi(args[1])
	if err != nil {
		return 2
	}
	f, err := openWorkload(atomicfile.OS, args[0])
	for i := start; err == nil; i++ {
		// One write per line, so that all lines in the pipe were announced.
		err = step(f, i, killSize, func(words ...any) { os.Stdout.WriteString(fmt.Sprintln(words...)) })
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// narrow limits a pipe to a page, so that the process is at most a page ahead of the reader of its
// announcements. Otherwise a pipe holds some thousand announcements, and the folder may outgrow the
// reader.
func narrow(t *testing.T, pipe io.Reader) {
	t.Helper()
	if _, err := unix.FcntlInt(pipe.(*os.File).Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()); err != nil {
		t.Fatal(err)
	}
}

// TestKill checks that a campaign that is killed repeatedly at any moment has lost nothing that it
// announced, and that its folder is valid.
func TestKill(t *testing.T) {
	const kills = 30
	rnd := rand.New(rand.NewSource(1))
	dir := filepath.Join(t.TempDir(), "out")
	l := &ledger{size: killSize}
	for round := range kills {
		// A new round never repeats a step that the last one may have done in part. Rounds start at
		// any kind of step.
		start := kinds*(1+round*1000) + round%kinds
		if start%kinds == 4 || start%kinds == 6 {
			start++ // such steps continue the previous one
		}
		cmd := role("endless", dir, strconv.Itoa(start))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		narrow(t, out)
		lines := bufio.NewScanner(out)
		for until := rnd.Intn(40); until > 0 && lines.Scan(); until-- {
			l.lines = append(l.lines, lines.Text())
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() { // announced before the kill
			l.lines = append(l.lines, lines.Text())
		}
		cmd.Wait()
		if got := cmd.ProcessState.String(); got != "signal: killed" {
			t.Fatalf("round %d: the campaign ended by itself: %s", round, got)
		}
		l.check(t, dir)
		if t.Failed() {
			t.Fatalf("round %d, %d announcements", round, len(l.lines))
		}
	}
	if len(l.lines) < kills {
		t.Errorf("only %d announcements", len(l.lines))
	}
}

// TestLockOfAnotherProcess checks that the lock of a killed process ends with it, and that its
// children do not keep it.
func TestLockOfAnotherProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	cmd := role("endless", dir, strconv.Itoa(kinds))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	narrow(t, out)
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 128), bufio.MaxScanTokenSize)
	if !lines.Scan() {
		t.Fatal("no announcement")
	}
	_, _, err = Open(atomicfile.OS, dir, testConfig())
	wantExit(t, err, 2, "is running", fmt.Sprintf("process %d", cmd.Process.Pid))
	// Meanwhile, readers can open the folder, and see only whole files.
	viewer, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{size: killSize}
	for range 20 {
		read := make(chan struct{})
		go func() {
			for range 20 {
				lines.Scan()
			}
			close(read)
		}()
		l.inventory(t, viewer)
		<-read
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	f, resumed, err := Open(atomicfile.OS, dir, testConfig())
	if err != nil || !resumed {
		t.Fatalf("resumed %v, %v", resumed, err)
	}
	f.Close()
}
