// Package box runs a worker whose programs change the machine. Inside the box, programs see an
// empty, bounded file system in memory, and the machine's file systems read-only. They have no
// network, not even localhost, and see no other process. They keep one capability, by which package
// sequence makes the file system the root of the process for each sequence of operations.
//
// A box uses namespaces of processes, mounts, network and IPC. It creates them as root or in a user
// namespace. There is no weaker box: where Try fails, programs that change the machine do not run.
// The process that Wrap starts is `parallax box`. It creates the box around itself (Main) and
// becomes the worker. So its starter has a worker like any other, with its process number, files
// and group.
//
// A box may also hold a service that the programs use (service.go).
//
// Package execute wraps workers, and package subject calls Try.
package box

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/sequence"
)

// megabytes is the size of the file system, and files is its number of files.
const (
	megabytes = 64
	files     = 8192
)

// tasks limits the processes and threads of the worker, where the kernel counts them per user.
const tasks = 512

// families lists the socket families that programs in a box may use. The worker reaches its service
// by a Unix socket.
var families = append([]uint32{unix.AF_UNIX}, quota.LocalFamilies...)

// Try creates a box without a worker, with the service if there is one, and returns the reason if
// it cannot. tool is the parallax executable, and dir is a folder of the caller.
func Try(ctx context.Context, tool, dir string, service []string) error {
	cmd := exec.CommandContext(ctx, tool, "box", dir)
	cmd.WaitDelay = time.Second
	cmd.Env = environ(nil, service)
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	Attributes(cmd.SysProcAttr)
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) && said.Len() > 0 {
		return errors.New(strings.TrimSpace(said.String()))
	}
	return err
}

// Wrap makes a command that is not started yet run in a box, with the service if there is one. The
// box's file system is mounted on the command's working folder.
func Wrap(cmd *exec.Cmd, tool string, service []string) {
	cmd.Env = environ(cmd.Env, service)
	cmd.Args = append([]string{tool, "box", cmd.Dir, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = tool
	Attributes(cmd.SysProcAttr)
}

// Attributes requests the namespaces from the kernel.
func Attributes(a *syscall.SysProcAttr) { attributes(a, os.Geteuid()) }

func attributes(a *syscall.SysProcAttr, uid int) {
	a.Cloneflags |= unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC
	if uid == 0 && has(unix.CAP_SYS_ADMIN) {
		return
	}
	a.Cloneflags |= unix.CLONE_NEWUSER
	gid := os.Getegid()
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
	// at exec, users other than root lose all other capabilities
	a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SETPCAP}
}

// has reports whether this process has a capability.
func has(capability int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	return unix.Capget(&header, &sets[0]) == nil && sets[capability/32].Effective&(1<<(capability%32)) != 0
}

// Main is `parallax box FOLDER [EXECUTABLE ARGUMENTS...]`. It creates the box, and becomes the
// executable if there is one.
func Main(args []string) int {
	runtime.LockOSThread() // capabilities belong to a thread, and this one becomes the worker
	if args[0] == "--service" && len(args) > 2 {
		return serve(args[1], args[2:])
	}
	folder := args[0]
	if err := enter(folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if len(args) == 1 {
		return 0
	}
	os.Setenv(sequence.BoxVariable, folder)
	err := syscall.Exec(args[1], args[1:], os.Environ())
	fmt.Fprintf(os.Stderr, "starting %s in its box: %v\n", args[1], err)
	return 1
}

// enter creates the box around this process.
func enter(folder string) error {
	if os.Getpid() != 1 {
		return errors.New("parallax box is started by parallax itself")
	}
	if !filepath.IsAbs(folder) {
		return fmt.Errorf("the folder of a box is absolute, not %q", folder)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the tree of file systems private: %w", err)
	}
	const quiet = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	// some machines refuse it; the /proc that remains shows this process, too
	_ = unix.Mount("proc", "/proc", "proc", quiet, "")
	if err := quota.HideCgroups(); err != nil {
		return err
	}
	// Root needs no capability to open devices and to change the kernel's settings.
	if err := quota.CloseKernel(0); err != nil {
		return fmt.Errorf("closing the kernel's settings and the machine's devices (Linux 5.12): %w", err)
	}
	set := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &set); err != nil {
		return fmt.Errorf("making the machine's file systems read-only (Linux 5.12): mount_setattr: %w", err)
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", quiet, fmt.Sprintf("size=%dm,nr_inodes=%d,mode=0755", megabytes, files)); err != nil {
		return fmt.Errorf("mounting the box's file system: %w", err)
	}
	if err := os.Chdir(folder); err != nil {
		return err
	}
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	if os.Getuid() != 0 { // counted per user namespace; root has a control group, or no limit, which execute.LimitNotes reports
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: tasks, Max: tasks}); err != nil {
			return os.NewSyscallError("limiting processes: setrlimit", err)
		}
	}
	if err := startService(folder); err != nil {
		return err
	}
	if err := dropCapabilities(unix.CAP_SYS_CHROOT); err != nil {
		return fmt.Errorf("giving up capabilities: %w", err)
	}
	if err := quota.RestrictSyscalls(families); err != nil {
		return err
	}
	return os.NewSyscallError("prctl", unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0))
}

// dropCapabilities gives up all capabilities except those in keep, for the program that this
// process becomes.
func dropCapabilities(keep ...int) error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	for c := 0; c <= 63; c++ {
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, uintptr(c), 0, 0, 0); slices.Contains(keep, c) || err != nil || has == 0 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil {
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	for _, c := range keep {
		set := &sets[c/32]
		set.Inheritable |= 1 << (c % 32)
		set.Permitted, set.Effective = set.Inheritable, set.Inheritable
	}
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return err
	}
	for _, c := range keep {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, uintptr(c), 0, 0); err != nil {
			return err
		}
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
