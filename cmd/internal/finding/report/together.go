package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/regress"
)

// Together is how many change points of one change were executed by any of several targets, and the places that none executed. It has the
// fields Points, Covered, NotJudged, Reached and NotReached, without numbers of inputs. It is nil where fewer than two targets know of a change, or where
// they know of different ones.
//
// Targets name change points by their places. Of several points at one place as many count as one of the targets has executed.
func Together(list []*Summary) *Change {
	type place struct {
		covered, start int // start: of covered
		judged         int // of covered
		not            NotReached
	}
	places := map[string]*place{}
	var points map[string]int // by place
	var order []string
	known := 0
	for _, s := range list {
		if s == nil || s.Change == nil || s.Change.Points == 0 {
			continue
		}
		own, count := map[string]*place{}, map[string]int{}
		at := func(location string) *place {
			if own[location] == nil {
				own[location] = &place{}
			}
			count[location]++
			return own[location]
		}
		for _, r := range s.Change.Reached {
			p := at(r.Location)
			p.covered++
			if !r.NotJudged {
				p.judged++
			}
			if r.Start {
				p.start++
			}
		}
		for _, n := range s.Change.NotReached {
			p := at(n.Location)
			p.not = nearer(p.not, n)
		}
		if known++; known == 1 {
			places, points, order = own, count, slices.Sorted(maps.Keys(own))
			continue
		}
		if !maps.Equal(points, count) {
			return nil
		}
		for location, p := range own {
			all := places[location]
			if p.covered > all.covered || p.covered == all.covered && p.start < all.start {
				all.covered, all.start = p.covered, p.start
			}
			all.judged = max(all.judged, p.judged)
			all.not = nearer(all.not, p.not)
		}
	}
	if known < 2 {
		return nil
	}
	c := &Change{}
	for _, location := range order {
		p := places[location]
		c.Points += points[location]
		c.Covered, c.NotJudged = c.Covered+p.covered, c.NotJudged+p.covered-p.judged
		for i := range p.covered {
			c.Reached = append(c.Reached, Reached{Location: location, Start: i < p.start, NotJudged: i >= p.judged})
		}
		for range points[location] - p.covered {
			c.NotReached = append(c.NotReached, p.not)
		}
	}
	slices.SortStableFunc(c.NotReached, func(a, b NotReached) int { // those that something came near to are told first
		return cmp.Compare(min(1, len(b.Nearest)), min(1, len(a.Nearest)))
	})
	return c
}

// nearer is, of what two targets know of one place, what came nearer to it. The zero NotReached knows nothing.
func nearer(a, b NotReached) NotReached {
	rank := func(n *NotReached) int {
		if n.Nearest != "" {
			return -1
		}
		at := slices.Index(regress.Reasons, n.Reason)
		if at < 0 {
			at = len(regress.Reasons)
		}
		return at
	}
	switch {
	case a.Location == "":
		return b
	case b.Location == "":
		return a
	case cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(a.Distance, b.Distance)) > 0:
		return b
	}
	return a
}

// TellTogether tells it at the end of a run, all of it where it is verbose.
func TellTogether(w io.Writer, c *Change, width int, verbose bool) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nAll targets together: %d of %s executed\n", c.Covered, plural(c.Points, "change point"))
	row := func(_ string, format string, args ...any) {
		for _, l := range Fold(fmt.Sprintf("  "+format, args...), width) {
			fmt.Fprintln(&b, l)
		}
	}
	if start := atStart(c); start != "" {
		row("", "executed at the start alone: %s", start)
	}
	notExecuted(row, c, verbose)
	_, err := w.Write(b.Bytes())
	return err
}

// shownNotReached is how many change points that were not executed are named at the end of a run.
const shownNotReached = 6

// notExecuted names the change points that were not executed, with the reason: those of one reason in a row.
func notExecuted(row func(name, format string, args ...any), c *Change, verbose bool) {
	var reasons []string
	places := map[string][]string{}
	shown := 0
	for i := range c.NotReached {
		n := &c.NotReached[i]
		if !verbose && shown == shownNotReached {
			break
		}
		why := n.why()
		if places[why] == nil {
			reasons = append(reasons, why)
		}
		if at := escape.Text(n.Location); !slices.Contains(places[why], at) {
			places[why] = append(places[why], at)
		}
		shown++
	}
	for _, why := range reasons {
		row("", "not executed: %s (%s)", strings.Join(places[why], ", "), why)
	}
	if n := len(c.NotReached) - shown; n > 0 {
		row("", "and %d more that were not executed (-v names them)", n)
	}
}
