// Package doorstest tries the ways by which a program under test could escape its limits: the
// kernel's settings, devices, system calls of root, and other processes. Tests run it as a hostile
// program on each level of isolation. No attempt harms the machine, even if it succeeds: files are
// opened and not written, and the clock is set to its present time.
package doorstest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Outside lists processes and objects that a program must not reach.
type Outside struct {
	Pids   []int  // parallax, the sandbox, siblings: not to be signaled, read or traced
	Keeper int    // not to be traced, read or limited; signals do no harm
	Socket string // a Unix stream socket; with .dgram appended, a datagram socket
	Name   string // an abstract Unix socket
	Port   int    // on localhost
	Device string // a device node outside of /dev; empty if the test cannot create one
	Secret string // in the environment of the first of Pids
}

// Put creates the sockets, a port of localhost and, if permitted, the device in a folder. They
// exist until the test ends.
func (o *Outside) Put(t testing.TB, dir string) {
	t.Helper()
	for network, address := range map[string]string{"unix": "@" + o.Name, "tcp": "127.0.0.1:0"} {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		if tcp, ok := l.Addr().(*net.TCPAddr); ok {
			o.Port = tcp.Port
		}
	}
	if o.Socket != "" {
		l, err := net.Listen("unix", o.Socket)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		d, err := net.ListenPacket("unixgram", o.Socket+".dgram")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		for _, path := range []string{o.Socket, o.Socket + ".dgram"} {
			if err := os.Chmod(path, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	if os.Geteuid() == 0 {
		o.Device = filepath.Join(dir, "device")
		if err := unix.Mknod(o.Device, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 7))); err != nil { // full
			o.Device = ""
		}
	}
}

// Argument returns the argument for the program, the test's executable whose TestMain calls Main.
func (o Outside) Argument() string {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Main tries all doors and prints the names of the open ones in one line.
func Main(argument string) int {
	var o Outside
	if err := json.Unmarshal([]byte(argument), &o); err != nil {
		fmt.Println(err)
		return 2
	}
	fmt.Println(strings.Join(o.Open(), ", "))
	return 0
}

// Open returns the names of the doors that are open.
func (o Outside) Open() (open []string) {
	try := func(name string, attempt func() error) {
		if attempt() == nil {
			open = append(open, name)
		}
	}
	for _, path := range []string{"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/drop_caches", "/proc/sys/kernel/hostname",
		"/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/proc/mtrr", "/proc/kcore", "/sys/kernel/uevent_helper", "/sys/kernel/profiling",
		"/sys/power/state", "/proc/sys/fs/binfmt_misc/register", "/dev/kmsg", "/dev/loop-control"} {
		try(path, func() error { return opens(path, unix.O_WRONLY) })
	}
	try("kcore", func() error { return opens("/proc/kcore", unix.O_RDONLY) })
	if os.Geteuid() == 0 {
		for _, root := range []string{"/proc/sys", "/sys"} {
			try(root, func() error { return writableBelow(root) })
		}
		try("devices", func() error { return devices(-1) })
		try("disks", func() error { return devices(unix.O_WRONLY) })
	}
	if o.Device != "" {
		try("device", func() error { return opens(o.Device, unix.O_RDONLY) })
	}
	for name, attempt := range calls {
		try(name, attempt)
	}
	try("cgroups", cgroups)
	for _, pid := range o.Pids {
		o.process(pid, try)
	}
	if o.Keeper != 0 {
		o.inspection(o.Keeper, try)
		try("root of the sandbox", func() error { return opens(fmt.Sprintf("/proc/%d/root/", o.Keeper), unix.O_RDONLY) })
	}
	try("signal to a group", func() error { return o.group() })
	o.sockets(try)
	return open
}

func opens(path string, flags int) error {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// writableBelow fails if no file below a folder can be written.
func writableBelow(root string) error {
	found := unix.EROFS
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() &&
			unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil && opens(path, unix.O_WRONLY) == nil {
			found = 0
			return fs.SkipAll
		}
		return nil
	})
	if found == 0 {
		return nil
	}
	return found
}

// devices fails if all devices are harmless. With flags of at least 0, it fails if no disk opens
// with them.
func devices(flags int) error {
	harmless := map[string]bool{"null": true, "zero": true, "full": true, "random": true, "urandom": true, "tty": true, "ptmx": true}
	found := unix.ENOENT
	filepath.WalkDir("/dev", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && filepath.Dir(path) == "/dev/shm" { // a folder of the machine, where devices fail to open
			return fs.SkipDir
		}
		if err == nil && entry.Type()&fs.ModeDevice != 0 && !harmless[entry.Name()] && (flags < 0 || entry.Type()&fs.ModeCharDevice == 0 && opens(path, flags) == nil) {
			found = 0
		}
		return nil
	})
	if found == 0 {
		return nil
	}
	return found
}

