package quota

import (
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// LocalFamilies lists the socket families of a program in a network namespace of its own, which
// reaches only itself.
var LocalFamilies = []uint32{unix.AF_NETLINK, unix.AF_INET, unix.AF_INET6}

// RestrictSyscalls makes the kernel refuse this thread and its descendants keyrings, its log, bpf,
// perf events and limits of other processes. Non-nil families also refuse sockets of all other
// families: Unix sockets and those of virtual machines belong to no network namespace. A pair of
// connected sockets is permitted if neither can be connected to another one. io_uring could create
// sockets without the filter, so it is refused. So are all sockets by the older call of 32-bit
// programs, which hides the family from the filter.
//
// The thread must come from OnThread and have given up new privileges.
func RestrictSyscalls(families []uint32) error {
	f, err := socketFilter(runtime.GOARCH, families)
	if err == nil {
		_, err = f.install(0)
	}
	return err
}

// socketFilter returns the filter.
func socketFilter(processor string, families []uint32) (f filter, err error) {
	return filterForAllTables(processor, func(part *filter, s calls) {
		part.refusePrivate(s)
		part.permit(s.prlimit, 0, 0, unix.EPERM)
		if families != nil {
			part.only(s.socket, 0, ^uint32(0), families, unix.EACCES)
			if !slices.Contains(families, unix.AF_UNIX) {
				part.only(s.socketpair, 1, 0xf, []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, unix.EACCES)
			}
			if s.socketcall != 0 { // a pointer hides the family from the filter
				const socket, socketpair = 1, 8
				part.refuse(s.socketcall, 0, []uint32{socket, socketpair}, unix.EACCES)
			}
			part.refuse(ioUringSetup, 0, nil, unix.ENOSYS)
		}
	})
}

// filterForAllTables returns a filter of rules for each table of system calls that a processor has.
// It refuses calls of other tables as unknown.
func filterForAllTables(processor string, rules func(part *filter, s calls)) (f filter, err error) {
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

// ioUringSetup is the same number everywhere.
const ioUringSetup = 425

// refusePrivate refuses calls that reveal other processes or outlive programs: keyrings (add_key,
// request_key, keyctl), the kernel's log (syslog), bpf and perf_event_open.
func (f *filter) refusePrivate(s calls) {
	for _, number := range s.private {
		f.refuse(number, 0, nil, unix.EPERM)
	}
}

// only refuses a system call unless the masked lower half of an argument is among values.
func (f *filter) only(number uint32, argument int, bits uint32, values []uint32, errno unix.Errno) {
	body := filter{load(uint32(16 + 8*argument)), {Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: bits}}
	for i, value := range values {
		body = append(body, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: uint8(len(values) - i)})
	}
	body = append(body, answer(unix.SECCOMP_RET_ERRNO|uint32(errno)), answer(unix.SECCOMP_RET_ALLOW))
	*f = append(*f, load(0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: uint8(len(body))})
	*f = append(*f, body...)
}
