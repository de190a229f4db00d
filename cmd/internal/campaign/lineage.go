package campaign

import (
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/report"
	"parallax/internal/input"
)

// lineage is where the inputs of a campaign are from.
type lineage struct {
	shape input.Shape
	seeds map[string]string // where a seed is from, by its hash
	made  map[string]made   // the corpus, by hash
}

// made is how an input of the corpus was made.
type made struct {
	parent string // "": of no other
	from   string // of a seed
}

func newLineage(shape input.Shape, seeds []corpus.Seed) *lineage {
	l := &lineage{shape: shape, seeds: map[string]string{}, made: map[string]made{}}
	for _, s := range seeds {
		l.seeds[hashOf(shape, s.Flat)] = s.From
	}
	return l
}

// keep takes an input of the corpus.
func (l *lineage) keep(hash string, m corpus.Meta) { l.made[hash] = made{m.Parent, m.From} }

// seed returns where an input is from if it is a seed.
func (l *lineage) seed(hash string) (from string, ok bool) {
	if from, ok = l.seeds[hash]; !ok {
		from = l.made[hash].from
	}
	return from, ok || from != ""
}

// of returns the origin of an input that was made of parent; nil: of no other.
func (l *lineage) of(flat, parent []byte) string {
	at, steps := hashOf(l.shape, flat), 0
	if from, ok := l.seed(at); ok {
		return report.SeedOrigin(from)
	}
	if _, kept := l.made[at]; !kept {
		if parent == nil {
			return report.Fuzzed
		}
		at, steps = hashOf(l.shape, parent), 1
	}
	for range len(l.made) + 1 { // files that were written by others may form a circle
		if from, ok := l.seed(at); ok {
			return report.MutatedOrigin(from, steps)
		}
		m, kept := l.made[at]
		switch {
		case !kept:
			return report.MutatedOrigin("an input whose origin is not on record", steps)
		case m.parent == "" && steps == 0:
			return report.Fuzzed
		case m.parent == "":
			return report.MutatedOrigin("", steps)
		}
		at, steps = m.parent, steps+1
	}
	return ""
}

// origins returns the origins of a finding's input, and of the minimized one if that is a seed.
func (l *lineage) origins(f *triage.Finding, c *triage.Candidate) (found, minimized string) {
	found = l.of(f.Flat, c.Parent)
	if from, ok := l.seed(hashOf(l.shape, f.Minimized)); ok {
		minimized = report.SeedOrigin(from)
	}
	return found, minimized
}
