package quota

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestSocketFilter checks that the same socket families are refused to every kind of program that a
// processor runs, with the numbers of the kernel's tables.
func TestSocketFilter(t *testing.T) {
	allow, eacces := uint32(unix.SECCOMP_RET_ALLOW), unix.SECCOMP_RET_ERRNO|uint32(unix.EACCES)
	eperm, enosys := unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)
	type calls struct{ socket, pair, key uint32 }
	for _, c := range []struct {
		processor    string
		architecture uint32
		calls
	}{
		{"amd64", unix.AUDIT_ARCH_X86_64, calls{41, 53, 248}}, {"amd64", unix.AUDIT_ARCH_I386, calls{359, 360, 286}},
		{"arm64", unix.AUDIT_ARCH_AARCH64, calls{198, 199, 217}}, {"arm64", unix.AUDIT_ARCH_ARM, calls{281, 288, 309}},
	} {
		for family := uint32(0); family < 64; family++ {
			for _, families := range [][]uint32{nil, {unix.AF_NETLINK}, LocalFamilies} {
				f, err := socketFilter(c.processor, families)
				if err != nil {
					t.Fatal(err)
				}
				want := eacces
				for _, one := range families {
					if one == family {
						want = allow
					}
				}
				if families == nil {
					want = allow
				}
				if got := f.run(c.architecture, c.socket, family, 1, 0); got != want {
					t.Errorf("%s %#x: family %d beside %d: %#x", c.processor, c.architecture, family, families, got)
				}
			}
		}
		f, err := socketFilter(c.processor, LocalFamilies)
		if err != nil {
			t.Fatal(err)
		}
		const cloexec, nonblock = 0o2000000, 0o4000
		for kind, want := range map[uint32]uint32{1: allow, 5: allow, 1 | cloexec | nonblock: allow, 2: eacces, 3: eacces, 2 | cloexec: eacces} {
			if got := f.run(c.architecture, c.pair, unix.AF_UNIX, kind, 0); got != want {
				t.Errorf("%s %#x: a pair of kind %#x: %#x", c.processor, c.architecture, kind, got)
			}
		}
		if got := f.run(c.architecture, 425, 1, 0); got != enosys {
			t.Errorf("%s %#x: io_uring: %#x", c.processor, c.architecture, got)
		}
		if got := f.run(c.architecture, c.key); got != eperm {
			t.Errorf("%s %#x: keyrings: %#x", c.processor, c.architecture, got)
		}
		if got := f.run(c.architecture, 1); got != allow {
			t.Errorf("%s %#x: another call: %#x", c.processor, c.architecture, got)
		}
	}
	f, err := socketFilter("amd64", LocalFamilies)
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[uint32]uint32{1: eacces, 8: eacces, 3: allow} { // socket, socketpair, connect
		if got := f.run(unix.AUDIT_ARCH_I386, 102, call, 0); got != want {
			t.Errorf("socketcall %d: %#x", call, got)
		}
	}
	for _, foreign := range []uint32{unix.AUDIT_ARCH_AARCH64, unix.AUDIT_ARCH_PPC64LE} {
		if got := f.run(foreign, 41, unix.AF_INET); got != enosys {
			t.Errorf("another processor: %#x", got)
		}
	}
	if got := f.run(unix.AUDIT_ARCH_X86_64, 0x40000000|41, unix.AF_INET); got != enosys {
		t.Errorf("x32: %#x", got)
	}
}
