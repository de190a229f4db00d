package quota

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestKeepAttributes checks that each change of a file's attributes is refused, by path and by a
// descriptor open for reading. Other calls are not refused.
func TestKeepAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	fd := int(file.Fd())
	at, uid := unix.AT_FDCWD, os.Getuid()
	done := make(chan bool)
	OnThread(func() {
		defer close(done)
		if err := RestrictAttributes(); err != nil {
			t.Skip(err)
		}
		for name, err := range map[string]error{
			"chmod": unix.Chmod(path, 0o666), "fchmod": unix.Fchmod(fd, 0o666), "fchmodat": unix.Fchmodat(at, path, 0o666, 0),
			"fchmodat2": unix.Fchmodat(at, path, 0o666, unix.AT_SYMLINK_NOFOLLOW),
			"chown":     unix.Chown(path, uid, -1), "lchown": unix.Lchown(path, uid, -1), "fchown": unix.Fchown(fd, uid, -1), "fchownat": unix.Fchownat(at, path, uid, -1, 0),
			"utimes": unix.Utimes(path, make([]unix.Timeval, 2)), "utimensat": unix.UtimesNanoAt(at, path, make([]unix.Timespec, 2), 0),
			"setxattr": unix.Setxattr(path, "user.x", nil, 0), "lsetxattr": unix.Lsetxattr(path, "user.x", nil, 0), "fsetxattr": unix.Fsetxattr(fd, "user.x", nil, 0),
			"removexattr": unix.Removexattr(path, "user.x"), "lremovexattr": unix.Lremovexattr(path, "user.x"), "fremovexattr": unix.Fremovexattr(fd, "user.x"),
			"FS_IOC_SETFLAGS": unix.IoctlSetPointerInt(fd, 0x40086602, 0),
		} {
			if !errors.Is(err, unix.EACCES) {
				t.Errorf("%s: %v, want %v", name, err, unix.EACCES)
			}
		}
		if err := os.WriteFile(path, []byte("more"), 0o600); err != nil {
			t.Error(err)
		}
		if err := unix.Access(path, unix.R_OK); err != nil {
			t.Error(err)
		}
	})
	<-done
}

// TestAttributes checks the same for every kind of program that a processor runs, with the numbers
// of the kernel's tables.
func TestAttributes(t *testing.T) {
	allow, eacces := uint32(unix.SECCOMP_RET_ALLOW), unix.SECCOMP_RET_ERRNO|uint32(unix.EACCES)
	for _, c := range []struct {
		processor                                  string
		architecture, fchmod, fchownat, utimensat  uint32
		setxattr, removexattr, truncate, ftruncate uint32
	}{
		{"amd64", unix.AUDIT_ARCH_X86_64, 91, 260, 280, 188, 197, 76, 77},
		{"amd64", unix.AUDIT_ARCH_I386, 94, 298, 320, 226, 235, 92, 93},
		{"arm64", unix.AUDIT_ARCH_AARCH64, 52, 54, 88, 5, 14, 45, 46},
		{"arm64", unix.AUDIT_ARCH_ARM, 94, 325, 348, 226, 235, 92, 93},
	} {
		for _, old := range []bool{true, false} {
			f, err := attributeFilter(c.processor, old)
			if err != nil {
				t.Fatal(err)
			}
			for _, number := range []uint32{c.fchmod, c.fchownat, c.utimensat, c.setxattr, c.removexattr, 452, 463} {
				if got := f.run(c.architecture, number); got != eacces {
					t.Errorf("%s %#x: system call %d: %#x", c.processor, c.architecture, number, got)
				}
			}
			want := allow
			if old {
				want = eacces
			}
			if got := f.run(c.architecture, c.truncate); got != want {
				t.Errorf("%s %#x: truncate, Landlock without it %v: %#x", c.processor, c.architecture, old, got)
			}
			if got := f.run(c.architecture, c.ftruncate); got != allow {
				t.Errorf("%s %#x: ftruncate: %#x", c.processor, c.architecture, got)
			}
		}
	}
}
