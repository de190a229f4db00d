package execute

import (
	"fmt"
	"os"
	"sync"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/wire"
)

// workerProcesses is how many processes the programs of a worker may start. A test may start some; one that starts them without end is
// refused by the kernel, before the machine is full of them.
const workerProcesses = 512

// way is how the kernel is to hold the worker.
func (s *Spec) way() quota.Way {
	if s.Hold != "" {
		return s.Hold
	}
	return quota.Find().Way
}

// group makes the control group of a worker, where the machine has one for it. size is that of the shared memory. A worker is ended at
// Memory and what is not its programs' (exceeds), and its cmplog process at Memory; what is above is for what they start. A group without limits is for their end.
func (s *Spec) group(size int) (*quota.Group, error) {
	if s.Starts || !s.way().Groups() {
		return nil, nil
	}
	var limits quota.Limits
	if !quota.Waived() {
		limits.Tasks = quota.Tasks(workerProcesses)
		if s.Memory > 0 {
			limits.Memory = 2*s.Memory + int64(size+wire.ClaimsSize()+wire.MaxEngineBytes) + quota.Allowance(limits.Tasks) + 256<<20
		}
	}
	return quota.Find().Open(limits)
}

// Unheld says what the kernel of this machine does not hold Go programs to, for the user. boxed: they run in a box.
func Unheld(boxed bool) []string {
	return append(unheld(quota.Find(), boxed, quota.Waived()), open()...)
}

func unheld(m *quota.Machine, boxed, waived bool) []string {
	const looked = "the kernel does not limit the processes that Go functions start, and their memory is looked at while they run"
	switch {
	case waived:
		return []string{"--no-limits: " + looked}
	case m.Way == quota.None:
		return []string{fmt.Sprintf("%s (%v)", looked, m.Reasons())}
	case boxed && m.Way == quota.SpareUser: // its user is root, whom RLIMIT_NPROC does not bind
		return []string{fmt.Sprintf("%s: root runs them in a box, where control groups alone limit them (%v)", looked, m.Reasons())}
	case !m.Memory:
		return []string{fmt.Sprintf("the memory of Go functions is looked at while they run; the kernel limits their processes only (%v)", m.Reasons())}
	}
	return nil
}

// open is what the kernel does not keep workers from, tried on a thread for nothing else.
var open = sync.OnceValue(func() (notes []string) {
	done := make(chan bool)
	quota.OnThread(func() {
		defer close(done)
		if os.Geteuid() == 0 {
			if err := seclude(); err != nil {
				notes = append(notes, fmt.Sprintf("Go functions that root runs can change the kernel's settings, and leave their control group: %v", err))
			}
		}
		if err := quota.Shield(true, os.Getpid(), os.Getppid()); err != nil {
			notes = append(notes, fmt.Sprintf("Go functions can send signals to parallax: %v", err))
		}
		if open := quota.Unscoped(true); open != "" {
			notes = append(notes, "Go functions can "+open)
		}
	})
	<-done
	return notes
})

// seclude keeps workers of root from control groups, from the kernel's settings and from devices. Who is not root has no right to hide
// them, and little right to change them.
func seclude() error {
	err := quota.Seclude()
	if err == nil {
		return nil
	}
	return quota.KeepWithin(quota.Remains())
}

// begin starts the process. First it takes from this thread what programs are not to have: a place outside of their control group, the way
// out of it, and signals to other processes. What of that this machine does not permit, Unheld says.
func (w *Worker) begin() error {
	if w.spec.Starts {
		return w.cmd.Start() // parallax itself
	}
	way, tasks := w.spec.way(), quota.Tasks(workerProcesses)
	w.group.Attributes(w.cmd.SysProcAttr)
	if err := w.group.Join(); err != nil {
		return err
	}
	if w.spec.Box != "" { // which hides more, and would not be made without the capabilities
		return w.cmd.Start()
	}
	if os.Geteuid() == 0 {
		_ = seclude()
	}
	if way == quota.SpareUser && !quota.Waived() {
		spare, err := quota.Spare()
		if err == nil {
			err = quota.Become(spare)
		}
		if err != nil {
			return err
		}
	}
	_ = quota.Shield(true, os.Getpid(), os.Getppid())
	_, _ = w.spec.Confined.enter(w.spec.Dir)
	switch {
	case quota.Waived():
	case way == quota.SpareUser:
		return quota.StartWithin(tasks, w.cmd)
	case way == quota.UserNamespace:
		return quota.StartWithin(quota.OwnTasks()+tasks, w.cmd)
	}
	return w.cmd.Start()
}
