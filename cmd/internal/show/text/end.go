package text

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
)

// EndOptions say how End shows the end of a run.
type EndOptions struct {
	Width  int
	Color  bool
	Limit  int    // buckets listed; 0 means 10, less than 0 all
	Folder string // the campaign's folder, as the user would type it
	Test   bool   // the target is a FuzzXxx: findings can become tests
	Brief  bool   // do not say what to type next

	// Verbose adds diversity, evenness and probabilities, and the coverage of each program apart.
	Verbose bool

	// Full lists accepted findings in full, and so does Verbose. Otherwise each has a line.
	Full bool

	// Several says that the run has other targets. Notes writes their notes, and GoesOn the next
	// commands.
	Several bool

	// Together is the result of all targets, if TellTogether follows. End then does not name the
	// change points that were not executed.
	Together *finding.Change
	Now      time.Time // for the ages of findings; zero leaves them out
	Flags    string    // what show, replay, minimize and accept need to find it, like "--campaign DIR "; "" for the default folder
}

// ShowLimit is how many findings `parallax show` lists without --all.
const ShowLimit = 25

// End prints the results of a run: totals, findings, and the next commands.
func End(w io.Writer, s *finding.Summary, o EndOptions) error {
	if o.Width == 0 {
		o.Width = 80
	}
	if o.Limit == 0 {
		o.Limit = 10
	}
	var b bytes.Buffer
	if len(s.Findings.Buckets) == 0 && !o.Verbose && (o.Several || s.Change == nil && s.Scope == nil) {
		clean(&b, s, o)
		if !o.Several {
			notes(&b, s.Notes, o.Width)
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	fmt.Fprintln(&b)
	for _, l := range columns.Fold(escape.Text(s.Target)+": "+Headline(s), o.Width) {
		fmt.Fprintln(&b, l)
	}
	if n := len(s.Findings.Buckets); n > 0 {
		b.WriteString("\n")
		t := TableOptions{Width: o.Width, Color: o.Color, Programs: s.Programs, Target: s.Target, Limit: max(0, o.Limit), Now: o.Now, Brief: !o.Full && !o.Verbose}
		t.More = "parallax show " + o.Flags
		if n > ShowLimit {
			t.More += "--all"
		}
		t.More = strings.TrimSpace(t.More)
		if err := Table(&b, s.Findings.Buckets, t); err != nil {
			return err
		}
		widened(&b, s, o)
	}
	b.WriteString("\n")
	totals(&b, s, o)
	if !o.Several || o.Verbose {
		notes(&b, s.Notes, o.Width)
	}
	next(&b, s, o)
	_, err := w.Write(b.Bytes())
	return err
}

// Notes writes the notes of several targets, each once. It leaves out those that count unverified
// findings, since one line after them counts those of all targets.
func Notes(w io.Writer, list []*finding.Summary, width int) error {
	var all []string
	for _, s := range list {
		for _, n := range s.Notes {
			if !finding.NotesUnverified(n) {
				all = append(all, n)
			}
		}
	}
	var b bytes.Buffer
	if len(all) > 0 {
		b.WriteString("\n")
	}
	notes(&b, seedNotes(finding.Once(all)), width)
	_, err := w.Write(b.Bytes())
	return err
}

// seedNotes joins the notes of several targets on seeds that differ only in their number.
func seedNotes(list []string) (joined []string) {
	numbers := map[string][]int{} // by the rest of the note
	for _, n := range list {
		count, rest, _ := strings.Cut(n, " ")
		number, err := strconv.Atoi(count)
		if seeds := strings.HasPrefix(rest, "seeds are taken from "); err != nil || !seeds {
			joined = append(joined, n)
			continue
		}
		if numbers[rest] == nil {
			joined = append(joined, rest)
		}
		numbers[rest] = append(numbers[rest], number)
	}
	for i, rest := range joined {
		if all := numbers[rest]; len(all) == 1 {
			joined[i] = fmt.Sprintf("%d %s", all[0], rest)
		} else if all != nil {
			joined[i] = fmt.Sprintf("%d to %d %s, by target", slices.Min(all), slices.Max(all), rest)
		}
	}
	return joined
}

func notes(b *bytes.Buffer, list []string, width int) {
	for _, n := range list {
		for i, l := range columns.Wrap(escape.Text(finding.Flat(n)), min(width, 120)-10) {
			fmt.Fprintf(b, "%-9s %s\n", map[bool]string{true: "note"}[i == 0], l)
		}
	}
}

// atStart returns the change points that were executed before the first input, and not later.
func atStart(c *finding.Change) string {
	var names []string
	for _, r := range c.Reached {
		if r.Start {
			names = append(names, escape.Text(r.Location))
		}
	}
	if n := len(names) - shownNotReached; n > 0 {
		names = append(names[:shownNotReached], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

func totals(b *bytes.Buffer, s *finding.Summary, o EndOptions) {
	width, together := o.Width, o.Together != nil
	row := func(name string, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if 10+columns.Width(text) <= width {
			fmt.Fprintf(b, "%-9s %s\n", name, text)
			return
		}
		for i, l := range columns.Wrap(text, width-12) {
			if i > 0 {
				name, l = "", "  "+l
			}
			fmt.Fprintf(b, "%-9s %s\n", name, l)
		}
	}
	row("inputs", "%s in %s, %s executions a second", units.Thousands(s.Inputs),
		units.Duration(time.Duration(s.ElapsedSeconds*float64(time.Second))), units.Thousands(uint64(max(0, units.Round(s.ExecutionsPerSecond)))))
	var found []string
	if s.DiscrepantInputs > 0 {
		found = append(found, fmt.Sprintf("%s of %s", units.Plural(s.DiscrepantInputs, "discrepant input"), units.Thousands(s.Inputs)))
	}
	if b := s.Behavior; b != nil && b.Failed > 0 && s.DiscrepantInputs == 0 {
		text := units.Plural(b.Failed, "failing input")
		if s.Mode == "diff" {
			text = units.Plural(b.Failed, "input") + " with " + FailureOf(s.Mode)
		}
		found = append(found, fmt.Sprintf("%s of %s", text, units.Thousands(cmp.Or(b.Inputs, s.Inputs))))
	}
	if s.Flaky > 0 {
		found = append(found, units.Plural(s.Flaky, "flaky candidate"))
	}
	if len(found) > 0 {
		row("found", "%s", strings.Join(found, ", "))
	}
	if s.Scope != nil && s.Scope.String() != "" {
		for i, l := range columns.Wrap(escape.Text(s.Scope.String()), min(width, 120)-10) {
			row(map[bool]string{true: "scope"}[i == 0], "%s", l)
		}
	}
	corpus := fmt.Sprintf("%s, %s", units.Plural(s.Corpus.Size, "input"), units.Bytes(s.Corpus.Bytes))
	var counts []string
	for _, c := range s.Diversity {
		n := units.Thousands(c.N) + " " + escape.Text(c.Key)
		if c.Estimated() {
			n = "about " + n
		}
		counts = append(counts, n)
	}
	if o.Verbose && len(counts) > 0 {
		corpus += "; diversity " + strings.Join(counts, ", ")
	}
	row("corpus", "%s", corpus)
	names := 0
	var counted []finding.Coverage
	var unknown []string // programs whose blocks are not known
	for _, c := range s.Coverage {
		if c.Blocks == 0 {
			unknown = append(unknown, escape.Text(c.Program))
			continue
		}
		counted = append(counted, c)
		names = max(names, columns.Width(escape.Text(c.Program)))
	}
	if s.Corpus.Size > 0 && len(counted) > 0 && !slices.ContainsFunc(counted, func(c finding.Coverage) bool { return c.Covered > 0 }) {
		row("coverage", "not measured: the next fuzzing runs the corpus again")
		counted = nil
	}
	for i, c := range counted {
		label := ""
		if i == 0 {
			label = "coverage"
		}
		if c.Features {
			row(label, "%s  %s", columns.Pad(escape.Text(c.Program), names), units.Plural(max(0, c.Covered), "feature"))
			continue
		}
		text := coverageText(&c)
		if c.OwnBlocks > 0 && c.Blocks > c.OwnBlocks {
			text += fmt.Sprintf(", %s of %s with dependencies", units.Thousands(uint64(max(0, c.Covered))), units.Thousands(uint64(c.Blocks)))
		}
		row(label, "%s  %s", columns.Pad(escape.Text(c.Program), names), text)
	}
	if len(unknown) > 0 {
		row(map[bool]string{true: "coverage"}[len(counted) == 0], "not known for %s", strings.Join(unknown, ", "))
	}
	if o.Verbose && !together { // of one of several targets a change was looked for in, the report and show have it
		behavior(row, s, width)
	}
	if c := s.Change; c != nil && c.Points > 0 {
		row("change", "%d of %s executed, %s of %s blocks that it reaches", c.Covered, units.Plural(c.Points, "change point"),
			units.Thousands(uint64(max(0, c.ImpactedCovered))), units.Thousands(uint64(max(0, c.Impacted))))
		if start := atStart(c); start != "" {
			row("", "executed at the start alone: %s", start)
		}
		if n := len(c.NotReached); n > 0 && together && len(o.Together.NotReached) == 0 {
			row("", "not executed here: %d; other targets execute them", n)
		} else if n > 0 && together {
			row("", "not executed: %d, see below", n)
		} else {
			notExecuted(row, c, o.Verbose)
		}
	}
	if s.Restarts > 0 {
		row("workers", "%s restarted", units.Plural(s.Restarts, "time"))
	}
}

// coverageText counts the blocks of what is tested.
func coverageText(c *finding.Coverage) string {
	covered, blocks := c.Own()
	return fmt.Sprintf("%s of %s blocks", units.Thousands(uint64(max(0, covered))), units.Thousands(uint64(max(0, blocks))))
}

// clean writes four lines for a target without findings. They include the next commands if there is
// no other target.
func clean(b *bytes.Buffer, s *finding.Summary, o EndOptions) {
	fold := func(text string) {
		for _, line := range columns.Fold("  "+text, o.Width) {
			fmt.Fprintln(b, line)
		}
	}
	if !o.Several {
		fmt.Fprintln(b)
	}
	for _, line := range columns.Fold(fmt.Sprintf("%s: %s", escape.Text(s.Target), Headline(s)), o.Width) {
		fmt.Fprintln(b, line)
	}
	inputs := fmt.Sprintf("%s in %s", units.Plural(s.Inputs, "input"), units.Duration(time.Duration(s.ElapsedSeconds*float64(time.Second))))
	if s.DiscrepantInputs > 0 {
		inputs += fmt.Sprintf(", %s discrepant", units.Thousands(s.DiscrepantInputs))
	}
	fold(inputs + ", corpus " + units.Plural(s.Corpus.Size, "input"))
	var parts []string
	if text := covered(s); text != "" {
		parts = append(parts, text)
	}
	if c := s.Change; c != nil && c.Points > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s executed", c.Covered, units.Plural(c.Points, "change point")))
	}
	if len(parts) > 0 {
		fold(strings.Join(parts, "; "))
	}
	switch {
	case o.Folder == "":
	case o.Several || o.Brief:
		fold(escape.Text(o.Folder))
	default:
		fold(fmt.Sprintf("%s (%s)", escape.Text(o.Folder), goesOn(o.Flags)))
	}
}

// goesOn returns the next command after a run without findings.
func goesOn(flags string) string {
	return fmt.Sprintf("`%s`: coverage by line; the same command goes on", strings.TrimSpace("parallax report "+escape.Text(flags)))
}

// GoesOn writes the next command after a run of several targets without findings.
func GoesOn(w io.Writer, width int) error {
	_, err := fmt.Fprintln(w, "\n"+strings.Join(columns.Fold(goesOn(""), width), "\n"))
	return err
}

// covered returns the coverage of all programs as a line. For versions of one program, it returns
// that of the first.
func covered(s *finding.Summary) string {
	var known, unknown []string
	for i := range s.Coverage {
		c := &s.Coverage[i]
		name := ""
		if len(s.Coverage) > 1 && s.Mode != "regress" {
			name = escape.Text(c.Program) + " "
		}
		switch {
		case c.Blocks == 0:
			unknown = append(unknown, escape.Text(c.Program))
		case s.Mode == "regress" && len(known) > 0:
		case c.Features:
			known = append(known, name+units.Plural(max(0, c.Covered), "feature"))
		default:
			known = append(known, name+coverageText(c))
		}
	}
	var parts []string
	if len(known) > 0 {
		parts = append(parts, "coverage "+strings.Join(known, ", "))
	}
	if len(unknown) > 0 {
		parts = append(parts, "coverage not known for "+strings.Join(unknown, ", "))
	}
	return strings.Join(parts, "; ")
}

// next writes the next commands. They contain the id of the first open bucket, so that users can
// paste them.
func next(b *bytes.Buffer, s *finding.Summary, o EndOptions) {
	var first *finding.Row
	for i := range s.Findings.Buckets {
		if k := &s.Findings.Buckets[i]; k.Open() {
			first = k
			break
		}
	}
	if o.Folder != "" {
		fmt.Fprintf(b, "%-9s %s\n", "folder", escape.Text(o.Folder))
	}
	if first == nil || o.Brief {
		return
	}
	b.WriteString("\n")
	id, flags := escape.Text(first.ID), escape.Text(o.Flags)
	type hint struct{ command, does string }
	hints := []hint{
		{"parallax show " + flags + id, "show everything about one finding"},
		{"parallax replay " + flags + id, "run it again"},
		{"parallax accept " + flags + id + " --reason TEXT", "mark it as intended"},
	}
	if s.Mode != "model" { // minimize refuses most findings of models
		hints = slices.Insert(hints, 2, hint{"parallax minimize " + flags + id, "look for a smaller input"})
	}
	if o.Test {
		hints = append(hints, hint{"parallax export " + flags + id, "make it a test of go test"})
	}
	column := len("parallax accept ") + len(flags) + columns.Width(id) + len(" --reason TEXT")
	for _, c := range hints {
		if 4+column+len("show everything about one finding") <= o.Width {
			fmt.Fprintf(b, "  %s  %s\n", columns.Pad(c.command, column), c.does)
		} else { // a command stays in a line
			fmt.Fprintf(b, "  %s\n      %s\n", c.command, c.does)
		}
	}
}
