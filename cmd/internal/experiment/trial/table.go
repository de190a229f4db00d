package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/internal/stats"
)

// JSON returns the analysis as one JSON object.
func (a *Analysis) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the comparisons: %w", err)
	}
	return append(data, '\n'), nil
}

// page collects Markdown.
type page struct{ bytes.Buffer }

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.Buffer, format, args...)
	p.WriteByte('\n')
}

// paragraph writes a line and an empty one.
func (p *page) paragraph(format string, args ...any) { p.line(format+"\n", args...) }

func (p *page) head(cells ...string) {
	p.row(cells...)
	p.line("|%s", strings.Repeat("---|", len(cells)))
}

func (p *page) row(cells ...string) { p.line("| %s |", strings.Join(cells, " | ")) }

// Markdown writes the tables.
func (a *Analysis) Markdown(w io.Writer) error {
	var p page
	a.provenance(&p)
	for _, part := range a.Parts {
		a.writePart(&p, part)
	}
	a.findings(&p)
	_, err := w.Write(p.Bytes())
	return err
}

// provenance describes the measurement.
func (a *Analysis) provenance(p *page) {
	var budget []string
	if a.CPU > 0 {
		budget = append(budget, fmt.Sprintf("%s s of CPU time of the fuzzing worker", number(a.CPU)))
	}
	if a.Inputs > 0 {
		budget = append(budget, units.Thousands(a.Inputs)+" inputs")
	}
	p.paragraph("%s of %s on %s, %d each where all are there; a trial has %s. All of them took %s CPU minutes, with building and triage.",
		units.Plural(a.Samples, "trial"), units.Plural(len(a.Configurations), "configuration"), units.Plural(len(a.Subjects), "subject"), a.Trials, strings.Join(budget, " or ")+ifAny(len(budget) > 1, ", whichever is first"), number(a.AllCPU/60))
	if a.Missing > 0 {
		p.paragraph("**Missing: %s.**", units.Plural(a.Missing, "trial"))
	}
	if a.Cut > 0 {
		p.paragraph("**Cut off, since they took too long: %s. They lack findings.**", units.Plural(a.Cut, "trial"))
	}
	if a.Resumed > 0 {
		p.paragraph("Interrupted, and continued from their corpus: %s.", units.Plural(a.Resumed, "trial"))
	}
	for _, problem := range a.Problems {
		p.paragraph("**%s**", escape.Plain(problem))
	}
	for _, o := range a.Origins {
		p.line("- %s", escape.Plain(o))
	}
	p.paragraph("- load averages from %s to %s", a.Loads[0], a.Loads[1])
	p.head("configuration", "group", "flags")
	for _, c := range a.Configurations {
		flags := "the defaults"
		if len(c.Flags) > 0 {
			flags = escape.Cell(strings.Join(c.Flags, " "))
		}
		flags += ifAny(c.blackbox, ", timed without instrumentation")
		p.row(c.Name+ifAny(c.Name == a.Baseline, " (baseline)"), c.Group, flags)
	}
	p.line("")
	p.head("subject", "programs", "modules", "equal CPU time at", "equal inputs at")
	for _, s := range a.Subjects {
		at := units.Thousands(s.Inputs)
		if s.Short > 0 {
			at += fmt.Sprintf(" (fewer in %s, which count with what they had)", units.Plural(s.Short, "trial"))
		}
		var modules []string
		for _, path := range slices.Sorted(maps.Keys(s.Modules)) {
			modules = append(modules, path+" "+s.Modules[path])
		}
		p.row(s.Name+ifAny(s.Choosing, " (choosing)"), cellOf(strings.Join(slices.Sorted(maps.Keys(s.Programs)), ", ")), cellOf(strings.Join(modules, ", ")), number(s.CPU)+" s", at)
	}
	p.line("")
	p.paragraph("A cell has the median and the quartiles; against the baseline, A12 (how likely a trial is better than one of the baseline, 0.5 is no effect) and p of Mann-Whitney's test, corrected by Holm's method for all comparisons of its table. **better** and **worse**: corrected p below %v, and below %v where that is written behind.", significant, strict)
}

