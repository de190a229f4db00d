package ui

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"parallax/cmd/internal/base/escape"
)

// The styles use the sixteen colors of the terminal's theme, so text is readable on every
// background.
var (
	boldStyle  = lipgloss.NewStyle().Bold(true)
	titleStyle = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	faintStyle = lipgloss.NewStyle().Faint(true)
	goodStyle  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	warnStyle  = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	badStyle   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)
	barStyle   = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	spinner    = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}
	sparks     = []rune("▁▂▃▄▅▆▇█")
)

// narrowLimit is the width in columns below which blocks are stacked.
const narrowLimit = 72

func bar(part float64, w int, full, empty string) string {
	w = max(w, 0)
	n := min(w, max(0, int(part*float64(w)+0.5)))
	if part > 0 && n == 0 && w > 0 {
		n = 1
	}
	return barStyle.Render(strings.Repeat(full, n)) + faintStyle.Render(strings.Repeat(empty, w-n))
}

func titled(s string) string { return " " + titleStyle.Render(s) }

func row(label, value string) string { return "   " + pad(faintStyle.Render(label), 15) + value }

// joinColumns puts two blocks next to each other, the right one at a column.
func joinColumns(left, right []string, column int) []string {
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		l, r := "", ""
		if i < len(left) {
			l = cut(left[i], column-1)
		}
		if i < len(right) {
			r = right[i]
		}
		lines[i] = strings.TrimRight(pad(l, column)+r, " ")
	}
	return lines
}

// spark draws the last w samples, scaled to their maximum.
func spark(samples []float64, w int) string {
	if w <= 0 || len(samples) < 2 {
		return ""
	}
	samples = samples[max(0, len(samples)-w):]
	top := slices.Max(samples)
	line := make([]rune, len(samples))
	for i, v := range samples {
		level := 0
		if top > 0 {
			level = min(len(sparks)-1, max(0, int(v/top*float64(len(sparks)))))
		}
		line[i] = sparks[level]
	}
	return string(line)
}

// wrapWords joins words with commas into at most two lines.
func wrapWords(words []string, w int) []string {
	if len(words) == 0 {
		return nil
	}
	lines := []string{""}
	for i, word := range words {
		word = escape.Text(word)
		if i < len(words)-1 {
			word += ","
		}
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case cells(*last)+1+cells(word) <= w || len(lines) == 2:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

func cells(s string) int { return ansi.StringWidth(s) }

func pad(s string, w int) string { return s + strings.Repeat(" ", max(0, w-cells(s))) }

func cut(s string, w int) string { return ansi.Truncate(s, max(0, w), "…") }
