package execute

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/wire"
)

// Send sends a message to the worker. An error means that the worker is dead or dying.
func (w *Worker) Send(kind byte, payload []byte) error {
	w.sendMu.Lock()
	defer w.sendMu.Unlock()
	if answered(kind) {
		w.asked.Add(1)
	}
	return wire.Send(w.socket, kind, payload)
}

// answered reports whether a worker answers a message.
func answered(kind byte) bool {
	return kind != wire.Setup && kind != wire.Tuples && kind != wire.Mail
}

// outstanding reports whether the worker owes an answer.
func (w *Worker) outstanding() bool { return w.asked.Load() > w.answered.Load() }

// Call sends an order and waits for its answer. The error is a *Death if the worker ended.
func (w *Worker) Call(order byte, payload []byte, answer byte) ([]byte, error) {
	if w.Send(order, payload) == nil {
		if m, ok := <-w.Replies; ok {
			if m.Kind == wire.Failed && w.spec.Starts {
				return nil, failure(m.Payload)
			}
			if m.Kind != answer {
				return nil, fmt.Errorf("the worker answered order %d with message %d", order, m.Kind)
			}
			return m.Payload, nil
		}
	}
	<-w.Dead
	return nil, w.death
}

// failure returns why a lockstep process cannot run its programs, with the exit code that the
// process sent.
func failure(payload []byte) error {
	r := wire.NewReader(payload)
	code, text := r.Int(255), r.String()
	if r.Err() != nil || code == exit.OK {
		return errors.New("the programs cannot be run, and the lockstep process does not say why")
	}
	return &exit.Error{Code: code, Err: errors.New(text)}
}

// Run executes one input on every program. The error is a *Death if that ended the worker.
func (w *Worker) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	order := wire.AppendBytes(wire.AppendUint(nil, flags), flat)
	payload, err := w.Call(wire.Run, order, wire.Ran)
	if err != nil {
		return nil, err
	}
	return w.results(payload)
}

// results reads the answer to a Run order.
func (w *Worker) results(payload []byte) ([]wire.RunResult, error) {
	results := make([]wire.RunResult, len(w.Hello.Programs))
	r := wire.NewReader(payload)
	for i := range results {
		if err := results[i].Read(r); err != nil {
			return nil, fmt.Errorf("a worker's answer: %w", err)
		}
	}
	return results, nil
}

// maxAhead is the number of bytes of orders sent before their answers are read. A socket buffers
// that much.
const maxAhead = 32 << 10

// RunAll executes inputs on every program, in batches: that is several times as fast as one by one.
// If the worker ends, RunAll returns a *Death and results of earlier inputs, perhaps not of all of
// them.
func (w *Worker) RunAll(flats [][]byte, flags uint64) (all [][]wire.RunResult, err error) {
	order := func(flat []byte) []byte { return wire.AppendBytes(wire.AppendUint(nil, flags), flat) }
	err = w.pipeline(flats, wire.Run, order, wire.Ran, func(answer []byte) error {
		results, err := w.results(answer)
		if err == nil {
			all = append(all, results)
		}
		return err
	})
	return all, err
}

// pipeline sends orders for inputs, several at a time, and passes each answer to use.
func (w *Worker) pipeline(flats [][]byte, kind byte, order func(flat []byte) []byte, answer byte, use func([]byte) error) error {
	for len(flats) > 0 {
		var orders bytes.Buffer
		n := 0
		for _, flat := range flats {
			order := order(flat)
			if n > 0 && orders.Len()+len(order) > maxAhead {
				break
			}
			// a buffer accepts it; an order too large for a message fails when it is sent
			wire.Send(&orders, kind, order)
			n++
		}
		flats = flats[n:]
		w.sendMu.Lock()
		w.asked.Add(int64(n))
		_, err := w.socket.Write(orders.Bytes())
		w.sendMu.Unlock()
		for ; n > 0 && err == nil; n-- {
			m, ok := <-w.Replies
			if !ok {
				<-w.Dead
				return w.death
			}
			if m.Kind == wire.Failed && w.spec.Starts {
				return failure(m.Payload)
			}
			if m.Kind != answer {
				return fmt.Errorf("the worker answered order %d with message %d", kind, m.Kind)
			}
			if err := use(m.Payload); err != nil {
				return err
			}
		}
		if err != nil { // it is dead or dying
			<-w.Dead
			return w.death
		}
	}
	return nil
}

// RepairAll makes inputs valid by the target's repair function. It returns them unchanged if there
// is none, or if it fails. If the worker ends, RepairAll returns a *Death and earlier inputs,
// perhaps not all of them.
func (w *Worker) RepairAll(flats [][]byte) (repaired [][]byte, err error) {
	if !w.Hello.Repairs {
		return flats, nil
	}
	order := func(flat []byte) []byte { return wire.AppendBytes(nil, flat) }
	err = w.pipeline(flats, wire.Repair, order, wire.RepairDone, func(answer []byte) error {
		repaired = append(repaired, answer)
		return nil
	})
	return repaired, err
}

// Screen makes a lockstep process repair an input and report whether the programs may do what is
// wanted of each. The error is a *Death if that ended the lockstep process.
func (w *Worker) Screen(flat []byte, wanted []wire.Wanted) (repaired []byte, may bool, err error) {
	answer, err := w.Call(wire.Screen, (&wire.ScreenMessage{Flat: flat, Wanted: wanted}).Append(nil), wire.Screened)
	if err != nil {
		return nil, false, err
	}
	r := wire.NewReader(answer)
	may, repaired = r.Bool(), r.Bytes()
	return repaired, may, r.Err()
}

// Mail sends a letter to a fuzzing worker.
func (w *Worker) Mail(m wire.Letter) error {
	b := m.Append(nil)
	w.mapMu.Lock()
	if w.Mem == nil { // closed meanwhile
		w.mapMu.Unlock()
		return os.ErrClosed
	}
	w.Mem.AnnounceMail()
	w.mapMu.Unlock()
	return w.Send(wire.Mail, b)
}
