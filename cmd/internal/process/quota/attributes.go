package quota

import (
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// KeepAttributes has the kernel refuse to this thread, and to what it starts, to change the rights, owners, times, extended attributes
// and flags of files, which landlock(7) does not know. The filter sees no paths, so that this holds for all files; a descriptor that
// is open for reading is enough to change what is refused, so that it holds for descriptors too. Where Landlock does not know
// truncate(2), that is refused as well. io_uring changes extended attributes past the filter, and so it is refused.
//
// The thread must be one of OnThread's.
func KeepAttributes() error {
	abi, _ := landlock()
	f, err := attributes(runtime.GOARCH, abi < truncates)
	if err == nil {
		_, err = f.install(0)
	}
	return err
}

// attributes is the filter.
func attributes(processor string, truncate bool) (f filter, err error) {
	return everywhere(processor, func(part *filter, s calls) {
		changes := changing[s.audit]
		for _, number := range slices.Concat(changes.attributes, newChanging) {
			part.refuse(number, 0, nil, unix.EACCES)
		}
		if truncate {
			for _, number := range changes.truncate {
				part.refuse(number, 0, nil, unix.EACCES)
			}
		}
		part.refuse(s.ioctl, 1, flagging, unix.EACCES)
		part.refuse(ioUringSetup, 0, nil, unix.ENOSYS)
	})
}

// changing are the system calls of a processor that change attributes of files, in the order of the kernel's tables: the families of
// chmod, chown, utime, setxattr and removexattr.
var changing = map[uint32]struct{ attributes, truncate []uint32 }{
	unix.AUDIT_ARCH_X86_64:  {[]uint32{90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199, 235, 260, 261, 268, 280}, []uint32{76}},
	unix.AUDIT_ARCH_I386:    {[]uint32{15, 16, 30, 94, 95, 182, 198, 207, 212, 226, 227, 228, 235, 236, 237, 271, 298, 299, 306, 320, 412}, []uint32{92, 193}},
	unix.AUDIT_ARCH_AARCH64: {[]uint32{5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 88}, []uint32{45}},
	unix.AUDIT_ARCH_ARM:     {[]uint32{15, 16, 94, 95, 182, 198, 207, 212, 226, 227, 228, 235, 236, 237, 269, 325, 326, 333, 348, 412}, []uint32{92, 193}},
}

// newChanging have the same number everywhere: fchmodat2, setxattrat, removexattrat, file_setattr.
var newChanging = []uint32{452, 463, 466, 469}

// flagging are FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS and FS_IOC_FSSETXATTR, ioctl_iflags(2).
var flagging = []uint32{0x40086602, 0x40046602, 0x401c5820}
