package quota

import (
	"os"

	"golang.org/x/sys/unix"
)

// spareCapabilities lists the capabilities that programs of another user keep: they read and write
// the same files as root.
var spareCapabilities = []int{unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_CHOWN}

// SetUser changes the user of this thread. The thread keeps root's capabilities. At exec, the
// kernel reduces those of its programs to spareCapabilities, user_namespaces(7) and
// capabilities(7). It calls the kernel directly, because the library's calls change all threads.
func SetUser(uid int) error {
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
