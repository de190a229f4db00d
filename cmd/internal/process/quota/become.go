package quota

import (
	"os"

	"golang.org/x/sys/unix"
)

// spareCapabilities are what a program of another user keeps of root's: it reads and writes what it would as root.
var spareCapabilities = []int{unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_CHOWN}

// Become gives this thread another user. The thread keeps what root may, and what it starts keeps spareCapabilities of that: the kernel sees
// to it when a program is executed, user_namespaces(7) and capabilities(7). The system calls are those of the kernel, since the library's are
// for all threads.
func Become(uid int) error {
	if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("keeping capabilities: prctl", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capget", err)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
		return os.NewSyscallError("changing the user: setresuid", errno)
	}
	for i := range sets {
		sets[i].Effective, sets[i].Inheritable = sets[i].Permitted, 0
	}
	for _, c := range spareCapabilities {
		sets[c/32].Inheritable |= 1 << (c % 32)
	}
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capset", err)
	}
	for _, c := range spareCapabilities {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, uintptr(c), 0, 0); err != nil {
			return os.NewSyscallError("keeping capabilities: prctl", err)
		}
	}
	return nil
}
