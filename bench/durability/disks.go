package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// diskRole is the first argument of the process that fills a disk.
const diskRole = "on-disk"

// disks fills n disks. Each is a tmpfs in a mount name space of a process of its own, which ends
// with it.
func (t *trial) disks(n int) {
	filled := 0
	for i := range n {
		s := t.subjects[i%len(t.subjects)]
		dir := filepath.Join(t.work, "disk")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.fail(s, "%v", err)
			return
		}
		self, err := os.Executable()
		if err != nil {
			t.fail(s, "%v", err)
			return
		}
		size := 40<<10 + t.rand.Intn(400<<10)
		cmd := exec.Command(self, append([]string{diskRole, t.tool, dir, fmt.Sprint(size), s.dir, s.name}, s.args...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		out, err := cmd.CombinedOutput()
		text := strings.TrimSpace(string(out))
		if err != nil {
			t.fail(s, "a disk of %d bytes: %v: %s", size, err, text)
			continue
		}
		if text != "" {
			fmt.Printf("%s, a disk of %d bytes: %s\n", s.name, size, text)
		}
		if strings.HasPrefix(text, "full") {
			filled++
		}
	}
	if n > 0 {
		fmt.Printf("filled %d of %d disks\n", filled, n)
	}
}

// onDisk runs a campaign on a small disk until that is full, and once more when there is space.
func onDisk(args []string) int {
	tool, dir, size, s := args[0], args[1], args[2], &subject{name: args[4], dir: args[3], args: args[5:]}
	t := &trial{tool: tool}
	// Private first, so that the mount stays in this process's name space.
	err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	if err == nil {
		err = syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size)
	}
	if err != nil {
		fmt.Println("mount:", err)
		return 2
	}
	out := filepath.Join(dir, "out")
	r, err := t.run(s, out, "--fuzztime", "20s")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	full := strings.Contains(r.text(), "disk full")
	switch {
	case full && r.code != 4 && r.code != 1, !full && r.code != 0 && r.code != 1:
		fmt.Printf("ends with %d: %s", r.code, r.stderr)
		return 1
	case full:
		fmt.Printf("full, exit code %d; ", r.code)
	}
	t.complains(s, r.text())
	s.ledger.hear(r.stderr)
	before, problems := look(out)
	lost := append(problems, s.ledger.lost(&before)...)
	s.ledger.take(before)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		fmt.Println("remount:", err)
		return 2
	}
	r, err = t.run(s, out, "--fuzztime", "300x")
	if err == nil && r.code != 0 && r.code != 1 {
		err = fmt.Errorf("with space again it ends with %d: %s", r.code, r.stderr)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	t.complains(s, r.text())
	after, problems := look(out)
	lost = append(append(lost, problems...), s.ledger.lost(&after)...)
	if len(lost) > 0 || t.failures > 0 {
		fmt.Println(errors.New(strings.Join(append(lost, "lost"), "; ")))
		return 1
	}
	fmt.Printf("%d buckets and %d inputs kept", len(after.buckets), len(after.inputs))
	return 0
}
