package campaign

import (
	"sync"

	"parallax/internal/corpus"
)

// writer puts inputs on disk beside the loop. A campaign's first seconds bring thousands, at half a millisecond each,
// and workers must not wait for the disk. Only what the store holds is announced.
type writer struct {
	store *corpus.Store
	in    chan corpus.Entry
	done  chan struct{}

	mu  sync.Mutex
	err error
}

func newWriter(store *corpus.Store) *writer {
	return &writer{store: store, in: make(chan corpus.Entry, 1<<13), done: make(chan struct{})}
}

// put hands over an input; the writer keeps flat.
func (w *writer) put(flat []byte, m corpus.Meta) { w.in <- corpus.Entry{Flat: flat, Meta: m} }

// run writes until close.
func (w *writer) run() {
	defer close(w.done)
	for e := range w.in {
		if w.failed() != nil {
			continue // the campaign is stopping; what is lost was not announced
		}
		if _, _, err := w.store.Put(e.Flat, e.Meta); err != nil {
			w.mu.Lock()
			w.err = err
			w.mu.Unlock()
		}
	}
}

// failed returns the first error.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// close waits until everything is written.
func (w *writer) close() {
	close(w.in)
	<-w.done
}
