package confine

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"parallax/cmd/internal/quota"
)

// keeperTasks is what the sandbox itself has of the tasks that the kernel counts for its user: the threads of its runtime.
const keeperTasks = 32

// spareCapabilities are what a program of another user keeps of root's: it reads and writes what it would as root.
var spareCapabilities = []int{unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_CHOWN}

// become gives this thread another user. The thread keeps what root may, and what it starts keeps spareCapabilities of that: the kernel sees
// to it when a program is executed, user_namespaces(7) and capabilities(7). The system calls are those of the kernel, since the library's are
// for all threads.
func become(uid int) error {
	if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("keeping capabilities: prctl", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capget", err)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); errno != 0 {
		return os.NewSyscallError("changing the user: setresuid", errno)
	}
	for i := range sets {
		sets[i].Effective, sets[i].Inheritable = sets[i].Permitted, 0
	}
	for _, c := range spareCapabilities {
		sets[c/32].Inheritable |= 1 << (c % 32)
	}
	if err := unix.Capset(&header, &sets[0]); err != nil {
		return os.NewSyscallError("capset", err)
	}
	for _, c := range spareCapabilities {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, uintptr(c), 0, 0); err != nil {
			return os.NewSyscallError("keeping capabilities: prctl", err)
		}
	}
	return nil
}

// hold is how the kernel holds programs on this rung.
func (r rung) hold(o *Options, m *quota.Machine) (quota.Way, error) {
	way := o.Hold
	if way == "" {
		way = m.Way
	}
	if way == quota.UserNamespace && !r.user {
		way = quota.None
	}
	if way != quota.None || quota.Waived() || o.Limits.Processes <= 0 && o.Limits.Memory <= 0 {
		return way, nil
	}
	if m.Way == quota.UserNamespace {
		return way, quota.Refused(fmt.Errorf("%w; %s: they cannot be made here", m.Reasons(), quota.UserNamespace))
	}
	return way, m.Missing()
}

// hold makes what holds the programs.
func (b *Sandbox) hold(s *spec) (err error) {
	s.Owner = []int{os.Getpid(), os.Getppid()}
	tasks := quota.Tasks(s.Processes)
	switch b.way {
	case quota.CgroupV1, quota.CgroupV2:
		limits := quota.Limits{Tasks: tasks, Memory: s.Memory}
		if limits.Memory > 0 {
			limits.Memory += quota.Allowance(tasks)
			if s.Private {
				limits.Memory += int64(s.TempMB) << 20 // files of the private file system are in memory
			}
		}
		if b.group, err = quota.Find().Open(limits); err != nil {
			return err
		}
		s.Group = b.group.Share()
	case quota.UserNamespace:
		if tasks > 0 {
			s.Tasks = tasks + keeperTasks
		}
	case quota.SpareUser:
		if s.Spare, err = quota.Spare(); err != nil {
			return err
		}
		s.Tasks = tasks
	}
	return nil
}

// unheld says what the kernel does not hold programs to.
func (b *Sandbox) unheld(o *Options) []string {
	limited := o.Limits.Memory > 0 || o.Limits.Processes > 0
	switch {
	case limited && b.way == quota.None:
		return []string{"--no-limits: the kernel holds programs to no number of processes and to no memory, which are looked at now and then: one " +
			"that forks without end can bring this machine down"}
	case o.Limits.Memory > 0 && !(b.way.Groups() && quota.Find().Memory):
		return []string{"the memory of programs is looked at while they run; the kernel holds it only with control groups, which parallax may not make here"}
	}
	return nil
}
