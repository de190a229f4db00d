package gencheck

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// Report is the result of an examination, in the format of the JSON.
type Report struct {
	Version  int       `json:"version"` // 1
	Seed     uint64    `json:"seed"`
	Inputs   int       `json:"inputs"` // requested inputs per target
	Reruns   int       `json:"reruns"` // requested reruns per site
	Targets  []*Target `json:"targets"`
	Mistakes []Mistake `json:"mistakes"`
	Notes    []string  `json:"notes,omitempty"`

	unmade []unmadeFor
}

// unmadeFor is the failed construction of a generator in a test.
type unmadeFor struct {
	test string
	said *libraryMistake
}

// Target is a property: the end of a FuzzXxx, or a gen.Check of a test.
type Target struct {
	Package string   `json:"package"`
	Name    string   `json:"name"`
	Inputs  int      `json:"inputs"`
	Invalid int      `json:"invalid"` // of these
	Failed  int      `json:"failed"`  // outside of generators
	Choices int      `json:"choices"` // over all inputs
	Runs    int      `json:"runs"`    // of the property
	Sites   []*Site  `json:"sites"`
	Notes   []string `json:"notes,omitempty"`

	said  []libraryMistake
	lines map[place]bool // at which it draws
	why   map[reason]int // counts of invalid inputs by the reason from the property or a filter
}

// reason is the reason why an input is invalid.
type reason struct {
	text string
	at   place
}

// Site is a place at which choices are drawn.
type Site struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Label    string `json:"label"`
	By       string `json:"by"`       // combinators, the outermost first, and the part of the last one
	Kind     string `json:"kind"`     // structural or value, as declared
	Override bool   `json:"override"` // declared by Structural, Value or a tag, not by the combinator
	Values   uint64 `json:"values"`   // number of values that a choice can have; 0 means all of 64 bits
	Draws    int    `json:"draws"`
	Reruns   int    `json:"reruns"`  // with another value at the site, and no other change
	Changed  int    `json:"changed"` // reruns that drew at other sites, or at another depth
	Unclear  int    `json:"unclear"` // further reruns without evidence: they ended early, or drew another value
	// structural if some rerun changed, value if no requested one did, few if there were fewer, and
	// fixed if there is one value
	Evidence string `json:"evidence"`
	// upper bound, at 95 %, on the share of changes that matter, if no rerun has shown one
	Missed float64 `json:"missed"`
}

// Mistake is a mistake with advice.
type Mistake struct {
	Kind    string   `json:"kind"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Label   string   `json:"label,omitempty"`
	By      string   `json:"by,omitempty"`
	Text    string   `json:"text"`
	Targets []string `json:"targets"`
}

// add adds the observations of an input.
func (t *Target) add(l *line) {
	t.said = append(t.said, l.Mistakes...)
	if t.lines == nil {
		t.lines = map[place]bool{}
	}
	for _, at := range l.Lines {
		t.lines[at] = true
	}
	if l.Runs == 0 {
		return // the line is of a run that did not end
	}
	t.Inputs++
	t.Choices += l.Choices
	t.Runs += l.Runs
	if l.Invalid {
		t.Invalid++
		if t.why == nil {
			t.why = map[reason]int{}
		}
		t.why[reason{l.Reason, place{l.File, l.Line}}]++
	}
	if l.Failed {
		t.Failed++
	}
	for _, s := range l.Sites {
		at := t.site(s)
		at.Draws += s.Draws
		at.Reruns += s.Reruns
		at.Changed += s.Changed
		at.Unclear += s.Unclear
		if n := s.Bound + 1; n == 0 || at.Values == 0 && at.Draws > s.Draws {
			at.Values = 0
		} else {
			at.Values = max(at.Values, n)
		}
		t.lines[place{s.File, s.Line}] = true
	}
}

func (t *Target) site(s observedSite) *Site {
	for _, at := range t.Sites {
		if at.where() == s.where && at.Override == s.Override {
			return at
		}
	}
	at := &Site{File: s.File, Line: s.Line, Label: s.Label, By: s.By, Kind: s.Kind, Override: s.Override}
	t.Sites = append(t.Sites, at)
	return at
}

func (s *Site) where() where {
	return where{File: s.File, Line: s.Line, Label: s.Label, By: s.By, Kind: s.Kind}
}

// weigh sets the evidence of the reruns. wanted is the requested number.
func (s *Site) weigh(wanted int) {
	s.Missed = 0
	switch {
	case s.Changed > 0:
		s.Evidence = structural
		return
	case s.Values == 1:
		s.Evidence = fixed
		return
	case s.Reruns >= wanted:
		s.Evidence = value
	default:
		s.Evidence = few
	}
	s.Missed = missedShare(s.Reruns)
}

// missedShare returns the largest share of relevant changes such that n reruns show none in one of
// twenty cases: 1 - 0.05^(1/n). For 59 reruns, it is below 5 %.
func missedShare(n int) float64 {
	if n == 0 {
		return 1
	}
	return math.Round(1e4*(1-math.Pow(0.05, 1/float64(n)))) / 1e4
}

// shorten makes names of files relative to a folder if that is shorter, and sorts.
func (r *Report) shorten(dir string) {
	short := func(file string) string {
		if rel, err := filepath.Rel(dir, file); err == nil && file != "" && len(rel) < len(file) {
			return rel
		}
		return file
	}
	for _, t := range r.Targets {
		for _, s := range t.Sites {
			s.File = short(s.File)
		}
		slices.SortStableFunc(t.Sites, func(a, b *Site) int {
			return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Label, b.Label), strings.Compare(a.By, b.By), strings.Compare(a.Kind, b.Kind))
		})
	}
	for i := range r.Mistakes {
		r.Mistakes[i].File = short(r.Mistakes[i].File)
	}
	slices.SortStableFunc(r.Mistakes, func(a, b Mistake) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Label, b.Label), strings.Compare(a.By, b.By))
	})
}
