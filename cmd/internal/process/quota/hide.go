package quota

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// kept are the capabilities of root that programs keep: those by which root reads and writes files, ends processes, changes its user
// and its root folder, and listens at low ports. None of them reaches beyond the namespaces and the files of a program. What programs
// lose lets root leave a limit or change the machine: mount file systems and enter namespaces (SYS_ADMIN), read and trace other
// processes (SYS_PTRACE), open files by number (DAC_READ_SEARCH), load code into the kernel (SYS_MODULE, BPF, PERFMON), talk to devices
// (SYS_RAWIO, MKNOD), set the clock (SYS_TIME), change networks (NET_ADMIN, NET_RAW), read the kernel's log (SYSLOG), lift limits
// (SYS_RESOURCE), restart the machine (SYS_BOOT), and give capabilities to files (SETFCAP), among others.
var kept = []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETUID, unix.CAP_SETGID,
	unix.CAP_SYS_CHROOT, unix.CAP_NET_BIND_SERVICE}

// Seclude hides the control groups from what the calling thread starts from now on, for good, and closes the kernel's settings and the
// machine's devices: in namespaces of its own, of mounts and of shared memory, and without the capabilities by which it could see them again. The thread must be
// one of OnThread's. It is for root, whose programs may write wherever there is a name.
func Seclude() error {
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_NEWIPC); err != nil {
		return errors.Join(fmt.Errorf("making namespaces of mounts and of shared memory: %w", err), Renounce())
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the tree of file systems private: %w", err)
	}
	if err := errors.Join(Hide(), CloseKernel(sharedMegabytes)); err != nil {
		return errors.Join(err, Renounce())
	}
	return Renounce()
}

// sharedMegabytes is the size of a worker's /dev/shm.
const sharedMegabytes = 256

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

// Renounce takes from what the calling thread starts the capabilities with which root could undo that, and new privileges of all kinds.
// The thread itself keeps its capabilities, and so nobody without them may look into what belongs to it. Who is not root has none to lose.
func Renounce() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("giving up new privileges: prctl", err)
	}
	if os.Geteuid() != 0 {
		return nil
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capget", err)
	}
	for c := uintptr(0); c < 64; c++ {
		if slices.Contains(kept, c) {
			continue
		}
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
