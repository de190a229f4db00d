// Package intake passes inputs of other campaigns to the workers of this one. The live campaign
// owns an Intake, and each of its instances a Line. Package exchange provides the inputs; this
// package knows it by the interface Exchange only.
//
// Inputs of others are offers (wire.Offer). They do not count as inputs, but are kept and become
// candidates as if they were found here. Invariants:
//
//   - A process executes at least as many inputs of its own as offers, and its own come first.
//   - An offer is settled once: when the worker is done with it, or when its process died on it.
//     Offers that a dead process has not begun go to the next one.
//   - After a process died on an offer, the next processes must execute more inputs of their own
//     first. So a hostile member cannot keep the workers busy with dying.
package intake

import (
	"bytes"
	"context"

	"parallax/cmd/internal/finding/event"
	"parallax/internal/wire"
)

// Exchange is the connection with the campaigns of the same identity elsewhere. It announces what
// the events report. Kept arrives when the input is on disk, perhaps from another goroutine. Errors
// are of the campaign's own folder. A lost connection is no error.
type Exchange interface {
	event.Subscriber
	Source
	Peers
	// Close announces the rest, and returns notes for the user.
	Close() (notes []string, err error)
}

// Source has the inputs of others.
type Source interface {
	// Take returns at most so many inputs of others that wait for execution.
	Take(most int) ([]Input, error)
	// Claims waits until the findings have arrived that others have announced before the call. It
	// returns at most so many inputs of findings that wait for execution. A lost connection or the
	// end of ctx ends the wait.
	Claims(ctx context.Context, most int) ([]Input, error)
	// Settle records that an input of Take was executed, or that a process died on it.
	Settle(in Input, died bool) error
}

// Input is an input of another campaign.
type Input struct {
	Hash string // see corpus.Hash
	From string // the member that announced it
	wire.Offer
}

// Intake distributes the inputs of an exchange. The zero value has no exchange.
type Intake struct {
	Exchange Exchange // nil means that the campaign is alone

	again []Input           // taken from the exchange, and not begun by a dead process
	from  map[string]string // members by the hashes of their inputs
	dead  int               // deaths on offers, minus batches without one
	late  late
}

// Line holds the offers of one process. The zero value is that of a new process.
type Line struct {
	open    []Input // sent and not settled, oldest first
	sent    uint64
	settled uint64
}

const (
	mostOpen = 64 // offers on their way to one process
	// ownFirst is the number of own inputs that precede the first offer after a death. It doubles
	// with each further death, up to mostDoubled times.
	ownFirst    = 64
	mostDoubled = 12
)

// Close ends the exchange, and returns notes for the user.
func (q *Intake) Close() (notes []string, err error) {
	if q.Exchange == nil {
		return nil, nil
	}
	return q.Exchange.Close()
}

// Next returns the offers that a process gets next. counted is its number of own inputs.
func (q *Intake) Next(l *Line, counted uint64) ([]Input, error) {
	if q.Exchange == nil {
		return nil, nil
	}
	first := uint64(0)
	if q.dead > 0 {
		first = ownFirst << min(q.dead-1, mostDoubled)
	}
	if counted < l.sent+first {
		return nil, nil
	}
	n := min(mostOpen-len(l.open), int(min(counted-l.sent-first, mostOpen)))
	if q.dead > 0 {
		n = min(n, 1) // so that one death blames one input
	}
	if n <= 0 {
		return nil, nil
	}
	list := q.again[:min(n, len(q.again))]
	q.again = q.again[len(list):]
	if len(list) == n {
		return list, nil
	}
	more, err := q.Exchange.Take(n - len(list))
	return append(list[:len(list):len(list)], more...), err
}

// Sent records that the process gets the offers. If not, they wait for the next call of Next.
func (q *Intake) Sent(l *Line, offers []Input, sent bool) {
	if !sent {
		q.again = append(offers[:len(offers):len(offers)], q.again...)
		return
	}
	q.record(offers)
	l.open = append(l.open, offers...)
	l.sent += uint64(len(offers))
}

// record records the members that announced inputs.
func (q *Intake) record(list []Input) {
	for _, in := range list {
		if q.from == nil {
			q.from = map[string]string{}
		}
		q.from[in.Hash] = in.From
	}
}

// Count settles the offers that a process is done with, by their number since its start.
func (q *Intake) Count(l *Line, done uint64) error {
	if done <= l.settled || done > l.sent {
		return nil // unchanged, or a program has overwritten the count
	}
	n := int(done - l.settled)
	l.settled = done
	for _, in := range l.open[:n] {
		if err := q.Exchange.Settle(in, false); err != nil {
			return err
		}
	}
	l.open = l.open[n:]
	q.dead = max(q.dead-1, 0)
	return nil
}

// Died settles the offer on which a process has died. It reports whether the input is an offer of
// the process.
func (q *Intake) Died(l *Line, flat []byte) (offered bool, err error) {
	for i, in := range l.open {
		if !bytes.Equal(in.Flat, flat) {
			continue
		}
		l.open = append(l.open[:i:i], l.open[i+1:]...)
		q.dead++
		return true, q.Exchange.Settle(in, true)
	}
	return false, nil
}

// Ended returns the offers that an ended process has not begun.
func (q *Intake) Ended(l *Line) {
	q.again = append(l.open, q.again...)
	*l = Line{}
}

// From returns the member that announced an input which was offered in this invocation. It is empty
// for other inputs.
func (q *Intake) From(hash string) string { return q.from[hash] }

// written is a subscriber that gets Kept only when the input is on disk.
type written struct {
	after func(func() error) error
	to    event.Subscriber
}

// Written returns a subscriber that passes events on. It passes Kept by a function that calls its
// argument after earlier writes to the folder.
func Written(after func(func() error) error, to event.Subscriber) event.Subscriber {
	return written{after, to}
}

// Handle implements event.Subscriber.
func (w written) Handle(e event.Event) error {
	if _, ok := e.(event.Kept); ok {
		return w.after(func() error { return w.to.Handle(e) })
	}
	return w.to.Handle(e)
}
