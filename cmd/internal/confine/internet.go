package confine

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denyInternet has the kernel refuse internet sockets to this thread and to what it starts, where there is no network namespace
// to be had. Localhost is lost with it.
func denyInternet() error {
	var arch uint32
	switch runtime.GOARCH {
	case "amd64":
		arch = unix.AUDIT_ARCH_X86_64
	case "arm64":
		arch = unix.AUDIT_ARCH_AARCH64
	default:
		return errors.New("no filter of system calls for this processor")
	}
	// struct seccomp_data: number 4, architecture 4, instruction pointer 8, arguments of 8 each, little-endian on both.
	const number, architecture, family = 0, 4, 16
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	unless := func(value uint32, skip uint8) unix.SockFilter { // the next, unless it differs
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
	}
	when := func(value uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: skip}
	}
	answer := func(what uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
	}
	filter := []unix.SockFilter{
		load(architecture), unless(arch, 7),
		load(number), unless(unix.SYS_SOCKET, 5),
		load(family), when(unix.AF_INET, 2), when(unix.AF_INET6, 1), unless(unix.AF_PACKET, 1),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)),
		answer(unix.SECCOMP_RET_ALLOW),
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// prctl(2): the third argument is a pointer to a sock_fprog, which the kernel copies.
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	runtime.KeepAlive(&program)
	return os.NewSyscallError("filtering system calls: prctl", err)
}
