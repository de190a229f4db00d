package engine

import (
	"slices"

	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/source"
)

// compose builds the engine's source of inputs, in order of precedence. First, an input being
// trimmed is finished. Then come the configuration's own sources. Then the cmplog source has its
// turns. The rest are mutants by the engine's operators or, in batches, by the program's own
// mutator. Tapes and texts of a grammar have their own sources.
func (e *Engine) compose() {
	fresh := &source.Fresh{Corpus: &e.corpus, Rand: e.rand, Mutator: e.mut}
	if e.shares != nil {
		fresh.Arms = &e.shares.Sources
	}
	mutation := &source.Mutation{Corpus: &e.corpus, Rand: e.rand, Mutator: e.mut, Schedule: e.schedule}
	custom := &source.Custom{Corpus: &e.corpus, Rand: e.rand, Schedule: e.schedule}
	if e.cfg.Tapes || e.form != nil {
		e.trim = source.NewTrim(e.cfg.Shape)
		e.sources = source.Order(append(slices.Clone(e.cfg.Sources), e.tapes())...)
		return
	}
	mutants := source.Order(fresh, source.Callback(func() source.Source {
		if e.custom {
			return custom
		}
		return mutation
	}))
	if e.cfg.Comparisons != nil {
		e.cmplog = source.NewCmpLog(e.cfg.Comparisons, &e.corpus, e.cfg.Shape, e.cfg.MaxBytes, e.cfg.Deadly, e.mut.SetOperands)
		mutants = source.Alternate(e.cmplog, mutants, e.cfg.DeterminedDeaths)
	}
	e.trim = source.NewTrim(e.cfg.Shape)
	e.sources = source.Order(append(append([]source.Source{e.trim}, e.cfg.Sources...), mutants)...)
}

// tapes returns the guidance's source of tapes, or the default one.
func (e *Engine) tapes() source.Source {
	t := source.Taped{Corpus: &e.corpus, Rand: e.rand, Schedule: e.schedule, MaxBytes: e.cfg.MaxBytes, Grammar: e.form}
	search := ""
	if e.search != nil {
		search = e.search.Name
	}
	switch {
	case slices.Contains(e.guidance, feature.Random):
		return &source.Random{Taped: t}
	case search == feature.Zest:
		return &source.Zest{Taped: t}
	case search == feature.Behavior, search == feature.Structure, search == feature.Lifetime:
		return &source.Behavior{Taped: t, Lifetime: search == feature.Lifetime}
	case search == feature.RLCheck:
		r := &source.RLCheck{Taped: t}
		e.cfg.Guide(r.Choose, r.Chosen)
		return r
	}
	e.draws, e.confined = e.cfg.Has(policy.Fresh), true
	own := &source.Tapes{Taped: t, NoFresh: !e.cfg.Has(policy.Fresh), NoSplice: !e.cfg.Has(policy.Splice)}
	if e.cfg.Has(policy.Invalid) {
		own.Accepted = &e.valid
	}
	if e.cfg.Has(policy.Shortest) && e.cfg.Programs == 1 && e.keeps {
		e.short = &shortest{}
	}
	if e.cfg.Comparisons == nil || !e.cfg.Has(policy.Operands) {
		return own
	}
	if e.form != nil {
		e.cmplog = source.NewCmpLog(e.cfg.Comparisons, &e.corpus, e.cfg.Shape, e.cfg.MaxBytes, e.cfg.Deadly, func([][]byte) {}) // the grammar has the words
		e.cmplog.SetGrammar(e.form.Clone())
		return source.Alternate(e.cmplog, own, e.cfg.DeterminedDeaths)
	}
	e.operands = &source.Operands{Taped: t, From: e.cfg.Comparisons, Deadly: map[string]bool{}}
	for _, flat := range e.cfg.Deadly {
		e.operands.Deadly[string(flat)] = true
	}
	return source.Alternate(e.operands, own, e.cfg.DeterminedDeaths)
}

// propose makes the next input in the step. There always is one.
func (e *Engine) propose(s *source.Step) {
	s.Reset()
	e.sources.Propose(s)
}
