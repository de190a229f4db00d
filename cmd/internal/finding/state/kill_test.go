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

// The test binary plays the campaign's process when this names a part to play.
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

// Large enough that a kill meets writes half done.
const killSize = 40000

// endless writes to the folder args[0] from step args[1] on, until it is killed, and prints what it announces.
func endless(args []string) int {
	start, err := strconv.Atoi(args[1])
	if err != nil {
		return 2
	}
	f, err := openWorkload(atomicfile.OS, args[0])
	for i := start; err == nil; i++ {
		// One write a line, so that what the pipe holds was announced.
		err = step(f, i, killSize, func(words ...any) { os.Stdout.WriteString(fmt.Sprintln(words...)) })
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// narrow has the process stop where it is a page ahead of who reads its announcements: its folder does not outgrow the reader, however the
// processors are shared. A pipe holds some thousand announcements otherwise.
func narrow(t *testing.T, pipe io.Reader) {
	t.Helper()
	if _, err := unix.FcntlInt(pipe.(*os.File).Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()); err != nil {
		t.Fatal(err)
	}
}

// A campaign that is killed again and again, at any moment, has lost nothing it had announced, and its folder is sound.
func TestKill(t *testing.T) {
	const kills = 30
	rnd := rand.New(rand.NewSource(1))
	dir := filepath.Join(t.TempDir(), "out")
	l := &ledger{size: killSize}
	for round := range kills {
		// A new round never repeats a step that the last one may have half done; rounds start at any kind of step.
		start := kinds*(1+round*1000) + round%kinds
		if start%kinds == 4 || start%kinds == 6 {
			start++ // these go on from the step before
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
		for lines.Scan() { // announced before it died
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

// The lock of a killed process is gone with it, and its children do not keep it.
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
	// Reading is possible meanwhile, and meets nothing that is not whole.
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
