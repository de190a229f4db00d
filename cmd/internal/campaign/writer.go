package campaign

import (
	"errors"
	"sync"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
)

// writer brings to disk what the loop hands over, in the order in which it happened, beside the loop. A campaign's
// first seconds bring thousands of inputs, at half a millisecond each, and workers must not wait for the disk. Only what
// the store holds is announced.
//
// The order is what a kill relies on: features of inputs, and counters that say which seeds have been executed, reach the
// disk behind the inputs before them. So nothing that is recorded as known lacks its input, wherever the writes end. After
// a write that fails nothing that follows is written, until close has tried them all again.
type writer struct {
	store *corpus.Store
	in    chan func() error
	done  chan struct{}

	mu     sync.Mutex
	err    error          // the first
	left   []func() error // that failed, and all behind it
	closed bool
}

func newWriter(store *corpus.Store) *writer {
	return &writer{store: store, in: make(chan func() error, 1<<13), done: make(chan struct{})}
}

// put hands over an input; the writer keeps flat.
func (w *writer) put(flat []byte, m corpus.Meta) error {
	return w.do(func() error {
		_, _, err := w.store.Put(flat, m)
		return err
	})
}

// do hands over a write. Its error, if it has one, comes up in failed, and when the writer is closed here.
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

// close waits until everything is written, as far as the disk allows now. It reports how many writes were in vain.
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

// unwritten is the error of a write with its exit code.
func unwritten(err error) error {
	var coded *exit.Error
	if errors.As(err, &coded) {
		return err
	}
	return exit.Infra("%w", err)
}
