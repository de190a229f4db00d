package tape

import (
	"strconv"
	"strings"
)

// OneLine has what was drawn, a line a draw, on one line. An end of line within a value is an escape, and no end of a draw: texts of several lines are raw
// strings, which become quoted ones. A line that does not look like a draw is a part of another value, as a String method writes it.
func OneLine(drawn string) string {
	var b strings.Builder
	for first := true; drawn != ""; first = false {
		switch {
		case first:
		case begins(drawn):
			b.WriteString("; ")
		default:
			b.WriteString(`\n`)
		}
		var one string
		one, drawn = draw(drawn)
		b.WriteString(one)
	}
	return b.String()
}

// begins reports whether a text begins with a line that looks like a draw: LABEL = VALUE, or what the library says beside.
func begins(drawn string) bool {
	line, _, _ := strings.Cut(drawn, "\n")
	if label, _, ok := strings.Cut(line, " = "); ok {
		return label != "" && label == strings.TrimSpace(label) && !strings.ContainsAny(label, "=;{}()`\"")
	}
	return strings.HasSuffix(line, ", unfinished") || strings.HasSuffix(line, " more)") && strings.Contains(line, "... (")
}

// draw takes the first line off, or several that are one raw string.
func draw(drawn string) (one, rest string) {
	if label, value, ok := strings.Cut(drawn, " = "); ok && !strings.Contains(label, "\n") {
		around, raw, ok := strings.Cut(value, "`")
		if text, after, closed := strings.Cut(raw, "`"); ok && closed && strings.Contains(text, "\n") && (around == "" || around == "[]byte(") {
			if end, rest, _ := strings.Cut(after, "\n"); end == strings.Repeat(")", strings.Count(around, "(")) {
				return label + " = " + around + strconv.Quote(text) + end, rest
			}
		}
	}
	one, rest, _ = strings.Cut(drawn, "\n")
	return one, rest
}
