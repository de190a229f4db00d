// Package causes decides whether two disagreements have one cause. It compares their symptoms on a
// small input. These are the outcomes, the places where the programs decide, the bytes without
// which all programs accept, and the returned errors. Between versions of one program, it compares
// the changes that made the difference.
//
// Invariants: the answer depends on the two disagreements only, and not on their order. Symptoms
// hold no line numbers, versions or paths, so stored ones keep their meaning after edits elsewhere.
package causes

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parallax/internal/oracle"
)

// Symptoms holds the observed properties of a disagreement that depend on its cause.
type Symptoms struct {
	Layer     string   `json:"layer"`
	Outcomes  []string `json:"outcomes"`            // by program
	Equal     []int    `json:"equal,omitempty"`     // if values disagree: for each program the first one with its value
	Failing   []int    `json:"failing,omitempty"`   // errors of a test's calls, compared with the first program: 1 for more, -1 for fewer, 2 for others
	Change    string   `json:"change,omitempty"`    // between versions, the hash of the change
	Vague     bool     `json:"vague,omitempty"`     // several causes are possible: a large change, or other changes that may make the difference too
	Weak      bool     `json:"weak,omitempty"`      // at least as many agreeing inputs reach the best place of each program, or accepting separates as well
	Functions []string `json:"functions,omitempty"` // by program, the function that separates best, if it does so nearly as well as any; else empty
	Classes   []string `json:"classes,omitempty"`   // of errors, by program; may be empty
	Edits     []string `json:"edits,omitempty"`     // kinds of bytes without which all programs accept, sorted
	Cost      string   `json:"cost,omitempty"`      // if costs differ: blocks or bytes
	Turns     []string `json:"turns,omitempty"`     // if one program accepts: kinds of bytes whose deletion makes it reject like all others, sorted
	Changed   string   `json:"changed,omitempty"`   // the changed function or declaration, with its package
	Rejects   []string `json:"rejects,omitempty"`   // if one program rejects: the ends of the check that fails and of its caller
	Checks    []string `json:"checks,omitempty"`    // by program, the end of the check at which it rejects, if that is certain; else empty
	Parts     []string `json:"parts,omitempty"`     // if values disagree, between versions or where places are weak: the parts of the values that differ, as of Parts, sorted
	Ways      []string `json:"ways,omitempty"`      // if values disagree, but not between versions: how the parts differ, as of Ways
}

// Changes reports whether the change is known.
func (s *Symptoms) Changes() bool { return s != nil && s.Change != "" }

