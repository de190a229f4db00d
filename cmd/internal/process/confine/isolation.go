package confine

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolationLevel is an isolation level.
type isolationLevel struct {
	user    bool // a user namespace, which permits the others to users other than root
	pid     bool // a PID namespace, with which the kernel ends all remaining processes
	private bool // mount and IPC namespaces and, unless the network is allowed, a network namespace
}

// levels lists the levels that Open tries in turn, strongest first. Root in a container may lack
// the right to create namespaces but may be permitted a user namespace. A machine that hides parts
// of /proc does not permit a new /proc, which a PID namespace needs.
func levels(plain bool, uid int) []isolationLevel {
	var rungs []isolationLevel
	if !plain {
		if uid == 0 {
			rungs = append(rungs, isolationLevel{pid: true, private: true})
		}
		rungs = append(rungs, isolationLevel{user: true, pid: true, private: true}, isolationLevel{user: true, private: true})
	}
	return append(rungs, isolationLevel{})
}

// attributes returns the process attributes that start the sandbox on this level.
func (r isolationLevel) attributes(network bool, spare int) *syscall.SysProcAttr {
	// A session of its own: no signal to the owner's group or from its terminal reaches the sandbox
	// and its programs. Programs have no terminal to read from.
	a := &syscall.SysProcAttr{Setsid: true}
	if r.pid {
		a.Cloneflags |= unix.CLONE_NEWPID
	}
	if r.private {
		a.Cloneflags |= unix.CLONE_NEWNS | unix.CLONE_NEWIPC
		if !network {
			a.Cloneflags |= unix.CLONE_NEWNET
		}
	}
	if r.user {
		a.Cloneflags |= unix.CLONE_NEWUSER
		// Programs keep their user, so that they print the same user as elsewhere.
		uid, gid := os.Geteuid(), os.Getegid()
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		if spare != 0 {
			a.UidMappings = append(a.UidMappings, syscall.SysProcIDMap{ContainerID: spare, HostID: spare, Size: 1})
		}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		// At exec, users other than root lose capabilities except these. The sandbox takes them
		// from its programs.
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_DAC_OVERRIDE, unix.CAP_KILL}
	}
	return a
}

// notes returns notes for the user about protection that this level lacks.
func (r isolationLevel) notes(why error, network bool) []string {
	if why == nil || r.pid {
		return nil
	}
	var notes []string
	if r.private {
		notes = append(notes, fmt.Sprintf("no process namespace (%v): processes that a program leaves behind are found by looking for them", why))
	} else {
		notes = append(notes, fmt.Sprintf("no namespaces (%v): programs see the processes and the temporary files of this machine, and "+
			"the size of their own temporary files is not limited; a machine permits namespaces to root, or to everybody where user "+
			"namespaces are enabled", why))
		if !network {
			notes = append(notes, "no network namespace: programs cannot open internet sockets at all, not even to localhost; those that "+
				"need localhost need the network allowed")
		}
	}
	return notes
}

// mounts lists folders that most machines have and few use. A file system mounted on an empty one,
// for the sandbox alone, hides nothing from programs, and no folder must be created and removed.
// The first has the least surprising path.
var mounts = []string{"/mnt", "/media", "/srv"}

// emptyFolder returns the first of mounts that is an empty folder, or "".
func emptyFolder() string {
	for _, path := range mounts {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		if entries, err := os.ReadDir(path); err == nil && len(entries) == 0 {
			return path
		}
	}
	return ""
}
