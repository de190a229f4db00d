package bisect

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/git"
	"parallax/cmd/internal/finding"
)

// FormatVersion is the format of the report as JSON.
const FormatVersion = 1

// Statuses of a report.
const (
	StatusFound   = "found"   // First and Last are neighbors
	StatusRange   = "range"   // points between them show no outcome, and some may be untried
	StatusSame    = "same"    // the outcome is the same at both ends
	StatusNothing = "nothing" // no point shows an outcome
	StatusStopped = "stopped" // by the user, or by an error
)

// Report is the result of a bisect.
type Report struct {
	Version    int      `json:"version"`
	Finding    string   `json:"finding"` // its bucket, or the file of an input
	Target     string   `json:"target"`
	Programs   []string `json:"programs"`
	Compare    []string `json:"compare"`
	Input      string   `json:"input"` // as Go literals
	Module     string   `json:"module,omitempty"`
	Repository string   `json:"repository,omitempty"`
	Points     int      `json:"points"` // number of versions or commits from one end to the other
	Status     string   `json:"status"`
	Last       *Point   `json:"last,omitempty"`    // the latest known point before the change
	First      *Point   `json:"first,omitempty"`   // the earliest known point after it
	Between    []string `json:"between,omitempty"` // points between them without an outcome
	Left       int      `json:"left,omitempty"`    // number of untried points between last and first, or in the whole history
	Oldest     string   `json:"oldest,omitempty"`  // the ends with an outcome
	Newest     string   `json:"newest,omitempty"`
	Alongside  []Change `json:"alongside,omitempty"` // other modules that change at the same point
	Tried      []Point  `json:"tried"`               // oldest first
	Notes      []string `json:"notes,omitempty"`

	Labels map[string]string `json:"-"` // names of programs for people: without a version that the history overrides
}

// Point is a version or a commit, with the results there.
type Point struct {
	Name     string   `json:"name"`
	Short    string   `json:"short,omitempty"`
	Date     string   `json:"date,omitempty"`
	Subject  string   `json:"subject,omitempty"`
	Programs []Result `json:"programs,omitempty"` // in the order of the target's programs
	Skip     string   `json:"skip,omitempty"`     // why there is no result
}

// Result is the result of a program.
type Result struct {
	Name    string `json:"name"`
	Outcome string `json:"outcome"`
	Result  string `json:"result,omitempty"`  // its value, error or message, escaped and cut
	SameAs  string `json:"same_as,omitempty"` // the first program with the same value, or class of error, if these are compared
}

