package report

import (
	"fmt"
	"strings"
	"time"
)

// How texts and numbers fit into lines.

// Fold breaks a line at spaces where it is wider than a terminal. What follows is set in; a longer word stays whole.
func Fold(line string, width int) []string {
	if cells(line) <= width {
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

// Duration is a span for people: 0.8s, 12s, 3m05s, 2h10m, 3d04h.
func Duration(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < 10*time.Second:
		if t := d.Truncate(100 * time.Millisecond); t%time.Second != 0 {
			return fmt.Sprintf("%.1fs", t.Seconds())
		}
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// Bytes is a size for people.
func Bytes(n int64) string {
	const kib = 1 << 10
	switch f := float64(n); {
	case n < kib:
		return fmt.Sprintf("%d B", n)
	case n < kib*kib:
		return fmt.Sprintf("%.1f KiB", f/kib)
	case n < kib*kib*kib:
		return fmt.Sprintf("%.1f MiB", f/(kib*kib))
	default:
		return fmt.Sprintf("%.1f GiB", f/(kib*kib*kib))
	}
}

// Wrap breaks text at spaces into lines of at most width columns; a longer word gets a line of its own.
func Wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && cells(line)+1+cells(word) > width && !workflowCommand(word) {
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

// workflowCommand reports whether a CI system would take a line that begins with the word for a command of its own (workflow commands
// of GitHub).
func workflowCommand(word string) bool {
	return strings.HasPrefix(word, "::") || strings.HasPrefix(word, "##[")
}
