// Package causes owns the question whether two disagreements have one cause. What a small input shows of it are its symptoms: how outcomes
// differ, where the programs decide, which bytes have to go for all to accept, and which errors are returned. Between versions of one
// program it is the change that made the difference.
//
// Invariants: the answer depends on the two alone, and is the same whichever way they are put; symptoms hold no line numbers, no versions
// and no paths, so that those on record mean the same after edits elsewhere.
package causes

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parallax/internal/oracle"
)

// Symptoms are what a disagreement shows of its cause.
type Symptoms struct {
	Layer     string   `json:"layer"`
	Outcomes  []string `json:"outcomes"`            // by program
	Equal     []int    `json:"equal,omitempty"`     // where values disagree: for each program the first one with its value
	Failing   []int    `json:"failing,omitempty"`   // of calls that a test makes: for each program 1 if more return errors than in the first one, -1 if fewer, 2 if others
	Change    string   `json:"change,omitempty"`    // between versions, the hash of what was changed
	Vague     bool     `json:"vague,omitempty"`     // it may be several causes: much was changed, or other changes may have made the difference
	Functions []string `json:"functions,omitempty"` // by program, the function that separates best, where it does so nearly as well as any; ""
	Classes   []string `json:"classes,omitempty"`   // of errors, by program; ""
	Edits     []string `json:"edits,omitempty"`     // kinds of bytes without which all programs accept, sorted
	Cost      string   `json:"cost,omitempty"`      // where costs differ: blocks or bytes
	Turns     []string `json:"turns,omitempty"`     // kinds of bytes whose deletion has the one program that accepts reject as all others do, sorted
	Changed   string   `json:"changed,omitempty"`   // the function, or declaration, that was changed, with its package
}

// Changes reports whether it is known what was changed.
func (s *Symptoms) Changes() bool { return s != nil && s.Change != "" }

// One reports whether two disagreements of the same programs are put down to one cause. Their outcomes must be the same, errors of the
// calls that a test makes among them, or, where costs differ, what of them does, and
//
//   - between versions, what was changed, if that is sure for both;
//   - where one change is vague, or between others, the errors of all programs and one kind of bytes without which all programs accept; or
//     else for some program the function that separates best, for some program that rejects its error, and half of those kinds of bytes.
//     In one change, a character by itself among these kinds does for the error. Or one program accepts what all others reject, half of
//     the kinds of bytes are common whose deletion has it reject as they do, a character by itself among them, and some program that
//     rejects returns its error: others may say what it is that the first does not see;
//   - where two changes are vague, the errors of all programs, for some program the function, and half of the kinds of bytes, or, if no
//     program rejects, all functions and kinds of bytes.
//
// Errors are the same if their classes are alike. Kinds of bytes are compared without those that hold another one of the same disagreement.
func (s *Symptoms) One(other *Symptoms) bool {
	switch {
	case s == nil || other == nil || s.Layer != other.Layer || s.Cost != other.Cost || !slices.Equal(s.Equal, other.Equal) || !slices.Equal(s.Failing, other.Failing):
		return false
	case s.Cost == "" && !slices.Equal(s.Outcomes, other.Outcomes):
		return false
	case s.Layer == oracle.ClassLayer.String() && !slices.Equal(s.Classes, other.Classes):
		return false
	case s.Change == other.Change && s.Change != "" && !s.Vague && !other.Vague:
		return true
	case s.Change != other.Change && (s.Change == "" || other.Change == "" || !s.Vague || !other.Vague):
		return false
	}
	edits := overlap(s.Edits, other.Edits)
	some, all := s.errors(other)
	where := share(s.Functions, other.Functions)
	switch {
	case s.Change != other.Change && slices.Contains(s.Outcomes, oracle.Rejected.String()):
		return edits.half && edits.common && where && all
	case s.Change != other.Change:
		return edits.same && edits.common && where && slices.Equal(s.Functions, other.Functions)
	}
	if turns := overlap(s.Turns, other.Turns); s.Change == "" && some && turns.special && turns.half {
		return true
	}
	return edits.common && all || edits.half && where && (some || s.Change != "" && edits.special)
}

// Apart reports whether two disagreements between versions come from different changes.
func (s *Symptoms) Apart(other *Symptoms) bool {
	return s != nil && other != nil && s.Change != "" && other.Change != "" && s.Change != other.Change && !s.One(other)
}