// SameCause reports whether two disagreements of the same programs are attributed to one cause.
// They must agree in the outcomes and in the errors of a test's calls, or, if costs differ, in the
// kind of cost. Moreover, they must agree
//
//   - between versions, in the change, if it is certain for both;
//   - if one change is vague, or between other programs, in all errors and in one kind of bytes
//     without which all programs accept. If no such kind is a single character, the functions that
//     decide in the rejecting programs must not all differ. Alternatively, they agree for some
//     program in the function that separates best, in all errors, and in half of those kinds of
//     bytes. If a common kind is a single character, the error of one rejecting program suffices. A
//     single program that rejects must then fail the same check, and a single one of
//     several that accepts must do so in the same function. Within one change, a
//     common kind that is a single character replaces the error. Alternatively, for other programs,
//     one accepts and all others reject. Then half of the kinds of bytes whose deletion makes it
//     reject are common, among them a single character, and some rejecting program returns the same
//     error. Either both have bytes without which all accept, or neither has. Where no place
//     separates well, all errors must agree in each case. The failed checks, if they are known, must
//     not differ in each program that rejects, unless one and the same character is the only kind;
//   - if both changes are vague, in all errors, for some program in the function, and in half of
//     the kinds of bytes. If no program rejects, they agree in all functions and kinds of bytes;
//   - if a change is vague and values disagree, in one of their parts. If no function separates
//     inputs then, half of the kinds of bytes suffice, with all blanks as one kind;
//   - between other programs, where places separate badly and values disagree, in one of their
//     parts, or in all kinds of bytes, among them one other than digits and letters.
//
// Errors agree if their classes are alike. Kinds of bytes that contain another kind of the same
// disagreement do not count.
func (s *Symptoms) SameCause(other *Symptoms) bool {
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
	if s.partsApart(other) && (s.Change != "" || !edits.same || !edits.telling) {
		return false
	}
	if s.Change == "" && other.Change == "" && !(edits.only && edits.special) && s.certainChecksDiffer(other) {
		return false
	}
	some, all := s.errors(other)
	if (s.Weak || other.Weak) && s.Layer == oracle.VerdictLayer.String() {
		some = all // the places are no evidence
	}
	where := shareEntry(s.Functions, other.Functions)
	switch {
	case s.Change != other.Change && slices.Contains(s.Outcomes, oracle.Rejected.String()):
		return edits.half && edits.common && where && all
	case s.Change != other.Change:
		return edits.same && edits.common && where && slices.Equal(s.Functions, other.Functions)
	}
	if turns := overlap(s.Turns, other.Turns); s.Change == "" && some && turns.special && turns.half && (len(s.Edits) > 0) == (len(other.Edits) > 0) {
		return true
	}
	if s.Blind() && other.Blind() && len(s.Parts) > 0 && len(other.Parts) > 0 {
		return overlap(blanks(s.Edits), blanks(other.Edits)).half
	}
	if edits.common && all && (edits.special || !s.apart(other)) {
		return true
	}
	alike := all || some && (edits.special || !slices.Contains(s.Outcomes, oracle.Rejected.String()))
	return edits.half && where && !s.apart(other) && !s.otherCheck(other) && !s.otherAcceptance(other) && (alike || s.Change != "" && edits.special)
}

// apart reports whether the functions that decide in the rejecting programs are known and differ
// in each of them.
func (s *Symptoms) apart(other *Symptoms) (apart bool) {
	for p := range min(len(s.Functions), len(other.Functions), len(s.Outcomes)) {
		a, b := s.Functions[p], other.Functions[p]
		if s.Outcomes[p] != oracle.Rejected.String() || a == "" || b == "" {
			continue
		}
		if apart = a != b; !apart {
			return false
		}
	}
	return apart
}

// otherCheck reports whether the only program that rejects fails another check.
func (s *Symptoms) otherCheck(other *Symptoms) bool {
	return len(s.Rejects) > 0 && len(other.Rejects) > 0 &&
		!slices.ContainsFunc(s.Rejects, func(end string) bool { return slices.Contains(other.Rejects, end) })
}

// certainChecksDiffer reports whether the failed checks of rejecting programs are known, and differ
// in each of them. If a single program rejects, a check that is certain for one disagreement must
// at least be among the possible ones of the other.
func (s *Symptoms) certainChecksDiffer(other *Symptoms) (differ bool) {
	for p := range max(len(s.Checks), len(other.Checks)) {
		a, b := at(s.Checks, p), at(other.Checks, p)
		switch {
		case a != "" && b != "":
			differ = a != b
		case a != "" && len(other.Rejects) > 0:
			differ = !slices.Contains(other.Rejects, a)
		case b != "" && len(s.Rejects) > 0:
			differ = !slices.Contains(s.Rejects, b)
		default:
			continue
		}
		if !differ {
			return false
		}
	}
	return differ
}

// at returns an element of a list, or "" beyond its end.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// otherAcceptance reports whether the only one of several programs that accepts does so in another
// function.
func (s *Symptoms) otherAcceptance(other *Symptoms) bool {
	alone := -1
	for p, o := range s.Outcomes {
		switch {
		case o == oracle.Rejected.String():
		case o != oracle.Accepted.String() || alone >= 0:
			return false
		default:
			alone = p
		}
	}
	if len(s.Outcomes) < 3 || alone < 0 || alone >= min(len(s.Functions), len(other.Functions)) {
		return false
	}
	a, b := s.Functions[alone], other.Functions[alone]
	return a != "" && b != "" && a != b
}

