package quota

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Shield has the kernel refuse what this thread, and what it starts, sends to the given processes as a signal, or to all processes at
// once. It is for programs that see the processes of the machine: those of a process namespace of their own see none but theirs. The
// thread must be one of OnThread's, because it cannot be undone. strict refuses signals to single threads by their number alone too
// (tkill, which musl's abort uses, and Go programs do not).
//
// A process is signaled by the number of any of its threads too. Threads come and go, so that no filter can list them: the kernel asks this
// process about numbers that are not refused at once (asked.go), if strict says so. Kernels before Linux 5.9 do not; there the number of a thread gets through.
//
// It also refuses to change limits of other processes, to trace the given ones, and system calls in ways that it does not know. No signal
// goes to any process but those that the thread starts: the kernel sees to it where it can (Scoped); where it cannot, and strict says so,
// it asks about all processes, groups and threads, and those whose ancestor the thread has not started are refused.
//
// Who has not the right to it otherwise gives up new privileges for it: programs that are started get none from set-user-ID bits.
func Shield(strict bool, pids ...int) error {
	about := uint32(unix.SECCOMP_RET_USER_NOTIF)
	if !Scoped() {
		about |= askMore
	}
	f, err := shield(runtime.GOARCH, strict, pids, about)
	if err == nil && (!strict || f.ask(pids) != nil) {
		if f, err = shield(runtime.GOARCH, strict, pids, unix.SECCOMP_RET_ALLOW); err == nil {
			_, err = f.install(0)
		}
	}
	if err == nil {
		err = scope()
	}
	return err
}

// askMore has the kernel ask about groups of processes, and about threads by their process, too. It is a bit of
// SECCOMP_RET_USER_NOTIF that the kernel does not use.
const askMore = 1

// shield is the filter. Otherwise is the answer to numbers of processes that are not refused: SECCOMP_RET_ALLOW, or SECCOMP_RET_USER_NOTIF with
// or without askMore.
func shield(processor string, strict bool, pids []int, otherwise uint32) (f filter, err error) {
	var values []uint32
	for _, pid := range pids {
		values = append(values, uint32(pid))
	}
	processes := append([]uint32{}, values...)
	for _, pid := range pids {
		if group, err := unix.Getpgid(pid); err == nil && group > 1 {
			values = append(values, uint32(-group))
		}
	}
	values = append(values, ^uint32(0)) // -1: everybody
	return everywhere(processor, func(part *filter, s calls) {
		byProcess := uint32(unix.SECCOMP_RET_ALLOW) // the kernel checks that the thread is the process's
		if otherwise == unix.SECCOMP_RET_USER_NOTIF|askMore {
			byProcess = otherwise
		}
		part.refuseOr(s.kill, 0, values, unix.EPERM, otherwise)
		part.refuseOr(s.tgkill, 0, processes, unix.EPERM, byProcess)
		part.refuseOr(s.sigqueue, 0, processes, unix.EPERM, otherwise)
		part.refuseOr(s.tgsigqueue, 0, processes, unix.EPERM, byProcess)
		part.refuseOr(s.pidfdOpen, 0, processes, unix.EPERM, otherwise)
		if strict {
			part.refuse(s.tkill, 0, nil, unix.EPERM)
		} else {
			part.refuseOr(s.tkill, 0, processes, unix.EPERM, otherwise)
		}
		// What has its process as a descriptor, which may be a folder of /proc. Programs go back to kill when it does not exist.
		part.refuse(s.pidfdSend, 0, nil, unix.ENOSYS)
		// The owner of a file gets signals when there is something to read.
		for _, number := range s.fcntl {
			part.refuse(number, 1, []uint32{unix.F_SETOWN, unix.F_SETOWN_EX}, unix.EPERM)
		}
		part.refuse(s.ioctl, 1, []uint32{0x8901, 0x8902}, unix.EPERM) // FIOSETOWN, SIOCSPGRP
		// Limits of processor time end a process too.
		part.permit(s.prlimit, 0, 0, unix.EPERM)
		part.attach(s.ptrace, processes, otherwise)
		part.refuseOr(s.vmRead, 0, processes, unix.EPERM, otherwise)
		part.refuseOr(s.vmWrite, 0, processes, unix.EPERM, otherwise)
		part.refusePrivate(s)
	})
}

// calls are the numbers of system calls on a processor. audit is what the kernel calls it. Numbers from above on are those of another
// kind of programs.
type calls struct {
	audit, above                                                           uint32
	kill, tkill, tgkill, sigqueue, tgsigqueue, pidfdOpen, pidfdSend, ioctl uint32
	prlimit, ptrace, vmRead, vmWrite                                       uint32
	fcntl                                                                  []uint32
	socket, socketpair, socketcall                                         uint32   // the last is 0 where there is none
	private                                                                []uint32 // see refusePrivate
}

