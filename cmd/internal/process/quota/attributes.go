package quota

import (
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// RestrictAttributes makes the kernel refuse changes of the rights, owners, times, extended
// attributes and flags of files, for this thread and its descendants. landlock(7) does not cover
// them. The filter does not see paths, so it covers all files. It also covers descriptors, because
// one open for reading suffices for such changes. Where Landlock does not cover truncate(2), it is
// refused, too. io_uring could change extended attributes without the filter, so it is refused.
//
// The thread must come from OnThread.
func RestrictAttributes() error {
	abi, _ := landlock()
	f, err := attributeFilter(runtime.GOARCH, abi < abiTruncate)
	if err == nil {
		_, err = f.install(0)
	}
	return err
}

// attributeFilter returns the filter.
func attributeFilter(processor string, truncate bool) (f filter, err error) {
	return filterForAllTables(processor, func(part *filter, s calls) {
		changes := attributeCalls[s.audit]
		for _, number := range slices.Concat(changes.attributes, newAttributeCalls) {
			part.refuse(number, 0, nil, unix.EACCES)
		}
		if truncate {
			for _, number := range changes.truncate {
				part.refuse(number, 0, nil, unix.EACCES)
			}
		}
		part.refuse(s.ioctl, 1, flagRequests, unix.EACCES)
		part.refuse(ioUringSetup, 0, nil, unix.ENOSYS)
	})
}

// attributeCalls lists a processor's system calls that change attributes of files, in the order of
// the kernel's tables: the families of chmod, chown, utime, setxattr and removexattr.
var attributeCalls = map[uint32]struct{ attributes, truncate []uint32 }{
	unix.AUDIT_ARCH_X86_64:  {[]uint32{90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199, 235, 260, 261, 268, 280}, []uint32{76}},
	unix.AUDIT_ARCH_I386:    {[]uint32{15, 16, 30, 94, 95, 182, 198, 207, 212, 226, 227, 228, 235, 236, 237, 271, 298, 299, 306, 320, 412}, []uint32{92, 193}},
	unix.AUDIT_ARCH_AARCH64: {[]uint32{5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 88}, []uint32{45}},
	unix.AUDIT_ARCH_ARM:     {[]uint32{15, 16, 94, 95, 182, 198, 207, 212, 226, 227, 228, 235, 236, 237, 269, 325, 326, 333, 348, 412}, []uint32{92, 193}},
}

// newAttributeCalls lists calls with the same number everywhere: fchmodat2, setxattrat,
// removexattrat, file_setattr.
var newAttributeCalls = []uint32{452, 463, 466, 469}

// flagRequests lists FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS and FS_IOC_FSSETXATTR, ioctl_iflags(2).
var flagRequests = []uint32{0x40086602, 0x40046602, 0x401c5820}
