package text

import (
	"bytes"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
)

// Markdown returns report.md: the finding as an issue for the programs' authors. Nothing in it
// depends on the machine of the campaign.
func Markdown(f *finding.Finding, page finding.Page) []byte {
	var b bytes.Buffer
	for i, bl := range newDocument(f, paper{Page: page, markdown: true}).blocks {
		if _, ok := bl.(factsBlock); ok {
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		bl.markdown(&b)
	}
	return b.Bytes()
}

func (h headingBlock) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s %s\n", strings.Repeat("#", h.level), inline(h.spans))
}

func (p paragraphBlock) markdown(b *bytes.Buffer) { b.WriteString(inline(p) + "\n") }

func (c codeBlock) markdown(b *bytes.Buffer) {
	var lines []string
	for _, l := range c.lines {
		var line strings.Builder
		for _, s := range l {
			line.WriteString(s.text)
		}
		lines = append(lines, strings.TrimRight(strings.ReplaceAll(line.String(), "\n", `\n`), " "))
	}
	b.WriteString(escape.Fence(c.language, strings.Join(lines, "\n")))
}

func (t tableBlock) markdown(b *bytes.Buffer) {
	b.WriteString("| " + strings.Join(t.head, " | ") + " |\n|" + strings.Repeat("---|", len(t.head)) + "\n")
	for _, row := range t.rows {
		for _, cell := range row {
			text := strings.Builder{}
			for _, s := range cell {
				if s.style == asName || s.style == asValue {
					text.WriteString(escape.Cell(s.text))
				} else {
					text.WriteString(s.inline())
				}
			}
			b.WriteString("| " + text.String() + " ")
		}
		b.WriteString("|\n")
	}
}

func (l listBlock) markdown(b *bytes.Buffer) {
	for i, it := range l {
		fmt.Fprintf(b, "%d. %s", i+1, inline(it.text))
		if len(it.detail) > 0 {
			b.WriteString(": " + inline(it.detail))
		}
		b.WriteByte('\n')
	}
}

func (factsBlock) markdown(*bytes.Buffer) {}

func inline(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.inline())
	}
	return b.String()
}

func (s span) inline() string {
	switch s.style {
	case asWords:
		return s.text
	case asName, asValue:
		return escape.Code(s.text)
	}
	return escape.Plain(s.text)
}
