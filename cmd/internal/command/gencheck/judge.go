package gencheck

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Kinds of choices and of evidence, as the library names them.
const (
	structural = "structural"
	value      = "value"
	few        = "few"
	fixed      = "fixed"
)

// Kinds of mistakes. The library finds those that occur while a property runs.
const (
	valueMatters     = "value-is-structural"
	structureIdle    = "structural-is-value"
	sharedLabel      = "shared-label"
	neverDrawn       = "never-drawn"
	nondeterministic = "nondeterministic"
	panics           = "panic"
	endless          = "endless"
	hangs            = "timeout"
	memory           = "memory"
	crashes          = "crash"
	drawsNothing     = "draws-nothing"
	allInvalid       = "all-invalid"
)

// judge finds the mistakes in the measurements. A mistake that several targets show counts once.
func (r *Report) judge() {
	r.Mistakes = []Mistake{}
	matters := map[where]bool{} // in some target
	for _, t := range r.Targets {
		for _, s := range t.Sites {
			s.weigh(r.Reruns)
			if s.Changed > 0 {
				matters[s.draw()] = true
				matters[s.where()] = true
			}
		}
	}
	for _, t := range r.Targets {
		for _, s := range t.Sites {
			switch {
			case s.Kind == value && s.Evidence == structural && !s.branchOfCombinator():
				r.mistake(t, Mistake{Kind: valueMatters, File: s.File, Line: s.Line, Label: s.Label, By: s.By, Text: s.adviseOnValue()})
			case s.Kind == structural && s.Evidence == value && !matters[s.where()] && (s.chosen() || s.Override && !matters[s.draw()]):
				r.mistake(t, Mistake{Kind: structureIdle, File: s.File, Line: s.Line, Label: s.Label, By: s.By, Text: s.adviseOnStructure()})
			}
		}
		for _, m := range t.said {
			if text := m.explain(); text != "" {
				r.mistake(t, Mistake{Kind: m.Kind, File: m.File, Line: m.Line, Label: m.Label, By: m.By, Text: text})
			} else {
				t.Notes = append(t.Notes, fmt.Sprintf("the property does not end, in what is no generator%s: the input is left out", placeText(m.File, m.Line)))
			}
		}
		switch {
		case t.Inputs == 0 || len(t.said) > 0:
		case t.Invalid == t.Inputs:
			r.mistake(t, t.invalid())
		case t.Choices == 0:
			r.mistake(t, Mistake{Kind: drawsNothing, Text: "the property draws nothing: draw from its *gen.T what it needs"})
		case t.Invalid+t.Failed == t.Inputs:
			t.Notes = append(t.Notes, "all inputs are invalid or fail: what would be drawn behind the place where they end is not known")
		}
	}
	for _, u := range r.unmade {
		r.mistake(&Target{Name: u.test}, Mistake{Kind: u.said.Kind, File: u.said.File, Line: u.said.Line, Text: u.said.explain()})
	}
	for _, m := range missingDraws(r.Targets) {
		r.mistake(nil, m)
	}
}

// skipped is the library's reason for a property without its own.
const skipped = "skipped"

// invalid returns the mistake of a target without valid inputs. It has the most frequent reason,
// and the place if all these inputs share it.
func (t *Target) invalid() Mistake {
	m := Mistake{Kind: allInvalid}
	var most reason
	for r, n := range t.why {
		if best := t.why[most]; r.text != "" && (n > best || n == best && cmp.Or(cmp.Compare(r.text, most.text), cmp.Compare(r.at.File, most.at.File), cmp.Compare(r.at.Line, most.at.Line)) < 0) {
			most = r
		}
	}
	said := ""
	if most.text != "" {
		if most.text != skipped {
			said = fmt.Sprintf(" (%s)", strings.TrimPrefix(most.text, "gen: "))
		}
		if n := t.why[most]; n < t.Inputs {
			said = fmt.Sprintf(" (%d of them%s: %s)", n, placeText(filepath.Base(most.at.File), most.at.Line), strings.TrimPrefix(most.text, "gen: "))
		} else {
			m.File, m.Line = most.at.File, most.at.Line
		}
	}
	m.Text = fmt.Sprintf("all of %d inputs are invalid, by a filter that nothing passes, Assume or Skip%s: draw what the property wants", t.Inputs, said)
	return m
}

