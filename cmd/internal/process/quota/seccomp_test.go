package quota

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota/doorstest"
)

// run interprets the filter, as the kernel does, and returns the action for a system call.
func (f filter) run(architecture, number uint32, arguments ...uint32) uint32 {
	var at, a uint32
	for {
		i := f[at]
		at++
		yes := false
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			switch {
			case i.K == 0:
				a = number
			case i.K == 4:
				a = architecture
			case int(i.K-16)/8 < len(arguments):
				a = arguments[(i.K-16)/8]
			default:
				a = 0
			}
			continue
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= i.K
			continue
		case unix.BPF_RET | unix.BPF_K:
			return i.K
		case unix.BPF_JMP | unix.BPF_JA:
			at += i.K
			continue
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			yes = a == i.K
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			yes = a >= i.K
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			yes = a&i.K != 0
		}
		if yes {
			at += uint32(i.Jt)
		} else {
			at += uint32(i.Jf)
		}
	}
}

// TestFilter checks the same for every kind of program that a processor runs, with the numbers of
// the kernel's tables.
func TestFilter(t *testing.T) {
	const pid, other = 4711, 4712
	allow, asked := uint32(unix.SECCOMP_RET_ALLOW), uint32(unix.SECCOMP_RET_USER_NOTIF)
	eperm, enosys := unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)
	minus := func(n int32) uint32 { return uint32(-n) }
	for _, c := range []struct {
		processor            string
		architecture, number uint32
		arguments            []uint32
		want                 uint32
	}{
		{"amd64", unix.AUDIT_ARCH_X86_64, 62, []uint32{pid, 9}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 62, []uint32{other, 9}, asked},
		{"amd64", unix.AUDIT_ARCH_X86_64, 62, []uint32{minus(1), 9}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 62, []uint32{minus(other), 9}, allow},
		{"amd64", unix.AUDIT_ARCH_X86_64, 302, []uint32{0, 0}, allow},
		{"amd64", unix.AUDIT_ARCH_X86_64, 302, []uint32{pid, 0}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 302, []uint32{other, 0}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 101, []uint32{16, pid}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 101, []uint32{16, other}, asked},
		{"amd64", unix.AUDIT_ARCH_X86_64, 311, []uint32{pid}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 72, []uint32{3, unix.F_SETOWN}, eperm},
		{"amd64", unix.AUDIT_ARCH_X86_64, 72, []uint32{3, unix.F_SETFD}, allow},
		{"amd64", unix.AUDIT_ARCH_X86_64, 0x40000000 | 62, []uint32{pid, 9}, enosys}, // x32
		{"amd64", unix.AUDIT_ARCH_X86_64, 0x40000000 | 536, []uint32{pid}, enosys},
		{"amd64", unix.AUDIT_ARCH_X86_64, 1, []uint32{pid}, allow},
		{"amd64", unix.AUDIT_ARCH_I386, 37, []uint32{pid, 9}, eperm},
		{"amd64", unix.AUDIT_ARCH_I386, 55, []uint32{3, unix.F_SETOWN}, eperm},
		{"amd64", unix.AUDIT_ARCH_I386, 221, []uint32{3, unix.F_SETOWN_EX}, eperm},
		{"amd64", unix.AUDIT_ARCH_I386, 55, []uint32{3, unix.F_GETFL}, allow},
		{"amd64", unix.AUDIT_ARCH_I386, 340, []uint32{pid}, eperm},
		{"amd64", unix.AUDIT_ARCH_I386, 340, []uint32{0}, allow},
		{"amd64", unix.AUDIT_ARCH_I386, 4, []uint32{pid}, allow},
		{"amd64", unix.AUDIT_ARCH_AARCH64, 4, nil, enosys}, // not of this processor
		{"arm64", unix.AUDIT_ARCH_AARCH64, 129, []uint32{pid, 9}, eperm},
		{"arm64", unix.AUDIT_ARCH_AARCH64, 261, []uint32{pid}, eperm},
		{"arm64", unix.AUDIT_ARCH_AARCH64, 64, nil, allow},
		{"arm64", unix.AUDIT_ARCH_ARM, 37, []uint32{pid, 9}, eperm},
		{"arm64", unix.AUDIT_ARCH_ARM, 55, []uint32{3, unix.F_SETOWN}, eperm},
		{"arm64", unix.AUDIT_ARCH_ARM, 4, nil, allow},
		{"arm64", unix.AUDIT_ARCH_X86_64, 1, nil, enosys},
	} {
		f, err := signalFilter(c.processor, true, []int{pid}, unix.SECCOMP_RET_USER_NOTIF)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.run(c.architecture, c.number, c.arguments...); got != c.want {
			t.Errorf("%s, %#x: system call %d %d: %#x, want %#x", c.processor, c.architecture, c.number, c.arguments, got, c.want)
		}
	}
}

// TestScope checks that no signal reaches a process that the thread has not started, by whatever
// call. Landlock ensures it, or the filter on kernels whose Landlock lacks signals or that have
// none.
func TestScope(t *testing.T) {
	was := landlock
	defer func() { landlock = was }()
	for _, version := range []int{0, 1, 5, 6} {
		landlock = func() (int, error) {
			if most, err := was(); err != nil || version == 0 || version > most {
				return 0, unix.ENOSYS
			}
			return version, nil
		}
		t.Run(fmt.Sprintf("Landlock %d", version), testScope)
	}
}

func testScope(t *testing.T) {
	sibling := exec.Command("sleep", "1000")
	sibling.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := sibling.Start(); err != nil {
		t.Fatal(err)
	}
	defer sibling.Wait()
	defer sibling.Process.Kill()
	argument := doorstest.Outside{Pids: []int{sibling.Process.Pid, os.Getpid()}, Secret: "none such"}.Argument()
	type answer struct {
		out []byte
		err error
	}
	done := make(chan answer)
	run := func(prepare func() error, name string, arguments ...string) answer {
		OnThread(func() {
			if err := prepare(); err != nil {
				done <- answer{nil, err}
				return
			}
			cmd := exec.Command(name, arguments...)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			out, err := cmd.CombinedOutput()
			done <- answer{out, err}
		})
		return <-done
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	shielded := func() error { return RestrictSignals(true, os.Getpid(), os.Getppid()) }
	found := func(a answer) (open []string) {
		if a.err != nil {
			t.Fatalf("%v\n%s", a.err, a.out)
		}
		for _, door := range strings.Split(strings.TrimSpace(string(a.out)), ", ") {
			if strings.Contains(door, "signal") || door == "trace" {
				open = append(open, door)
			}
		}
		return open
	}
	if open := found(run(shielded, self, "doors", argument)); len(open) > 0 {
		t.Errorf("open: %q", open)
	}
	if open := found(run(func() error { return nil }, self, "doors", argument)); len(open) < 4 {
		t.Errorf("without a shield, only these are open: %q", open)
	}
	// A program can signal its own: itself, children, their group, its whole group.
	script := "sleep 1000 > /dev/null 2>&1 & kill $!; wait; kill -0 $$ && (setsid sleep 1000 > /dev/null 2>&1 & kill -9 -$! || { sleep .1; kill -9 -$!; }; wait; true) && trap : TERM && kill 0 && exit 7"
	if a := run(shielded, "/bin/sh", "-c", script); a.err == nil || a.err.Error() != "exit status 7" {
		t.Errorf("its own: %s, %v", a.out, a.err)
	}
}

// TestMain lets the test's executable be a hostile program.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "doors" {
		os.Exit(doorstest.Main(os.Args[2]))
	}
	os.Exit(m.Run())
}
