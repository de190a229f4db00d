package quote

import (
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
)

// assertionLabel begins a part of a testify assertion. Its further lines begin with spaces.
var assertionLabel = lazyregexp.New(`^(?: *\r?\t)?(Error Trace|Error|Test|Messages):(?:\s|$)`)

// OneLine returns the escaped message of a failure on one line. Semicolons separate its lines. A
// testify assertion is reduced to the assertion, the expected and actual values, and the caller's
// message.
func OneLine(message string) string {
	var b strings.Builder
	label, diff := "", false
	for l := range strings.Lines(message) {
		l = strings.TrimRight(l, "\r\n")
		if m := assertionLabel().FindStringSubmatchIndex(l); m != nil && (label != "" || l[m[2]:m[3]] == "Error Trace") {
			label, diff = l[m[2]:m[3]], false
			l = l[m[3]+1:]
		}
		l = strings.TrimSpace(l)
		if diff = diff || label == "Error" && l == "Diff:"; l == "" || diff || label == "Error Trace" || label == "Test" {
			continue
		}
		if label == "Error" { // names of values are aligned
			for _, name := range []string{"expected", "actual"} {
				if rest, ok := strings.CutPrefix(l, name); ok && strings.HasPrefix(strings.TrimSpace(rest), ":") {
					l = name + strings.TrimSpace(rest)
				}
			}
		}
		switch text := b.String(); {
		case text == "":
		case label != "" && strings.HasSuffix(text, ":"):
			b.WriteByte(' ')
		default:
			b.WriteString("; ")
		}
		b.WriteString(l)
	}
	return escape.Text(b.String())
}

// Subject returns a failure's escaped message for a heading: its first line, or its assertion.
func Subject(message string) string {
	message = strings.TrimSpace(message)
	line, _, _ := strings.Cut(message, "\n")
	if strings.HasPrefix(line, "Error Trace:") {
		return OneLine(message)
	}
	return escape.Text(strings.TrimSpace(line))
}
