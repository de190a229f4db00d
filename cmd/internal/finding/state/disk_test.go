package state

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// TestFullDiskOfTheMachine fills a real disk. This is a small tmpfs in a mount name space of the
// child. If that is not permitted, it is a limit on the size of files.
func TestFullDiskOfTheMachine(t *testing.T) {
	// Root needs no user name space, which others may not be permitted.
	ways := []*syscall.SysProcAttr{
		{Cloneflags: syscall.CLONE_NEWNS},
		{
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		},
	}
	mounted := false
	for _, attr := range ways {
		cmd := role("full-disk", "tmpfs", t.TempDir())
		cmd.SysProcAttr = attr
		out, err := combined(cmd)
		var exited *exec.ExitError
		if err == nil {
			mounted = true
			break
		}
		if errors.As(err, &exited) && exited.ExitCode() == 1 {
			t.Fatalf("tmpfs: %s", out)
		}
		t.Logf("no tmpfs by clone flags %#x: %v %s", attr.Cloneflags, err, out)
	}
	if !mounted {
		t.Log("no tmpfs can be mounted here: the limit on the size of files alone stands in")
	}
	if out, err := combined(role("full-disk", "limit", t.TempDir())); err != nil {
		t.Fatalf("limit on the size of files: %v %s", err, out)
	}
}

func combined(cmd *exec.Cmd) (string, error) {
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	return string(bytes.TrimSpace(out)), err
}

// diskSize is the size of the tmpfs, and the limit of a file.
const diskSize = 256 << 10

// fullDisk runs in the child. It returns 0 for success, 1 for failure and 3 if it cannot get the
// disk.
func fullDisk(args []string) int {
	way, dir := args[0], args[1]
	var refuse syscall.Errno
	var free func() error
	switch way {
	case "tmpfs":
		refuse = syscall.ENOSPC
		// Make the mount private first, so that it stays in this process's name space.
		err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
		if err == nil {
			err = syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprint("size=", diskSize))
		}
		if err != nil {
			fmt.Println("mount:", err)
			return 3
		}
		ballast := filepath.Join(dir, "ballast")
		if err := os.WriteFile(ballast, make([]byte, diskSize/2), 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
		free = func() error { return os.Remove(ballast) }
	case "limit":
		refuse = syscall.EFBIG
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			fmt.Println(err)
			return 1
		}
		full := limit
		full.Cur = 4 << 10
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
			fmt.Println(err)
			return 1
		}
		free = func() error { return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit) }
	}
	if err := fillDisk(filepath.Join(dir, "out"), refuse, free); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// fillDisk writes until the disk is full, frees space, continues, and checks that all announced
// data exists.
func fillDisk(dir string, refuse syscall.Errno, free func() error) error {
	const size = 1500
	var stats []int
	announce := func(words ...any) {
		if words[0] == "stats" {
			stats = append(stats, words[1].(int))
		}
	}
	f, err := openWorkload(atomicfile.OS, dir)
	if err != nil {
		return err
	}
	i := kinds
	for ; err == nil; i++ {
		err = step(f, i, size, announce)
	}
	i--
	if !errors.Is(err, refuse) || exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "nothing announced is lost") {
		return fmt.Errorf("step %d failed with exit code %d: %w", i, exit.Code(err), err)
	}
	if refuse == syscall.EFBIG && len(stats) == 0 || refuse == syscall.ENOSPC && i < 2*kinds {
		return fmt.Errorf("full after %d steps: %w", i, err)
	}
	if err := free(); err != nil {
		return err
	}
	for last := i + kinds; i < last; i++ {
		if err := step(f, i, size, announce); err != nil {
			return fmt.Errorf("with space again: %w", err)
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	if f, err = openWorkload(atomicfile.OS, dir); err != nil {
		return err
	}
	lines, problems, err := f.ReadStats()
	if err != nil || len(problems) != 0 || len(lines) != len(stats) {
		return fmt.Errorf("%d lines of %d, problems %q, %v", len(lines), len(stats), problems, err)
	}
	_, problems, err = f.ReadFindings()
	if err != nil || len(problems) != 0 {
		return fmt.Errorf("findings: problems %q, %v", problems, err)
	}
	problems, err = f.ReadTuples(func(uint8, uint64) {})
	if err != nil || len(problems) != 0 {
		return fmt.Errorf("tuples: problems %q, %v", problems, err)
	}
	return f.Close()
}
