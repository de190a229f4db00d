package columns

import (
	"strings"
)

// How texts and numbers fit into lines.

// Fold breaks a line at spaces where it is wider than a terminal. Fold indents the lines after the
// first, and keeps longer words whole.
func Fold(line string, width int) []string {
	if Width(line) <= width {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	lines := Wrap(line, width-len(indent)-4)
	for i := range lines {
		if lines[i] = indent + lines[i]; i > 0 {
			lines[i] = "    " + lines[i]
		}
	}
	return lines
}

// Wrap breaks text at spaces into lines of at most width columns; a longer word gets a line of its
// own.
func Wrap(s string, width int) []string { return WrapWords(strings.Fields(s), width) }

// WrapWords breaks words into lines of at most width columns.
func WrapWords(words []string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words {
		if line != "" && Width(line)+1+Width(word) > width && !workflowCommand(word) {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// workflowCommand reports whether a CI system would take a line that begins with the word for a
// command of its own (workflow commands of GitHub).
func workflowCommand(word string) bool {
	return strings.HasPrefix(word, "::") || strings.HasPrefix(word, "##[")
}
