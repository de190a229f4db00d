package gencheck

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
)

// Text writes the report for people, in lines of width cells if words permit it. With cut, tables
// have no longer lines either.
func (r *Report) Text(w io.Writer, width int, cut bool) error {
	var b strings.Builder
	for i, t := range r.Targets {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s.%s: %s", escape.Text(t.Package), escape.Text(t.Name), plural(t.Inputs, "input"))
		if t.Invalid > 0 {
			fmt.Fprintf(&b, ", %d of them invalid", t.Invalid)
		}
		if t.Failed > 0 {
			fmt.Fprintf(&b, ", %d fail", t.Failed)
		}
		fmt.Fprintf(&b, "; %s\n", plural(t.Runs, "run"))
		if cut {
			t.table(&b, width)
		} else {
			t.table(&b, math.MaxInt)
		}
		for _, n := range t.Notes {
			paragraph(&b, "  note: ", n, width)
		}
	}
	b.WriteString("\n")
	for i, m := range r.Mistakes {
		if slices.ContainsFunc(r.Mistakes[:i], func(o Mistake) bool { return m.differsByLabel(&o) }) {
			continue // reported with it
		}
		head := "mistake: "
		if m.File != "" {
			head = fmt.Sprintf("%s:%d: ", escape.Text(m.File), m.Line)
		}
		if m.Label != "" && m.Kind != sharedLabel {
			head += fmt.Sprintf("%q: ", m.Label)
		}
		text := m.Text
		if m.File == "" && len(m.Targets) > 0 {
			text += " (" + strings.Join(m.Targets, ", ") + ")"
		}
		var others []string
		for _, o := range r.Mistakes[i+1:] {
			if o.differsByLabel(&m) {
				others = append(others, fmt.Sprintf("%q", o.Label))
			}
		}
		if n := len(others); n > 0 {
			text += ". The same is wrong with " + strings.Join(others[:n-1], ", ")
			if n > 1 {
				text += " and "
			}
			text += others[n-1]
		}
		paragraph(&b, head, text, width)
	}
	switch n := len(r.Mistakes); n {
	case 0:
		b.WriteString("no mistakes\n")
	default:
		fmt.Fprintf(&b, "%s\n", plural(n, "mistake"))
	}
	for _, n := range r.Notes {
		paragraph(&b, "note: ", n, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// differsByLabel reports whether two mistakes differ only in the label, at one line.
func (m *Mistake) differsByLabel(o *Mistake) bool {
	general := func(m *Mistake) string {
		text := m.Text
		if m.Label != "" {
			text = strings.ReplaceAll(text, fmt.Sprintf("%q", m.Label), `"LABEL"`)
		}
		return numbers().ReplaceAllString(text, "N")
	}
	return m.Kind == o.Kind && m.Kind != sharedLabel && m.File == o.File && m.Line == o.Line && m.By == o.By && m.File != "" && m.Label != o.Label && general(m) == general(o)
}

var numbers = lazyregexp.New(`[0-9]+`)

// table lists the sites.
func (t *Target) table(b *strings.Builder, width int) {
	if len(t.Sites) == 0 {
		return
	}
	rows := [][5]string{{"label", "drawn by", "kind", "depends", "where"}}
	for _, s := range t.Sites {
		kind := s.Kind
		if s.Override {
			kind += "*"
		}
		rows = append(rows, [5]string{escape.Text(s.Label), strings.ReplaceAll(s.By, ", ", " "), kind, s.depends(), fmt.Sprintf("%s:%d", escape.Text(filepath.ToSlash(s.File)), s.Line)})
	}
	var cells [5]int
	for _, row := range rows {
		for i, c := range row {
			cells[i] = max(cells[i], utf8.RuneCountInString(c))
		}
	}
	over := 2 - width // excess width, which is cut from texts that may be long
	for _, n := range cells {
		over += n + 2
	}
	for _, cut := range []struct{ column, least int }{{4, 16}, {1, 14}, {0, 8}} {
		if over > 0 {
			less := min(over, max(0, cells[cut.column]-cut.least))
			cells[cut.column] -= less
			over -= less
		}
	}
	for _, row := range rows {
		line := " "
		for i, c := range row {
			line += " " + cell(c, cells[i], i == 4) + " "
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, s := range t.Sites {
		if s.Override {
			b.WriteString("  * said by Structural(), Value() or a tag\n")
			break
		}
	}
}

// depends describes the evidence of the reruns.
func (s *Site) depends() string {
	switch {
	case s.Evidence == fixed:
		return "has one value"
	case s.Reruns == 0:
		return "not known"
	case s.Changed == 0:
		return fmt.Sprintf("0 of %d (< %.0f %%)", s.Reruns, max(1, 100*s.Missed+0.4999))
	}
	return fmt.Sprintf("%d of %d", s.Changed, s.Reruns)
}

// cell pads or cuts a text to n cells. With end, a cut text keeps its end.
func cell(text string, n int, end bool) string {
	r := []rune(text)
	switch {
	case len(r) <= n:
		return text + strings.Repeat(" ", n-len(r))
	case end:
		return "…" + string(r[len(r)-n+1:])
	}
	return string(r[:n-1]) + "…"
}

// paragraph breaks a text into lines, and indents all but the first one.
func paragraph(b *strings.Builder, head, text string, width int) {
	const indent = "    "
	line := head
	first := true
	for _, word := range strings.Fields(escape.Lines(text)) {
		if !first && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, first = indent, true
		}
		if !first {
			line += " "
		}
		line, first = line+word, false
	}
	b.WriteString(line + "\n")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
