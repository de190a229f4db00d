package tape

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A process whose input may end it prints its draws on standard error while it draws. They cannot
// be read from it afterwards.

// drawPrefix begins a printed line. "=" follows for a finished value, "<" for a finished value
// within another, "?" for a value in progress, and nothing for the begin of a run.
const drawPrefix = "parallax draws:"

// Limits of the bytes that a run prints: of all lines, and of inner values, which matter only while
// the outer values are unfinished.
const (
	maxPrinted = 32 << 10
	maxWithin  = 8 << 10
)

// DrawLog formats the draws of a run, within limits. The zero value is ready for Begin.
type DrawLog struct{ size, within int }

// Begin returns the line that begins a run.
func (t *DrawLog) Begin() string {
	t.size, t.within = 0, 0
	return "\n" + drawPrefix + "\n"
}

// Start returns the line for a value in progress, and Drawn the line for a finished value. They
// return "" once the limit is reached.
func (t *DrawLog) Start(label string) string { return t.line("?", label) }

func (t *DrawLog) Drawn(line string) string { return t.line("=", line) }

// Inner is Drawn for a value within another; its line has all enclosing labels. StartInner is Start
// for such a value.
func (t *DrawLog) Inner(line string) string { return t.inner("<", line) }

func (t *DrawLog) StartInner(path string) string { return t.inner("?", path) }

func (t *DrawLog) inner(kind, text string) string {
	if t.within += len(text); t.within > maxWithin {
		return ""
	}
	return t.line(kind, text)
}

func (t *DrawLog) line(kind, text string) string {
	if t.size += len(text); t.size > maxPrinted {
		return ""
	}
	return "\n" + drawPrefix + kind + strconv.Quote(text) + "\n"
}

// SplitDraws removes the latest run's draws from the text of standard error. drawn has one line per
// draw.
func SplitDraws(text []byte) (rest []byte, drawn string) {
	if !bytes.Contains(text, []byte(drawPrefix)) {
		return text, ""
	}
	var lines, within []string
	open := ""
	for len(text) > 0 {
		at := bytes.Index(text, []byte("\n"+drawPrefix))
		if at < 0 {
			break
		}
		rest = append(rest, text[:at]...)
		var line []byte
		line, text, _ = bytes.Cut(text[at+1+len(drawPrefix):], []byte("\n"))
		if len(line) == 0 {
			lines, within, open = lines[:0], within[:0], ""
			continue
		}
		said, err := strconv.Unquote(string(line[1:]))
		switch {
		case err != nil: // a cut line
		case line[0] == '?':
			open = said
		case line[0] == '<':
			path, _, _ := strings.Cut(said, " = ")
			within = append(slices.DeleteFunc(within, func(s string) bool { return strings.HasPrefix(s, path+PathSeparator) }), said)
			open = path[:max(0, strings.LastIndex(path, PathSeparator))]
		default:
			lines, within, open = append(lines, said), within[:0], ""
		}
	}
	if lines = append(lines, within...); open != "" {
		lines = append(lines, open+", unfinished")
	}
	return append(rest, text...), strings.Join(lines, "\n")
}

// PathSeparator separates the labels of a draw and of a draw within it.
const PathSeparator = " > "
