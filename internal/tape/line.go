package tape

import (
	"strconv"
	"strings"
)

// OneLine joins drawn values, one per line, into one line. Newlines within a value become escapes,
// and do not end a draw: raw strings of several lines become quoted ones. A line that does not look
// like a draw belongs to the value before it, such as the output of a String method.
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

// begins reports whether the first line looks like a draw, LABEL = VALUE, or like a note of the
// library.
func begins(drawn string) bool {
	line, _, _ := strings.Cut(drawn, "\n")
	if label, _, ok := strings.Cut(line, " = "); ok {
		return label != "" && label == strings.TrimSpace(label) && !strings.ContainsAny(label, "=;{}()`\"")
	}
	return strings.HasSuffix(line, ", unfinished") || strings.HasSuffix(line, " more)") && strings.Contains(line, "... (")
}

// draw cuts off the first line, or all lines of a raw string.
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
