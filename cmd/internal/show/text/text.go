// Package text renders findings and summaries as text. It has the report of a finding for a
// terminal and as Markdown, the list of findings, and the end of a run. Commands print the text,
// and campaigns write the Markdown to report.md.
//
// It computes nothing but text from records. Inputs, outputs, messages and names of programs are
// untrusted: none of them reaches a terminal or a Markdown page unescaped. Equal records give equal
// bytes.
package text

import (
	"bytes"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
)

// TextOptions say how a finding is shown on a terminal.
type TextOptions struct {
	Width int  // columns; 0 means 80
	Color bool // ANSI colors
}

// Terminal returns the finding for a terminal: the text of report.md, with paths that an editor can
// open.
func Terminal(f *finding.Finding, page finding.Page, o TextOptions) []byte {
	if o.Width == 0 {
		o.Width = 80
	}
	at := paper{Page: page, width: min(max(o.Width, 60), 160)}
	t := &textWriter{width: at.width, color: o.Color}
	var last block
	for _, bl := range newDocument(f, at).blocks {
		_, section := bl.(headingBlock)
		_, code := bl.(codeBlock)
		_, after := last.(codeBlock)
		if section && last != nil || code && after {
			t.out.WriteByte('\n')
		}
		bl.text(t)
		last = bl
	}
	return t.out.Bytes()
}

type textWriter struct {
	width int
	color bool
	out   bytes.Buffer
}

const textIndent = 2

// colors has the colors of styles. Our own words have none, and quiet text is faint.
var colors = map[style]string{
	asName: cyan, asGood: green, asBad: red, asMiddle: yellow, asQuiet: faint, asLoud: bold, asMark: "1;" + red, asGone: red, asFresh: green,
}

func (t *textWriter) paint(st style, s string) string { return paint(t.color, colors[st], s) }

func paint(on bool, color, s string) string {
	if !on || color == "" || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// visible returns the text of a span as a terminal may show it.
func (s span) visible() string {
	if s.style == asWords {
		return s.text
	}
	return escape.Text(s.text)
}

func (h headingBlock) text(t *textWriter) {
	var b strings.Builder
	for _, s := range h.spans {
		b.WriteString(s.visible())
	}
	indent := ""
	if h.level > 2 {
		indent = strings.Repeat(" ", textIndent)
	}
	for _, l := range columns.Wrap(b.String(), t.width-len(indent)) {
		t.out.WriteString(indent + paint(t.color, bold, l) + "\n")
	}
}

func (p paragraphBlock) text(t *textWriter) { t.flow(p, "", "") }

// flow breaks spans at spaces. It does not break words longer than a line, such as paths, so that
// users can copy them.
func (t *textWriter) flow(spans []span, first, rest string) {
	line, used, open := strings.Repeat(" ", textIndent)+first, textIndent+columns.Width(first), false
	end := func() {
		t.out.WriteString(strings.TrimRight(line, " ") + "\n")
		line, used, open = strings.Repeat(" ", textIndent)+rest, textIndent+columns.Width(rest), false
	}
	for _, s := range spans {
		for i, word := range strings.Split(s.visible(), " ") {
			w := columns.Width(word)
			if i > 0 {
				if open && used+1+w > t.width {
					end()
				} else if open {
					line, used = line+" ", used+1
				}
			}
			if word != "" {
				line, used, open = line+t.paint(s.style, word), used+w, true
			}
		}
	}
	end()
}

func (c codeBlock) text(t *textWriter) {
	const indent = textIndent + 2
	for _, l := range c.lines {
		room := t.width - indent
		line, used := strings.Repeat(" ", indent), 0
		for _, s := range l {
			text := s.text
			if s.style != asWords {
				text = escape.Source(text)
			}
			for !c.whole {
				part := columns.Fit(text, room-used)
				if part == text || part == "" && used == 0 { // or one character that is wider than the line
					break
				}
				if !c.wrap {
					text = columns.Cut(text, room-used)
					break
				}
				t.out.WriteString(strings.TrimRight(line+t.paint(s.style, part), " ") + "\n")
				line, used, text = strings.Repeat(" ", indent), 0, text[len(part):]
			}
			line, used = line+t.paint(s.style, text), used+columns.Width(text)
			if !c.wrap && used >= room {
				break
			}
		}
		t.out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// text aligns columns. The widest column shrinks until the line fits.
func (tb tableBlock) text(t *textWriter) {
	wide := 0
	for _, row := range tb.rows {
		wide = max(wide, len(row))
	}
	widths := make([]int, wide)
	for _, row := range tb.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns.Width(cellText(cell)))
		}
	}
	total := func() int {
		n := textIndent
		for _, w := range widths {
			if w > 0 {
				n += w + gap
			}
		}
		return n - gap
	}
	for over := total() - t.width; over > 0 && wide > 0; over = total() - t.width {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		second := 8
		for i, w := range widths {
			if i != widest {
				second = max(second, w)
			}
		}
		if widths[widest] <= 8 {
			break
		}
		widths[widest] -= max(1, min(over, widths[widest]-second))
	}
	for r, row := range tb.rows {
		line := strings.Repeat(" ", textIndent)
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			text, used := "", 0
			for _, s := range cell {
				v := s.visible()
				if s.style == asName && len(cell) == 1 {
					v = columns.CutStart(v, widths[i]) // names and places say most at their ends
				} else if s.style == asValue && tb.cut != nil {
					v = tb.cut(r, v, widths[i]-used)
				} else {
					v = columns.Cut(v, widths[i]-used)
				}
				text, used = text+t.paint(s.style, v), used+columns.Width(v)
			}
			line += text + strings.Repeat(" ", max(0, widths[i]-used)+gap)
		}
		t.out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func cellText(cell []span) string {
	var b strings.Builder
	for _, s := range cell {
		b.WriteString(s.visible())
	}
	return b.String()
}

func (l listBlock) text(t *textWriter) {
	for i, it := range l {
		t.flow(it.text, fmt.Sprintf("%-3d", i+1), "   ")
		if len(it.detail) > 0 {
			t.flow(it.detail, "   ", "   ")
		}
	}
}

func (f factsBlock) text(t *textWriter) {
	width := 0
	for _, x := range f {
		width = max(width, len(x.name))
	}
	for _, x := range f {
		t.flow(x.spans, paint(t.color, faint, columns.Pad(x.name, width))+"  ", strings.Repeat(" ", width+2))
	}
}

// shown is the number of bytes of a text that people see, a few screens. A file next to the report
// has the whole input. JSON is never cut, since it is reversible.
const shown = 4096
