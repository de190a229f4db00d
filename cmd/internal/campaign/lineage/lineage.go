// Package lineage derives the origins of inputs. The live campaign records its corpus here, and
// asks for the origin of each finding.
package lineage

import (
	"bytes"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
)

// Lineage records the origins of a campaign's inputs.
type Lineage struct {
	shape input.Shape
	seeds map[string]string // the origin of a seed, by its hash
	made  map[string]made   // the corpus, by hash
	// From returns the member of a fleet that found an input. It is empty for own inputs.
	From func(hash string) string
}

// made records the origin of an input of the corpus.
type made struct {
	parent string // empty if it was not made from another input
	from   string // the origin of a seed
	member string // of a fleet, whose campaign found it
}

// New returns the lineage of a campaign with the given seeds.
func New(shape input.Shape, seeds []corpus.Seed) *Lineage {
	l := &Lineage{shape: shape, From: func(string) string { return "" }, seeds: map[string]string{}, made: map[string]made{}}
	for _, s := range seeds {
		l.seeds[hashOf(shape, s.Flat)] = s.From
	}
	return l
}

// Keep records an input of the corpus.
func (l *Lineage) Keep(hash string, m corpus.Meta) { l.made[hash] = made{m.Parent, m.From, m.Member} }

// Describe sets the origin in the metadata of an input that was not made from another one.
func (l *Lineage) Describe(hash string, m *corpus.Meta) {
	m.From, m.Member = l.seeds[hash], l.From(hash)
}

// seed returns the origin of an input if it is a seed.
func (l *Lineage) seed(hash string) (from string, ok bool) {
	if from, ok = l.seeds[hash]; !ok {
		from = l.made[hash].from
	}
	return from, ok || from != ""
}

// origin returns the origin of an input that was made from parent. A nil parent means that it was
// made from no other input.
func (l *Lineage) origin(flat, parent []byte) string {
	at, steps := hashOf(l.shape, flat), 0
	if from, ok := l.seed(at); ok {
		return finding.SeedOrigin(from)
	}
	if _, kept := l.made[at]; !kept {
		if member := l.From(at); member != "" {
			return finding.MemberOrigin(member, 0)
		}
		if parent == nil {
			return finding.Fuzzed
		}
		at, steps = hashOf(l.shape, parent), 1
	}
	for range len(l.made) + 1 { // edited files may form a cycle
		if from, ok := l.seed(at); ok {
			return finding.MutatedOrigin(from, steps)
		}
		m, kept := l.made[at]
		switch {
		case !kept:
			return finding.MutatedOrigin("an input whose origin is not on record", steps)
		case m.member != "":
			return finding.MemberOrigin(m.member, steps)
		case m.parent == "" && steps == 0:
			return finding.Fuzzed
		case m.parent == "":
			return finding.MutatedOrigin("", steps)
		}
		at, steps = m.parent, steps+1
	}
	return ""
}

// Origins returns the origins of a finding's input, and of the minimized one if that is a seed.
func (l *Lineage) Origins(f *triage.Result, c *finding.Candidate) (found, minimized string) {
	parent := c.Parent
	if len(c.Flat) > 0 && !bytes.Equal(c.Flat, f.Flat) { // taken from an input with several causes
		from := hashOf(l.shape, c.Flat)
		_, isSeed := l.seed(from)
		if _, kept := l.made[from]; kept || isSeed {
			parent = c.Flat
		}
	}
	found = l.origin(f.Flat, parent)
	if from, ok := l.seed(hashOf(l.shape, f.Minimized)); ok {
		minimized = finding.SeedOrigin(from)
	}
	return found, minimized
}

func hashOf(shape input.Shape, flat []byte) string { return corpus.Hash(shape.Encode(flat)) }
