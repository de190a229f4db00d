package engine

import (
	"slices"

	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/source"
)

// sources holds the source of all inputs, and those sources in it that learn of kept inputs or
// finish an input.
type sources struct {
	all      source.Source
	trim     *source.Trim
	cmplog   *source.CmpLog   // nil means none
	operands *source.Operands // cmplog source for tapes
	custom   bool             // the program's own mutator makes the next mutants
}

// propose makes the next input in the step. There always is one.
func (s *sources) propose(step *source.Step) {
	step.Reset()
	s.all.Propose(step)
}

// added reports an input that joined the corpus. known reports that an earlier process kept it.
func (s *sources) added(input int, known bool) {
	if s.cmplog != nil {
		s.cmplog.Added(input, known)
	}
	if s.operands != nil {
		s.operands.Added(input, known)
	}
}

// deadly reports whether the input is known to end processes.
func (s *sources) deadly(flat []byte) bool { return s.cmplog != nil && s.cmplog.Deadly(flat) }

// compose builds the engine's source of inputs, in order of precedence. First, an input being
// trimmed is finished. Then come the configuration's own sources. Then the cmplog source has its
// turns. The rest are mutants by the engine's operators or, in batches, by the program's own
// mutator. Tapes and texts of a grammar have their own sources.
func (e *Engine) compose() {
	fresh := &source.Fresh{Corpus: &e.corpus.inputs, Rand: e.rand, Mutator: e.mut}
	if e.shares != nil {
		fresh.Arms = &e.shares.Sources
	}
	mutation := &source.Mutation{Corpus: &e.corpus.inputs, Rand: e.rand, Mutator: e.mut, Schedule: e.schedule}
	custom := &source.Custom{Corpus: &e.corpus.inputs, Rand: e.rand, Schedule: e.schedule}
	if e.search.tapes {
		e.sources.trim = source.NewTrim(e.cfg.Shape)
		e.sources.all = source.Order(append(slices.Clone(e.cfg.Sources), e.tapes())...)
		return
	}
	mutants := source.Order(fresh, source.Callback(func() source.Source {
		if e.sources.custom {
			return custom
		}
		return mutation
	}))
	if e.cfg.Comparisons != nil {
		e.sources.cmplog = source.NewCmpLog(e.cfg.Comparisons, &e.corpus.inputs, e.cfg.Shape, e.cfg.MaxBytes, e.cfg.Deadly, e.mut.SetOperands)
		mutants = source.Alternate(e.sources.cmplog, mutants, e.cfg.DeterminedDeaths)
	}
	e.sources.trim = source.NewTrim(e.cfg.Shape)
	e.sources.all = source.Order(append(append([]source.Source{e.sources.trim}, e.cfg.Sources...), mutants)...)
}

// tapes returns the guidance's source of tapes, or the default one.
func (e *Engine) tapes() source.Source {
	t := source.Taped{Corpus: &e.corpus.inputs, Rand: e.rand, Schedule: e.schedule, MaxBytes: e.cfg.MaxBytes, Grammar: e.search.form}
	search := e.search.name()
	switch {
	case slices.Contains(e.novelty.guidance, feature.Random):
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
	e.search.draws, e.search.confined = e.cfg.Has(policy.Fresh), true
	own := &source.Tapes{Taped: t, NoFresh: !e.cfg.Has(policy.Fresh), NoSplice: !e.cfg.Has(policy.Splice)}
	if e.cfg.Has(policy.Invalid) {
		own.Accepted = &e.corpus.valid
	}
	if e.cfg.Has(policy.Shortest) && e.cfg.Programs == 1 && e.novelty.keeps {
		e.search.short = &shortest{}
	}
	if e.cfg.Comparisons == nil || !e.cfg.Has(policy.Operands) {
		return own
	}
	if e.search.form != nil {
		e.sources.cmplog = source.NewCmpLog(e.cfg.Comparisons, &e.corpus.inputs, e.cfg.Shape, e.cfg.MaxBytes, e.cfg.Deadly, func([][]byte) {}) // the grammar has the words
		e.sources.cmplog.SetGrammar(e.search.form.Clone())
		return source.Alternate(e.sources.cmplog, own, e.cfg.DeterminedDeaths)
	}
	e.sources.operands = &source.Operands{Taped: t, From: e.cfg.Comparisons, Deadly: map[string]bool{}}
	for _, flat := range e.cfg.Deadly {
		e.sources.operands.Deadly[string(flat)] = true
	}
	return source.Alternate(e.sources.operands, own, e.cfg.DeterminedDeaths)
}
