package engine

import (
	"bytes"
	"slices"
)

// A process that starts executes the corpus of those before it. It goes on as one that had kept these inputs itself: each is a seed of the
// domains in which it was new, and has taken its part of what their pools admit. Otherwise each process would keep as much again, and
// a schedule that shares mutants out among domains would give the few inputs that are kept from then on as many as all others.

// Replay executes an input that an earlier process kept, and the domains in which it was new, none if that is not known. Replayed inputs
// are not counted, not reported, and kept.
func (e *Engine) Replay(flat []byte, domains []string) {
	e.begin(flat, replayed)
	e.step.Known = e.guiding(domains)
	e.Resume()
}

// ReplayAll executes inputs at once as Replay does. There is a list of domains for each.
func (e *Engine) ReplayAll(b *Batch, flats [][]byte, domains [][]string, run RunAll) bool {
	e.give(b, flats)
	for i := range flats {
		b.now.steps[i].Known = e.guiding(domains[i])
	}
	return e.runAll(b, replayed, run)
}

// Import executes an input that another worker kept.
func (e *Engine) Import(flat []byte) {
	e.begin(flat, imported)
	e.Resume()
}

// guiding is those of the domains that guide: another run of the campaign may have been guided by others.
func (e *Engine) guiding(domains []string) (some []string) {
	for _, name := range e.guided {
		if slices.Contains(domains, name) {
			some = append(some, name)
		}
	}
	return some
}

// recall takes the replayed input that has just run for what it was kept for. Where that is not known, it takes no part of what pools
// admit, but its cell is taken in all of them, unless it was new just now.
func (e *Engine) recall(novel bool) {
	known := e.step.Known
	if len(known) > 0 {
		e.newIn = append(e.newIn[:0], known...)
	}
	for _, d := range e.measured {
		switch {
		case d.Pool == nil:
		case slices.Contains(known, d.Name):
			d.Pool.Restore(e.place())
		case len(known) == 0 && !novel:
			d.Pool.Occupy(e.place())
		}
	}
}

// realigned reports of a replayed tape whether the generator drew something else of it than was kept.
func (e *Engine) realigned(failed bool) {
	if e.cfg.Drawn == nil || failed {
		return
	}
	if e.tape = e.cfg.Drawn(e.tape[:0], e.step.Flat); len(e.tape) > 0 && len(e.tape) <= e.cfg.MaxBytes {
		e.sink.Replayed(!bytes.Equal(e.tape, e.step.Flat))
	}
}
