package engine

import (
	"bytes"
	"slices"
)

// A new process executes the corpus of earlier ones. It then continues as if it had kept these
// inputs itself. Each is a seed of the domains in which it was new, and counts for what their pools
// admit. Otherwise each process would keep as many inputs again. A schedule that distributes
// mutants over domains would also give the few inputs kept later as many as all others.

// Replay executes an input that an earlier process kept. domains are those in which it was new.
// Empty means unknown. Replayed inputs are kept, but not counted or reported.
func (e *Engine) Replay(flat []byte, domains []string) {
	e.begin(flat, replayed)
	e.step.Known = e.guiding(domains)
	e.Resume()
}

// ReplayAll executes inputs at once as Replay does, with a list of domains for each.
func (e *Engine) ReplayAll(b *Batch, flats [][]byte, domains [][]string, run RunAll) bool {
	e.load(b, flats)
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

// guiding returns those of the domains that guide. Another run of the campaign may have had other
// guidance.
func (e *Engine) guiding(domains []string) (some []string) {
	for _, name := range e.guided {
		if slices.Contains(domains, name) {
			some = append(some, name)
		}
	}
	return some
}

// recall restores the domains that the replayed input was kept for. If they are unknown, it does
// not count for what pools admit. It then fills its cell in all pools, unless it was new just now.
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

// reportRealigned reports whether the generator drew something else from a replayed tape.
func (e *Engine) reportRealigned(failed bool) {
	if e.cfg.Drawn == nil || failed {
		return
	}
	if e.tape = e.cfg.Drawn(e.tape[:0], e.step.Flat); len(e.tape) > 0 && len(e.tape) <= e.cfg.MaxBytes {
		e.sink.Replayed(!bytes.Equal(e.tape, e.step.Flat))
	}
}
