package quota

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlock returns the version of the kernel's interface, landlock(7). Tests change it, to be on an
// older kernel.
var landlock = func() (version int, err error) {
	const ask = 1
	abi, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, ask)
	if errno != 0 {
		return 0, os.NewSyscallError("landlock_create_ruleset", errno)
	}
	return int(abi), nil
}

// Scoped reports whether the kernel can keep signals within what a thread starts, which Landlock
// does since Linux 6.12.
func Scoped() bool {
	abi, err := landlock()
	return err == nil && abi >= scopes
}

// Unscoped returns what programs can do to other processes of their user, if they see them; "" if
// nothing. asked says that signals are asked about, as Shield has it for strict.
func Unscoped(asked bool) string {
	abi, err := landlock()
	switch {
	case err != nil || abi < refers:
		what := "read the memory and the environment of other processes of their user"
		if !asked {
			what += " and end them"
		}
		return what + " (Linux 5.19 with Landlock refuses to read, and Linux 6.12 to signal)"
	case abi < scopes && !asked:
		return "end other processes of their user (Linux 6.12 with Landlock refuses that)"
	}
	return ""
}

// scope has the kernel keep the calling thread, and what it starts, from reading and tracing other
// processes and, where the kernel can (Scoped), from signaling them. A domain of landlock(7) also
// refuses to mount file systems, and to move files to other folders. The latter can be permitted
// since Linux 5.19; on older kernels there is no domain.
func scope() error {
	abi, err := landlock()
	if err != nil || abi < refers {
		return nil
	}
	const signals = 1 << 1
	rules := unix.LandlockRulesetAttr{Handled_access_fs: unix.LANDLOCK_ACCESS_FS_REFER}
	size := unsafe.Sizeof(rules.Handled_access_fs)
	if abi >= scopes {
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

// restrict gives a domain to the calling thread.
func restrict(rules uintptr) error {
	return privileged("landlock_restrict_self", func() unix.Errno {
		_, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0)
		return errno
	})
}

// Rights of landlock(7) by which a file is changed, and the version of the kernel's interface that
// each came with.
const (
	writes = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	refers    = 2
	truncates = 3
	scopes    = 6
)

// written are what programs write that is no file of a disk.
var written = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}

// KeepWithin has the kernel refuse to this thread, and to what it starts, to change files but below
// some folders: for machines without mount namespaces, since Linux 5.13. KeepAttributes refuses
// what landlock(7) does not know. Before Linux 5.19,
// files can be linked and renamed within one folder only: mv copies them then.
func KeepWithin(writable []string) error {
	abi, err := landlock()
	if err != nil {
		return err
	}
	rules := unix.LandlockRulesetAttr{Handled_access_fs: writes}
	if abi >= refers {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= truncates {
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
	for _, path := range written {
		if err := permit(fd, path, rules.Handled_access_fs); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("permitting to write %s: %w", path, err)
		}
	}
	return restrict(fd)
}

// permit gives rights to what is at a path and below it, and those of files to a file.
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
	// struct landlock_path_beneath_attr is packed: its last field ends with the twelfth byte, and the kernel reads no further.
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}
