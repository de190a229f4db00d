package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Sizes of a terminal's picture, in pixels.
const (
	cellWidth  = 8.4 // of a character of 14 pixels
	cellHeight = 20
	margin     = 16
	bar        = 32 // above the text
)

// styles matches the colored words.
var styles = regexp.MustCompile(`^\$ .*|\baccepted\b|\brejected\b|^ +\d+  (?:value )?discrepancy|\b[0-9a-f]{12}\b|[\w.]+\.go:\d+|\*`)

func color(word string) string {
	switch {
	case strings.HasPrefix(word, "$ "):
		return "#ffffff"
	case word == "accepted":
		return "#7ee787"
	case word == "rejected", word == "*":
		return "#ffa657"
	case strings.HasSuffix(word, "discrepancy"):
		return "#ff7b72"
	case strings.Contains(word, ".go:"):
		return "#79c0ff"
	}
	return "#8b949e"
}

// terminal draws a text like a terminal.
func terminal(text string) []byte {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 0
	for _, line := range lines {
		columns = max(columns, ansi.StringWidth(line))
	}
	width, height := int(float64(columns)*cellWidth)+2*margin, len(lines)*cellHeight+2*margin+bar
	var b bytes.Buffer
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %[1]d %[2]d\" role=\"img\">\n", width, height)
	fmt.Fprintf(&b, "<title>parallax in a terminal</title>\n<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#0d1117\"/>\n", width, height)
	for i, fill := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, "<circle cx=\"%d\" cy=\"18\" r=\"6\" fill=\"%s\"/>\n", 20+i*20, fill)
	}
	b.WriteString("<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" fill=\"#c9d1d9\">\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" textLength=\"%.1f\">", margin, bar+margin+i*cellHeight+14, float64(ansi.StringWidth(line))*cellWidth)
		at := 0
		for _, m := range styles.FindAllStringIndex(line, -1) {
			b.WriteString(escape(line[at:m[0]]))
			fmt.Fprintf(&b, "<tspan fill=\"%s\">%s</tspan>", color(line[m[0]:m[1]]), escape(line[m[0]:m[1]]))
			at = m[1]
		}
		fmt.Fprintf(&b, "%s</text>\n", escape(line[at:]))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// escape escapes a text for SVG. Spaces do not collapse.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", " ", "\u00a0").Replace(text)
}
