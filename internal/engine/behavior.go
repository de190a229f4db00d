package engine

import (
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// How evenly inputs exercise what the programs do (package diversity): each input that counts has a trace, and a trace that is new counts for
// every branch that it executed. An input that fails counts by its validity and has no trace, as line 18 of BeDivFuzz's Algorithm 1 is
// indented. Inputs of the corpus that are executed to rebuild what is known counted when they were found. If the programs have changed since,
// they count anew.

// newPlaces returns the assemblages of a campaign.
func newPlaces(cfg *Config) []diversity.Assemblage {
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

// knowTrace takes what is known of a trace of which others have told.
func (e *Engine) knowTrace(key uint64) {
	if state, i := diversity.ReadState(key); i < len(e.places) {
		e.places[i].Traces.Restore(state)
	}
}

// behave counts what the input that has just run did.
func (e *Engine) behave(failed bool) {
	j := &e.joint
	j.Validity, j.Unique = oracle.JointValidity(j.Obs), false
	if e.origin != mutant && e.origin != seed && !(e.origin == replayed && e.cfg.Changed) {
		return
	}
	all := &e.places[0]
	all.Input(j.Validity, failed)
	drawn := e.draws && e.origin == mutant && len(e.step.Ops) > 0 && e.step.Ops[0] == mutate.OpFresh
	if drawn {
		all.Draw(failed)
	}
	hash, traced := uint64(0), false
	for p := range j.Traces {
		t, obs := &j.Traces[p], &j.Obs[p]
		ended := obs.Outcome >= oracle.Crashed
		if len(e.places) == 1 {
			hash = e.identity(t)
			traced = hash != 0
			break
		}
		own, id := &e.places[1+p], uint64(0)
		if obs.Outcome != 0 { // it was run on the input
			own.Input(obs.Validity(), ended)
			if !ended {
				id = e.identity(t)
			}
		}
		if hash = feature.Chain(hash, id); id != 0 {
			traced = true
			e.sight(1+p, own, id, obs.Validity() == oracle.Valid, t)
		}
	}
	if failed || !traced { // programs without blocks have no traces
		e.mutated(false)
		return
	}
	valid := j.Validity == oracle.Valid
	if drawn {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.CountFresh(j.Traces[p].Hits, uint32(p*e.cfg.Blocks))
		}
	}
	s := e.claimed(all, all.Traces.Add(hash, valid), hash, 0)
	all.Weigh(s)
	if s.Times > 0 || s.NewValid {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.Count(j.Traces[p].Hits, uint32(p*e.cfg.Blocks), s)
		}
	}
	if s.Times > 0 { // it is counted before it is told of
		e.sink.Trace(diversity.Key(hash, 0, valid))
	}
	if j.Unique = s.New; s.Weight == 0 {
		j.Unique = !e.recently(hash)
	}
	e.mutated(j.Unique && valid)
}

// identity is what tells a trace from others: how often it executed which blocks and, if that is asked for, in which order it came to them first. It is
// 0 for a trace of no block.
func (e *Engine) identity(t *feature.Trace) uint64 {
	id := t.Identity()
	if e.cfg.Ordered && id != 0 {
		return feature.Chain(id, t.Order) | 1
	}
	return id
}

// sight counts a trace of one program.
func (e *Engine) sight(i int, a *diversity.Assemblage, hash uint64, valid bool, t *feature.Trace) {
	s := e.claimed(a, a.Traces.Add(hash, valid), hash, i)
	a.Weigh(s)
	if s.Times > 0 || s.NewValid {
		t.Need()
		a.Count(t.Hits, 0, s)
	}
	if s.Times > 0 {
		e.sink.Trace(diversity.Key(hash, i, valid))
	}
}

// claimed is what is known of a trace by all engines of the campaign: one of them counts it.
func (e *Engine) claimed(a *diversity.Assemblage, s diversity.Sight, hash uint64, i int) diversity.Sight {
	if e.cfg.Claim != nil && (s.New || s.NewValid) {
		first, valid := e.cfg.Claim(diversity.Key(hash, i, s.NewValid), a.Traces.Level())
		s.New, s.NewValid = s.New && first, s.NewValid && valid
	}
	return s
}

// mutated counts a mutant by the channel that it changed, where the source tells.
func (e *Engine) mutated(won bool) {
	c, ok := e.step.Channel()
	if e.origin != mutant || !ok {
		return
	}
	tried, wins := diversity.TriedStruct, diversity.WonStruct
	if c == tape.Value {
		tried, wins = diversity.TriedValue, diversity.WonValue
	}
	e.places[0].Inc(tried, 1)
	if won {
		e.places[0].Inc(wins, 1)
	}
}

// recently reports whether one of the last traces was this one, of those that the sample of traces does not take. It is no more than a guess:
// there, most are new.
func (e *Engine) recently(hash uint64) bool {
	if e.recent == nil {
		e.recent = make([]uint64, digestSlots)
	}
	slot := &e.recent[feature.Mix(hash)>>50]
	had := *slot == hash
	*slot = hash
	return had
}
