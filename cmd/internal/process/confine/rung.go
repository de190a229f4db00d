package confine

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// rung is one way to confine, from the most that can be had to none.
type rung struct {
	user    bool // a user namespace, which makes the others possible for who is not root
	pid     bool // a PID namespace: the kernel ends what is left
	private bool // mount, IPC and, unless it is allowed, network namespaces
}

// ladder is what Open tries in turn. Root in a container may lack the right to make namespaces but be permitted a user
// namespace; a machine that hides parts of /proc does not permit a new /proc, which a PID namespace needs.
func ladder(plain bool, uid int) []rung {
	var rungs []rung
	if !plain {
		if uid == 0 {
			rungs = append(rungs, rung{pid: true, private: true})
		}
		rungs = append(rungs, rung{user: true, pid: true, private: true}, rung{user: true, private: true})
	}
	return append(rungs, rung{})
}

// attributes are how the sandbox is started for this rung.
func (r rung) attributes(network bool, spare int) *syscall.SysProcAttr {
	// A session of its own: no signal to the owner's group or from its terminal reaches the sandbox or its programs, and
	// programs have no terminal to ask at.
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
		// Programs keep their user: what they say of it is what they say elsewhere.
		uid, gid := os.Geteuid(), os.Getegid()
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		if spare != 0 {
			a.UidMappings = append(a.UidMappings, syscall.SysProcIDMap{ContainerID: spare, HostID: spare, Size: 1})
		}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		// Who is not root loses capabilities at exec, but for these. The sandbox takes them from its programs.
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_DAC_OVERRIDE, unix.CAP_KILL}
	}
	return a
}

// missing says what a program can do on this rung that it should not, for the user.
func (r rung) missing(why error, network bool) []string {
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

// mounts are folders that most machines have and few use. Where one is empty, a file system mounted on it for the sandbox alone
// hides nothing from the programs, and nothing has to be made and removed. Order: from where a name is the least surprising.
var mounts = []string{"/mnt", "/media", "/srv"}

// emptyFolder is the first of mounts that is an empty folder, or "".
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
