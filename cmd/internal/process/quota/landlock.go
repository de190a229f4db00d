package quota

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlock returns the version of the kernel's interface, landlock(7). Tests replace it to simulate
// older kernels.
var landlock = func() (version int, err error) {
	const ask = 1
	abi, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, ask)
	if errno != 0 {
		return 0, os.NewSyscallError("landlock_create_ruleset", errno)
	}
	return int(abi), nil
}

// Scoped reports whether the kernel can limit signals to a thread's descendants, which Landlock
// does since Linux 6.12.
func Scoped() bool {
	abi, err := landlock()
	return err == nil && abi >= abiScope
}

// ReachableProcesses describes what programs can do to other processes of their user that they see.
// It returns "" if nothing. asked says that RestrictSignals makes the kernel ask about signals, as
// for strict.
func ReachableProcesses(asked bool) string {
	abi, err := landlock()
	switch {
	case err != nil || abi < abiRefer:
		what := "read the memory and the environment of other processes of their user"
		if !asked {
			what += " and end them"
		}
		return what + " (Linux 5.19 with Landlock refuses to read, and Linux 6.12 to signal)"
	case abi < abiScope && !asked:
		return "end other processes of their user (Linux 6.12 with Landlock refuses that)"
	}
	return ""
}

// enterDomain makes the kernel refuse the calling thread and its descendants to read and trace
// other processes and, if Scoped, to signal them. A domain of landlock(7) also refuses mounts, and
// moving files to other folders. The latter can be permitted since Linux 5.19; older kernels get no
// domain.
func enterDomain() error {
	abi, err := landlock()
	if err != nil || abi < abiRefer {
		return nil
	}
	const signals = 1 << 1
	rules := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_REFER}
	size := unsafe.Sizeof(rules.Handled_access_fs)
	if abi >= abiScope {
		rules.Scoped, size = signals, unsafe.Sizeof(rules)
	}
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer unix.Close(int(fd))
	if err := permit(fd, "/", unix.LANDLOCK_ACCESS_FS_REFER); err != nil {
		return err
	}
	return restrict(fd)
}

// restrict puts the calling thread into a domain.
func restrict(rules uintptr) error {
	return privileged("landlock_restrict_self", func() unix.Errno {
		_, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0)
		return errno
	})
}

// Rights of landlock(7) that change files, and versions of the kernel's interface with new rights.
const (
	writes = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	abiRefer    = 2
	abiTruncate = 3
	abiScope    = 6
)

// writableDevices lists writable files that are not on a disk.
var writableDevices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}

// RestrictWrites makes the kernel refuse this thread and its descendants to change files outside of
// some folders. It is for machines without mount namespaces, and needs Linux 5.13.
// RestrictAttributes covers changes that landlock(7) does not. Before Linux 5.19, files can be
// linked and renamed only within one folder: mv copies them then.
func RestrictWrites(writable []string) error {
	abi, err := landlock()
	if err != nil {
		return err
	}
	rules := unix.LandlockRulesetAttr{Handled_access_fs: writes}
	if abi >= abiRefer {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= abiTruncate {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules), 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer unix.Close(int(fd))
	for _, dir := range writable {
		if err := permit(fd, dir, rules.Handled_access_fs); err != nil {
			return fmt.Errorf("permitting to write %s: %w", dir, err)
		}
	}
	for _, path := range writableDevices {
		if err := permit(fd, path, rules.Handled_access_fs); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("permitting to write %s: %w", path, err)
		}
	}
	return restrict(fd)
}

// permit grants rights on a path and everything below it. A file gets the rights that apply to
// files.
func permit(rules uintptr, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	var stat unix.Stat_t
	if err := unix.Fstat(at, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	// struct landlock_path_beneath_attr is packed: it has twelve bytes, and the kernel reads no
	// more.
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}
