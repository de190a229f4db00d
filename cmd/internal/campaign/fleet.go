package campaign

import (
	"math"
	"runtime"
	"sync"
	"time"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/schedule"
)

// fleet are the instances of a campaign. The loop owns it; starts and ends of processes arrive on events.
type fleet struct {
	mu        sync.Mutex // held where the loop changes what limit reads of instances: worker, cpu, resuming, resumed
	instances []*instance
	events    chan happening
	start     func(execute.Spec) (*worker, error) // startWorker, but in tests
	operators []string                            // names of mutation operators, which all processes know by the same numbers
}

// recruit makes n instances, which share a budget of inputs, zero for none. Those without any of it have ended.
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

// alive is how many instances have not ended.
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

// cpu is the CPU time of all processes, those that have ended included (instance.used).
func (f *fleet) cpu() time.Duration {
	total := time.Duration(0)
	for _, m := range f.instances {
		total += m.used()
	}
	return total
}

// halt asks every process to end after its input. It is said again and again: a process that started meanwhile has not heard.
func (f *fleet) halt() { f.up((*instance).halt) }

// kill ends every process, and calls last with each before what it has reported is lost.
func (f *fleet) kill(last func(*instance)) {
	f.up(func(m *instance) { m.worker.Kill() })
	for f.alive() > 0 {
		e := <-f.events
		m := e.instance
		switch e.stage {
		case stageUp:
			f.took(m, e.worker)
			m.worker.Kill()
		case stageFuzz:
			m.release(false)
		case stageTold:
			if e.doubt.death == nil {
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

// took gives an instance its process.
func (f *fleet) took(m *instance, w *worker) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m.worker = w
}

// drop takes the process of an instance away, and ends it if it still runs.
func (f *fleet) drop(m *instance) {
	w, used := m.worker, m.used() // also of its children, which end with it
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

// limit asks every process to end once the deadline or the CPU time is reached, zero for none, and closes over before. It does not leave that
// to the loop, which may be waiting for a disk. It returns when done is closed.
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

// arms are the names of the arms of an adaptive schedule, as they stand among those of operators.
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

// namesOf are the names of operators, given by their numbers.
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
