package campaign

import (
	"errors"
	"time"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// instance is one place in the fleet of fuzzing workers. Its process may be replaced any number of times.
type instance struct {
	index            int
	worker           *worker
	known            int      // corpus inputs sent or found by this instance; later ones go out as mail
	before           uint64   // inputs counted by earlier processes of this instance
	quota            uint64   // inputs it may execute in this invocation, over all its processes
	owed             []uint64 // classes of failures: the process makes one more of each a candidate (engine.Engine.Owe)
	mail             chan struct{}
	events           chan happening
	fuzz             bool // the process takes mail
	ended            bool
	barren           int           // processes in a row that ended without a counted input
	short            int           // processes in a row that ended after very few inputs
	determinedDeaths int           // processes that determined inputs (source.Step) have ended
	unborn           int           // processes in a row that did not start
	cpu              time.Duration // that earlier processes have used
	resuming         bool          // the first process executes the corpus of earlier invocations
	resumed          time.Duration // CPU time of the current process that this took

	rest        *rest  // with which the next process begins; nil: there is none
	provisional []byte // event of an input that the process is making smaller
	// What the current process has reported so far, so that deltas can be taken.
	counts wire.Counts
	// Whether the process under way may fuzz, once the corpus is known.
	proceed chan bool
}

// release lets the process fuzz, or has it end.
func (m *instance) release(fuzz bool) { m.proceed <- fuzz }

// used is the CPU time of all processes. That of executing the corpus of earlier invocations again does not count: they have used it before.
func (m *instance) used() time.Duration {
	if m.worker == nil || m.resuming {
		return m.cpu
	}
	return m.cpu + m.worker.CPU() - m.resumed
}

// happening is something that happened to an instance outside the loop that owns the campaign.
type happening struct {
	instance *instance
	worker   *worker
	stage    stage
	doubt    *doubt           // with stageTold
	results  []wire.RunResult // with stageRest
	err      error            // with stageEnd: nil when the order was carried out, a *execute.Death, or what prevents the worker from starting
}

type stage int

const (
	stageUp     stage = iota // the worker said hello
	stageRest                // the programs that were left have run
	stageResume              // the corpus is known
	stageFuzz                // the seeds are as well: fuzzing begins once it is released
	stageEnd                 // orders done or worker dead
	stageTold                // what was in doubt has been found out
)

// launch is what a process is given, assembled by the loop that owns the campaign.
type launch struct {
	setup  []byte
	tuples func(send func(domain int, level uint8, hashes []uint64) error) error
	replay []held
	seeds  []held
	quota  uint64
	rest   *rest
	maps   feature.Map // coverage known, for all programs
	spec   execute.Spec
	start  func(execute.Spec) (*worker, error)

	proceed <-chan bool
}

// run starts a process, gives it its orders one after another, and reports on events. It is a goroutine of its own.
func (m *instance) run(l launch) {
	w, err := l.start(l.spec)
	if err != nil {
		m.events <- happening{instance: m, stage: stageEnd, err: err}
		return
	}
	copy(w.mem.Maps(), l.maps)
	m.events <- happening{instance: m, worker: w, stage: stageUp}
	m.events <- happening{instance: m, worker: w, stage: stageEnd, err: m.orders(w, l)}
}

func (m *instance) orders(w *worker, l launch) error {
	if l.rest != nil {
		results, err := l.rest.run(w)
		if err != nil {
			return err
		}
		m.events <- happening{instance: m, worker: w, stage: stageRest, results: results}
	}
	if l.rest != nil && l.quota == 0 { // nothing else is left to do
		return nil
	}
	if err := w.Send(wire.Setup, l.setup); err != nil {
		return w.Wait()
	}
	err := l.tuples(func(domain int, level uint8, hashes []uint64) error {
		b := wire.AppendUint(wire.AppendUint(nil, uint64(domain)), uint64(level))
		for _, h := range hashes {
			b = wire.AppendUint(b, h)
		}
		return w.Send(wire.Tuples, b)
	})
	if err != nil {
		return w.Wait()
	}
	for _, step := range []struct {
		inputs []held
		replay bool
	}{{l.replay, true}, {l.seeds, false}} {
		for inputs := step.inputs; len(inputs) > 0; {
			b := wire.AppendBool(nil, step.replay)
			n := batch(inputs)
			for i := range inputs[:n] {
				if b = wire.AppendBytes(b, inputs[i].flat); step.replay {
					b = wire.AppendBytes(b, inputs[i].new)
				}
			}
			if _, err := w.Call(wire.Seeds, b, wire.Done); err != nil {
				return err
			}
			inputs = inputs[n:]
		}
		if step.replay {
			m.events <- happening{instance: m, worker: w, stage: stageResume}
		}
	}
	m.events <- happening{instance: m, worker: w, stage: stageFuzz}
	if !<-l.proceed {
		return nil
	}
	if l.quota > uint64(len(l.seeds)) {
		_, err := w.Call(wire.Fuzz, wire.AppendUint(nil, l.quota-uint64(len(l.seeds))), wire.Done)
		return err
	}
	return nil
}

// batchBytes is how much of the inputs goes into one message, about: a corpus may be larger than any message.
const batchBytes = 1 << 20

// batch is how many of the inputs, at least one, go into one message.
func batch(inputs []held) int {
	n, size := 1, len(inputs[0].flat)
	for n < len(inputs) && size+len(inputs[n].flat) <= batchBytes {
		size += len(inputs[n].flat)
		n++
	}
	return n
}

func death(err error) *execute.Death {
	var d *execute.Death
	errors.As(err, &d)
	return d
}

// post sends the corpus inputs that the instance has not seen, and the failures that it is owed, unless the last mail is still on its way.
func (m *instance) post(flats [][]byte, owed []uint64) bool {
	select {
	case m.mail <- struct{}{}:
	default:
		return false
	}
	w := m.worker
	go func() {
		w.Mail(flats, owed) // a dead worker is noticed elsewhere
		<-m.mail
	}()
	return true
}
