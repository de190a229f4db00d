package execute

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/wire"
)

// Send gives the worker a message. An error means that it is dead or dying.
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

// Call gives an order and waits for its answer. The error is a *Death when the worker ended instead.
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

// failure is why a lockstep process cannot run its programs, with the exit code that it names.
func failure(payload []byte) error {
	r := wire.NewReader(payload)
	code, text := r.Int(255), r.String()
	if r.Err() != nil || code == exit.OK {
		return errors.New("the programs cannot be run, and the lockstep process does not say why")
	}
	return &exit.Error{Code: code, Err: errors.New(text)}
}

// Run executes one input on every program. The error is a *Death when that ended the worker.
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

// maxAhead is how many bytes of orders are sent before their answers are read. A socket takes as many without its reader.
const maxAhead = 32 << 10

// RunAll executes inputs on every program, a batch at a time: that is several times as quick as one by one. When the worker
// ends, it returns the results of the inputs before, perhaps not of all of them, and a *Death.
func (w *Worker) RunAll(flats [][]byte, flags uint64) (all [][]wire.RunResult, err error) {
	order := func(flat []byte) []byte { return wire.AppendBytes(wire.AppendUint(nil, flags), flat) }
	err = w.each(flats, wire.Run, order, wire.Ran, func(answer []byte) error {
		results, err := w.results(answer)
		if err == nil {
			all = append(all, results)
		}
		return err
	})
	return all, err
}

// each gives orders for inputs, some before the first is answered, and hands the answers to use.
func (w *Worker) each(flats [][]byte, kind byte, order func(flat []byte) []byte, answer byte, use func([]byte) error) error {
	for len(flats) > 0 {
		var orders bytes.Buffer
		n := 0
		for _, flat := range flats {
			order := order(flat)
			if n > 0 && orders.Len()+len(order) > maxAhead {
				break
			}
			wire.Send(&orders, kind, order) // a buffer takes it; an order too large for a message fails as it is sent
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

// RepairAll has the repair function of the target make inputs valid. It returns them as they are where there is no such function, or
// where it fails. When the worker ends, it returns the inputs before, perhaps not all of them, and a *Death.
func (w *Worker) RepairAll(flats [][]byte) (repaired [][]byte, err error) {
	if !w.Hello.Repairs {
		return flats, nil
	}
	order := func(flat []byte) []byte { return wire.AppendBytes(nil, flat) }
	err = w.each(flats, wire.Repair, order, wire.RepairDone, func(answer []byte) error {
		repaired = append(repaired, answer)
		return nil
	})
	return repaired, err
}

// Screen has a lockstep process repair an input and tell whether it may do what is wanted of every program. The error is a *Death when
// that ended the lockstep process.
func (w *Worker) Screen(flat []byte, wanted []wire.Wanted) (repaired []byte, may bool, err error) {
	answer, err := w.Call(wire.Screen, (&wire.ScreenMessage{Flat: flat, Wanted: wanted}).Append(nil), wire.Screened)
	if err != nil {
		return nil, false, err
	}
	r := wire.NewReader(answer)
	may, repaired = r.Bool(), r.Bytes()
	return repaired, may, r.Err()
}

// Mail sends inputs found elsewhere to a worker that fuzzes, and the classes of failures of which one more is a candidate.
func (w *Worker) Mail(flats [][]byte, owed []uint64) error {
	b := wire.AppendUint(nil, uint64(len(owed)))
	for _, class := range owed {
		b = wire.AppendUint(b, class)
	}
	for _, f := range flats {
		b = wire.AppendBytes(b, f)
	}
	w.mapMu.Lock()
	if w.Mem == nil { // closed meanwhile
		w.mapMu.Unlock()
		return os.ErrClosed
	}
	w.Mem.AnnounceMail()
	w.mapMu.Unlock()
	return w.Send(wire.Mail, b)
}
