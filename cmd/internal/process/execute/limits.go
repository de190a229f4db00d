package execute

import (
	"fmt"
	"os"
	"sync"

	"parallax/cmd/internal/process/quota"
	"parallax/internal/wire"
)

// workerProcesses limits the processes that the programs of a worker may start. Tests may start
// some. The kernel stops a program that starts them without end before it fills the machine.
const workerProcesses = 512

// way returns how the kernel limits the worker.
func (s *Spec) way() quota.Way {
	if s.Hold != "" {
		return s.Hold
	}
	return quota.Find().Way
}

// group creates the control group of a worker, where the machine permits one. size is that of the
// shared memory. The watch ends a worker at Memory plus memory that is not its programs' (exceeds),
// and its cmplog process at Memory. The group's limit is higher, for the programs' children. A
// group without limits still serves to kill them.
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

// LimitNotes lists, for the user, the limits that the kernel of this machine does not enforce on Go
// programs. boxed says that they run in a box.
func LimitNotes(boxed bool) []string {
	return append(limitNotes(quota.Find(), boxed, quota.Waived()), unrefused()...)
}

func limitNotes(m *quota.Machine, boxed, waived bool) []string {
	const looked = "the kernel does not limit the processes that Go functions start, and their memory is checked while they run"
	switch {
	case waived:
		return []string{"--no-limits: " + looked}
	case m.Way == quota.None:
		return []string{fmt.Sprintf("%s (%v)", looked, m.Reasons())}
	case boxed && m.Way == quota.SpareUser: // it runs as root, which RLIMIT_NPROC does not limit
		return []string{fmt.Sprintf("%s: root runs them in a box, where control groups alone limit them (%v)", looked, m.Reasons())}
	case !m.Memory:
		return []string{fmt.Sprintf("the memory of Go functions is checked while they run; the kernel limits their processes only (%v)", m.Reasons())}
	}
	return nil
}

// unrefused lists what the kernel cannot prevent workers from doing. It tries each on a thread of
// its own.
var unrefused = sync.OnceValue(func() (notes []string) {
	done := make(chan bool)
	quota.OnThread(func() {
		defer close(done)
		if os.Geteuid() == 0 {
			if err := isolateRoot(); err != nil {
				notes = append(notes, fmt.Sprintf("Go functions that root runs can change the kernel's settings, and leave their control group: %v", err))
			}
		}
		if err := quota.RestrictSignals(true, os.Getpid(), os.Getppid()); err != nil {
			notes = append(notes, fmt.Sprintf("Go functions can send signals to parallax: %v", err))
		}
		if open := quota.ReachableProcesses(true); open != "" {
			notes = append(notes, "Go functions can "+open)
		}
	})
	<-done
	return notes
})

// isolateRoot keeps workers of root from control groups, the kernel's settings and devices. Other
// users cannot hide them, and can hardly change them.
func isolateRoot() error {
	err := quota.IsolateRoot()
	if err == nil {
		return nil
	}
	return quota.RestrictWrites(quota.RootFolders())
}

// startProcess starts the process. Before, it removes rights that programs must not have from this
// thread: leaving their control group and signaling other processes. LimitNotes reports the rights
// that this machine cannot remove.
func (w *Worker) startProcess() error {
	if w.spec.Starts {
		return w.cmd.Start() // parallax itself
	}
	way, tasks := w.spec.way(), quota.Tasks(workerProcesses)
	w.group.Attributes(w.cmd.SysProcAttr)
	if err := w.group.Join(); err != nil {
		return err
	}
	if w.spec.Box != "" { // the box hides more, and needs the capabilities to start
		return w.cmd.Start()
	}
	if os.Geteuid() == 0 {
		_ = isolateRoot()
	}
	if way == quota.SpareUser && !quota.Waived() {
		spare, err := quota.Spare()
		if err == nil {
			err = quota.SetUser(spare)
		}
		if err != nil {
			return err
		}
	}
	_ = quota.RestrictSignals(true, os.Getpid(), os.Getppid())
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
