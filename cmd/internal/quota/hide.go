package quota

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// undoing are the capabilities by which root could leave a group whose hierarchy is hidden, or a limit: by mounts and the namespaces of
// others, by what belongs to other processes in /proc, by files' numbers instead of names, and by the kernel itself.
var undoing = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_PTRACE, unix.CAP_DAC_READ_SEARCH, unix.CAP_SYS_MODULE, unix.CAP_SYS_RAWIO, unix.CAP_SYS_BOOT}

// Seclude hides the control groups from what the calling thread starts from now on, for good: in a mount namespace of its own, and without
// the capabilities by which it could see them again. The thread must be one of OnThread's. It is for root, whose programs may write wherever
// there is a name.
func Seclude() error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("making a mount namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the tree of file systems private: %w", err)
	}
	if err := Hide(); err != nil {
		return err
	}
	return Renounce()
}

// Hide mounts something empty, which nobody can write, on all hierarchies of control groups, in the mount namespace of the calling thread,
// which is the process's or a copy of it. Descriptors of groups stay what they are.
func Hide() error {
	text, err := os.ReadFile("/proc/self/mountinfo") // not the thread's own, for what execute.runDelays says
	if err != nil {
		return err
	}
	for _, m := range parseMounts(string(text)) {
		const quiet = unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
		err := unix.Mount("parallax", m.path, "tmpfs", quiet, "size=4k,nr_inodes=1,mode=0555")
		if err != nil && !errors.Is(err, unix.ENOENT) { // another mount hides it
			return fmt.Errorf("hiding %s: %w", m.path, err)
		}
	}
	return nil
}

// Renounce takes from what the calling thread starts the capabilities with which root could undo that. The thread itself keeps them, and so
// nobody without them may look into what belongs to it. Who is not root has none to lose.
func Renounce() error {
	if os.Geteuid() != 0 {
		return nil
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capget", err)
	}
	for _, c := range undoing {
		sets[c/32].Inheritable &^= 1 << (c % 32) // so it is no ambient one either
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0); err != nil || has == 0 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			return os.NewSyscallError("giving up capabilities: prctl", err)
		}
	}
	return os.NewSyscallError("giving up capabilities: capset", unix.Capset(&header, &sets[0]))
}