// systems are the processors: a 64-bit one runs programs of its 32-bit forerunner too.
var systems = map[string][]calls{
	"amd64": {
		{unix.AUDIT_ARCH_X86_64, 0x40000000, 62, 200, 234, 129, 297, 434, 424, 16, 302, 101, 310, 311, []uint32{72}, 41, 53, 0, []uint32{248, 249, 250, 103, 321, 298}},
		{unix.AUDIT_ARCH_I386, 0, 37, 238, 270, 178, 335, 434, 424, 54, 340, 26, 347, 348, []uint32{55, 221}, 359, 360, 102, []uint32{286, 287, 288, 103, 357, 336}},
	},
	"arm64": {
		{unix.AUDIT_ARCH_AARCH64, 0, 129, 130, 131, 138, 240, 434, 424, 29, 261, 117, 270, 271, []uint32{25}, 198, 199, 0, []uint32{217, 218, 219, 116, 280, 241}},
		{unix.AUDIT_ARCH_ARM, 0, 37, 238, 268, 178, 363, 434, 424, 54, 369, 26, 376, 377, []uint32{55, 221}, 281, 288, 102, []uint32{309, 310, 311, 103, 386, 364}},
	},
}

// filter is a program of the kernel's filter for system calls, seccomp(2). Jumps count the instructions that are skipped.
type filter []unix.SockFilter

// struct seccomp_data: number 4, architecture 4, instruction pointer 8, arguments of 8 each, little-endian.
func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func answer(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}

// refuse refuses a system call when the lower half of one of its arguments is among values, or always.
func (f *filter) refuse(number uint32, argument int, values []uint32, errno unix.Errno) {
	f.refuseOr(number, argument, values, errno, unix.SECCOMP_RET_ALLOW)
}

// refuseOr says what happens otherwise.
func (f *filter) refuseOr(number uint32, argument int, values []uint32, errno unix.Errno, otherwise uint32) {
	no := answer(unix.SECCOMP_RET_ERRNO | uint32(errno))
	var body filter
	if values != nil {
		body = append(body, load(uint32(16+8*argument)))
		skip := 1
		switch otherwise {
		case unix.SECCOMP_RET_USER_NOTIF:
			skip = 3
		case unix.SECCOMP_RET_USER_NOTIF | askMore:
			skip = 3
		}
		for i, value := range values {
			body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: uint8(len(values) - 1 - i + skip)})
		}
		switch otherwise {
		case unix.SECCOMP_RET_USER_NOTIF | askMore: // its own group, or the process itself
			body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: 0, Jf: 1}, answer(unix.SECCOMP_RET_ALLOW))
		case unix.SECCOMP_RET_USER_NOTIF: // groups of processes are no threads
			body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 1 << 31, Jf: 1}, answer(unix.SECCOMP_RET_ALLOW))
		}
		body = append(body, answer(otherwise))
	}
	body = append(body, no)
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(body))})
	*f = append(*f, body...)
}

// attach refuses to begin to trace processes, and says what happens otherwise. Whatever else ptrace does needs that first, and is what a thread of
// this process does itself to start others: it must not wait for an answer meanwhile, which other threads of the process give.
func (f *filter) attach(ptrace uint32, processes []uint32, otherwise uint32) {
	var begin filter
	begin.refuseOr(ptrace, 1, processes, unix.EPERM, otherwise)
	requests := []uint32{unix.PTRACE_ATTACH, unix.PTRACE_SEIZE}
	*f = append(*f, load(16))
	for i, request := range requests {
		*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: request, Jt: uint8(len(requests) - i)})
	}
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(begin))})
	*f = append(*f, begin...)
}

// permit refuses a system call unless one of its arguments, its lower half, has that value.
func (f *filter) permit(number uint32, argument int, value uint32, errno unix.Errno) {
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: 4},
		load(uint32(16+8*argument)), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: 1},
		answer(unix.SECCOMP_RET_ALLOW), answer(unix.SECCOMP_RET_ERRNO|uint32(errno)))
}

// refuseFrom refuses all system calls from a number on.
func (f *filter) refuseFrom(number uint32, errno unix.Errno) {
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: number, Jf: 1},
		answer(unix.SECCOMP_RET_ERRNO|uint32(errno)))
}

func (f *filter) allow() { f.answer(unix.SECCOMP_RET_ALLOW) }

func (f *filter) answer(what uint32) { *f = append(*f, answer(what)) }

// forArchitecture applies a part to the calls of a processor. A conditional jump is of 255 at most, so it is one of those that are not.
func (f *filter) forArchitecture(audit uint32, part filter) {
	*f = append(*f, load(4),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: audit, Jt: 1},
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(part))})
	*f = append(*f, part...)
}

// privileged makes a system call that takes a right, or else that the thread gives up new privileges.
func privileged(name string, call func() unix.Errno) error {
	errno := call()
	if errno == unix.EACCES || errno == unix.EPERM {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return os.NewSyscallError("giving up new privileges: prctl", err)
		}
		errno = call()
	}
	if errno != 0 {
		return os.NewSyscallError(name, errno)
	}
	return nil
}

// install makes it the calling thread's, with flags besides the one by which the kernel is told that the filter is no reason to slow memory
// accesses down, which older ones do. What the kernel gives for the flags is returned.
func (f filter) install(flags uintptr) (fd int, err error) {
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	err = privileged("filtering system calls: seccomp", func() unix.Errno {
		got, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW|flags, uintptr(unsafe.Pointer(&program)))
		fd = int(got)
		return errno
	})
	runtime.KeepAlive(f)
	return fd, err
}
