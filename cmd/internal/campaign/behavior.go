package campaign

import (
	"encoding/binary"
	"slices"
	"sync"
	"time"

	"parallax/cmd/internal/campaign/handout"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/flow"
	"parallax/internal/diversity"
	"parallax/internal/feature"
)

// behavior measures the diversity of a campaign over its folder's whole life, while the programs
// stay the same. It has unique traces, and counts of branches in shared memory. The first entry is
// that of all programs. If there are several, one entry for each follows.
//
// A trace of several workers counts once. The first of them counts its branches (wire.Claims).
type behavior struct {
	programs, blocks int
	mu               *sync.Mutex // guards traces where the loop changes them and others read them
	traces           []*diversity.Traces
	ended            []diversity.Record // counts of processes that have ended
	logged           uint64             // keys of traces that tuples.log has or will have
	news             []uint64           // buffer for the new traces of an event
}

func newBehavior(programs, blocks int) *behavior {
	b := &behavior{programs: programs, blocks: blocks, mu: &sync.Mutex{}}
	b.clear()
	return b
}

// clear removes all traces and counts.
func (b *behavior) clear() {
	b.ended = diversity.Split(make([]byte, diversity.Size(b.programs, b.blocks)), b.programs, b.blocks)
	b.traces, b.logged = nil, 0
	for range b.ended {
		b.traces = append(b.traces, &diversity.Traces{Limit: diversity.LimitOf(len(b.ended))})
	}
}

// add adds the key of a trace and reports whether the trace, or its validity, is new.
func (b *behavior) add(key uint64) bool {
	hash, i, valid := diversity.ReadKey(key)
	if i >= len(b.traces) {
		return false
	}
	s := b.traces[i].Add(hash, valid)
	return s.Times > 0 || s.NewValid
}

// update adds the traces of an event and returns the new keys, valid until the next call.
func (b *behavior) update(payload []byte) []uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.news = b.news[:0]
	for ; len(payload) >= 8; payload = payload[8:] {
		if key := binary.LittleEndian.Uint64(payload); b.add(key) {
			b.news = append(b.news, key)
		}
	}
	b.logged += uint64(len(b.news))
	return b.news
}

// shared returns the records that a process writes into its memory. It returns nil if there is no
// room for them, or if a program has overwritten the memory.
func (b *behavior) shared(m *instance) []diversity.Record {
	if m.worker == nil || !m.worker.mem.Trusted() {
		return nil
	}
	return diversity.BehindMaps(m.worker.mem.Maps(), b.programs, b.blocks)
}

// settle adds the counts of an ended process.
func (b *behavior) settle(m *instance) { merge(b.ended, b.shared(m)) }

func merge(to, from []diversity.Record) {
	for i := range from {
		to[i].Merge(from[i])
	}
}

// current returns the counts of all processes.
func (b *behavior) current(f *fleet) []diversity.Record {
	sum := make([]diversity.Record, len(b.ended))
	for i := range sum {
		sum[i] = slices.Clone(b.ended[i])
	}
	f.up(func(m *instance) { merge(sum, b.shared(m)) })
	return sum
}