func ifAny(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func cellOf(text string) string {
	if text == "" {
		return ""
	}
	return escape.Cell(text)
}

// clockText describes the point of comparison of a table.
var clockText = map[string]string{"cpu": "equal CPU time", "inputs": "equal inputs"}

func (a *Analysis) writePart(p *page, part *Part) {
	switch part.Name {
	case "choosing":
		p.paragraph("## Subjects that the default was chosen on: %s", strings.Join(part.Subjects, ", "))
	case "held-out":
		p.paragraph("## Subjects that nothing was chosen on: %s", strings.Join(part.Subjects, ", "))
	default:
		p.paragraph("## All subjects: %s", strings.Join(part.Subjects, ", "))
	}
	a.writeSummary(p, part)
	for _, t := range part.Tables {
		a.writeTable(p, t)
	}
	for _, t := range part.Times {
		a.writeTimes(p, t)
	}
	for _, g := range part.Growth {
		if g.At == byCPU.String() { // curves over inputs are in the JSON
			a.writeGrowth(p, g)
		}
	}
	for _, o := range part.Overlaps {
		a.writeOverlap(p, o)
	}
}

// writeSummary writes one line per table: the number of subjects on which a configuration is better
// than the baseline, and worse.
func (a *Analysis) writeSummary(p *page, part *Part) {
	if len(a.Configurations) < 2 {
		return
	}
	p.paragraph("On how many of these subjects a configuration is significantly better than %s, and worse; in brackets: at the level of %v:", a.Baseline, strict)
	head := []string{"", "subjects"}
	for _, c := range a.Configurations {
		if c.Name != a.Baseline {
			head = append(head, c.Name)
		}
	}
	p.head(head...)
	for _, t := range part.Tables {
		cells := []string{t.text + " at " + clockText[t.At], fmt.Sprint(len(t.Rows))}
		for _, o := range t.Overall {
			if o.Configuration == a.Baseline {
				continue
			}
			text := fmt.Sprintf("%d, %d (%d, %d)", o.Better, o.Worse, o.StrictBetter, o.StrictWorse)
			if o.Better+o.Worse == 0 {
				text = "-"
			}
			cells = append(cells, text)
		}
		p.row(cells...)
	}
	p.line("")
}

func (a *Analysis) writeTable(p *page, t *Table) {
	p.paragraph("### %s at %s", capital(t.text), clockText[t.At])
	head := []string{"subject", "trials"}
	for _, c := range a.Configurations {
		head = append(head, c.Name)
	}
	p.head(head...)
	for _, r := range t.Rows {
		cells := []string{r.Subject, trials(r.Cells)}
		for _, c := range r.Cells {
			cells = append(cells, c.text())
		}
		p.row(cells...)
	}
	p.line("")
	if len(t.Untriaged) > 0 {
		p.paragraph("Without %s: candidates of their trials were not triaged.", strings.Join(t.Untriaged, ", "))
	}
	if len(t.Rows) > 1 {
		a.writeOverall(p, t)
	}
	p.paragraph("%s", a.conclusion(t))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// trials renders the number of trials per configuration, or the minimum and the maximum.
func trials(cells []Cell) string {
	least, most := math.MaxInt, 0
	for _, c := range cells {
		least, most = min(least, c.N), max(most, c.N)
	}
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

func (c *Cell) text() string {
	if c.Median == nil {
		return ""
	}
	text := fmt.Sprintf("%s (%s to %s)", number(*c.Median), number(*c.First), number(*c.Third))
	return text + c.Test.text()
}

func (c *Comparison) text() string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("; A12 %.2f, p %s", c.A12, probability(c.Corrected))
	return text + verdict(c.verdict(), c.Corrected)
}

// verdict returns a word for a difference in a direction. 0 means none.
func verdict(direction int, p float64) string {
	if direction == 0 {
		return ""
	}
	return fmt.Sprintf(", **%s**%s", map[int]string{1: "better", -1: "worse"}[direction], ifAny(p < strict, fmt.Sprintf(" (%v)", strict)))
}

func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// number renders three digits, or all digits of an integer part.
func number(v float64) string {
	switch size := math.Abs(v); {
	case math.IsInf(v, 0) || math.IsNaN(v):
		return "-"
	case v == math.Trunc(v) || size >= 100:
		negative := ifAny(v < 0, "-")
		return negative + units.Thousands(uint64(math.Round(size)))
	}
	return fmt.Sprintf("%.3g", v)
}

func (o *Overall) probability() string {
	if o.Few {
		return "too few trials"
	}
	return probability(o.Corrected)
}

func (a *Analysis) writeOverall(p *page, t *Table) {
	p.head("over these subjects", "mean place of the median", "A12, weighted", "van Elteren p, corrected", "better, worse on")
	for _, o := range t.Overall {
		if o.Configuration == a.Baseline {
			p.row(o.Configuration, fmt.Sprintf("%.1f", o.Place), "", "", "")
			continue
		}
		said := ""
		if !o.Few && o.Corrected < significant {
			said = verdict(o.Direction, o.Corrected)
		}
		p.row(o.Configuration, fmt.Sprintf("%.1f", o.Place), fmt.Sprintf("%.2f", o.A12), o.probability()+said,
			fmt.Sprintf("%d, %d of %d", o.Better, o.Worse, o.Subjects))
	}
	p.line("")
}

func (a *Analysis) writeTimes(p *page, t *Times) {
	unit := "in seconds of CPU time"
	if t.At == byInputs.String() {
		unit = "in inputs"
	}
	what := map[string]string{"causes": "cause", "failures": "kind of failure"}[t.Of]
	p.paragraph("### Time to each %s, %s", ifAny(t.Of == "causes", "known ")+what, unit)
	head := []string{"subject", what}
	for _, c := range a.Configurations {
		head = append(head, c.Name)
	}
	p.head(head...)
	earlier, later := 0, 0
	f := family{}
	for _, r := range t.Rows {
		cells := []string{r.Subject, cellOf(r.Cause)}
		base := a.base(len(r.Cells), func(i int) (string, int) { return r.Cells[i].Configuration, r.Cells[i].N })
		for _, c := range r.Cells {
			f.add(c.Test, c.N, base)
			cells = append(cells, c.text(t.Of == "failures"))
			switch c.Test.verdict() {
			case 1:
				earlier++
			case -1:
				later++
			}
		}
		p.row(cells...)
	}
	p.line("")
	if t.Of == "failures" {
		p.paragraph("Failures are distinguished by subject and kind of error. A cell has the mean time over the trials that found one, and the share of trials that did. A12 is how likely a trial is earlier than one of %s.", a.Baseline)
	} else {
		p.paragraph("A cell has the median time and in how many trials the cause was found; \"-\" is fewer than half. A12 is how likely a trial is earlier than one of %s.", a.Baseline)
	}
	if t.LeftOut > 0 {
		p.paragraph("Left out, since they were cut off or ended before the point of comparison, so that their findings are unknown: %s.", units.Plural(t.LeftOut, "trial"))
	}
	switch {
	case f.compared == 0:
		p.paragraph("There is nothing to compare: %s, or everything else, has no trials.", a.Baseline)
	case f.hopeless():
		p.paragraph("%s", f.text())
	case earlier+later == 0:
		p.paragraph("No configuration finds any of them significantly earlier or later than %s.", a.Baseline)
	default:
		p.paragraph("Against %s, of all cells: significantly earlier in %d, later in %d.", a.Baseline, earlier, later)
	}
}

func (c *TimeCell) text(share bool) string {
	left := ""
	if c.LeftOut > 0 {
		left = fmt.Sprintf("%d left out", c.LeftOut)
	}
	if c.N == 0 {
		return left
	}
	if share {
		took := "-"
		if c.Mean != nil {
			took = number(*c.Mean)
		}
		return fmt.Sprintf("%s, %.0f %%", took, 100*float64(c.Found)/float64(c.N)) + ifAny(left != "", ", "+left) + c.Test.text()
	}
	median := "-"
	if c.Median != nil {
		median = number(*c.Median)
	}
	return fmt.Sprintf("%s, %d of %d", median, c.Found, c.N) + ifAny(left != "", ", "+left) + c.Test.text()
}

func (a *Analysis) writeOverlap(p *page, o *Overlap) {
	text := o.Of
	for _, e := range elements {
		if e.of == o.Of {
			text = e.text
		}
	}
	p.paragraph("### Overlap: %s", text)
	var groups []string
	for i, g := range o.Groups {
		groups = append(groups, fmt.Sprintf("%s (%s)", g, units.Plural(o.Trials[i], "trial")))
	}
	p.paragraph("All trials of all groups together, over all these subjects, have found %s: %s.", units.Thousands(uint64(o.All)), strings.Join(groups, ", "))
	p.paragraph("More trials find more, so equal numbers are drawn: %s of each group, on each subject at most half of those of %s. Each figure is the median of %d draws; they need not add up.",
		units.Plural(o.Drawn, "trial"), a.Baseline, stats.Draws)
	if len(o.LeftOut) > 0 {
		p.paragraph("Left out, since a group has no trials of it: %s.", strings.Join(o.LeftOut, ", "))
	}
	p.head("found by", "and by no other group: "+text)
	several, rest := 0, len(o.Groups) > 4
	for _, r := range o.Regions {
		switch {
		case len(r.Groups) == len(o.Groups) && len(o.Groups) > 1:
			p.row("all", units.Thousands(uint64(r.Count)))
		case len(r.Groups) == 1:
			p.row("only "+r.Groups[0], units.Thousands(uint64(r.Count)))
		case rest:
			several += r.Count
		default:
			p.row(strings.Join(r.Groups, " and "), units.Thousands(uint64(r.Count)))
		}
	}
	if several > 0 {
		p.row("several, not all", units.Thousands(uint64(several)))
	}
	p.line("")
	a.writePairs(p, o)
}

// writePairs compares each configuration with the baseline, and the baseline with itself, which
// shows the effect of chance.
func (a *Analysis) writePairs(p *page, o *Overlap) {
	if len(o.Pairs) == 0 {
		return
	}
	p.head("configuration", "trials drawn of each", "also found by "+a.Baseline, "only by it", "only by "+a.Baseline)
	row := func(name string, b *Between) {
		p.row(name, fmt.Sprint(b.Trials), fmt.Sprint(b.Both), fmt.Sprint(b.Only), fmt.Sprint(b.OnlyBaseline))
	}
	if o.Itself != nil {
		row("other trials of "+a.Baseline, o.Itself)
	}
	for i := range o.Pairs {
		row(o.Pairs[i].Configuration, &o.Pairs[i])
	}
	p.line("")
	if o.Itself == nil {
		p.paragraph("The effect of chance alone is not known: that takes two trials of %s on each subject.", a.Baseline)
		return
	}
	p.paragraph("The first row is chance alone: two lots of different trials of %s. Differences of this size, also between groups, may be nothing else.", a.Baseline)
}

// findings lists findings without a known cause, so users can name causes or fix them.
func (a *Analysis) findings(p *page) {
	titled := false
	for _, s := range a.Subjects {
		if s.Unnamed == 0 && len(s.NeverSeen) == 0 {
			continue
		}
		if !titled {
			titled = true
			p.paragraph("## Findings and known causes")
		}
		if s.Unnamed > 0 {
			p.line("%s: %d of %s, over all trials, belong to no known cause%s", s.Name, s.Unnamed, units.Plural(s.Buckets, "bucket"), ifAny(len(s.Examples) > 0, "; the most frequent:\n"))
			for _, e := range s.Examples {
				var did []string
				for _, name := range slices.Sorted(maps.Keys(e.Outcomes)) {
					did = append(did, name+" "+e.Outcomes[name])
				}
				p.line("- in %s, %s: %s", units.Plural(int(e.Count), "trial"), e.Kind+ifAny(e.Layer != "", " of "+e.Layer), escape.Code(escape.Cut(e.Input, 80))+" "+escape.Plain(strings.Join(did, ", ")))
			}
			p.line("")
		}
		if len(s.NeverSeen) > 0 {
			var names []string
			for _, n := range s.NeverSeen {
				names = append(names, escape.Code(n))
			}
			p.paragraph("%s: no trial has found %s.", s.Name, strings.Join(names, ", "))
		}
	}
}
