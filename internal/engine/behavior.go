package engine

import (
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// behavior counts the diversity of the programs' behavior (package diversity). Each counted input
// has a trace, and a new trace counts for every branch that it executed. An input that fails counts
// by its validity and has no trace, as line 18 of BeDivFuzz's Algorithm 1 is indented. Replayed
// corpus inputs counted when they were found. If the programs have changed since, they count again.
type behavior struct {
	assemblages []diversity.Assemblage // of all programs together and, if there are several, of each
	ordered     bool                   // Config.Ordered
	blocks      int
	claims      func(key uint64, level uint8) (first, valid bool) // Config.Claim
	recent      []uint64                                          // see seenRecently
}

func newBehavior(cfg *Config) behavior {
	return behavior{assemblages: newAssemblages(cfg), ordered: cfg.Ordered, blocks: cfg.Blocks, claims: cfg.Claim}
}

// newAssemblages returns the assemblages of a campaign.
func newAssemblages(cfg *Config) []diversity.Assemblage {
	n := 1
	if cfg.Programs > 1 {
		n += cfg.Programs
	}
	records := cfg.Diversity
	if len(records) != n {
		records = diversity.Split(make([]byte, diversity.Size(cfg.Programs, cfg.Blocks)), cfg.Programs, cfg.Blocks)
	}
	places := make([]diversity.Assemblage, n)
	for i := range places {
		places[i].Record = records[i]
		places[i].Traces.Limit = diversity.LimitOf(n)
	}
	return places
}

// restore restores a trace that another process has announced.
func (b *behavior) restore(key uint64) {
	if state, i := diversity.ReadState(key); i < len(b.assemblages) {
		b.assemblages[i].Traces.Restore(state)
	}
}

// bytes bounds the memory of the traces.
func (b *behavior) bytes() (sum int) {
	for i := range b.assemblages {
		sum += b.assemblages[i].Traces.Bytes()
	}
	return sum
}

// count counts the input that has just run. draws reports that the search draws fresh inputs
// besides mutants.
func (b *behavior) count(x *execution, failed, draws bool, sink FeatureSink) {
	j := &x.joint
	all := &b.assemblages[0]
	all.Input(j.Validity, failed)
	drawn := draws && x.origin == mutant && len(x.step.Ops) > 0 && x.step.Ops[0] == mutate.OpFresh
	if drawn {
		all.Draw(failed)
	}
	hash, traced := uint64(0), false
	for p := range j.Traces {
		t, obs := &j.Traces[p], &j.Obs[p]
		ended := obs.Outcome >= oracle.Crashed
		if len(b.assemblages) == 1 {
			hash = b.identity(t)
			traced = hash != 0
			break
		}
		own, id := &b.assemblages[1+p], uint64(0)
		if obs.Outcome != 0 { // it was run on the input
			own.Input(obs.Validity(), ended)
			if !ended {
				id = b.identity(t)
			}
		}
		if hash = feature.Chain(hash, id); id != 0 {
			traced = true
			b.countTrace(1+p, id, obs.Validity() == oracle.Valid, t, sink)
		}
	}
	if failed || !traced { // programs without blocks have no traces
		b.countMutation(x, false)
		return
	}
	valid := j.Validity == oracle.Valid
	if drawn {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.CountFresh(j.Traces[p].Hits, uint32(p*b.blocks))
		}
	}
	s := b.claim(all, all.Traces.Add(hash, valid), hash, 0)
	all.Weigh(s)
	if s.Times > 0 || s.NewValid {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.Count(j.Traces[p].Hits, uint32(p*b.blocks), s)
		}
	}
	if s.Times > 0 { // count it before announcing it
		sink.Trace(diversity.Key(hash, 0, valid))
	}
	if j.Unique = s.New; s.Weight == 0 {
		j.Unique = !b.seenRecently(hash)
	}
	b.countMutation(x, j.Unique && valid)
}

// identity returns a hash of a trace: its blocks with their counts and, if configured, the order of
// their first executions. It is 0 for a trace without blocks.
func (b *behavior) identity(t *feature.Trace) uint64 {
	id := t.Identity()
	if b.ordered && id != 0 {
		return feature.Chain(id, t.Order) | 1
	}
	return id
}

// countTrace counts a trace of one program.
func (b *behavior) countTrace(i int, hash uint64, valid bool, t *feature.Trace, sink FeatureSink) {
	a := &b.assemblages[i]
	s := b.claim(a, a.Traces.Add(hash, valid), hash, i)
	a.Weigh(s)
	if s.Times > 0 || s.NewValid {
		t.Need()
		a.Count(t.Hits, 0, s)
	}
	if s.Times > 0 {
		sink.Trace(diversity.Key(hash, i, valid))
	}
}

// claim adjusts a sight for all engines of the campaign: only one of them counts a trace.
func (b *behavior) claim(a *diversity.Assemblage, s diversity.Sight, hash uint64, i int) diversity.Sight {
	if b.claims != nil && (s.New || s.NewValid) {
		first, valid := b.claims(diversity.Key(hash, i, s.NewValid), a.Traces.Level())
		s.New, s.NewValid = s.New && first, s.NewValid && valid
	}
	return s
}

// countMutation counts a mutant by the channel that it changed, if there is one.
func (b *behavior) countMutation(x *execution, won bool) {
	c, ok := x.step.Channel()
	if x.origin != mutant || !ok {
		return
	}
	tried, wins := diversity.TriedStruct, diversity.WonStruct
	if c == tape.Value {
		tried, wins = diversity.TriedValue, diversity.WonValue
	}
	b.assemblages[0].Inc(tried, 1)
	if won {
		b.assemblages[0].Inc(wins, 1)
	}
}

// seenRecently reports whether one of the last traces was this one, among those that the sample
// rejects. It is an estimate: most of them are new.
func (b *behavior) seenRecently(hash uint64) bool {
	if b.recent == nil {
		b.recent = make([]uint64, digestSlots)
	}
	slot := &b.recent[feature.Mix(hash)>>50]
	had := *slot == hash
	*slot = hash
	return had
}
