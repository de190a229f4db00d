package engine

// A new process executes the corpus of earlier ones. It then continues as if it had kept these
// inputs itself. Each is a seed of the domains in which it was new, and counts for what their pools
// admit. Otherwise each process would keep as many inputs again. A schedule that distributes
// mutants over domains would also give the few inputs kept later as many as all others.

// Replay executes an input that an earlier process kept. domains are those in which it was new.
// Empty means unknown. Replayed inputs are kept, but not counted or reported.
func (e *Engine) Replay(flat []byte, domains []string) {
	e.execute(flat, e.novelty.guiding(domains), replayed)
}

// ReplayAll executes inputs at once as Replay does, with a list of domains for each.
func (e *Engine) ReplayAll(b *Batch, flats [][]byte, domains [][]string, run RunAll) bool {
	e.load(b, flats)
	for i := range flats {
		b.now.steps[i].Known = e.novelty.guiding(domains[i])
	}
	return e.runAll(b, replayed, run)
}

// Finder says who found an input that is imported.
type Finder uint8

const (
	// Worker is another worker of the campaign. Its inputs are kept if they are new here.
	Worker Finder = iota
	// Elsewhere is another campaign on the same programs. Its inputs do not count, but are kept and
	// reported as if they were found here.
	Elsewhere
	// Claim is another campaign too, for which the input is a finding. Each aspect that the input
	// shows here is a candidate, even if it looks like earlier ones.
	Claim
)

// origin returns the origin of the finder's inputs.
func (f Finder) origin() origin { return imported + origin(f) }

// Import executes an input that is found already.
func (e *Engine) Import(flat []byte, from Finder) { e.execute(flat, nil, from.origin()) }
