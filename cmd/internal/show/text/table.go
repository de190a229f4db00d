package text

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/finding/regress"
)

// TableOptions say how findings are listed.
type TableOptions struct {
	Width    int       // columns of the terminal; 0 means 80. Lines fit into 60 columns and more
	Color    bool      // ANSI colors
	Programs []string  // order of the programs; others follow by name
	Target   string    // of the findings
	Limit    int       // buckets shown, without those that fold or have one line; 0 shows all unfolded. A line counts the rest
	More     string    // the command that shows all, for that line
	Now      time.Time // for the ages of findings; zero leaves them out
	Brief    bool      // accepted findings have a line each, as those that are gone have in any case
}

// Table lists findings, one block a bucket. A block has the number, kind, identity and count, the
// smallest input, the results of the programs, and the places where their paths parted. Accepted
// and flaky ones come last.
func Table(w io.Writer, buckets []finding.Row, o TableOptions) error {
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = min(max(o.Width, 60), 160)
	t := table{o: o}
	buckets = slices.Clone(buckets)
	slices.SortStableFunc(buckets, func(a, b finding.Row) int { return finding.Rank(a) - finding.Rank(b) })
	var elsewhere []string
	if o.Limit > 0 {
		buckets, elsewhere = shownRows(buckets)
		buckets, t.folded = finding.Leaders(buckets, func(b finding.Row) (id, under string) { return b.ID, b.Under })
	}
	var list []finding.Row
	var numbers []int // those of the list without a limit
	full, left := 0, 0
	for i, b := range buckets {
		switch {
		case t.brief(b):
		case o.Limit > 0 && full == o.Limit:
			left += 1 + len(t.folded[b.ID])
			continue
		default:
			full++
		}
		list, numbers = append(list, b), append(numbers, i+1)
	}
	t.number = len(fmt.Sprint(slices.Max(append(numbers, 0))))
	t.measure(list)
	seen := 0
	for i, b := range list {
		if i > 0 && !(t.brief(b) && t.brief(list[i-1])) {
			t.out.WriteByte('\n')
		}
		if t.brief(b) {
			t.settled(numbers[i], b)
			continue
		}
		if b.Layer == finding.CostLayer && i > 0 && list[i-1].Layer != finding.CostLayer {
			t.line("  Only costs differ:\n") // in all that follow
		}
		t.bucket(numbers[i], b)
		if seen++; seen == full && left > 0 {
			t.more(left)
		}
	}
	for i, text := range elsewhere {
		if i == 0 && len(list) > 0 {
			t.out.WriteByte('\n')
		}
		for _, l := range columns.Fold("  "+text, o.Width) {
			t.line(t.paint(faint, l))
		}
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

// more says how many findings are left out.
func (t *table) more(left int) {
	more := fmt.Sprintf("\n  and %s more", units.Thousands(uint64(left)))
	if t.o.More != "" {
		more += ": " + escape.Text(t.o.More)
	}
	t.out.WriteString(more + "\n") // whole, however long: it holds a command to copy
}

// A table holds the widths of its columns. All blocks share them, so that they line up.
type table struct {
	o                    TableOptions
	out                  bytes.Buffer
	number, kind, id     int
	name, outcome, where int
	end                  int // the column at which places end
	folded               map[string][]finding.Row
}

// The names and the place may take so much of a line; results get the rest.
const (
	gap      = 2
	maxWhere = 28
)

func (t *table) measure(buckets []finding.Row) {
	t.outcome = len("accepted") // in all tables of a run: results of one that has crashes only begin where those of others do
	for _, b := range buckets {
		t.kind = max(t.kind, columns.Width(bucketTitle(b)))
		t.id = max(t.id, columns.Width(escape.Text(b.ID)))
		if t.brief(b) {
			continue
		}
		for _, p := range t.programs(b) {
			t.name = max(t.name, columns.Width(escape.Text(p)))
			t.outcome = max(t.outcome, columns.Width(escape.Text(finding.Outcome(b.Kind, b.Outcomes[p]))))
			t.where = max(t.where, columns.Width(where(&b, p)))
		}
	}
	t.name = min(t.name, t.o.Width*2/5)
	t.where = min(t.where, maxWhere, t.o.Width/4)
	for _, b := range buckets {
		if t.brief(b) {
			continue
		}
		for _, p := range t.programs(b) {
			line := t.before() + columns.Width(escape.Text(b.Results[p]))
			if where := where(&b, p); where != "" {
				line += gap + min(columns.Width(where), t.where)
			}
			t.end = max(t.end, line)
		}
	}
	t.end = min(t.end, t.o.Width)
}

// before returns the column at which results start.
func (t *table) before() int {
	return 2 + t.number + gap + 2 + t.name + gap + t.outcome + gap
}

func bucketTitle(b finding.Row) string {
	s := escape.Text(b.Kind)
	if b.Layer != "" && b.Layer != "verdict" {
		s = escape.Text(b.Layer) + " " + s
	}
	if status := regress.Status(b.Status); status != "" && status != regress.StatusChanged {
		s = string(status) + " " + s
	}
	return s
}

func (t *table) bucket(n int, b finding.Row) {
	notes := []string{units.Plural(b.Count, "input")}
	if ages := Ages(parseTime(b.FirstSeenTime), parseTime(b.LastSeenTime), t.o.Now); ages != "" {
		notes = append(notes, ages)
	}
	if b.Flaky {
		notes = append(notes, strings.TrimSuffix("flaky: "+escape.Text(b.Wavers), ": "))
	}
	if b.Unminimized {
		notes = append(notes, NotMinimized)
	}
	if b.Unverified {
		notes = append(notes, "unverified")
	}
	if b.Older {
		notes = append(notes, finding.OlderSources)
	}
	if s := history.State(b.State); s == history.Confirmed || s == history.Again {
		notes = append(notes, string(s))
	}
	if b.Owner != "" {
		notes = append(notes, "owner "+escape.Text(b.Owner))
	}
	if b.Accepted {
		notes = append(notes, acceptance(&b))
	}
	head := fmt.Sprintf("  %*d%*s", t.number, n, gap, "")
	rest := columns.Pad(bucketTitle(b), t.kind+gap) + columns.Pad(escape.Text(b.ID), t.id+gap)
	indent := strings.Repeat(" ", columns.Width(head))
	first := head + t.paint(bold, bucketTitle(b)) + rest[len(bucketTitle(b)):]
	count := strings.Join(notes, ", ")
	if room := t.o.Width - columns.Width(head) - columns.Width(rest); columns.Width(count) <= room || len(notes) == 1 {
		t.line(first + t.paint(faint, columns.Cut(count, room)))
	} else { // reasons are whole, below
		t.line(first + t.paint(faint, columns.Cut(notes[0], room)))
		for _, l := range columns.Break(strings.Join(notes[1:], ", "), t.o.Width-len(indent)) {
			t.line(indent + t.paint(faint, l))
		}
	}
	if quoted := cmp.Or(b.Named, b.Quoted); quoted != "" {
		t.line(indent + t.paint(cyan, columns.Cut(escape.Text(quoted), t.o.Width-len(indent))))
	}
	if b.Hex != "" {
		t.line(indent + t.paint(cyan, columns.Cut("hex "+escape.Text(b.Hex), t.o.Width-len(indent))))
	}
	if b.Origin != "" {
		for line := range strings.SplitSeq(escape.Text(b.Origin), "; ") {
			t.line(indent + t.paint(faint, columns.Cut(line, t.o.Width-len(indent))))
		}
	}
	for _, p := range t.programs(b) {
		t.program(indent, b, p)
	}
	if len(b.Odd) > 0 {
		var odd []string
		for _, p := range b.Odd {
			odd = append(odd, escape.Text(p))
		}
		t.line(indent + columns.Cut("odd one out: "+strings.Join(odd, ", "), t.o.Width-len(indent)))
	}
	if b.Remark != "" {
		for _, l := range columns.Break("remark: "+escape.Text(b.Remark), t.o.Width-len(indent)) {
			t.line(indent + t.paint(faint, l))
		}
	}
	t.variants(indent, b.Variants)
	t.further(indent, &b)
	if similar := t.folded[b.ID]; len(similar) > 0 {
		var inputs []string
		for _, s := range similar {
			if quoted := cmp.Or(s.Named, s.Quoted); quoted != "" {
				inputs = append(inputs, brief(quoted, len(similar)))
			}
		}
		t.inputs(indent, fmt.Sprintf("+ %d similar (show --all)", len(similar)), inputs, len(similar))
	}
	t.sharing(indent, b)
}

// brief reports whether a finding has only a line: it is settled.
func (t *table) brief(b finding.Row) bool { return b.Fixed() || t.o.Brief && b.Accepted && !b.Flaky }

// settled writes the line of a settled finding: its identity, its input, and the reason. The input
// is cut before the reason, down to a third of the room.
func (t *table) settled(n int, b finding.Row) {
	line := fmt.Sprintf("  %*d%*s", t.number, n, gap, "") + columns.Pad(bucketTitle(b), t.kind+gap) + columns.Pad(escape.Text(b.ID), t.id+gap)
	room := t.o.Width - columns.Width(line)
	why := "can no longer be reproduced"
	if !b.Fixed() {
		why = acceptance(&b)
	} else if b.Accepted {
		why += ", " + acceptance(&b)
	}
	input := columns.Cut(escape.Text(cmp.Or(b.Named, b.Quoted)), max(room/3, room-gap-columns.Width(why)))
	if input != "" {
		input += strings.Repeat(" ", gap)
	}
	t.line(line + t.paint(cyan, input) + t.paint(faint, columns.Cut(why, room-columns.Width(input))))
}

// variants writes a line for variants: their number, and the inputs of the smallest ones.
func (t *table) variants(indent string, list []finding.VariantRow) {
	if len(list) == 0 {
		return
	}
	var inputs []string
	for _, v := range list {
		if v.Quoted == "" {
			continue
		}
		text := brief(v.Quoted, len(list))
		if v.New {
			text += " (new)"
		}
		inputs = append(inputs, text)
	}
	t.inputs(indent, "and "+units.Plural(uint64(len(list)), "variant"), inputs, len(list))
}

// further writes a line for further inputs of a bucket, unless its variants have some.
func (t *table) further(indent string, b *finding.Row) {
	if len(b.Variants) > 0 || len(b.Further) == 0 {
		return
	}
	var inputs []string
	for _, quoted := range b.Further {
		inputs = append(inputs, brief(quoted, len(b.Further)))
	}
	t.inputs(indent, "also", inputs, len(inputs))
}

// brief returns one of several inputs for a line that lists them. A single one has all the room.
func brief(quoted string, of int) string {
	if of == 1 {
		return escape.Text(quoted)
	}
	return columns.Cut(escape.Text(quoted), 24)
}

// inputs writes a line of a text and inputs, the shortest first, as many as fit. It ends with the
// number of those that are left out, out of all of them.
func (t *table) inputs(indent, text string, list []string, all int) {
	slices.SortStableFunc(list, func(a, b string) int { return columns.Width(a) - columns.Width(b) })
	room := t.o.Width - columns.Width(indent)
	rest := func(shown int) string {
		if shown == 0 || shown == all {
			return ""
		}
		return fmt.Sprintf(" and %d more", all-shown)
	}
	shown := 0
	for i, in := range list {
		next := text + map[bool]string{true: ": ", false: ", "}[i == 0] + in
		if i > 0 && columns.Width(next+rest(i+1)) > room {
			break
		}
		text, shown = next, i+1
	}
	t.line(indent + t.paint(faint, columns.Cut(text+rest(shown), room)))
}

// NotMinimized marks a finding whose triage was cut off.
const NotMinimized = "not minimized"

func (t *table) program(indent string, b finding.Row, p string) {
	outcome := escape.Text(finding.Outcome(b.Kind, b.Outcomes[p]))
	color := red
	switch outcome {
	case "accepted":
		color = green
	case "rejected":
		color = yellow
	case "declined":
		color = faint
	}
	mark := " "
	if len(b.Odd) > 0 && slices.Contains(b.Odd, p) {
		mark = "*"
	}
	line := indent + mark + " " + columns.Pad(columns.CutStart(escape.Text(p), t.name), t.name+gap) +
		t.paint(color, outcome) + strings.Repeat(" ", t.outcome-columns.Width(outcome)+gap)
	where := cutWhere(where(&b, p), t.where)
	room := t.o.Width - t.before()
	if where != "" {
		room = t.end - t.before() - gap - columns.Width(where)
	}
	result := b.Excerpt(p, room)
	var more []string
	if len(b.Results) == 1 && result != "" { // nothing to compare it with: it is whole
		lines := columns.Break(escape.Text(b.Results[p]), room)
		result, more = lines[0], lines[1:]
	} else if finding.Compares(b.Layer, b.Outcomes[p]) && result != escape.Text(b.Results[p]) { // what is compared is cut at the same columns
		result = b.Excerpt(p, t.end-t.before()-gap-t.where)
	}
	if where != "" {
		result = columns.Pad(result, room+gap) + t.paint(faint, where)
	}
	t.line(line + result)
	for _, l := range more {
		t.line(strings.Repeat(" ", t.before()) + l)
	}
}

func (t *table) line(s string) {
	t.out.WriteString(strings.TrimRight(s, " "))
	t.out.WriteByte('\n')
}

// programs returns programs in the target's order. Programs that the target does not name follow,
// by name.
func (t *table) programs(b finding.Row) []string {
	var list []string
	for _, p := range t.o.Programs {
		if _, ok := b.Outcomes[p]; ok {
			list = append(list, p)
		}
	}
	known := len(list)
	for p := range b.Outcomes {
		if !slices.Contains(list[:known], p) {
			list = append(list, p)
		}
	}
	slices.Sort(list[known:])
	return list
}

// where returns the file and line at which a program decided, with "perhaps" before a place that
// explains little.
func where(b *finding.Row, program string) string {
	at := place(b.Deciding[program])
	if at != "" && slices.Contains(b.Doubtful, program) {
		return perhaps + at
	}
	return at
}

// perhaps marks a place that may only follow from the one that decides.
const perhaps = "perhaps "

// cutWhere cuts the start of a place's file name to the width, and keeps the mark.
func cutWhere(where string, width int) string {
	if at, ok := strings.CutPrefix(where, perhaps); ok && columns.Width(where) > width {
		return perhaps + columns.CutStart(at, max(width-len(perhaps), 1))
	}
	return columns.CutStart(where, width)
}

// place returns file:line without folders.
func place(position string) string {
	if position == "" {
		return ""
	}
	return escape.Text(path.Base(position))
}

const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (t *table) paint(color, s string) string { return paint(t.o.Color, color, s) }

// parseTime parses a time. It returns the zero time for an invalid one, since rows come from files.
func parseTime(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s)
	return t
}
