package formats

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/text"
)

// SummaryLimit is the size that GitHub allows for the summary of a step, 1 MiB, minus a reserve.
const SummaryLimit = 1<<20 - 4<<10

// Limits of the parts of a page, in bytes or numbers.
const (
	shownProblem = 4 << 10  // an error, as of the compiler
	shownDetails = 48 << 10 // of one finding, in bytes
	shownNotes   = 20       // of a target
	shownInput   = 100      // in the table
	shownResult  = 60       // of a program in the table
	shownNames   = 6        // programs of a finding in the table
)

// Markdown returns a page for the summary of a job or for a pull request. It lists the targets and
// all findings in tables, and then describes as many findings as limit permits, the most important
// first. Similar findings fold like those of a terminal's list, and so do those with one cause.
// They are rows of a table below the finding under which they fold.
func (r *Report) Markdown(limit int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## parallax %s: %s\n\n", r.Command, r.headline())
	r.targets(&b)
	rest := limit - tail
	var list []placed
	for _, what := range []fate{fails, alters, noted, settled} {
		list = append(list, r.withFate(what)...)
	}
	if b.Len() > rest {
		return []byte(fmt.Sprintf("## parallax %s: %s\n\nThere is no room for more here.\n", r.Command, r.headline()))
	}
	if len(list) == 0 {
		return b.Bytes()
	}
	leaders, folded := finding.Leaders(list, placedUnder)
	under := func(f placed) []placed { return folded[placedID(f.target.Name, f.ID)] }
	rows := r.table(&b, leaders, under, b.Len()+(rest-b.Len())*6/10)
	full, open := 0, 0
	for _, f := range leaders {
		if what, _ := r.fate(&f.Row); what == settled {
			continue
		}
		open++
		if full < open-1 {
			continue // one had no room: later ones are less important
		}
		if d, similar := r.details(f, under(f)); b.Len()+len(d) <= rest {
			b.Write(d)
			full++
			rows += similar
		}
	}
	var left []string
	if n := len(list) - rows; n > 0 {
		left = append(left, fmt.Sprintf("%s of the table", units.Plural(n, "row")))
	}
	if n := open - full; n > 0 {
		left = append(left, "the details of "+units.Plural(n, "finding"))
	}
	if len(left) > 0 {
		fmt.Fprintf(&b, "Left out, because a summary has a largest size: %s. `parallax show --all` lists all, and `parallax show BUCKET` prints one in full.\n", strings.Join(left, ", and "))
	}
	return b.Bytes()
}

// placedID names a finding among those of all targets.
func placedID(target, id string) string {
	if id == "" {
		return ""
	}
	return target + "\x00" + id
}

// placedUnder names a finding and the one under which it folds: the one that lists show for its
// cause, or a similar one.
func placedUnder(f placed) (id, under string) {
	if !f.Shows() {
		return placedID(f.target.Name, f.ID), placedID(f.Shower.Target, f.Shower.ID)
	}
	return placedID(f.target.Name, f.ID), placedID(f.target.Name, f.Under)
}

// more counts the findings that fold under one.
func more(list []placed) string {
	same := 0
	for _, f := range list {
		if !f.Shows() {
			same++
		}
	}
	var parts []string
	if n := len(list) - same; n > 0 {
		parts = append(parts, fmt.Sprintf(" + %s similar", units.Thousands(uint64(n))))
	}
	if same > 0 {
		parts = append(parts, fmt.Sprintf(" + %s with its cause", units.Thousands(uint64(same))))
	}
	return strings.Join(parts, "")
}

// tail reserves room for the last sentence.
const tail = 300

// headline summarizes the results of all targets.
func (r *Report) headline() string {
	var parts []string
	all := finding.Summary{}
	problems := 0
	for i := range r.Targets {
		t := &r.Targets[i]
		for k := range t.Findings {
			all.Findings.Buckets = append(all.Findings.Buckets, t.Findings[k].Row)
		}
		if t.Problem != "" {
			problems++
		}
	}
	parts = append(parts, text.Headline(&all))
	if problems > 0 {
		parts = append(parts, units.Plural(problems, "target")+" with an error")
	}
	return strings.Join(parts, ", ")
}

