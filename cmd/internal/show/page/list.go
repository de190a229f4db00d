package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/show/text"
)

// findingRow is a finding in the table.
type findingRow struct {
	N       int    // 0 for a folded one
	To      string // address of the full finding; empty if that is omitted
	ID      string
	Kind    string
	Status  string // "", accepted and whether it came later, gone, fixed, flaky
	State   string // of an open one: "", confirmed, again
	Owner   string
	Link    string // of an issue
	Waits   string // work that is left for the next run; may be empty
	Reason  string
	Word    string // before Reason
	Accepts string // for a failure, the other findings that its acceptance covers
	Input   string
	Size    int
	Groups  []group
	Count   uint64
	First   uint64
	Age     string
	Where   string
	Perhaps bool   // Where may decide nothing
	Program string // of Where
	// Variants is the number of further variants in words, or empty.
	Variants string
	Cause    string // the other findings with its cause, or the one that is shown for it
	Similar  int    // number of findings that fold under it
	Under    []*findingRow
}

// group is the programs with the same result.
type group struct {
	Outcome string
	Class   string
	Result  string
	Names   []string
	Odd     bool
}

// list fills the table of findings and the full findings. Similar ones fold like those of a
// terminal's list, and those whose cause another finding shows.
func (v *campaignView) list(n int, c *Campaign, l *lister, where func(place string) string) {
	room, rows := maxText, 0
	full := map[string]bool{}
	add := func(number int, f *Shown, inFull bool) (*findingRow, *findingView) {
		row := newRow(number, f)
		row.Cause = cmp.Or(text.AlsoShown(&f.Row, c.Summary.Target), text.CauseOf(&f.Row), text.LikeAccepted(&f.Row))
		if rows++; len(full) >= maxFindings || room <= 0 || !inFull {
			return row, nil
		}
		view := newFinding(c, f, l, where)
		view.Row, view.ID, view.Open = row, findingID(n, f.Row.ID), len(c.Findings) <= 3
		row.To = "#" + view.ID
		room -= view.weight()
		full[view.ID] = true
		return row, view
	}
	shows := func(f Shown) bool { return f.Row.Shows() }
	own := slices.DeleteFunc(slices.Clone(c.Findings), func(f Shown) bool { return !shows(f) })
	leaders, folded := finding.Leaders(own, func(f Shown) (id, under string) { return f.Row.ID, f.Row.Under })
	var all []*findingView
	for i := range leaders {
		if rows >= maxRows {
			break
		}
		row, view := add(i+1, &leaders[i], true)
		v.Rows = append(v.Rows, row)
		if view != nil {
			v.Findings = append(v.Findings, view)
			all = append(all, view)
		}
		under := folded[leaders[i].Row.ID]
		for k := range under {
			if rows >= maxRows {
				break
			}
			r, f := add(0, &under[k], view != nil)
			row.Under = append(row.Under, r)
			if f != nil {
				f.Open = false
				view.Under = append(view.Under, f)
				all = append(all, f)
			}
		}
		row.Similar = len(under)
	}
	for _, f := range slices.DeleteFunc(slices.Clone(c.Findings), shows) {
		if rows >= maxRows {
			break
		}
		row, view := add(0, &f, true)
		v.Elsewhere = append(v.Elsewhere, row)
		if view != nil {
			view.Open = false
			v.Folded = append(v.Folded, view)
			all = append(all, view)
		}
	}
	v.MoreRows = len(c.Findings) - rows
	for _, f := range all {
		for i := range f.Similar {
			if to := findingID(n, f.Similar[i].bucket); full[to] {
				f.Similar[i].To = "#" + to
			}
		}
	}
	if left := len(c.Findings) - len(all); left > 0 {
		v.MoreText = fmt.Sprintf("%s further findings are left out to keep the page small: parallax show BUCKET shows them.", thousands(left))
	}
}

func findingID(campaign int, bucket string) string {
	return fmt.Sprintf("c%d-%s", campaign, anchor(bucket))
}

func newRow(n int, f *Shown) *findingRow {
	r := rowOf(n, &f.Row, programNames(f.Record))
	r.Input, r.Size = quoted(f.Record), len(f.Record.Minimized)
	return r
}

// rowOf returns the row of a bucket without its record.
func rowOf(n int, b *finding.Row, programs []string) *findingRow {
	r := &findingRow{
		N: n, ID: escape.Text(b.ID), Kind: kindOf(b), Input: escape.Text(cmp.Or(b.Named, b.Quoted)), Count: b.Count, First: b.FirstSeen,
		Word: "A" + text.Accepted(b.NewVariant)[1:], Accepts: escape.Text(b.Accepts), Groups: groups(b, programs), Where: shortPlace(b.Location), Reason: escape.Text(b.Reason),
		Owner: escape.Text(b.Owner), Link: b.Link,
	}
	if b.Location == "" {
		r.Where = ""
	}
	if n := len(b.Variants); n > 0 {
		r.Variants = "and " + units.Plural(uint64(n), "variant")
	}
	r.Perhaps = r.Where != "" && slices.ContainsFunc(b.Doubtful, func(p string) bool { return b.Deciding[p] == b.Location })
	switch {
	case b.Gone:
		r.Status = "gone"
	case b.Fixed():
		r.Status = string(history.Fixed)
	case b.Flaky:
		r.Status = "flaky"
	case b.Accepted:
		r.Status = text.Accepted(b.NewVariant)
	case b.State == string(history.Confirmed), b.State == string(history.Again):
		r.State = b.State
	}
	var waits []string
	if b.Unminimized {
		waits = append(waits, text.NotMinimized)
	}
	if b.Older {
		waits = append(waits, finding.OlderSources)
	}
	r.Waits = strings.Join(waits, ", ")
	r.Age = moment(b.FirstSeenTime)
	return r
}

// quoted returns the beginning of a finding's smallest input. Escapes and several arguments make it
// longer than the quoted text.
func quoted(f *finding.Finding) string {
	for limit := 160; ; limit /= 2 {
		if text := escape.Text(f.Quote(limit)); len(text) <= 200 || limit < 10 {
			return text
		}
	}
}

func programNames(f *finding.Finding) []string {
	var names []string
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	return names
}

func kindOf(b *finding.Row) string {
	if b.Layer != "" && b.Layer != "verdict" {
		return escape.Text(b.Layer + " " + b.Kind)
	}
	return escape.Text(b.Kind)
}

// groups groups programs by their results, the largest group first.
func groups(b *finding.Row, names []string) []group {
	var list []group
	for _, name := range names {
		g := group{
			Outcome: escape.Text(finding.Outcome(b.Kind, b.Outcomes[name])), Result: b.Excerpt(name, 90),
			Odd: slices.Contains(b.Odd, name),
		}
		g.Class = outcomeClass(b.Outcomes[name])
		i := slices.IndexFunc(list, func(o group) bool { return o.Outcome == g.Outcome && o.Result == g.Result && o.Odd == g.Odd })
		if i < 0 {
			i = len(list)
			list = append(list, g)
		}
		if len(names) > 1 {
			list[i].Names = append(list[i].Names, escape.Text(name))
		}
	}
	slices.SortStableFunc(list, func(a, b group) int { return len(b.Names) - len(a.Names) })
	return list
}

// outcomeClass returns the CSS class of an outcome.
func outcomeClass(outcome string) string {
	switch outcome {
	case "accepted", "rejected", "declined", "crashed", "timeout", "oom":
		return outcome
	}
	return "declined"
}
