package campaign

import (
	"math"
	"os"
	"runtime"
	"sync"
	"time"

	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/schedule"
)

// fleet holds the instances of a campaign for the loop. Processes start and end by events.
type fleet struct {
	mu        sync.Mutex // guards the fields of instances that limit reads: worker, cpu, resuming, resumed
	instances []*instance
	events    chan instanceEvent
	start     func(execute.Spec) (*worker, error) // startWorker, except in tests
	operators []string                            // names of mutation operators by number
	intake    intake.Intake                       // inputs of other campaigns
	claims    *os.File                            // memory that several workers share; nil means that there is one worker
}

// recruit makes n instances that share a budget of inputs. A budget of zero means no limit.
// Instances without a part of it have ended.
func (f *fleet) recruit(n int, budget uint64) {
	for i := range n {
		m := &instance{index: i, mail: make(chan struct{}, 1), events: f.events, quota: ^uint64(0) >> 1}
		if budget > 0 {
			m.quota = budget / uint64(n)
			if uint64(i) < budget%uint64(n) {
				m.quota++
			}
		}
		m.ended = m.quota == 0
		f.instances = append(f.instances, m)
	}
}

// alive returns the number of instances that have not ended.
func (f *fleet) alive() int {
	n := 0
	for _, m := range f.instances {
		if !m.ended {
			n++
		}
	}
	return n
}

// up calls do with every instance whose process runs.
func (f *fleet) up(do func(*instance)) {
	for _, m := range f.instances {
		if m.worker != nil {
			do(m)
		}
	}
}

// cpu returns the CPU time of all processes, running and ended (instance.used).
func (f *fleet) cpu() time.Duration {
	total := time.Duration(0)
	for _, m := range f.instances {
		total += m.used()
	}
	return total
}

// halt asks every process to end after its input. The loop repeats it for new processes.
func (f *fleet) halt() { f.up((*instance).halt) }

// kill ends every process. It calls last with each before its reports are lost.
func (f *fleet) kill(last func(*instance)) {
	f.up(func(m *instance) { m.worker.Kill() })
	for f.alive() > 0 {
		e := <-f.events
		m := e.instance
		switch e.stage {
		case stageUp:
			f.attach(m, e.worker)
			m.worker.Kill()
		case stageFuzz:
			m.release(false)
		case stageResolved:
			if e.diagnosis.Death == nil {
				m.release(false)
			} else {
				m.ended = true
			}
		case stageEnd:
			if m.worker != nil {
				last(m)
				f.drop(m)
			}
			m.ended = true
		}
	}
}

// attach gives an instance its process.
func (f *fleet) attach(m *instance, w *worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m.worker = w
}

// drop removes the process of an instance and ends it if it still runs.
func (f *fleet) drop(m *instance) {
	w, used := m.worker, m.used() // includes the children, which end with the process
	ended := m.cpu
	f.mu.Lock()
	m.cpu, m.worker = used, nil
	f.mu.Unlock()
	w.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !m.resuming {
		m.cpu = ended + w.CPU() - m.resumed
	}
	m.resuming, m.resumed = false, 0
}

// limit asks every process to end at the deadline, or when the CPU time is used, and closes over
// first. Zero values mean no limit. It works while the loop waits, and returns after done.
func (f *fleet) limit(deadline time.Time, cpu time.Duration, over chan<- struct{}, done <-chan struct{}) {
	if deadline.IsZero() && cpu == 0 {
		return
	}
	reached := func() time.Duration {
		f.mu.Lock()
		defer f.mu.Unlock()
		wait := time.Duration(math.MaxInt64)
		if cpu > 0 {
			wait = (cpu - f.cpu()) / time.Duration(runtime.NumCPU())
		}
		if !deadline.IsZero() {
			wait = min(wait, time.Until(deadline))
		}
		if wait <= 0 {
			close(over)
			f.halt()
		}
		return wait
	}
	for {
		wait := reached()
		if wait <= 0 {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(max(wait, cpuInterval)):
		}
	}
}

// arms returns the names of the arms of an adaptive schedule, in their form among operators.
func (c *Campaign) arms() (names []string) {
	row, err := schedule.Find(c.opt.Schedule)
	if err != nil {
		return nil
	}
	for _, name := range schedule.ArmNames(row, c.opt.Guidance) {
		names = append(names, armPrefix+name)
	}
	return names
}

// namesOf returns the names of operators.
func (f *fleet) namesOf(operators []byte) (names []string) {
	for _, op := range operators {
		if int(op) < len(f.operators) {
			names = append(names, f.operators[op])
		}
	}
	return names
}

// halt asks the instance's process to end after its input.
func (m *instance) halt() { m.worker.mem.RequestStop(true) }
