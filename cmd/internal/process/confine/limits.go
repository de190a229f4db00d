package confine

import (
	"fmt"
	"os"

	"parallax/cmd/internal/process/quota"
)

// initTasks is the sandbox's own share of the tasks that the kernel counts for its user: the
// threads of its runtime.
const initTasks = 32

// chooseWay chooses how the kernel limits programs on this level.
func (r isolationLevel) chooseWay(o *Options, m *quota.Machine) (quota.Way, error) {
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

// setLimits sets up the limits of the kernel.
func (b *Sandbox) setLimits(s *spec) (err error) {
	s.Owner = []int{os.Getpid(), os.Getppid()}
	tasks := quota.Tasks(s.Processes)
	switch b.way {
	case quota.CgroupV1, quota.CgroupV2:
		limits := quota.Limits{Tasks: tasks, Memory: s.Memory}
		if limits.Memory > 0 {
			limits.Memory += quota.Allowance(tasks)
			if s.Private {
				// files of the private file system are in memory
				limits.Memory += int64(s.TempMB) << 20
			}
		}
		if b.group, err = quota.Find().Open(limits); err != nil {
			return err
		}
		s.Group = b.group.Share()
	case quota.UserNamespace:
		if tasks > 0 {
			s.Tasks = tasks + initTasks
		}
	case quota.SpareUser:
		if s.Spare, err = quota.Spare(); err != nil {
			return err
		}
		s.Tasks = tasks
	}
	return nil
}

// limitNotes lists the limits that the kernel does not enforce.
func (b *Sandbox) limitNotes(o *Options) (notes []string) {
	limited := o.Limits.Memory > 0 || o.Limits.Processes > 0
	switch {
	case limited && b.way == quota.None:
		return []string{"--no-limits: the kernel holds programs to no number of processes and to no memory, which parallax checks now and then: one " +
			"that forks without end can bring this machine down"}
	case o.Limits.Memory > 0 && !(b.way.Groups() && quota.Find().Memory):
		notes = append(notes, "the memory of programs is checked while they run; the kernel holds it only with control groups, which parallax may not make here")
	}
	if limited && b.way.Groups() && !b.level.private {
		notes = append(notes, "no mount namespace: a program that writes to this machine's control groups can leave its limits")
	}
	return notes
}
