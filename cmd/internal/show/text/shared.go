package text

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// maxSharers bounds the names of targets and findings in a line.
const maxSharers = 6

// AlsoShown says which other findings have the cause of a target's finding. It returns "" if there
// is none.
func AlsoShown(b *finding.Row, target string) string {
	if len(b.Sharers) == 0 {
		return ""
	}
	inputs := b.Count
	var names []string
	for _, s := range b.Sharers {
		inputs += s.Count
		if name := besides(s.Target, target); s.Target != target && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	all, targets := 1+len(b.Sharers), 1+len(names)
	count := units.Plural(inputs, "input")
	switch {
	case targets == 1:
		return fmt.Sprintf("also shown by %s of this target (%s)", units.Count(all-1, "other finding", "other findings"), count)
	case all > targets:
		count = fmt.Sprintf("%d findings, %s", all, count)
	}
	return fmt.Sprintf("also shown by %s (%d targets, %s)", units.Some(names, maxSharers), targets, count)
}

// LikeAccepted says which accepted finding has the cause of another one. It returns "" if none has.
func LikeAccepted(b *finding.Row) string {
	if b.Known == nil {
		return ""
	}
	return fmt.Sprintf("looks like %s in %s, which is accepted", escape.Text(b.Known.ID), escape.Text(b.Known.Target))
}

// besides returns the name of a target without the package that it shares with another.
func besides(name, other string) string {
	if at := strings.LastIndexByte(name, '.') + 1; strings.HasPrefix(other, name[:at]) {
		return escape.Text(name[at:])
	}
	return escape.Text(name)
}

// CauseOf says which finding lists show for the cause of another one. It returns "" for those that
// they show.
func CauseOf(b *finding.Row) string {
	if b.Shows() {
		return ""
	}
	return fmt.Sprintf("the cause of %s in %s", escape.Text(b.Shower.ID), escape.Text(b.Shower.Target))
}

// shownRows removes the findings from a list that others are shown for, and returns a line for each
// of these others.
func shownRows(list []finding.Row) (left []finding.Row, lines []string) {
	var causes []string
	ids := map[string][]string{}
	for _, b := range list {
		cause := CauseOf(&b)
		if cause == "" {
			left = append(left, b)
			continue
		}
		if ids[cause] == nil {
			causes = append(causes, cause)
		}
		ids[cause] = append(ids[cause], escape.Text(b.ID))
	}
	for _, cause := range causes {
		verb := map[bool]string{true: "has", false: "have"}[len(ids[cause]) == 1]
		lines = append(lines, fmt.Sprintf("%s %s %s: %s", units.Count(len(ids[cause]), "finding", "findings"), verb, cause, units.Some(ids[cause], maxSharers)))
	}
	return left, lines
}

// sharing writes the line for the other findings with the cause of one, or for the one that is
// shown for it.
func (t *table) sharing(indent string, b finding.Row) {
	also := AlsoShown(&b, t.o.Target)
	if as := CauseOf(&b); as != "" {
		also = "has " + as
	}
	for _, text := range []string{also, LikeAccepted(&b)} {
		if text == "" {
			continue
		}
		for _, l := range columns.Fold(text, t.o.Width-len(indent)) {
			t.line(indent + t.paint(faint, l))
		}
	}
}

// sharers lists the other findings with the cause of one.
func sharers(d *document, page paper) {
	if len(page.Sharers) == 0 {
		return
	}
	d.add(headingBlock{2, []span{say("Findings with this cause")}})
	t := tableBlock{head: []string{"bucket", "target", "inputs", "input"}}
	for _, s := range page.Sharers {
		t.rows = append(t.rows, [][]span{{named(s.ID)}, {{s.Target, asPlain}}, {say("%s", units.Thousands(s.Count))}, {{escape.Cut(s.Quoted, 120), asValue}}})
	}
	d.add(t)
}
