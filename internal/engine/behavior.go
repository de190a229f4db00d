package engine

import (
	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// Diversity of the programs' behavior (package diversity). Each counted input has a trace, and a
// new trace counts for every branch that it executed. An input that fails counts by its validity
// and has no trace, as line 18 of BeDivFuzz's Algorithm 1 is indented. Replayed corpus inputs
// counted when they were found. If the programs have changed since, they count again.

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

// restoreTrace restores a trace that another process has announced.
func (e *Engine) restoreTrace(key uint64) {
	if state, i := diversity.ReadState(key); i < len(e.assemblages) {
		e.assemblages[i].Traces.Restore(state)
	}
}

// countBehavior counts the input that has just run.
func (e *Engine) countBehavior(failed bool) {
	j := &e.joint
	j.Validity, j.Unique = oracle.JointValidity(j.Obs), false
	if e.origin != mutant && e.origin != seed && !(e.origin == replayed && e.cfg.Changed) {
		return
	}
	all := &e.assemblages[0]
	all.Input(j.Validity, failed)
	drawn := e.draws && e.origin == mutant && len(e.step.Ops) > 0 && e.step.Ops[0] == mutate.OpFresh
	if drawn {
		all.Draw(failed)
	}
	hash, traced := uint64(0), false
	for p := range j.Traces {
		t, obs := &j.Traces[p], &j.Obs[p]
		ended := obs.Outcome >= oracle.Crashed
		if len(e.assemblages) == 1 {
			hash = e.identity(t)
			traced = hash != 0
			break
		}
		own, id := &e.assemblages[1+p], uint64(0)
		if obs.Outcome != 0 { // it was run on the input
			own.Input(obs.Validity(), ended)
			if !ended {
				id = e.identity(t)
			}
		}
		if hash = feature.Chain(hash, id); id != 0 {
			traced = true
			e.countTrace(1+p, own, id, obs.Validity() == oracle.Valid, t)
		}
	}
	if failed || !traced { // programs without blocks have no traces
		e.countMutation(false)
		return
	}
	valid := j.Validity == oracle.Valid
	if drawn {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.CountFresh(j.Traces[p].Hits, uint32(p*e.cfg.Blocks))
		}
	}
	s := e.claim(all, all.Traces.Add(hash, valid), hash, 0)
	all.Weigh(s)
	if s.Times > 0 || s.NewValid {
		for p := range j.Traces {
			j.Traces[p].Need()
			all.Count(j.Traces[p].Hits, uint32(p*e.cfg.Blocks), s)
		}
	}
	if s.Times > 0 { // count it before announcing it
		e.sink.Trace(diversity.Key(hash, 0, valid))
	}
	if j.Unique = s.New; s.Weight == 0 {
		j.Unique = !e.seenRecently(hash)
	}
	e.countMutation(j.Unique && valid)
}

// identity returns a hash of a trace: its blocks with their counts and, if configured, the order of
// their first executions. It is 0 for a trace without blocks.
func (e *Engine) identity(t *feature.Trace) uint64 {
	id := t.Identity()
	if e.cfg.Ordered && id != 0 {
		return feature.Chain(id, t.Order) | 1
	}
	return id
}

// countTrace counts a trace of one program.
func (e *Engine) countTrace(i int, a *diversity.Assemblage, hash uint64, valid bool, t *feature.Trace) {
	s := e.claim(a, a.Traces.Add(hash, valid), hash, i)
	a.Weigh(s)
	if s.Times > 0 || s.NewValid {
		t.Need()
		a.Count(t.Hits, 0, s)
	}
	if s.Times > 0 {
		e.sink.Trace(diversity.Key(hash, i, valid))
	}
}

// claim adjusts a sight for all engines of the campaign: only one of them counts a trace.
func (e *Engine) claim(a *diversity.Assemblage, s diversity.Sight, hash uint64, i int) diversity.Sight {
	if e.cfg.Claim != nil && (s.New || s.NewValid) {
		first, valid := e.cfg.Claim(diversity.Key(hash, i, s.NewValid), a.Traces.Level())
		s.New, s.NewValid = s.New && first, s.NewValid && valid
	}
	return s
}

// countMutation counts a mutant by the channel that it changed, if there is one.
func (e *Engine) countMutation(won bool) {
	c, ok := e.step.Channel()
	if e.origin != mutant || !ok {
		return
	}
	tried, wins := diversity.TriedStruct, diversity.WonStruct
	if c == tape.Value {
		tried, wins = diversity.TriedValue, diversity.WonValue
	}
	e.assemblages[0].Inc(tried, 1)
	if won {
		e.assemblages[0].Inc(wins, 1)
	}
}

// seenRecently reports whether one of the last traces was this one, among those that the sample
// rejects. It is an estimate: most of them are new.
func (e *Engine) seenRecently(hash uint64) bool {
	if e.recent == nil {
		e.recent = make([]uint64, digestSlots)
	}
	slot := &e.recent[feature.Mix(hash)>>50]
	had := *slot == hash
	*slot = hash
	return had
}