// DifferentChanges reports whether two disagreements between versions come from different changes.
func (s *Symptoms) DifferentChanges(other *Symptoms) bool {
	return s != nil && other != nil && s.Change != "" && other.Change != "" && s.Change != other.Change && !s.SameCause(other)
}

// errors reports whether some or all of the rejecting programs return errors of the same class.
// If no program rejects or gives a
// reason, some is true and all is false.
func (s *Symptoms) errors(other *Symptoms) (some, all bool) {
	rejecting, same := 0, 0
	for p, o := range s.Outcomes {
		if p >= min(len(s.Classes), len(other.Classes)) { // not a record of parallax
			break
		}
		if o == oracle.Rejected.String() && s.Classes[p]+other.Classes[p] != "" {
			if rejecting++; similarClasses(s.Classes[p], other.Classes[p]) {
				same++
			}
		}
	}
	return same > 0 || rejecting == 0, same > 0 && same == rejecting
}

// alikeWords is the part of the words of two messages that must be common. It allows for messages
// that differ only in the place. For example, "did not find expected key" and "line <n>: did not
// find expected key" share six of seven words.
const alikeWords = 0.8

// similarClasses reports whether two classes of errors have one type and nearly the same message.
func similarClasses(a, b string) bool {
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

// words returns the words of a message, without the numbers and quoted parts that its class
// replaces.
func words(class string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(strings.NewReplacer("<n>", " ", "<q>", " ").Replace(class)), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		found[w] = true
	}
	return found
}

// shareEntry reports whether two lists have the same entry at some place.
func shareEntry(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != "" && a[i] == b[i] {
			return true
		}
	}
	return false
}

// overlapping describes the common part of two sets of kinds of bytes.
type overlapping struct {
	common  bool // not empty
	special bool // has a kind that is a single character
	telling bool // has a kind that is neither digits nor letters
	half    bool // has at least half of the union, also of two empty sets
	same    bool // the sets are equal
	only    bool // the sets are one and the same kind
}

func overlap(a, b []string) (o overlapping) {
	a, b = minimalKinds(a), minimalKinds(b)
	both := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			both++
			o.special = o.special || len(x) == 1 && !strings.Contains("9au^", x)
			o.telling = o.telling || len(x) == 1 && !strings.Contains("9a", x)
		}
	}
	either := len(a) + len(b) - both
	o.common, o.half, o.same = both > 0, 2*both >= either, both == either
	o.only = o.same && both == 1
	return o
}

// minimalKinds returns the kinds that contain no other kind of the list: if deleting a digit
// suffices, deleting a digit and a sign adds nothing.
func minimalKinds(kinds []string) (minimal []string) {
	for _, k := range kinds {
		if !slices.ContainsFunc(kinds, func(o string) bool { return o != k && o != "" && strings.Contains(k, o) }) {
			minimal = append(minimal, k)
		}
	}
	return minimal
}

// Kind returns the kind of a piece of an input. Digits are 9, ASCII letters a, other non-ASCII
// bytes u, control characters except blanks ^, all else itself. A run of one kind counts once.
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

// ID names the cause of a disagreement between versions. It depends on the programs without their
// versions, their difference and the change. For a vague change it also depends on functions,
// errors, parts of values, and the kinds of bytes of Looks if no place separates well.
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
		if s.Blind() || s.Weak {
			parts = append(parts, s.Looks()...)
		} else if s.Looks() != nil {
			parts = append(parts, s.Parts...)
		}
	}
	return BucketID(parts...)
}

// Unversioned returns the name of a program without its version.
func Unversioned(name string) string {
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		return name[:at]
	}
	return name
}
