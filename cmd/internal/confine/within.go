package confine

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where Options.Writable names folders, all other files are as if on a medium that cannot be written. The private folder can. Sockets and
// devices are no files: what a socket's or a device's owner lets programs do, they can.

// readOnly makes all file systems read-only but for some folders, in the mount namespace of this process. What is mounted below
// the folders is hidden. mount_setattr(2) is there since Linux 5.12.
func readOnly(writable []string) error {
	for _, dir := range writable {
		if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
			return &os.PathError{Op: "mount", Path: dir, Err: err}
		}
	}
	set := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &set); err != nil {
		return os.NewSyscallError("mount_setattr", err)
	}
	for _, dir := range writable {
		clear := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
		if err := unix.MountSetattr(unix.AT_FDCWD, dir, 0, &clear); err != nil {
			return &os.PathError{Op: "mount_setattr", Path: dir, Err: err}
		}
	}
	return nil
}

// Rights of landlock(7) by which a file is changed, and the version of the kernel's interface that each came with.
const (
	writes = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	refers    = 2
	truncates = 3
)

// devices are what programs write that is no file of a disk.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}

// keepWithin has the kernel refuse to this thread, and to what it starts, to change files but below some folders: for machines without
// mount namespaces, since Linux 5.13. The rights and times of other files can be changed all the same, which landlock(7) does not know. Files
// can be linked and renamed within one folder only, where quota.Shield has made a domain that does not know of such: mv copies them then.
func keepWithin(writable []string) error {
	const version = 1
	abi, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
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
	const ofFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	for _, path := range devices {
		if err := permit(fd, path, rules.Handled_access_fs&ofFiles); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("permitting to write %s: %w", path, err)
		}
	}
	_, _, errno = unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// permit gives rights to what is at a path and below it.
func permit(rules uintptr, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	// struct landlock_path_beneath_attr is packed: its last field ends with the twelfth byte, and the kernel reads no further.
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}