// errors reports whether some of the programs that reject, and all of them, return errors of the same class. Where none rejects, or says why,
// errors tell nothing.
func (s *Symptoms) errors(other *Symptoms) (some, all bool) {
	rejecting, same := 0, 0
	for p, o := range s.Outcomes {
		if p >= min(len(s.Classes), len(other.Classes)) { // not what parallax wrote
			break
		}
		if o == oracle.Rejected.String() && s.Classes[p]+other.Classes[p] != "" {
			if rejecting++; alike(s.Classes[p], other.Classes[p]) {
				same++
			}
		}
	}
	return same > 0 || rejecting == 0, same > 0 && same == rejecting
}

// alikeWords is how many of the words of two messages must be in both, for messages that differ in little but where they were raised:
// "did not find expected key" and "line <n>: did not find expected key" share six of seven.
const alikeWords = 0.8

// alike reports whether two classes of errors are of one type and say nearly the same.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	kind, said, _ := strings.Cut(a, "\n")
	other, also, _ := strings.Cut(b, "\n")
	if kind != other {
		return false
	}
	x, y := words(said), words(also)
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return both > 0 && float64(both) >= alikeWords*float64(len(x)+len(y)-both)
}

// words are those of a message, without numbers and quoted parts that its class has taken out.
func words(class string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(strings.NewReplacer("<n>", " ", "<q>", " ").Replace(class)), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		found[w] = true
	}
	return found
}

// share reports whether two lists have the same entry at some place.
func share(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != "" && a[i] == b[i] {
			return true
		}
	}
	return false
}

// overlapping is what two sets of kinds of bytes have in common.
type overlapping struct {
	common  bool // something
	special bool // a character that is a kind by itself
	half    bool // at least half of what is in either, which it is of two empty ones
	same    bool // all
}

func overlap(a, b []string) (o overlapping) {
	a, b = least(a), least(b)
	both := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			both++
			o.special = o.special || len(x) == 1 && !strings.Contains("9au^", x)
		}
	}
	either := len(a) + len(b) - both
	o.common, o.half, o.same = both > 0, 2*both >= either, both == either
	return o
}

// least are the kinds that hold no other one of them: if it is enough to take out a digit, a digit and a sign say nothing more.
func least(kinds []string) (least []string) {
	for _, k := range kinds {
		if !slices.ContainsFunc(kinds, func(o string) bool { return o != k && o != "" && strings.Contains(k, o) }) {
			least = append(least, k)
		}
	}
	return least
}

// Kind is the kind of a piece of an input: digits are 9, ASCII letters a, what is not ASCII u, control characters but blanks ^, all else
// itself, runs of one kind once.
func Kind(piece string) string {
	var out strings.Builder
	last := byte(0)
	for _, c := range []byte(piece) {
		k := c
		switch {
		case c >= 0x80:
			k = 'u'
		case '0' <= c && c <= '9':
			k = '9'
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			k = 'a'
		case c == 0 || c == '\t' || c == '\n' || c == '\r':
		case c < ' ' || c == 0x7f:
			k = '^'
		}
		if out.Len() == 0 || k != last {
			out.WriteByte(k)
			last = k
		}
	}
	return out.String()
}

// ID names the cause of a disagreement between versions: by the programs without their versions, how they differ and what was changed, and
// where that is vague, by functions and errors.
func (s *Symptoms) ID(programs []string) string {
	parts := []string{"change", s.Layer, s.Change}
	if s.Cost != "" { // whatever the programs do with the input
		parts, programs = append(parts, s.Cost), nil
	}
	for p, name := range programs {
		parts = append(parts, Unversioned(name), s.Outcomes[p])
		if p < len(s.Equal) {
			parts = append(parts, strconv.Itoa(s.Equal[p]))
		}
		if p < len(s.Failing) {
			parts = append(parts, "errors", strconv.Itoa(s.Failing[p]))
		}
		if s.Layer == oracle.ClassLayer.String() {
			parts = append(parts, s.Classes[p])
		}
	}
	if s.Vague {
		parts = append(append(parts, s.Functions...), s.Classes...)
	}
	return BucketID(parts...)
}

// Unversioned is the name of a program without the version behind it.
func Unversioned(name string) string {
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		return name[:at]
	}
	return name
}