// handOut sends the known traces to a starting process.
func (b *behavior) handOut(send func(domain int, level uint8, hashes []uint64) error) error {
	for i, t := range b.traces {
		none := func() uint8 { return 0 } // each state has its own level
		err := handout.Send(b.mu, t, none, func(_ uint8, states []uint64) error {
			for k := range states {
				states[k] = diversity.State(states[k], i)
			}
			return send(feature.TraceNumber, 0, states)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// heldBytes returns the size of the known traces.
func (b *behavior) heldBytes() (bytes int64) {
	for _, t := range b.traces {
		bytes += 8 * int64(t.Held())
	}
	return bytes
}

// all returns the traces that replace the announced keys in the folder.
func (b *behavior) all() state.Known {
	known := state.Known{Domain: feature.TraceNumber, Stands: b.logged}
	for i, t := range b.traces {
		t.State(func(s uint64) { known.Hashes = append(known.Hashes, diversity.State(s, i)) })
	}
	slices.Sort(known.Hashes) // the levels of the sets come first
	return known
}

// profile returns the diversity of entry i from its counts. A sample of traces lacks branches that
// only other traces executed. covered corrects their number.
func (b *behavior) profile(i int, r diversity.Record, covered int) sample.Behavior {
	t := b.traces[i]
	all, valid := diversity.NewProfile(r.Counts(nil, false)), diversity.NewProfile(r.Counts(nil, true))
	if t.Weight() > 1 && covered > all.B0 {
		all.B0, all.Evenness = covered, all.B1/float64(covered)
	}
	traces, branches := t.Sample(r), r.Sample()
	p := sample.Behavior{
		Traces: t.Len(), B0: float64(all.B0), B1: sample.Digits(all.B1), B2: sample.Digits(all.B2),
		Inputs: r.Word(diversity.Inputs), Valid: r.Word(diversity.Valid), Invalid: r.Word(diversity.Invalid),
		Evenness: sample.Digits(all.Evenness), Failed: r.Word(diversity.Failed),
		ValidTraces: t.Valid(), ValidB0: float64(valid.B0), ValidB1: sample.Digits(valid.B1), ValidB2: sample.Digits(valid.B2),
		ValidEvenness: sample.Digits(valid.Evenness),
		NewTrace:      sample.Digits(traces.Discovery()), NewBranch: sample.Digits(min(1, branches.Discovery())),
		Expected: sample.Digits(max(float64(all.B0), min(branches.Richness(), float64(r.Branches())))),
		Doubled:  sample.Digits(max(float64(all.B0), min(branches.After(2*float64(r.Word(diversity.Traced))-branches.Units), float64(r.Branches())))),
		Weight:   t.Weight(), NewBranchBound: sample.Digits(branches.Bound()),
	}
	if p.Weight == 1 {
		p.Weight = 0
	}
	risk, bound := diversity.Risk(p.Failed, r.Word(diversity.Inputs))
	p.Risk, p.RiskBound = sample.Digits(risk), sample.Digits(bound)
	if n := r.Word(diversity.Drawn); n > 0 {
		own, failed := r.Independent(), r.Word(diversity.DrawnFailed)
		risk, bound := diversity.Risk(failed, n)
		p.Independent = &sample.Independent{
			Inputs: n, Failed: failed, B0: own.Species, NewBranch: sample.Digits(min(1, own.Discovery())), NewBranchBound: sample.Digits(own.Bound()),
			Expected: sample.Digits(min(own.Richness(), float64(r.Branches()))), Risk: sample.Digits(risk), RiskBound: sample.Digits(bound),
		}
	}
	p.Structural = yieldOf(r, diversity.TriedStruct, diversity.WonStruct)
	p.Value = yieldOf(r, diversity.TriedValue, diversity.WonValue)
	return p
}

func yieldOf(r diversity.Record, tried, won diversity.Word) *sample.Yield {
	if r.Word(tried) == 0 {
		return nil
	}
	return &sample.Yield{Tried: r.Word(tried), Won: r.Word(won)}
}

// covered returns the number of covered blocks of an entry's programs.
func (a *account) covered(entry int) (n int) {
	for p := range a.facts.Names {
		if entry == 0 || entry == 1+p {
			_, covered := a.facts.Space.Covered(p, a.known.mapOf(p))
			n += covered
		}
	}
	return n
}

// counted returns the current records without the branches that figures of coverage leave out.
func (a *account) counted() []diversity.Record {
	records := a.branches.current(a.fleet)
	a.facts.Space.All(func(t *flow.Table, first int, owners []int) {
		for i := range t.Blocks {
			counts := func(p int) bool { return a.facts.Space.Counts(p, &t.Blocks[i]) }
			for entry, r := range records {
				if entry == 0 && !slices.ContainsFunc(owners, counts) || entry > 0 && !counts(entry-1) {
					r.Clear(first + i)
				}
			}
		}
	})
	return records
}

// behavior returns the diversity of all programs together. It is nil if no program has blocks.
func (a *account) behavior() *sample.Behavior {
	if a.facts.Space.Len() == 0 {
		return nil
	}
	b := a.branches.profile(0, a.counted()[0], a.covered(0))
	return &b
}

// behaviors returns the diversity for the summary.
func (a *account) behaviors() *finding.Behavior {
	if a.facts.Space.Len() == 0 {
		return nil
	}
	records := a.counted()
	s := &finding.Behavior{Behavior: a.branches.profile(0, records[0], a.covered(0))}
	var few []thinBranch
	trees := a.findings.Trees()
	for p, name := range a.facts.Names {
		i := min(1+p, len(records)-1) // a single program has the common entry
		own := records[i]
		if blocks, _ := a.facts.Space.Covered(p, a.known.mapOf(p)); blocks == 0 {
			continue
		}
		if len(records) > 1 {
			s.Programs = append(s.Programs, finding.ProgramBehavior{Program: name, Behavior: a.branches.profile(1+p, own, a.covered(1+p))})
		}
		few = append(few, a.thinBranches(p, own, a.branches.traces[i].Len()/thinPart, trees[name])...)
	}
	s.Thin, s.Rarefied = thinnest(few), rarefied(records[0], s.Weight)
	return s
}

// rarefied returns the expected coverage of 10, 100 and more traces, up to the number of all. It
// returns nothing for samples, which have dropped traces.
func rarefied(r diversity.Record, weight uint64) (list []finding.Rarefied) {
	counts, all := r.Counts(nil, false), r.Word(diversity.Weighed)
	for n := uint64(10); n < all && weight <= 1; n *= 10 {
		list = append(list, finding.Rarefied{Traces: n, B0: sample.Digits(diversity.Rarefied(counts, all, n))})
	}
	return list
}

// shown caches the diversity in the status. Adding up the counts of a large program is expensive.
type shown struct {
	last  time.Time
	value *sample.Behavior
}

const shownInterval = 3 * time.Second

func (s *shown) latest(now time.Time, compute func() *sample.Behavior) *sample.Behavior {
	if s.value == nil || now.Sub(s.last) >= shownInterval {
		s.last, s.value = now, compute()
	}
	return s.value
}