func errno(e unix.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

// denied attempts a system call. It fails if the call is refused or unknown, before the kernel
// reads its arguments.
func denied(call uintptr, arguments ...uintptr) error {
	var a [6]uintptr
	copy(a[:], arguments)
	_, _, e := unix.RawSyscall6(call, a[0], a[1], a[2], a[3], a[4], a[5])
	switch e {
	case unix.EPERM, unix.ENOSYS, unix.EACCES:
		return e
	}
	return nil
}

// calls lists system calls of root. Some arguments are invalid, because the kernel checks the right
// first.
var calls = map[string]func() error{
	"clock": func() error {
		var now unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_REALTIME, &now); err != nil {
			return err
		}
		_, _, e := unix.RawSyscall(unix.SYS_CLOCK_SETTIME, unix.CLOCK_REALTIME, uintptr(unsafe.Pointer(&now)), 0)
		return errno(e)
	},
	"hostname": func() error {
		name, err := os.Hostname()
		if err != nil {
			return err
		}
		return unix.Sethostname([]byte(name))
	},
	"mknod": func() error {
		at := filepath.Join(os.TempDir(), "node")
		defer os.Remove(at)
		return unix.Mknod(at, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3)))
	},
	"log":    func() error { _, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, make([]byte, 1<<16)); return err },
	"bpf":    func() error { return denied(unix.SYS_BPF, 0, 0, 0) },
	"perf":   func() error { return denied(unix.SYS_PERF_EVENT_OPEN, 0, ^uintptr(0), 0, ^uintptr(0), 0) },
	"reboot": func() error { return denied(unix.SYS_REBOOT, 0, 0, 0) },
	"module": func() error { return denied(unix.SYS_FINIT_MODULE, ^uintptr(0), 0, 0) },
	"swap":   func() error { return denied(unix.SYS_SWAPOFF, 0) },
	"acct":   func() error { return denied(unix.SYS_ACCT, 1) },
	"file by number": func() error {
		handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, "/", 0)
		if err != nil {
			return err
		}
		at, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(at)
		fd, err := unix.OpenByHandleAt(at, handle, unix.O_PATH)
		if err == nil {
			unix.Close(fd)
		}
		return err
	},
	"mount": func() error { // of an unknown type: the kernel checks the right first
		if err := unix.Mount("none", "/", "parallax-none", 0, ""); err != unix.ENODEV {
			return err
		}
		return nil
	},
	"unshare": func() error { return inThread(func() error { return unix.Unshare(unix.CLONE_NEWNS) }) },
	"key": func() error {
		key, err := unix.AddKey("user", "parallax-doors", []byte("x"), unix.KEY_SPEC_USER_KEYRING)
		if err == nil {
			unix.KeyctlInt(unix.KEYCTL_UNLINK, key, unix.KEY_SPEC_USER_KEYRING, 0, 0)
		}
		return err
	},
	"interface": func() error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		ifreq, _ := unix.NewIfreq("lo")
		if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, ifreq); err != nil {
			return err
		}
		return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifreq)
	},
	// In a user namespace a program has all capabilities over the namespace's objects.
	"user namespace": func() error {
		script := `for p in /proc/sys /proc/sysrq-trigger /dev /sys /sys/fs/cgroup; do umount -l $p; done
		mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev; mount -o remount,rw /proc/sys; mount -o remount,bind,rw /proc/sys
		exec 2> /dev/null
		( : >> /proc/sys/kernel/core_pattern ) && echo open; ( : >> /proc/sys/kernel/modprobe ) && echo open; ( : >> /sys/kernel/uevent_helper ) && echo open
		for d in $(find /sys/fs/cgroup -maxdepth 3 -name release_agent); do ( : >> $d ) && echo open; done; exit 0`
		for _, how := range []string{"-Urmpf", "-Umpf", "-Urmpfn"} {
			said, _ := exec.Command("unshare", how, "sh", "-c", script).Output()
			if strings.Contains(string(said), "open") {
				return nil
			}
		}
		return unix.EPERM
	},
}

