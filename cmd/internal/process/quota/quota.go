// Package quota has the kernel hold programs to a number of tasks and to an amount of memory. What looks at a program now and then is too
// late on a busy machine: a program that forks without end makes thousands of processes between two looks.
//
// The ways to it are, from the best to the last:
//
//   - CgroupV2: a control group of cgroup v2, with the controllers pids and memory;
//   - CgroupV1: a control group of each of these controllers of cgroup v1;
//   - UserNamespace: RLIMIT_NPROC, which the kernel counts for each user of a user namespace; for who is not root;
//   - SpareUser: RLIMIT_NPROC, for a user number that nobody else has; for root, whom the limit does not bind.
//
// The last two bound tasks only: the memory of several processes together has no limit of the kernel there.
//
// The kernel counts tasks, which are threads, and a process has at least one. Tasks says how many a limit of processes comes to.
//
// Invariant: who is to be held never runs outside, not even for a moment. So it is who starts a program that goes into the group first
// (Group.Join, on a thread of its own), or the kernel places the program as it is made (Group.Attributes).
package quota

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Way is how the kernel holds programs.
type Way string

// The ways, as they are named to the user. None is a machine that has none of them.
const (
	CgroupV2      Way = "cgroup v2"
	CgroupV1      Way = "cgroup v1"
	UserNamespace Way = "user namespace"
	SpareUser     Way = "spare user"
	None          Way = "none"
)

// Groups reports whether the way is by control groups.
func (w Way) Groups() bool { return w == CgroupV2 || w == CgroupV1 }

// Tasks is how many tasks programs may have that may have so many processes; 0, which is no limit, stays. A process of a usual runtime has
// a few threads for itself and some for each processor: the allowance is 128 and 8 for each processor.
func Tasks(processes int) int {
	if processes <= 0 {
		return 0
	}
	return processes + 128 + 8*runtime.NumCPU()
}

// Allowance is what the kernel counts as memory beside what a program has in use: page tables, stacks and descriptions of its tasks.
func Allowance(tasks int) int64 { return 64<<20 + int64(tasks)<<17 }

// Machine is what a machine permits.
type Machine struct {
	Way    Way
	Memory bool    // it bounds memory too
	Why    []error // why the ways before it cannot be had

	parents []hierarchy // where control groups are made
}

// hierarchy is a mounted tree of control groups, with the group below which others can be made.
type hierarchy struct {
	v2     bool
	pids   bool
	memory bool
	path   string
}

var (
	found     Machine
	foundOnce sync.Once
)

// Find tries what this machine permits, once.
func Find() *Machine {
	foundOnce.Do(func() { found = find(unix.Geteuid(), hasCapabilities) })
	return &found
}

func find(uid int, may func(...int) bool) (m Machine) {
	for _, way := range []struct {
		Way
		where func(*tree) ([]hierarchy, error)
	}{{CgroupV2, (*tree).second}, {CgroupV1, (*tree).first}} {
		t, err := readTree()
		if err == nil {
			m.parents, err = way.where(t)
		}
		if err == nil {
			err = try(m.parents)
		}
		if err == nil {
			m.Way = way.Way
			for _, h := range m.parents {
				m.Memory = m.Memory || h.memory
				sweep(h)
			}
			return m
		}
		m.Why = append(m.Why, fmt.Errorf("%s: %w", way.Way, err))
		m.parents = nil
	}
	m.Way = None
	if uid == 0 {
		_, err := Spare()
		if err == nil && !may(unix.CAP_SETUID, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_KILL) {
			err = errors.New("root lacks one of the capabilities SETUID, DAC_OVERRIDE, FOWNER, CHOWN and KILL here")
		}
		if err == nil {
			m.Way = SpareUser
			return m
		}
		m.Why = append(m.Why, fmt.Errorf("%s: %w", SpareUser, err))
	}
	if ordinary(uid) {
		err := errors.New("the kernel counts for each user namespace since Linux 5.14 only")
		if since(5, 14) {
			err = tryNamespace()
		}
		if err == nil {
			m.Way = UserNamespace
			return m
		}
		m.Why = append(m.Why, fmt.Errorf("%s: %w", UserNamespace, err))
	}
	return m
}

// tryNamespace tries whether a process can have a user namespace, and in it what a sandbox needs. It starts none: there is nothing to
// execute, which is the last thing to fail.
func tryNamespace() error {
	uid, gid := os.Geteuid(), os.Getegid()
	_, err := os.StartProcess("", []string{""}, &os.ProcAttr{Sys: &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
	}})
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return fmt.Errorf("they cannot be made here: %w", errno)
	}
	return err
}

// String says what the way is, for people.
func (m *Machine) String() string {
	what := "processes and memory"
	if !m.Memory {
		what = "processes, and memory is looked at while programs run"
	}
	switch m.Way {
	case None:
		return "none: " + m.Reasons().Error()
	case UserNamespace:
		return "user namespaces with RLIMIT_NPROC: " + what
	case SpareUser:
		return "user numbers of their own with RLIMIT_NPROC: " + what
	}
	return "control groups (" + string(m.Way) + "): " + what
}

// Reasons are why the ways that the machine lacks cannot be had, in one line.
func (m *Machine) Reasons() error {
	var all []string
	for _, err := range m.Why {
		all = append(all, err.Error())
	}
	return errors.New(strings.Join(all, "; "))
}

// Fix is what a user can do where there is no way.
const Fix = "Run parallax where it may make control groups (as root, or in `systemd-run --user --scope -p Delegate=yes`), as a user " +
	"who may make user namespaces, or as root who may change its user"

// Refused is the error of programs that the kernel could not be made to hold.
func Refused(why error) error {
	return fmt.Errorf("%w (%w)", ErrNone, why)
}

// Missing is the error of a machine without a way.
func (m *Machine) Missing() error {
	return Refused(m.Reasons())
}

// Waiver is the environment variable by which programs run even where there is no way, if it is 1 or true, and Go workers without limits of
// the kernel. The flag --no-limits sets it, for this process and for those that it starts.
const Waiver = "PARALLAX_NO_LIMITS"

// Waived reports whether the user wants that.
func Waived() bool {
	on, err := strconv.ParseBool(os.Getenv(Waiver))
	return on && err == nil
}

// ErrNone is in the error of a machine that has no way to hold programs.
var ErrNone = errors.New("the kernel of this machine cannot be made to limit the processes of a program")

// hasCapabilities reports whether this process has all of these capabilities.
func hasCapabilities(all ...int) bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if unix.Capget(&header, &sets[0]) != nil {
		return false
	}
	for _, c := range all {
		if sets[c/32].Effective&(1<<(c%32)) == 0 {
			return false
		}
	}
	return true
}

// since tells whether the kernel is at least that.
func since(major, minor int) bool {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return false
	}
	var x, y int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &x, &y); err != nil {
		return false
	}
	return x > major || x == major && y >= minor
}
