// Package columns fits text into the columns of a terminal: it measures, cuts, pads and breaks.
// Lists, the text of findings, and help use it. Text that it is given is visible: package escape
// has made it so.
package columns

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"parallax/cmd/internal/base/escape"
)

// Width is the width of visible text on a terminal.
func Width(s string) int {
	if escape.ASCII(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Fit is the beginning of visible text that fits into width columns. It looks no further than that.
func Fit(s string, width int) string {
	used := 0
	for i, r := range s {
		n := 1
		if r >= utf8.RuneSelf {
			n = ansi.StringWidth(string(r))
		}
		if used += n; used > width {
			return s[:i]
		}
	}
	return s
}

// Pad adds spaces to s up to width columns.
func Pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Break breaks visible text into lines of at most width columns, at spaces where there are some.
func Break(s string, width int) (lines []string) {
	for width = max(width, 10); ; {
		part := Fit(s, width)
		if part == s {
			return append(lines, s)
		}
		if at := strings.LastIndexByte(part, ' '); at > width/3 {
			part = part[:at]
		}
		lines = append(lines, strings.TrimRight(part, " "))
		s = strings.TrimLeft(s[len(part):], " ")
	}
}

// Cut cuts the end of s off, so that it fits into width columns.
func Cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if Fit(s, width) == s {
		return s
	}
	return Fit(s, width-1) + "…"
}

// CutStart cuts the start of s off: that of names of packages and files says less than their end.
func CutStart(s string, width int) string {
	if over := Width(s) - width; over > 0 {
		return ansi.TruncateLeft(s, over+1, "…")
	}
	return s
}

// Around fits escaped text into so many columns. Where all that would be seen are the first same
// bytes, which others have too, its beginning is followed by what comes after these.
func Around(s string, same, width int) string {
	before := min(15, width/4)
	head := Fit(s, min(40, (width-before)/3))
	if same > len(s) || Fit(s, width) == s || Width(s[:same])+before < width {
		return Cut(s, width)
	}
	start := same
	for range before {
		_, n := utf8.DecodeLastRuneInString(s[:start])
		start -= n
	}
	if start <= len(head) {
		return Cut(s, width)
	}
	return head + "…" + Cut(s[start:], width-Width(head)-1)
}

// Below returns a heading with items below it, each on an indented line, or nothing without items.
func Below(heading string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return heading + "\n    " + strings.Join(items, "\n    ")
}
