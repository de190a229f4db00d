package quota

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// controls lists the types of file systems by which root changes the kernel's settings.
var controls = []string{"proc", "sysfs", "debugfs", "tracefs", "securityfs", "configfs", "bpf", "binfmt_misc", "efivarfs", "pstore",
	"selinuxfs", "smackfs", "apparmorfs", "resctrl", "nfsd"}

// devices lists the devices that programs may open in /dev. They cannot affect the machine.
var devices = []string{"null", "zero", "full", "random", "urandom", "tty"}

// IPCFolders lists the folders of /dev where CloseKernel mounts file systems of the namespace's
// own.
var IPCFolders = []string{"/dev/shm", "/dev/mqueue"}

// CloseKernel keeps processes that the calling thread starts from the kernel's settings and the
// machine's devices, in the mount namespace of the thread. It makes file systems such as /sys, and
// all of /proc except the folders of processes, read-only. It mounts a /dev of harmless devices,
// and makes devices elsewhere fail to open. Root would need no capability for these, because the
// files belong to root.
//
// The thread must have an IPC namespace of its own. /dev/shm and /dev/mqueue are new. /dev/shm has
// the given size; with 0 megabytes neither can be written. It contains the folders of the machine's
// /dev/shm, where programs and their files may lie, and not its shared memory objects, which are
// files.
//
// CloseKernel needs Linux 5.12.
func CloseKernel(megabytes int) error {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for _, m := range mountsOf(string(text), controls) {
		if m.path == "/proc" {
			continue
		}
		err := setMount(m.path, unix.MOUNT_ATTR_RDONLY, 0, 0)
		if err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EINVAL) { // another mount hides it
			return err
		}
	}
	if err := closeProc(); err != nil {
		return err
	}
	return closeDevices(megabytes)
}

// setMount changes the flags of a mount.
func setMount(path string, set, clear uint64, how uint) error {
	attr := unix.MountAttr{Attr_set: set, Attr_clr: clear}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, how, &attr); err != nil {
		return &os.PathError{Op: "mount_setattr", Path: path, Err: err}
	}
	return nil
}

// closeProc makes /proc read-only, except the folders of processes.
func closeProc() error {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err == nil || entry.Type()&os.ModeSymlink != 0 {
			continue
		}
		info, err := entry.Info()
		if err != nil || !info.IsDir() && info.Mode()&0o222 == 0 {
			continue
		}
		path := filepath.Join("/proc", entry.Name())
		if err := unix.Mount(path, path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return &os.PathError{Op: "mount", Path: path, Err: err}
		}
		if err := setMount(path, unix.MOUNT_ATTR_RDONLY, 0, unix.AT_RECURSIVE); err != nil {
			return err
		}
	}
	return nil
}

// closeDevices mounts a /dev with harmless devices only, and makes all other devices fail to open.
func closeDevices(megabytes int) error {
	if info, err := os.Stat("/dev"); err != nil || !info.IsDir() {
		return err
	}
	was := map[string]int{} // the machine's devices, which the new file system hides
	for _, name := range devices {
		if fd, err := unix.Open("/dev/"+name, unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
			defer unix.Close(fd)
			was[name] = fd
		}
	}
	folders, err := foldersOf("/dev/shm")
	if err != nil {
		return err
	}
	defer func() {
		for _, f := range folders {
			f.Close()
		}
	}()
	if err := setMount("/", unix.MOUNT_ATTR_NODEV, 0, unix.AT_RECURSIVE); err != nil {
		return err
	}
	const quiet = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if err := unix.Mount("parallax", "/dev", "tmpfs", quiet, "size=64k,mode=0755"); err != nil {
		return &os.PathError{Op: "mount", Path: "/dev", Err: err}
	}
	for name, fd := range was {
		if err := bindDevice("/dev/"+name, fd); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2", "ptmx": "pts/ptmx"} {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	for _, name := range []string{"pts", "shm", "mqueue"} {
		if err := os.Mkdir("/dev/"+name, 0o755); err != nil {
			return err
		}
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err != nil {
		return &os.PathError{Op: "mount", Path: "/dev/pts", Err: err}
	}
	if megabytes > 0 {
		options := fmt.Sprintf("size=%dm,nr_inodes=%d,mode=1777", megabytes, 1024+256*megabytes)
		if err := unix.Mount("parallax", "/dev/shm", "tmpfs", quiet, options); err != nil {
			return &os.PathError{Op: "mount", Path: "/dev/shm", Err: err}
		}
		_ = unix.Mount("mqueue", "/dev/mqueue", "mqueue", quiet, "") // some kernels do not have it
	}
	for _, f := range folders {
		if err := os.Mkdir(f.Name(), 0o755); err != nil {
			return err
		}
		// A bind mount keeps its flags, so a read-only folder stays read-only.
		if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), f.Name(), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return &os.PathError{Op: "mount", Path: f.Name(), Err: err}
		}
	}
	return setMount("/dev", unix.MOUNT_ATTR_RDONLY, 0, 0)
}

// foldersOf opens the folders in a folder. A missing folder has none.
func foldersOf(dir string) (folders []*os.File, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0); err == nil { // otherwise it has been removed
			folders = append(folders, os.NewFile(uintptr(fd), path))
		}
	}
	return folders, nil
}

// bindDevice makes a device of the machine appear at a path.
func bindDevice(path string, fd int) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", fd), path, "", unix.MS_BIND, ""); err != nil {
		return &os.PathError{Op: "mount", Path: path, Err: err}
	}
	// If the machine's own mount forbids devices for good, this one did not work before either.
	if err := setMount(path, 0, unix.MOUNT_ATTR_NODEV, 0); err != nil && !errors.Is(err, unix.EPERM) {
		return err
	}
	return nil
}

// Devices returns the paths in the /dev of CloseKernel that programs may write. With readOnly it
// leaves out IPCFolders.
func Devices(readOnly bool) (paths []string) {
	for _, name := range devices {
		paths = append(paths, "/dev/"+name)
	}
	paths = append(paths, "/dev/pts")
	if !readOnly {
		paths = append(paths, IPCFolders...)
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		_, err := os.Stat(path)
		return err != nil
	})
}

// RootFolders returns the folders in the machine's root, except those of the kernel's settings and
// of devices.
func RootFolders() (paths []string) {
	entries, _ := os.ReadDir("/")
	for _, entry := range entries {
		if !slices.Contains([]string{"proc", "sys", "dev"}, entry.Name()) {
			paths = append(paths, "/"+entry.Name())
		}
	}
	paths = append(append(paths, "/dev/pts", "/dev/ptmx"), IPCFolders...)
	return slices.DeleteFunc(paths, func(path string) bool {
		_, err := os.Stat(path) // a link may be broken
		return err != nil
	})
}

// mountsOf parses mounts of the given types in /proc/self/mountinfo, proc_pid_mountinfo(5).
func mountsOf(text string, types []string) (all []mountPoint) {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(text) {
		left, right, _ := strings.Cut(strings.TrimSpace(line), " - ")
		l, r := strings.Fields(left), strings.Fields(right)
		if len(l) < 6 || len(r) < 3 || !slices.Contains(types, r[0]) {
			continue
		}
		all = append(all, mountPoint{v2: r[0] == "cgroup2", options: strings.Split(r[2], ","), root: unescape.Replace(l[3]), path: unescape.Replace(l[4])})
	}
	return all
}
