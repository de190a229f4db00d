package text

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// TellTogether writes, at the end of a run, how many change points all targets executed together.
// It names all that none executed if verbose is set.
func TellTogether(w io.Writer, c *finding.Change, width int, verbose bool) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nAll targets together: %d of %s executed\n", c.Covered, units.Plural(c.Points, "change point"))
	row := func(_ string, format string, args ...any) {
		for _, l := range columns.Fold(fmt.Sprintf("  "+format, args...), width) {
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

// shownNotReached is the number of change points named at the end of a run that were not executed.
const shownNotReached = 6

// notExecuted names the change points that were not executed, with the reason. Those with the same
// reason share a row.
func notExecuted(row func(name, format string, args ...any), c *finding.Change, verbose bool) {
	var reasons []string
	places := map[string][]string{}
	shown := 0
	for i := range c.NotReached {
		n := &c.NotReached[i]
		if !verbose && shown == shownNotReached {
			break
		}
		why := why(n)
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

// why returns the reason for people.
func why(n *finding.NotReached) string {
	switch text := n.Reason.Text(); {
	case n.Nearest != "" && n.Distance > 0:
		return fmt.Sprintf("executed nearest to it: %s, distance %d", escape.Text(n.Nearest), n.Distance)
	case n.Nearest != "":
		return "executed nearest to it: " + escape.Text(n.Nearest)
	case text != "":
		return text
	}
	return "nothing near it was executed"
}

// WhyNotReached returns the reason for people, for a table that has a column for Nearest. It
// returns "" if Nearest is known.
func WhyNotReached(n *finding.NotReached) string {
	if n.Nearest != "" {
		return ""
	}
	return n.Reason.Text()
}
