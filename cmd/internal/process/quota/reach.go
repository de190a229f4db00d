package quota

import (
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// Networked are the families of sockets of a program that reaches nothing but itself, in a network
// namespace of its own.
var Networked = []uint32{unix.AF_NETLINK, unix.AF_INET, unix.AF_INET6}

// Refuse has the kernel refuse keyrings, its log, bpf, perf events and limits of other processes to
// this thread and to what it starts. With families, it also refuses sockets of all others: Unix
// sockets and those of virtual machines are in no network namespace. A pair of connected sockets is
// permitted, if neither can be connected to another one. io_uring makes sockets past the filter,
// and so it is refused, and so are all sockets in the older way of 32-bit programs, where the
// filter does not see the family.
//
// The thread must be one of OnThread's and have given up new privileges.
func Refuse(families []uint32) error {
	f, err := reach(runtime.GOARCH, families)
	if err == nil {
		_, err = f.install(0)
	}
	return err
}

// reach is the filter.
func reach(processor string, families []uint32) (f filter, err error) {
	return everywhere(processor, func(part *filter, s calls) {
		part.refusePrivate(s)
		part.permit(s.prlimit, 0, 0, unix.EPERM)
		if families != nil {
			part.only(s.socket, 0, ^uint32(0), families, unix.EACCES)
			if !slices.Contains(families, unix.AF_UNIX) {
				part.only(s.socketpair, 1, 0xf, []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, unix.EACCES)
			}
			if s.socketcall != 0 { // the family is behind a pointer, where no filter sees it
				const socket, socketpair = 1, 8
				part.refuse(s.socketcall, 0, []uint32{socket, socketpair}, unix.EACCES)
			}
			part.refuse(ioUringSetup, 0, nil, unix.ENOSYS)
		}
	})
}

// everywhere is a filter of rules for each table of system calls that a processor has. Calls of other tables are unknown to it and refused.
func everywhere(processor string, rules func(part *filter, s calls)) (f filter, err error) {
	system, ok := systems[processor]
	if !ok {
		return nil, errors.New("no filter of system calls for this processor")
	}
	for _, s := range system {
		var part filter
		if s.above != 0 {
			part.refuseFrom(s.above, unix.ENOSYS)
		}
		rules(&part, s)
		part.allow()
		f.forArchitecture(s.audit, part)
	}
	f.answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS))
	return f, nil
}

// ioUringSetup has the same number everywhere.
const ioUringSetup = 425

// refusePrivate refuses what tells of others or outlives programs: keyrings (add_key, request_key,
// keyctl), the kernel's log (syslog), bpf and perf_event_open.
func (f *filter) refusePrivate(s calls) {
	for _, number := range s.private {
		f.refuse(number, 0, nil, unix.EPERM)
	}
}

// only refuses a system call unless the bits of an argument's lower half are among values.
func (f *filter) only(number uint32, argument int, bits uint32, values []uint32, errno unix.Errno) {
	body := filter{load(uint32(16 + 8*argument)), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: bits}}
	for i, value := range values {
		body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: uint8(len(values) - i)})
	}
	body = append(body, answer(unix.SECCOMP_RET_ERRNO|uint32(errno)), answer(unix.SECCOMP_RET_ALLOW))
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(body))})
	*f = append(*f, body...)
}
