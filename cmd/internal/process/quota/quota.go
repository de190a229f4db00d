// Package quota makes the kernel limit the tasks and the memory of programs. Measuring at intervals
// is too slow on a busy machine: a program that forks without end creates thousands of processes
// between two measurements.
//
// The ways, best first:
//
//   - CgroupV2: a control group of cgroup v2, with the controllers pids and memory
//   - CgroupV1: a control group of each of these controllers of cgroup v1
//   - UserNamespace: RLIMIT_NPROC, counted per user of a user namespace; for users other than root
//   - SpareUser: RLIMIT_NPROC for an unused user number; for root, which the limit does not bind
//
// The last two limit tasks only: there, the kernel does not limit the total memory of several
// processes.
//
// The kernel counts tasks, that is threads, and a process has at least one. Tasks converts a limit
// of processes into one of tasks.
//
// Invariant: a program never runs outside of its limits, not even for a moment. So either the
// starting thread enters the group first (Group.Join, on a thread of its own), or the kernel
// creates the program in it (Group.Attributes).
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

// Way is a way in which the kernel limits programs.
type Way string

// The ways, as shown to the user. None means that a machine has no way.
const (
	CgroupV2      Way = "cgroup v2"
	CgroupV1      Way = "cgroup v1"
	UserNamespace Way = "user namespace"
	SpareUser     Way = "spare user"
	None          Way = "none"
)

// Groups reports whether the way uses control groups.
func (w Way) Groups() bool { return w == CgroupV2 || w == CgroupV1 }

// Tasks returns the limit of tasks for a limit of processes. 0 means no limit in both. A process of
// a usual runtime has a few threads for itself and some per processor: the allowance is 128 and 8
// per processor.
func Tasks(processes int) int {
	if processes <= 0 {
		return 0
	}
	return processes + 128 + 8*runtime.NumCPU()
}

// Allowance returns the memory that the kernel counts in addition to the programs' own: page
// tables, stacks and descriptions of tasks.
func Allowance(tasks int) int64 { return 64<<20 + int64(tasks)<<17 }

// Machine describes what a machine permits.
type Machine struct {
	Way    Way
	Memory bool    // it also limits memory
	Why    []error // why the better ways are not available

	parents []hierarchy // where control groups are created
}

// hierarchy is a mounted tree of control groups, with the group in which others can be created.
type hierarchy struct {
	v2     bool
	pids   bool
	memory bool
	path   string
}

var (
	machine     Machine
	machineOnce sync.Once
)

// Find tries once what this machine permits.
func Find() *Machine {
	machineOnce.Do(func() { machine = detect(unix.Geteuid(), hasCapabilities) })
	return &machine
}

func detect(uid int, may func(...int) bool) (m Machine) {
	for _, way := range []struct {
		Way
		where func(*tree) ([]hierarchy, error)
	}{{CgroupV2, (*tree).groupsV2}, {CgroupV1, (*tree).groupsV1}} {
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
	if limitedByRlimit(uid) {
		err := errors.New("the kernel counts for each user namespace since Linux 5.14 only")
		if kernelAtLeast(5, 14) {
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

// tryNamespace tries whether a process can have a user namespace, and the rights of a sandbox in
// it. It starts no process: the executable is missing, which is the last check to fail.
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

// String describes the way for people.
func (m *Machine) String() string {
	what := "processes and memory"
	if !m.Memory {
		what = "processes, and memory is checked while programs run"
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

// Reasons returns why the better ways are not available, in one line.
func (m *Machine) Reasons() error {
	var all []string
	for _, err := range m.Why {
		all = append(all, err.Error())
	}
	return errors.New(strings.Join(all, "; "))
}

// Fix advises a user of a machine without a way.
const Fix = "Run parallax where it may make control groups (as root, or in `systemd-run --user --scope -p Delegate=yes`), as a user " +
	"who may make user namespaces, or as root who may change its user"

// Refused returns the error for programs that the kernel cannot limit.
func Refused(why error) error {
	return fmt.Errorf("%w (%w)", ErrNone, why)
}

// Missing returns the error of a machine without a way.
func (m *Machine) Missing() error {
	return Refused(m.Reasons())
}

// Waiver names an environment variable. If it is 1 or true, programs run even on a machine without
// a way, and Go workers run without limits of the kernel. The flag --no-limits sets it for this
// process and its children.
const Waiver = "PARALLAX_NO_LIMITS"

// Waived reports whether the waiver is set.
func Waived() bool {
	on, err := strconv.ParseBool(os.Getenv(Waiver))
	return on && err == nil
}

// ErrNone is wrapped by the error of a machine without a way.
var ErrNone = errors.New("the kernel of this machine cannot be made to limit the processes of a program")

// hasCapabilities reports whether this process has all of the capabilities.
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

// kernelAtLeast reports whether the kernel has at least this version.
func kernelAtLeast(major, minor int) bool {
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
