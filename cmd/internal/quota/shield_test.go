package quota

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// run is what the filter answers to a system call: the instructions that it is made of, as the kernel carries them out.
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

// The same of every kind of program that a processor runs, with the numbers of system calls that the kernel's tables have.
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
		{"amd64", unix.AUDIT_ARCH_AARCH64, 4, nil, enosys}, // not this processor's
		{"arm64", unix.AUDIT_ARCH_AARCH64, 129, []uint32{pid, 9}, eperm},
		{"arm64", unix.AUDIT_ARCH_AARCH64, 261, []uint32{pid}, eperm},
		{"arm64", unix.AUDIT_ARCH_AARCH64, 64, nil, allow},
		{"arm64", unix.AUDIT_ARCH_ARM, 37, []uint32{pid, 9}, eperm},
		{"arm64", unix.AUDIT_ARCH_ARM, 55, []uint32{3, unix.F_SETOWN}, eperm},
		{"arm64", unix.AUDIT_ARCH_ARM, 4, nil, allow},
		{"arm64", unix.AUDIT_ARCH_X86_64, 1, nil, enosys},
	} {
		f, err := shield(c.processor, true, []int{pid}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.run(c.architecture, c.number, c.arguments...); got != c.want {
			t.Errorf("%s, %#x: system call %d %d: %#x, want %#x", c.processor, c.architecture, c.number, c.arguments, got, c.want)
		}
	}
}

// Where the kernel can, it keeps signals from processes that nobody named too, however they are sent.
func TestScope(t *testing.T) {
	if !Scoped() {
		t.Log("this kernel has no Landlock that knows signals: docs/configuration.md says what that means")
		return
	}
	sibling := exec.Command("sleep", "1000")
	if err := sibling.Start(); err != nil {
		t.Fatal(err)
	}
	defer sibling.Wait()
	defer sibling.Process.Kill()
	pid, got := sibling.Process.Pid, map[string]error{}
	done := make(chan error)
	OnThread(func() {
		err := Shield(true, os.Getpid())
		got["kill"] = unix.Kill(pid, 0)
		got["tgkill"] = unix.Tgkill(pid, pid, 0)
		out, failed := exec.Command("/bin/sh", "-c", "kill -0 $0 2>&1; sleep 1000 > /dev/null 2>&1 & kill $! && exit 7", strconv.Itoa(pid)).CombinedOutput()
		if failed == nil || len(out) == 0 || failed.Error() != "exit status 7" {
			t.Errorf("a child: %s, %v", out, failed)
		}
		done <- err
	})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for name, err := range got {
		if err != unix.EPERM {
			t.Errorf("%s: %v", name, err)
		}
	}
}
