package confine

import (
	"os"

	"golang.org/x/sys/unix"
)

// If Options.Writable names folders, all other files except the private folder are read-only.
// Sockets and devices are not files in this sense: programs can do what the owner of a socket or
// device lets them do.

// readOnly makes all file systems except some folders read-only, in the mount namespace of this
// process. Mounts below these folders are hidden. It needs Linux 5.12 for mount_setattr(2).
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