// inThread calls f in a thread that ends with it.
func inThread(f func() error) error {
	done := make(chan error)
	go func() {
		lockForGood()
		done <- f()
	}()
	return <-done
}

// cgroups fails if no control group can be written.
func cgroups() error {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		left, right, _ := strings.Cut(line, " - ")
		f := strings.Fields(left)
		if len(f) < 5 || !strings.HasPrefix(right, "cgroup") {
			continue
		}
		for _, name := range []string{"release_agent", "cgroup.procs", "tasks"} {
			if opens(filepath.Join(f[4], name), unix.O_WRONLY) == nil {
				return nil
			}
		}
	}
	return unix.ENOENT
}

// process tries everything that one process can do to another.
func (o Outside) process(pid int, try func(string, func() error)) {
	o.signals(pid, try)
	o.inspection(pid, try)
}

func (o Outside) signals(pid int, try func(string, func() error)) {
	try("signal", func() error { return unix.Kill(pid, 0) })
	try("signal by pidfd", func() error {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.PidfdSendSignal(fd, 0, nil, 0)
	})
	try("signal to a thread", func() error { return unix.Tgkill(pid, pid, 0) })
	try("signal to the group of a process", func() error { return unix.Kill(-pid, 0) })
}

// inspection tries to trace a process, to read its data and to limit it.
func (o Outside) inspection(pid int, try func(string, func() error)) {
	try("trace", func() error {
		return inThread(func() error {
			err := unix.PtraceSeize(pid)
			if err == nil {
				unix.PtraceDetach(pid)
			}
			return err
		})
	})
	at := "/proc/" + strconv.Itoa(pid) + "/"
	try("memory", func() error { return opens(at+"mem", unix.O_RDWR) })
	try("environment", func() error {
		text, err := os.ReadFile(at + "environ")
		if err == nil && !strings.Contains(string(text), o.Secret) {
			err = unix.ENOENT
		}
		return err
	})
	try("descriptors", func() error {
		_, err := os.Readlink(at + "fd/0")
		return err
	})
	try("limits", func() error {
		var now unix.Rlimit
		if err := unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &now); err != nil {
			return err
		}
		return unix.Prlimit(pid, unix.RLIMIT_CORE, &now, nil)
	})
}

// group tries to enter the group of a process, which kill(0) would then reach.
func (o Outside) group() error {
	err := error(unix.ESRCH)
	for _, pid := range o.Pids {
		group, failed := unix.Getpgid(pid)
		if failed != nil || group <= 0 {
			continue
		}
		own := unix.Getpgrp()
		if err = unix.Setpgid(0, group); err == nil {
			unix.Setpgid(0, own)
			return nil
		}
	}
	return err
}

// sockets tries to reach other programs.
func (o Outside) sockets(try func(string, func() error)) {
	dial := func(network, address string) func() error {
		return func() error {
			conn, err := net.DialTimeout(network, address, 5*time.Second)
			if err == nil {
				conn.Close()
			}
			return err
		}
	}
	if o.Socket != "" {
		try("Unix socket", dial("unix", o.Socket))
		try("Unix datagrams", func() error {
			for _, kind := range []int{unix.SOCK_DGRAM, unix.SOCK_RAW, unix.SOCK_STREAM, unix.SOCK_SEQPACKET} {
				pair, err := unix.Socketpair(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
				if err != nil {
					continue
				}
				defer unix.Close(pair[0])
				defer unix.Close(pair[1])
				to := &unix.SockaddrUnix{Name: o.Socket + ".dgram"}
				if unix.Sendto(pair[0], []byte("x"), 0, to) == nil && kind != unix.SOCK_STREAM && kind != unix.SOCK_SEQPACKET {
					return nil
				}
				if unix.Connect(pair[0], to) == nil {
					return nil
				}
			}
			return unix.EACCES
		})
	}
	if o.Name != "" {
		try("abstract socket", dial("unix", "@"+o.Name))
	}
	if o.Port != 0 {
		try("localhost", dial("tcp", "127.0.0.1:"+strconv.Itoa(o.Port)))
	}
	families := map[string]int{"AF_VSOCK": unix.AF_VSOCK, "AF_ALG": unix.AF_ALG, "AF_PACKET": unix.AF_PACKET}
	for name, family := range families {
		try(name, func() error {
			fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				if fd, err = unix.Socket(family, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0); err != nil {
					return err
				}
			}
			return unix.Close(fd)
		})
	}
	try("io_uring", func() error { return denied(425, 1, 0) })
	try("32-bit socket", socket32)
}
