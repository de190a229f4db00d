package confine

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/process/quota"
)

// setUp applies spec to this process, and returns the reason if it cannot.
func (k *sandboxInit) setUp() (notes []string, err error) {
	s := &k.spec
	k.folder = filepath.Join(s.Base, "parallax")
	k.lastPID = -1
	root := os.Geteuid() == 0
	if k.null, err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return nil, &os.PathError{Op: "open", Path: os.DevNull, Err: err}
	}
	// whether files that programs must not write are writable
	open := s.ReadOnly || len(s.Writable) > 0
	if s.Private {
		unclosed, err := k.mount(&open)
		if err != nil {
			return nil, err
		}
		if unclosed != nil && root {
			notes = append(notes, fmt.Sprintf("programs that root runs can change the kernel's settings and open devices: %v", unclosed))
		}
	}
	if !s.PID {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return nil, os.NewSyscallError("adopting orphans: prctl", err)
		}
	}
	if k.tree, err = newDescendants(s.PID); err != nil {
		return nil, err
	}
	if s.Net {
		if err := loopback(); err != nil {
			notes = append(notes, fmt.Sprintf("programs have no localhost: %v", err))
		}
	}
	if err := setInherited(s); err != nil {
		return nil, err
	}
	if err := k.dropPrivileges(); err != nil {
		return nil, err
	}
	if err := quota.DropCapabilities(); err != nil {
		notes = append(notes, fmt.Sprintf("programs have what root may, and can leave their limits with it: %v", err))
	}
	if !s.PID {
		if err := quota.RestrictSignals(false, append(s.Owner, os.Getpid())...); err != nil {
			notes = append(notes, fmt.Sprintf("programs can send signals to parallax: %v", err))
		}
		if open := quota.ReachableProcesses(false); open != "" && s.Spare == 0 {
			notes = append(notes, "no process namespace: programs can "+open)
		}
	}
	if err := k.group.Join(); err != nil {
		return nil, err
	}
	if s.Spare != 0 {
		if err := quota.SetUser(s.Spare); err != nil {
			return nil, err
		}
	}
	var families []uint32 // all
	switch {
	case s.Net:
		families = quota.LocalFamilies
	case !s.Network:
		families = []uint32{unix.AF_NETLINK}
	}
	if err := quota.RestrictSyscalls(families); err != nil {
		notes = append(notes, fmt.Sprintf("programs reach Unix sockets, keyrings and, without a network namespace, the network: %v", err))
	}
	if !s.Private && root && !open {
		// Root needs no capability for the kernel's settings and the devices.
		if err := quota.RestrictWrites(append(quota.RootFolders(), s.Base)); err != nil {
			notes = append(notes, fmt.Sprintf("programs that root runs can change the kernel's settings and write devices, on a machine without mount namespaces: %v", err))
		}
	}
	if s.Private && !open && (s.ReadOnly || len(s.Writable) > 0) {
		// Read-only mounts let programs write named pipes. docs/reference/configuration.md names
		// machines without Landlock.
		_ = quota.RestrictWrites(append(append(s.Writable, s.Base, "/proc"), quota.Devices(s.ReadOnly)...))
	}
	if open {
		err := quota.RestrictWrites(append(s.Writable, s.Base))
		if err != nil && s.ReadOnly {
			return nil, fmt.Errorf("programs are to write nothing but their temporary folder, and this machine, without mount namespaces, cannot hold them to that: %w", err)
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("programs can write what their user can, on a machine without mount namespaces: %v", err))
		}
	}
	var own unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &own); err == nil {
		k.rss = own.Maxrss<<10 + 8<<20 // with room to grow
	}
	return notes, nil
}

// mount gives the sandbox its own /proc, /dev and private file system, hides the control groups and
// protects the kernel's settings. unclosed is the reason why those settings are unprotected. mount
// clears open once it has made forbidden file systems read-only.
func (k *sandboxInit) mount(open *bool) (unclosed, err error) {
	s := &k.spec
	// Otherwise these mounts would appear in the machine's own tree.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("making the tree of file systems private: %w", err)
	}
	if err := quota.HideCgroups(); err != nil {
		return nil, err
	}
	if *open {
		*open = readOnly(s.Writable) != nil
	}
	const quiet = unix.MS_NOSUID | unix.MS_NODEV
	if s.PID {
		if err := unix.Mount("proc", "/proc", "proc", quiet|unix.MS_NOEXEC, ""); err != nil {
			return nil, fmt.Errorf("mounting /proc: %w", err)
		}
		// Some kernels do not have it.
		if fd, err := unix.Open("/proc/sys/kernel/ns_last_pid", unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
			k.lastPID = fd
		}
	}
	shared := s.TempMB
	if s.ReadOnly {
		shared = 0
	}
	// This comes last: later mounts would be writable.
	if unclosed = quota.CloseKernel(shared); unclosed != nil && s.ReadOnly {
		return nil, unclosed
	}
	k.shared = unclosed == nil && shared > 0
	// Without a limit on files, a flood of empty ones would take memory that the size does not
	// count.
	options := fmt.Sprintf("size=%dm,nr_inodes=%d,mode=0700", s.TempMB, 1024+256*s.TempMB)
	if err := unix.Mount("tmpfs", s.Base, "tmpfs", quiet, options); err != nil {
		return nil, fmt.Errorf("mounting a private file system: %w", err)
	}
	return unclosed, nil
}

// loopback enables localhost, which is disabled in a new network namespace.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	ifreq, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, ifreq); err != nil {
		return err
	}
	ifreq.SetUint16(ifreq.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifreq)
}

// setInherited sets limits that programs inherit.
func setInherited(s *spec) error {
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	// The machine's OOM killer should choose programs, not parallax.
	os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)
	if s.Tasks == 0 {
		return nil
	}
	var own unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &own); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	most := min(uint64(s.Tasks), own.Max)
	return os.NewSyscallError("limiting processes: setrlimit", unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: most, Max: most}))
}

// dropPrivileges takes the sandbox's own rights from programs. It applies to this thread, which
// forks them.
func (k *sandboxInit) dropPrivileges() error {
	// This process must be able to kill all descendants, so none may become another user. The
	// filter below also requires it for users other than root.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("giving up new privileges: prctl", err)
	}
	if k.spec.User {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
			return os.NewSyscallError("giving up capabilities: prctl", err)
		}
		// Ambient capabilities had to be inheritable. Programs could not use that, but they would
		// see it.
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var sets [2]unix.CapUserData
		if err := unix.Capget(&header, &sets[0]); err != nil {
			return os.NewSyscallError("capget", err)
		}
		sets[0].Inheritable, sets[1].Inheritable = 0, 0
		if err := unix.Capset(&header, &sets[0]); err != nil {
			return os.NewSyscallError("capset", err)
		}
	}
	return nil
}