// targets lists the targets.
func (r *Report) targets(b *bytes.Buffer) {
	b.WriteString("| target | inputs | time | covered blocks | result |\n|---|---:|---:|---|---|\n")
	for i := range r.Targets {
		t := &r.Targets[i]
		inputs, took, covered, result := "", "", "", "not fuzzed"
		if s := t.Summary; s != nil {
			inputs, took = units.Thousands(s.Inputs), units.Duration(time.Duration(s.ElapsedSeconds*float64(time.Second)))
			covered, result = coverage(s), text.Headline(s)
			if t.Earlier {
				result = "not fuzzed; from earlier runs: " + result
			}
		}
		if t.Problem != "" && t.Summary != nil && !t.Earlier {
			result += "; stopped by an error"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", escape.Cell(escape.Cut(t.Name, 200)), inputs, took, covered, result)
	}
	b.WriteByte('\n')
	var summaries []*finding.Summary
	for i := range r.Targets {
		summaries = append(summaries, r.Targets[i].Summary)
	}
	together := finding.Together(summaries)
	if together != nil {
		fmt.Fprintf(b, "The change, in all targets together: %d of %d change points executed.\n\n", together.Covered, together.Points)
		unreached(b, together)
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		if t.Problem != "" {
			fmt.Fprintf(b, "%s:\n\n%s\n", escape.Code(t.Name), escape.Fence("", escape.Cut(t.Problem, shownProblem)))
		}
		if t.Summary == nil {
			continue
		}
		if c := t.Summary.Change; c != nil {
			fmt.Fprintf(b, "The change, in %s: %d of %d change points executed; %d of %d blocks that it reaches.\n\n",
				escape.Code(t.Name), c.Covered, c.Points, c.ImpactedCovered, c.Impacted)
			if together == nil {
				unreached(b, c)
				reached(b, c)
			}
		}
		notes := t.Summary.Notes
		for k, note := range notes {
			if k == shownNotes {
				fmt.Fprintf(b, "- and %s\n", units.Plural(len(notes)-k, "more note"))
				break
			}
			fmt.Fprintf(b, "- %s: %s\n", escape.Code(t.Name), prose(escape.Cut(finding.Flat(note), 1000)))
		}
		if len(notes) > 0 {
			b.WriteByte('\n')
		}
	}
}

// shownPoints limits the executed change points that are listed, and those that were not executed.
const shownPoints = 20

// unreached lists the change points that were not executed.
func unreached(b *bytes.Buffer, c *finding.Change) {
	if len(c.NotReached) == 0 {
		return
	}
	b.WriteString("| not executed | nearest executed | reason |\n|---|---|---|\n")
	for i, n := range c.NotReached {
		if i == shownPoints {
			fmt.Fprintf(b, "| and %d more | | |\n", len(c.NotReached)-i)
			break
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", escape.Cell(n.Location), escape.Cell(n.Nearest), text.WhyNotReached(&n))
	}
	b.WriteByte('\n')
}

// reached lists the executed change points, those with the fewest inputs first.
func reached(b *bytes.Buffer, c *finding.Change) {
	list := slices.DeleteFunc(slices.Clone(c.Reached), func(r finding.Reached) bool { return r.Inputs == 0 })
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(x, y finding.Reached) int {
		return cmp.Or(cmp.Compare(x.Inputs, y.Inputs), cmp.Compare(x.Paths, y.Paths))
	})
	b.WriteString("| executed | inputs | paths |\n|---|---:|---:|\n")
	for i, r := range list {
		if i == shownPoints {
			fmt.Fprintf(b, "| and %d more | | |\n", len(list)-i)
			break
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", escape.Cell(r.Location), units.Thousands(uint64(r.Inputs)), units.Thousands(uint64(r.Paths)))
	}
	b.WriteByte('\n')
}

// coverage lists the covered blocks of the first programs with known blocks.
func coverage(s *finding.Summary) string {
	var parts []string
	for _, c := range s.Coverage {
		if c.Blocks <= 0 || c.Features {
			continue
		}
		covered, blocks := c.Own()
		text := fmt.Sprintf("%s of %s", units.Thousands(uint64(max(0, covered))), units.Thousands(uint64(blocks)))
		if len(s.Programs) > 1 {
			text = escape.Cell(escape.Cut(c.Program, 100)) + " " + text
		}
		parts = append(parts, text)
	}
	return firstParts(parts)
}

func firstParts(parts []string) string {
	if n := len(parts) - shownNames; n > 1 {
		parts = append(parts[:shownNames:shownNames], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, ", ")
}

// table lists findings until the page reaches a size, and returns their number.
func (r *Report) table(b *bytes.Buffer, list []placed, under func(placed) []placed, limit int) int {
	head := []string{"finding", "state", "kind", "input", "programs", "where"}
	several := len(r.Targets) > 1
	if several {
		head = append(head, "target")
	}
	b.WriteString("| " + strings.Join(head, " | ") + " |\n" + strings.Repeat("|---", len(head)) + "|\n")
	n := 0
	for _, f := range list {
		row := []string{escape.Cell(f.ID), f.state(), escape.Cell(f.kind()), escape.Cell(escape.Cut(f.input(), shownInput)), f.outcomes(), escape.Cell(f.Where.String())}
		row[0] += more(under(f))
		if several {
			row = append(row, escape.Cell(escape.Cut(f.target.Name, 200)))
		}
		line := "| " + strings.Join(row, " | ") + " |\n"
		if b.Len()+len(line) > limit {
			break
		}
		b.WriteString(line)
		n++
	}
	b.WriteByte('\n')
	return n
}

// state returns the state of a finding, with the reason for its acceptance.
func (f placed) state() string {
	word := f.word
	if word == "accepted" {
		word = text.Accepted(f.NewVariant)
	}
	if f.Accepted && f.Reason != "" {
		return word + ": " + escape.Cell(escape.Cut(f.Reason, 200))
	}
	if _, ok := meanings[f.word]; !ok {
		return escape.Cell(word)
	}
	return word
}

// outcomes lists the outcomes of the programs in a word each, for a cell. If the words are the
// same, the differing results follow them.
func (f placed) outcomes() string {
	var parts []string
	for _, name := range f.programs(f.target) {
		text := escape.Cell(escape.Cut(name, 100)) + " " + escape.Cell(finding.Outcome(f.Kind, f.Outcomes[name]))
		if result := f.Excerpt(name, shownResult); f.Layer != "" && f.Layer != "verdict" && result != "" {
			text += " " + escape.Cell(result)
		}
		if slices.Contains(f.Odd, name) {
			text += " (odd one out)"
		}
		parts = append(parts, text)
	}
	return firstParts(parts)
}

// details describes a finding in full, folded, and returns the number of similar findings that it
// lists.
func (r *Report) details(f placed, similar []placed) (page []byte, listed int) {
	var b bytes.Buffer
	// In an HTML block up to the next empty line, Markdown is not parsed, so texts are escaped for
	// HTML.
	fmt.Fprintf(&b, "<details><summary><code>%s</code> <code>%s</code> in <code>%s</code>: <code>%s</code></summary>\n\n",
		escapeHTML(f.ID), escapeHTML(f.kind()), escapeHTML(escape.Cut(f.target.Name, 200)), escapeHTML(escape.Cut(f.title(), 300)))
	if words, ok := meanings[f.word]; ok && f.word != "open" {
		fmt.Fprintf(&b, "%s: %s.\n\n", strings.ToUpper(f.word[:1])+f.word[1:], words)
	}
	if f.Accepts != "" {
		fmt.Fprintf(&b, "It accepts %s. %s.\n\n", prose(escape.Cut(f.Accepts, 1000)), text.Separate)
	}
	if origin := f.origin(); origin != "" {
		fmt.Fprintf(&b, "Origin: %s.\n\n", escape.Code(origin))
	}
	if also := text.AlsoShown(&f.Row, f.target.Name); also != "" {
		fmt.Fprintf(&b, "It is %s.\n\n", prose(also))
	}
	brief := []byte(nil)
	if f.Record != nil {
		brief = text.Brief(f.Record, f.Page)
	}
	switch {
	case f.Record == nil:
		b.WriteString("Its record cannot be read.\n")
	case len(brief) > shownDetails: // a cut would leave code open
		b.WriteString("Its report is too long for a summary.\n")
		brief = nil
	}
	b.Write(brief)
	if brief == nil {
		for _, name := range f.programs(f.target) {
			fmt.Fprintf(&b, "\n- %s %s %s", escape.Code(name), escape.Code(finding.Outcome(f.Kind, f.Outcomes[name])), escape.Code(escape.Cut(f.Results[name], 500)))
		}
		b.WriteString("\n\n" + escape.Fence("go", f.input()))
	}
	if lines := f.reproduce(); len(lines) > 0 {
		b.WriteString("\n#### Run it again\n\n" + escape.Fence("sh", strings.Join(lines, "\n# without parallax:\n")))
	}
	if f.Page.Folder != "" {
		fmt.Fprintf(&b, "\nAll files of it are in %s.\n", escape.Code(f.Page.Folder))
	}
	if len(similar) > 0 {
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n", strings.TrimSpace(more(similar)))
		listed = r.table(&b, similar, func(placed) []placed { return nil }, b.Len()+shownDetails)
		b.WriteString("</details>\n")
	}
	b.WriteString("\n</details>\n\n")
	return b.Bytes(), listed
}

func escapeHTML(s string) string { return html.EscapeString(escape.Text(s)) }

// prose escapes untrusted text outside of code. GitHub searches the rendered text, without
// backslashes, for mentions and references. A zero-width character prevents them.
func prose(s string) string {
	return strings.NewReplacer(`\@`, "@&#8203;", `\#`, "#&#8203;").Replace(escape.Plain(s))
}
