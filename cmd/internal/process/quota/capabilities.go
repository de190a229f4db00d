package quota

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// keptCapabilities lists the capabilities of root that programs keep. With them, programs read and
// write files, end processes, change the user and the root folder, and listen at low ports. None
// reaches beyond the namespaces and files of a program. The others would let root escape a limit or
// change the machine. Examples are
//
//	SYS_ADMIN                 mount file systems and enter namespaces
//	SYS_PTRACE                read and trace other processes
//	DAC_READ_SEARCH           open files by number
//	SYS_MODULE, BPF, PERFMON  load code into the kernel
//	SYS_RAWIO, MKNOD          control devices
//	SYS_TIME                  set the clock
//	NET_ADMIN, NET_RAW        change networks
//	SYSLOG                    read the kernel's log
//	SYS_RESOURCE              lift limits
//	SYS_BOOT                  restart the machine
//	SETFCAP                   give capabilities to files
var keptCapabilities = []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETUID, unix.CAP_SETGID,
	unix.CAP_SYS_CHROOT, unix.CAP_NET_BIND_SERVICE}

// IsolateRoot hides the control groups from processes that the calling thread starts later, and
// protects the kernel's settings and the machine's devices. It uses new namespaces of mounts and
// shared memory, and drops the capabilities that could undo this. The thread must come from
// OnThread. IsolateRoot is for root, whose programs may write every file.
func IsolateRoot() error {
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_NEWIPC); err != nil {
		return errors.Join(fmt.Errorf("making namespaces of mounts and of shared memory: %w", err), DropCapabilities())
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the tree of file systems private: %w", err)
	}
	if err := errors.Join(HideCgroups(), CloseKernel(sharedMegabytes)); err != nil {
		return errors.Join(err, DropCapabilities())
	}
	return DropCapabilities()
}

// sharedMegabytes is the size of a worker's /dev/shm.
const sharedMegabytes = 256

// HideCgroups mounts an empty read-only file system on all hierarchies of control groups, in the
// mount namespace of the calling thread. Open descriptors of groups stay valid.
func HideCgroups() error {
	// not the thread's own file: see execute.runDelays
	text, err := os.ReadFile("/proc/self/mountinfo")
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

// DropCapabilities takes capabilities that could undo IsolateRoot, and all new privileges, from
// processes that the calling thread starts. The thread keeps its own, so that processes without
// them cannot read its files in /proc. Other users than root have none to lose.
func DropCapabilities() error {
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
		if slices.Contains(keptCapabilities, c) {
			continue
		}
		sets[c/32].Inheritable &^= 1 << (c % 32) // also removes it from the ambient set
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0); err != nil || has == 0 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			return os.NewSyscallError("giving up capabilities: prctl", err)
		}
	}
	return os.NewSyscallError("giving up capabilities: capset", unix.Capset(&header, &sets[0]))
}
