package confine

import (
	"os"

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
