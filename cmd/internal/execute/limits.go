package execute

import (
	"fmt"
	"os"

	"parallax/cmd/internal/quota"
)

// workerProcesses is how many processes the programs of a worker may start. A test may start some; one that starts them without end is
// refused by the kernel, before the machine is full of them.
const workerProcesses = 512

// group makes the control group of a worker, where the machine has one for it. size is that of the shared memory. A worker is ended at
// Memory, and so is its cmplog process; what is above is for what they start.
func (s *Spec) group(size int) (*quota.Group, error) {
	if s.Starts || !quota.Find().Way.Groups() {
		return nil, nil
	}
	limits := quota.Limits{Tasks: quota.Tasks(workerProcesses)}
	if s.Memory > 0 {
		limits.Memory = 2*s.Memory + int64(size) + quota.Allowance(limits.Tasks) + 256<<20
	}
	return quota.Find().Open(limits)
}

// Unheld says what the kernel of this machine does not hold Go programs to, for the user; "" where it holds them.
func Unheld() string {
	if m := quota.Find(); m.Way == quota.None || m.Way == quota.SpareUser {
		return fmt.Sprintf("the kernel does not limit the processes that Go functions start, and their memory is looked at while they run (%v)", m.Reasons())
	}
	return ""
}

// begin starts the process. First it takes from this thread what programs are not to have: a place outside of their control group, and
// signals to this process and the one above, which a kernel without such filters lets them send.
func (w *Worker) begin() error {
	if w.spec.Starts {
		return w.cmd.Start() // parallax itself
	}
	_ = quota.Shield(true, os.Getpid(), os.Getppid())
	w.group.Attributes(w.cmd.SysProcAttr)
	if err := w.group.Join(); err != nil {
		return err
	}
	if quota.Find().Way != quota.UserNamespace {
		return w.cmd.Start()
	}
	return quota.WithTasks(quota.Tasks(workerProcesses), func() (int, error) {
		if err := w.cmd.Start(); err != nil {
			return 0, err
		}
		return w.cmd.Process.Pid, nil
	})
}