// Change is a module whose version differs before and after the change.
type Change struct {
	Module string `json:"module"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Fill copies a search's answer. name and point describe a point of the history.
func (r *Report) Fill(a Answer, name func(point int) string, point func(point int) *Point) {
	switch {
	case a.End == Same:
		r.Status = StatusSame
	case a.End == Nothing:
		r.Status = StatusNothing
	case a.End == Stopped:
		r.Status = StatusStopped
	case len(a.Skips)+a.Left > 0:
		r.Status = StatusRange
	default:
		r.Status = StatusFound
	}
	if a.Oldest >= 0 {
		r.Oldest = name(a.Oldest)
	}
	if a.Newest >= 0 {
		r.Newest = name(a.Newest)
	}
	if a.Before >= 0 {
		r.Last = point(a.Before)
	}
	if a.After >= 0 {
		r.First = point(a.After)
	}
	for _, i := range a.Skips {
		r.Between = append(r.Between, name(i))
	}
	r.Left = a.Left
}

// Err returns the error of the command, or nil if the change was found.
func (r *Report) Err(hint string) error {
	switch r.Status {
	case StatusSame:
		text := fmt.Sprintf("the outcome is the same at both ends, %s and %s: %s", r.show(r.Oldest), r.show(r.Newest), r.results(r.find(r.Newest)))
		if r.Oldest == r.Newest {
			text = fmt.Sprintf("only %s builds and shows an outcome, of all that was tried: %s", r.show(r.Oldest), r.results(r.find(r.Newest)))
		}
		if len(r.Tried) > 0 && r.Tried[0].Name != r.Oldest {
			hint = "; older ones were tried and show nothing"
		}
		return exit.Usage("%s%s", text, hint)
	case StatusNothing:
		why := "nothing was tried"
		if len(r.Tried) > 0 {
			last := r.Tried[len(r.Tried)-1]
			why = "at " + last.shown() + " " + last.Skip
		}
		if r.Left > 0 {
			return exit.Build("neither end shows an outcome, nor does any %s between them that was tried; %s; %s", r.noun(), r.untried(), why)
		}
		return exit.Build("neither end shows an outcome, nor does any %s between them; %s", r.noun(), why)
	}
	return nil
}

// untried counts the points that were not tried, since too many in a row showed no outcome.
func (r *Report) untried() string {
	what := fmt.Sprintf("%d %ss were", r.Left, r.noun())
	if r.Left == 1 {
		what = "1 " + r.noun() + " was"
	}
	return what + " not tried: --tries N continues until N in a row show nothing"
}

func (r *Report) noun() string {
	if r.Repository != "" {
		return "commit"
	}
	return "version"
}

// find returns a tried point by its name.
func (r *Report) find(name string) *Point {
	for i := range r.Tried {
		if r.Tried[i].Name == name {
			return &r.Tried[i]
		}
	}
	return nil
}

// show returns the name of a point for people.
func (r *Report) show(name string) string {
	if p := r.find(name); p != nil {
		return p.shown()
	}
	return git.Short(name)
}

// results describes the results of the programs at a point.
func (r *Report) results(p *Point) string {
	var words []string
	for _, q := range p.Programs {
		words = append(words, r.label(q.Name)+" "+q.Outcome)
	}
	if s := r.agreement(p); s != "" {
		words = append(words, s)
	}
	return strings.Join(words, ", ")
}

// agreement describes whether accepting programs return one value, and rejecting ones errors of one
// class, if these are compared. If only some programs agree, it names them.
func (r *Report) agreement(p *Point) string {
	var words []string
	for _, of := range []struct{ layer, outcome, same, other string }{
		{"value", "accepted", "same value", "other values"}, {"class", "rejected", "same class", "other classes"},
	} {
		var groups []string // by their first program
		labels := map[string][]string{}
		n := 0
		for _, q := range p.Programs {
			if q.Outcome != of.outcome || !slices.Contains(r.Compare, of.layer) {
				continue
			}
			n++
			first := cmp.Or(q.SameAs, q.Name)
			if labels[first] == nil {
				groups = append(groups, first)
			}
			labels[first] = append(labels[first], r.label(q.Name))
		}
		if n < 2 {
			continue
		}
		if len(groups) == 1 {
			words = append(words, of.same)
			continue
		}
		var alike []string
		for _, first := range groups {
			if len(labels[first]) > 1 {
				alike = append(alike, strings.Join(labels[first], " = "))
			}
		}
		text := of.other
		if len(alike) > 0 {
			text += " (" + strings.Join(alike, ", ") + ")"
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

func (r *Report) label(program string) string {
	if s := r.Labels[program]; s != "" {
		program = s
	}
	return escape.Text(program)
}

// Line describes a point in one line.
func (r *Report) Line(p *Point) string {
	if p.Skip != "" {
		return p.shown() + ": skipped: " + escape.Cut(escape.Text(brief(p.Skip)), 200)
	}
	return p.shown() + ": " + r.results(p)
}

// shown returns Title with terminal escapes removed.
func (p *Point) shown() string { return escape.Text(p.Title()) }

// Title returns the name of a point for people.
func (p *Point) Title() string {
	if p.Short != "" {
		return p.Short
	}
	return p.Name
}

// JSON returns the report for programs.
func (r *Report) JSON() ([]byte, error) {
	r.Version = FormatVersion
	if r.Tried == nil {
		r.Tried = []Point{}
	}
	return finding.JSON(r)
}

// Text writes the report for people: the table of tried points, and the facts about the change.
func (r *Report) Text(w io.Writer) error {
	var b bytes.Buffer
	what := escape.Text(r.Module)
	if r.Repository != "" {
		what = escape.Text(r.Repository)
	}
	fmt.Fprintf(&b, "%s on %s, in %s\n\n", escape.Text(r.Finding), r.Input, what)
	r.table(&b)
	b.WriteByte('\n')
	r.conclude(&b)
	_, err := w.Write(b.Bytes())
	return exit.Doing("writing", err)
}

// conclude describes the result in sentences.
func (r *Report) conclude(b *bytes.Buffer) {
	switch {
	case r.Status == StatusFound:
		fmt.Fprintf(b, "The outcome changed in %s; %s is the last %s before it.\n", r.First.long(), r.Last.shown(), r.noun())
	case r.Status == StatusRange:
		fmt.Fprintf(b, "The outcome changed after %s and no later than %s. ", r.Last.long(), r.First.long())
		if r.Left > 0 {
			fmt.Fprintf(b, "Between them, %s.\n", r.untried())
		}
		if len(r.Between) > 0 {
			fmt.Fprintf(b, "Between them %s:\n", r.shows(len(r.Between)))
		}
		for i, name := range r.Between {
			if i == 10 {
				fmt.Fprintf(b, "  ... and %d more\n", len(r.Between)-i)
				break
			}
			fmt.Fprintf(b, "  %s\n", r.find(name).long())
		}
	case r.Status == StatusStopped && r.Last != nil && r.First != nil:
		fmt.Fprintf(b, "Known so far: the outcome changed after %s and no later than %s; %d between them were not tried.\n", r.Last.long(), r.First.long(), r.Left)
	case r.Status == StatusStopped && r.Newest != "":
		fmt.Fprintf(b, "Known so far: no change, as far back as %s.\n", r.show(r.Oldest))
	case r.Status == StatusStopped:
		b.WriteString("Nothing is known yet.\n")
	}
	for i, c := range r.Alongside {
		if i == 0 {
			b.WriteString("\nOther modules change at the same point, and may be the reason:\n")
		}
		fmt.Fprintf(b, "  %s %s => %s\n", escape.Text(c.Module), escape.Text(c.Before), escape.Text(c.After))
	}
	for _, n := range r.Notes {
		b.WriteByte('\n')
		for line := range strings.SplitSeq(n, "\n") {
			b.WriteString(escape.Text(line) + "\n")
		}
	}
}

func (r *Report) shows(n int) string {
	if n == 1 {
		return "is a " + r.noun() + " that shows nothing"
	}
	return fmt.Sprintf("are %d %ss that show nothing", n, r.noun())
}

// brief returns the first line of an error. If that line announces others, brief appends the first
// significant one.
func brief(text string) string {
	lines := strings.Split(text, "\n")
	if !strings.HasSuffix(lines[0], ":") {
		return lines[0]
	}
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return lines[0] + " " + line
		}
	}
	return lines[0]
}

// long returns a commit with its date and subject, on one line.
func (p *Point) long() string {
	s := p.shown()
	if p.Date != "" {
		s += " (" + p.Date[:min(10, len(p.Date))] + ", " + escape.Cut(escape.Text(p.Subject), 100) + ")"
	}
	return s
}

// Widths of the table's columns, in cells.
const (
	resultWidth = 46 // of a program, for two; less for more programs
	leastWidth  = 18
)

// table lists the tried points, oldest first.
func (r *Report) table(b *bytes.Buffer) {
	limit := max(leastWidth, 2*resultWidth/max(2, len(r.Programs)))
	rows := [][]string{{r.noun()}}
	for _, name := range r.Programs {
		rows[0] = append(rows[0], ansi.Truncate(r.label(name), limit, "…"))
	}
	for i := range r.Tried {
		p := &r.Tried[i]
		row := []string{p.shown()}
		for _, q := range p.Programs {
			row = append(row, ansi.Truncate(strings.TrimSpace(q.Outcome+"  "+q.Result), limit, "…"))
		}
		if s := r.agreement(p); s != "" {
			row = append(row, ansi.Truncate(s, resultWidth, "…"))
		}
		rows = append(rows, row)
	}
	var widths []int
	for _, row := range rows {
		for k, cell := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], ansi.StringWidth(cell))
		}
	}
	for i, row := range rows {
		line := ""
		for k := range widths {
			if len(row) == 1 && k > 0 { // the point was skipped
				break
			}
			cell := ""
			if k < len(row) {
				cell = row[k]
			}
			line += "  " + cell + strings.Repeat(" ", widths[k]-ansi.StringWidth(cell))
		}
		if i > 0 {
			line += r.mark(&r.Tried[i-1])
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// mark ends a row of the table: the reason of a skip, or the mark of the change.
func (r *Report) mark(p *Point) string {
	switch {
	case p.Skip != "":
		return "  skipped: " + escape.Cut(escape.Text(brief(p.Skip)), 120)
	case r.First != nil && p.Name == r.First.Name && (r.Status == StatusFound || r.Status == StatusRange):
		return "  <- changed"
	}
	return ""
}
