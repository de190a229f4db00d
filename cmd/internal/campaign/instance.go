package campaign

import (
	"errors"
	"time"

	"parallax/cmd/internal/campaign/diagnosis"
	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// instance is a place in the fleet of fuzzing workers, with one process after another.
type instance struct {
	index            int
	worker           *worker
	known            int         // corpus inputs that the instance has; mail carries later ones
	before           uint64      // inputs counted by earlier processes of this instance
	quota            uint64      // inputs that its processes may execute in this invocation
	offers           intake.Line // inputs of other campaigns for the process
	owed             []uint64    // classes of failures: the process makes one more of each a candidate (engine.Engine.Owe)
	mail             chan struct{}
	events           chan instanceEvent
	fuzz             bool // the process takes mail
	ended            bool
	barren           int           // consecutive processes that ended without a counted input
	short            int           // consecutive processes that ended after very few inputs
	determinedDeaths int           // processes that determined inputs (source.Step) have ended
	unborn           int           // consecutive processes that did not start
	cpu              time.Duration // used by earlier processes
	resuming         bool          // the first process executes the corpus of earlier invocations
	resumed          time.Duration // CPU time of the current process for that corpus

	rest        *rest  // the first work of the next process; nil means none
	provisional []byte // event of an input that the process is shrinking
	// counts has the last report of the current process, from which deltas are computed.
	counts wire.Counts
	// proceed lets the current process fuzz, once the corpus is known.
	proceed chan bool
}

// release lets the process fuzz, or end.
func (m *instance) release(fuzz bool) { m.proceed <- fuzz }

// used returns the CPU time of all processes, without that of replaying earlier invocations.
func (m *instance) used() time.Duration {
	if m.worker == nil || m.resuming {
		return m.cpu
	}
	return m.cpu + m.worker.CPU() - m.resumed
}

// instanceEvent is an event of an instance outside of the loop.
type instanceEvent struct {
	instance  *instance
	worker    *worker
	stage     stage
	diagnosis *diagnosis.Diagnosis // with stageResolved
	results   []wire.RunResult     // with stageRest
	err       error                // with stageEnd: nil after the orders, a *execute.Death, or an error of the start
}

type stage int

const (
	stageUp       stage = iota // the worker said hello
	stageRest                  // the remaining programs have run
	stageResume                // the corpus is known
	stageFuzz                  // the seeds are known: fuzzing begins on release
	stageEnd                   // orders done or worker dead
	stageResolved              // a question is answered
)

// launch holds the orders of a process, which the loop assembles.
type launch struct {
	setup  []byte
	tuples func(send func(domain int, level uint8, hashes []uint64) error) error
	replay []held
	seeds  []held
	quota  uint64
	rest   *rest
	maps   feature.Map // known coverage of all programs
	spec   execute.Spec
	start  func(execute.Spec) (*worker, error)

	proceed <-chan bool
}

// run starts a process, gives it its orders, and reports on events, in its own goroutine.
func (m *instance) run(l launch) {
	w, err := l.start(l.spec)
	if err != nil {
		m.events <- instanceEvent{instance: m, stage: stageEnd, err: err}
		return
	}
	copy(w.mem.Maps(), l.maps)
	m.events <- instanceEvent{instance: m, worker: w, stage: stageUp}
	m.events <- instanceEvent{instance: m, worker: w, stage: stageEnd, err: m.orders(w, l)}
}

func (m *instance) orders(w *worker, l launch) error {
	if l.rest != nil {
		results, err := l.rest.run(w)
		if err != nil {
			return err
		}
		m.events <- instanceEvent{instance: m, worker: w, stage: stageRest, results: results}
	}
	if l.rest != nil && l.quota == 0 { // the rest was all there was to do
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
			m.events <- instanceEvent{instance: m, worker: w, stage: stageResume}
		}
	}
	m.events <- instanceEvent{instance: m, worker: w, stage: stageFuzz}
	if !<-l.proceed {
		return nil
	}
	if l.quota > uint64(len(l.seeds)) {
		_, err := w.Call(wire.Fuzz, wire.AppendUint(nil, l.quota-uint64(len(l.seeds))), wire.Done)
		return err
	}
	return nil
}

// batchBytes is the approximate size of one message with inputs of the corpus.
const batchBytes = 1 << 20

// batch returns the number of inputs, at least one, that go into one message.
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

// post sends a letter, unless it is empty. It reports false if the last one is still on its way.
func (m *instance) post(l wire.Letter) bool {
	if l.Empty() {
		return true
	}
	select {
	case m.mail <- struct{}{}:
	default:
		return false
	}
	w := m.worker
	go func() {
		w.Mail(l) // the loop notices a dead worker
		<-m.mail
	}()
	return true
}
