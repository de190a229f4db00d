package causes

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/myers"
)

// Evidence describes a finding between versions for a comparison with those of other targets. These
// run other functions, which show one change in different results. So only the change, the way to
// differ, the fields and the texts of the input can be compared.
type Evidence struct {
	ID       string            // of the bucket
	Change   string            // hash of the change that the finding is attributed to; empty means not known
	Kind     string            // of the finding
	Status   string            // of both versions
	Outcomes map[string]string // by program
	Layer    string            // of a disagreement
	Symptoms *Symptoms         // of a disagreement; nil for failures
	Form     string            // of the difference of values, as of DifferenceForm
	Place    string            // of a failure, its line
	Class    string            // of a failure, its message without numbers and quoted parts
	Texts    [][]byte          // the texts of the minimized input, or all arguments if there is none
}

// SameCause reports whether findings of two targets are attributed to one cause. They must have one
// known change, and agree in kind, status and outcomes. Then buckets with one id have one cause.
// Failures with other ids must share the line and the message. Disagreements with other ids must
// share a field, if fields are known of both, and meet one of these conditions:
//
//   - their symptoms have one cause;
//   - or the inputs are nearly equal;
//   - or the same kinds of bytes make the difference, among them a single character;
//   - or the values differ in the same fields and in one form, and some kind of bytes makes the
//     difference in both.
func (e *Evidence) SameCause(other *Evidence) bool {
	switch {
	case e == nil || other == nil || e.Change == "" || other.Change == "":
		return false
	case e.Kind != other.Kind || e.Layer != other.Layer || e.Status != other.Status || !maps.Equal(e.Outcomes, other.Outcomes):
		return false
	case e.Change != other.Change:
		return false
	case e.ID == other.ID:
		return true
	case e.Layer == "":
		return e.Place != "" && e.Place == other.Place && e.Class == other.Class
	case e.Symptoms == nil || other.Symptoms == nil:
		return false
	}
	s, o := e.Symptoms.anywhere(), other.Symptoms.anywhere()
	edits := overlap(s.Edits, o.Edits)
	switch {
	case s.partsApart(o) || s.Cost != o.Cost:
		return false
	case s.SameCause(o) || nearlyEqual(e.Texts, other.Texts) || edits.same && edits.special:
		return true
	}
	return e.Form == other.Form && len(s.Parts) > 0 && slices.Equal(s.Parts, o.Parts) && edits.common
}

// anywhere returns the symptoms without what depends on the target: the names and results of its
// calls. Parts without a field are left out.
func (s *Symptoms) anywhere() *Symptoms {
	any := *s
	any.Parts, any.Failing = nil, nil
	for _, part := range s.Parts {
		if at := strings.LastIndexByte(part, '.'); at > strings.LastIndexByte(part, ' ') && !slices.Contains(any.Parts, part[at:]) {
			any.Parts = append(any.Parts, part[at:])
		}
	}
	slices.Sort(any.Parts)
	return &any
}

// nearly is the least part of the longer of two texts that nearly equal ones have in common.
const nearly = 0.75

// nearlyEqual reports whether the texts of two inputs are equal in all but one place, and in three
// quarters of the longer one.
func nearlyEqual(a, b [][]byte) bool {
	x, y := bytes.Join(a, []byte{0}), bytes.Join(b, []byte{0})
	longer := max(len(x), len(y))
	if longer == 0 {
		return true
	}
	head, tail := myers.Ends(x, y)
	return float64(head+tail) >= nearly*float64(longer)
}
