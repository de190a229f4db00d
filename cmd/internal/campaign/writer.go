package campaign

import (
	"errors"
	"sync"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
)

// writer writes to disk in the order in which the loop hands writes over, in a goroutine of its
// own. The first seconds of a campaign bring thousands of inputs, at half a millisecond each, and
// workers must not wait for the disk. The page and the status show only what the store holds.
//
// A kill relies on the order. Features of inputs and counters of executed seeds reach the disk
// after earlier inputs. So nothing that is recorded as known lacks its input, wherever the writes
// end. After a failed write, no further one is tried until close tries all again.
type writer struct {
	store *corpus.Store
	in    chan func() error
	done  chan struct{}

	mu     sync.Mutex
	err    error          // the first error
	left   []func() error // the failed write and all later ones
	closed bool
}

func newWriter(store *corpus.Store) *writer {
	return &writer{store: store, in: make(chan func() error, 1<<13), done: make(chan struct{})}
}

// put hands over an input. The writer keeps flat.
func (w *writer) put(flat []byte, m corpus.Meta) error {
	return w.do(func() error {
		_, _, err := w.store.Put(flat, m)
		return err
	})
}

// do hands over a write, whose error failed returns. After close, do writes at once.
func (w *writer) do(write func() error) error {
	w.mu.Lock()
	closed := w.closed
	w.mu.Unlock()
	if closed {
		if err := w.failed(); err != nil {
			return err
		}
		return write()
	}
	w.in <- write
	return nil
}

// run writes until close.
func (w *writer) run() {
	defer close(w.done)
	for write := range w.in {
		w.mu.Lock()
		failed := w.err != nil
		w.mu.Unlock()
		if !failed {
			err := write()
			if err == nil {
				continue
			}
			w.mu.Lock()
			w.err = err
			w.mu.Unlock()
		}
		w.left = append(w.left, write) // the campaign is stopping
	}
}

// failed returns the first error.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// close writes what is left. If the disk does not allow that, failed returns an error.
func (w *writer) close() {
	close(w.in)
	<-w.done
	for len(w.left) > 0 && w.left[0]() == nil {
		w.left = w.left[1:]
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if len(w.left) == 0 {
		w.err = nil
	}
}

// unwritten returns the error of a write with its exit code.
func unwritten(err error) error {
	var coded *exit.Error
	if errors.As(err, &coded) {
		return err
	}
	return exit.Infra("%w", err)
}