// mistake adds a mistake, or adds a target to an existing one.
func (r *Report) mistake(t *Target, m Mistake) {
	i := slices.IndexFunc(r.Mistakes, func(o Mistake) bool {
		if m.Kind == hangs && o.Kind == hangs && o.File == m.File && slices.Contains(o.Targets, t.Name) {
			return true // another line of the same loop
		}
		return o.Kind == m.Kind && o.File == m.File && o.Line == m.Line && o.Label == m.Label && o.By == m.By && (m.File != "" || t != nil && slices.Contains(o.Targets, t.Name))
	})
	if i < 0 {
		i = len(r.Mistakes)
		m.Targets = []string{}
		r.Mistakes = append(r.Mistakes, m)
	}
	if t != nil && !slices.Contains(r.Mistakes[i].Targets, t.Name) {
		r.Mistakes[i].Targets = append(r.Mistakes[i].Targets, t.Name)
	}
}

// draw returns the draw of a site.
func (s *Site) draw() where { return where{File: s.File, Line: s.Line, Label: s.Label} }

// combinator returns the combinator that draws.
func (s *Site) combinator() string {
	names := strings.Split(s.By, ", ")
	if n := len(names); n > 1 && names[n-1] == "length" {
		return names[n-2]
	}
	return names[len(names)-1]
}

// branchOfCombinator reports whether the site may belong to a combinator that branches: MapOf draws
// another key if one occurs twice.
func (s *Site) branchOfCombinator() bool {
	return strings.HasPrefix(s.By, "MapOf, ") || strings.Contains(s.By, ", MapOf, ")
}

// chosen reports whether the user chose to draw structure at the site, by a combinator for that
// purpose. Lengths, expressions and types draw it too.
func (s *Site) chosen() bool {
	return slices.Contains([]string{"Choose", "Flip", "OneOf", "Optional"}, s.combinator())
}

// adviseOnValue advises on a value that affects later draws.
func (s *Site) adviseOnValue() string {
	text := fmt.Sprintf("it is a value, and what is drawn depends on it: in %d of %d reruns with another value there, other choices were drawn", s.Changed, s.Reruns)
	do := "add .Structural() to the generator"
	switch label := fmt.Sprintf("%q", s.Label); {
	case s.Override && s.combinator() == "Of":
		do = "take the tag value away"
	case s.Override:
		do = "take .Value() away"
	case s.combinator() == "T.IntRange":
		do = "draw it with t.Choose(" + label + ", N)"
	case strings.HasPrefix(s.By, "Of"):
		do = `give the field the tag gen:"structural"`
	case s.By == "Bool":
		do = "draw it with t.Flip(" + label + "), or add .Structural() to the generator"
	}
	return text + ": " + do
}

// adviseOnStructure advises on structure that affects no draws.
func (s *Site) adviseOnStructure() string {
	text := fmt.Sprintf("it is structural, and was never seen to matter: in %d reruns with another value there, the same choices were drawn", s.Reruns)
	do := "add .Value() to the generator"
	switch label := fmt.Sprintf("%q", s.Label); {
	case s.Override && strings.HasPrefix(s.By, "Of"):
		do = "take the tag structural away"
	case s.Override:
		do = "take .Structural() away"
	case s.combinator() == "Choose":
		do = fmt.Sprintf("if no draw depends on it, use t.IntRange(%s, 0, %d)", label, max(s.Values, 1)-1)
	case s.combinator() == "Flip":
		do = "if no draw depends on it, use gen.Bool().Draw(t, " + label + ")"
	case s.combinator() == "OneOf":
		do = "use SampledFrom for values, or add .Value()"
	}
	return text + ": " + do
}

func placeText(file string, line int) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", file, line)
}

// explain describes a mistake with advice. Empty means that it is no mistake of a generator.
func (m *libraryMistake) explain() string {
	switch m.Kind {
	case sharedLabel:
		return fmt.Sprintf("the draws in lines %d and %d share the label %q: a tape may give the value of one to the other. Rename one", m.Line, m.Other, m.Label)
	case nondeterministic:
		if m.Text == "value" {
			return "of the same choices another value is made: does it use the clock, math/rand, the order of a map (in a String method too), or what an earlier input has left? Draw it instead"
		}
		return "with the same choices, other ones are drawn from here on: does the generator use the clock, math/rand, the order of a map, or what an earlier input has left? Draw it instead, and sort keys"
	case panics:
		if m.Unmade {
			return "the generator cannot be made: " + strings.TrimPrefix(m.Text, "gen: ")
		}
		return "the generator panics: " + m.Text
	case endless:
		return "the generator draws without bound: " + strings.TrimPrefix(m.Text, "the generator draws without bound: ") + ". A length or a depth has no end: use Recursive, which gets less likely with depth, or a bound"
	case hangs:
		if !m.Draws {
			return ""
		}
		return "the generator does not end within the time limit (--timeout)"
	case memory:
		return "drawing, or the property, takes more memory than is allowed (--memory): bound what is drawn, and what is made of it"
	case crashes:
		return "the generator ends the process: " + m.Text
	}
	return m.Kind + ": " + m.Text
}
