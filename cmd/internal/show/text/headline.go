package text

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
)

// Headline counts the findings of a summary, in a line.
func Headline(s *finding.Summary) string {
	var open, accepted, flaky, gone int
	kinds, states, unlisted := map[string]int{}, map[regress.Status]int{}, map[string]int{}
	for i := range s.Findings.Buckets {
		b := &s.Findings.Buckets[i]
		switch status := regress.Status(b.Status); {
		case b.Fixed():
			gone++
		case b.Flaky:
			flaky++
		case b.Accepted:
			accepted++
		case !b.Open():
			states[status]++
			unlisted[b.Status] += other(b)
		default:
			open++
			unlisted[b.Kind] += other(b)
			kinds[b.Kind]++
			if status == regress.StatusNew {
				states[status]++
			}
		}
	}
	text := counted(kinds, states, unlisted)
	if why := s.NotJudged(); s.Mode == "regress" && why != "" {
		text = "not judged: " + escape.Text(why)
	}
	var aside []string
	for _, one := range []struct {
		n    int
		what string
	}{{accepted, "accepted"}, {flaky, "flaky"}, {gone, "of earlier runs gone"}} {
		if one.n > 0 {
			aside = append(aside, fmt.Sprintf("%d %s", one.n, one.what))
		}
	}
	if open+flaky == 0 && s.Flaky > 0 {
		aside = append(aside, units.Plural(s.Flaky, "flaky candidate"))
	}
	if len(aside) > 0 {
		besides := ""
		if open+sum(states) > 0 {
			besides = "not counted: "
		}
		text += " (" + besides + strings.Join(aside, ", ") + ")"
	}
	if n := s.Findings.Unjudged; n > 0 {
		text += ", " + Unjudged(n)
	}
	switch s.Stopped {
	case "interrupted":
		text += ", interrupted"
	case "quiet":
		text += ", nothing new for so long as --until-quiet allows"
	case "error":
		text += ", stopped by an error"
	}
	return text
}

// Answer counts the open findings of several targets in a line.
func Answer(command string, list []*finding.Summary) string {
	with := 0
	kinds := map[string]int{}
	for _, s := range list {
		if s.Open() > 0 {
			with++
		}
		for i := range s.Findings.Buckets {
			if b := &s.Findings.Buckets[i]; b.Open() {
				kinds[b.Kind]++
			}
		}
	}
	text := counted(kinds, nil, nil)
	if with == 0 {
		return fmt.Sprintf("%s: %s in %s", command, text, units.Plural(len(list), "target"))
	}
	return fmt.Sprintf("%s: %s in %d of %s", command, text, with, units.Plural(len(list), "target"))
}

// other returns 1 for a finding that lists leave out, since they show another one for its cause.
func other(b *finding.Row) int {
	if b.Shows() {
		return 0
	}
	return 1
}

// shownOf returns how many of some findings lists show, or "" if they show all.
func shownOf(n, unlisted int) string {
	switch {
	case unlisted == 0:
		return ""
	case unlisted == n:
		return " (not listed)"
	}
	return fmt.Sprintf(" (%d listed)", n-unlisted)
}

// counted counts findings by kind. For two versions, it counts by state the findings that are no
// new failures. unlisted counts those that lists leave out, by kind or state.
func counted(kinds map[string]int, states map[regress.Status]int, unlisted map[string]int) string {
	fresh := ""
	if states[regress.StatusNew] > 0 {
		fresh = "new "
	}
	var parts []string
	for _, k := range Kinds {
		if n := kinds[k.Kind]; n > 0 {
			parts = append(parts, KindName{k.Kind, fresh + k.One, fresh + k.Many}.Count(n)+shownOf(n, unlisted[k.Kind]))
			delete(kinds, k.Kind)
		}
	}
	if rest := sum(kinds); rest > 0 {
		parts = append(parts, units.Plural(rest, "other"))
	}
	switch {
	case len(parts) > 0:
	case len(states) > 0:
		parts = append(parts, "no new failures")
	default:
		parts = append(parts, "no findings")
	}
	for _, k := range []KindName{
		{string(regress.StatusChanged), "change of behavior", "changes of behavior"},
		{string(regress.StatusOld), "old failure", "old failures"},
		{string(regress.StatusFixed), "fixed failure", "fixed failures"},
	} {
		if n := states[regress.Status(k.Kind)]; n > 0 {
			parts = append(parts, k.Count(n)+shownOf(n, unlisted[k.Kind]))
		}
	}
	return strings.Join(parts, ", ")
}

// A KindName has the words that count findings of a kind.
type KindName struct{ Kind, One, Many string }

// Kinds of findings, in the order in which they are printed.
var Kinds = []KindName{
	{"discrepancy", "discrepancy", "discrepancies"},
	{"change", "change", "changes"},
	{"crash", "crash", "crashes"},
	{"failure", "failure", "failures"},
	{"timeout", "timeout", "timeouts"},
	{"oom", "out of memory", "out of memory"},
}

// Count returns the number of findings with the word for the kind.
func (k KindName) Count(n int) string {
	return units.Count(n, k.One, k.Many)
}

func sum[K comparable](m map[K]int) int {
	n := 0
	for _, v := range m {
		n += v
	}
	return n
}
