package quota

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// RestrictSignals makes the kernel refuse signals of this thread and its descendants to the given
// processes, and to all processes at once. It is for programs that see the processes of the
// machine; those in a PID namespace see only their own. The thread must come from OnThread, because
// the filter is permanent. strict also refuses signals to threads by number alone (tkill, which
// musl's abort uses, and Go programs do not).
//
// The number of any thread names its process. Threads come and go, so a filter cannot list them.
// With strict, the kernel asks this process about all other numbers (notifier.go). Kernels before
// Linux 5.9 cannot ask; there, thread numbers get through.
//
// RestrictSignals also refuses changes of other processes' limits, tracing of the given processes,
// and unknown tables of system calls. Only descendants of the thread can be signaled at all: the
// kernel ensures it if Scoped. Otherwise, with strict, it asks about all processes, groups and
// threads, and those without an ancestor started by the thread are refused.
//
// A thread without the required right gives up new privileges: its programs gain none from
// set-user-ID bits.
func RestrictSignals(strict bool, pids ...int) error {
	about := uint32(unix.SECCOMP_RET_USER_NOTIF)
	if !Scoped() {
		about |= askMore
	}
	f, err := signalFilter(runtime.GOARCH, strict, pids, about)
	if err == nil && (!strict || f.installNotifier(pids) != nil) {
		if f, err = signalFilter(runtime.GOARCH, strict, pids, unix.SECCOMP_RET_ALLOW); err == nil {
			_, err = f.install(0)
		}
	}
	if err == nil {
		err = enterDomain()
	}
	return err
}

// askMore makes the kernel also ask about process groups, and about threads named with their
// process. It is a bit of SECCOMP_RET_USER_NOTIF that the kernel does not use.
const askMore = 1

// signalFilter returns the filter. otherwise is the action for numbers that are not refused:
// SECCOMP_RET_ALLOW, or SECCOMP_RET_USER_NOTIF with or without askMore.
func signalFilter(processor string, strict bool, pids []int, otherwise uint32) (f filter, err error) {
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
	values = append(values, ^uint32(0)) // -1: all processes
	return filterForAllTables(processor, func(part *filter, s calls) {
		// the kernel checks that the thread belongs to the process
		byProcess := uint32(unix.SECCOMP_RET_ALLOW)
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
		// This call names its process by a descriptor, perhaps a folder of /proc. Programs fall
		// back to kill if the call does not exist.
		part.refuse(s.pidfdSend, 0, nil, unix.ENOSYS)
		// The owner of a file gets signals when data arrives.
		for _, number := range s.fcntl {
			part.refuse(number, 1, []uint32{unix.F_SETOWN, unix.F_SETOWN_EX}, unix.EPERM)
		}
		part.refuse(s.ioctl, 1, []uint32{0x8901, 0x8902}, unix.EPERM) // FIOSETOWN, SIOCSPGRP
		// Limits of processor time end a process, too.
		part.permit(s.prlimit, 0, 0, unix.EPERM)
		part.attach(s.ptrace, processes, otherwise)
		part.refuseOr(s.vmRead, 0, processes, unix.EPERM, otherwise)
		part.refuseOr(s.vmWrite, 0, processes, unix.EPERM, otherwise)
		part.refusePrivate(s)
	})
}

// calls has the numbers of system calls on a processor, and audit is the kernel's name of it.
// Numbers from above on belong to another kind of program; 0 means none do.
type calls struct {
	audit, above                                                           uint32
	kill, tkill, tgkill, sigqueue, tgsigqueue, pidfdOpen, pidfdSend, ioctl uint32
	prlimit, ptrace, vmRead, vmWrite                                       uint32
	fcntl                                                                  []uint32
	// socketcall is 0 if it does not exist
	socket, socketpair, socketcall uint32
	private                        []uint32 // see refusePrivate
}

// systems lists the processors. A 64-bit one also runs programs of its 32-bit predecessor.
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

// filter is a program of the kernel's filter for system calls, seccomp(2). Jumps count skipped
// instructions.
type filter []unix.SockFilter

// load loads a field of struct seccomp_data: number 4, architecture 4, instruction pointer 8,
// arguments of 8 each, little-endian.
func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func answer(what uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
}

// refuse refuses a system call if the lower half of an argument is among values. Nil values refuse
// all.
func (f *filter) refuse(number uint32, argument int, values []uint32, errno unix.Errno) {
	f.refuseOr(number, argument, values, errno, unix.SECCOMP_RET_ALLOW)
}

// refuseOr is refuse with an action for other values.
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
		case unix.SECCOMP_RET_USER_NOTIF: // process groups are not threads
			body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 1 << 31, Jf: 1}, answer(unix.SECCOMP_RET_ALLOW))
		}
		body = append(body, answer(otherwise))
	}
	body = append(body, no)
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(body))})
	*f = append(*f, body...)
}

// attach refuses to start tracing processes, and takes the action otherwise for others. All other
// requests of ptrace need that first. A thread of this process makes them to start others, and must
// not wait then: other threads of the process give the answers.
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

// permit refuses a system call unless the lower half of an argument has the value.
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

// forArchitecture applies part to the calls of a processor. A conditional jump skips at most 255
// instructions, so an unconditional one follows it.
func (f *filter) forArchitecture(audit uint32, part filter) {
	*f = append(*f, load(4),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: audit, Jt: 1},
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(part))})
	*f = append(*f, part...)
}

// privileged makes a system call that needs a right, or else that the thread gives up new
// privileges.
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

// install installs the filter for the calling thread. SPEC_ALLOW keeps older kernels from slowing
// down memory accesses. fd is the result of the flags.
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
