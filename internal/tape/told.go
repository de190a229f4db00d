package tape

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A process that an input may end tells on its standard error what it draws, while it draws: nobody can ask it afterwards.

// toldPrefix begins a line of what is told. "=" follows where a value was drawn, "<" where one was within another, "?" where one is being drawn, and nothing where
// a run begins.
const toldPrefix = "parallax draws:"

// Limits of the bytes of lines that a run tells: of all, and of values within others, which are of interest only as long as these are not whole.
const (
	maxTold   = 32 << 10
	maxWithin = 8 << 10
)

// Telling is what a run has told. Its zero value is ready for Begin.
type Telling struct{ size, within int }

// Begin is the line by which a run begins.
func (t *Telling) Begin() string {
	t.size, t.within = 0, 0
	return "\n" + toldPrefix + "\n"
}

// Draws is the line for a value that is being drawn, and Drawn that for a line about one that was. They are empty when a run has told enough.
func (t *Telling) Draws(label string) string { return t.line("?", label) }

func (t *Telling) Drawn(line string) string { return t.line("=", line) }

// Within is Drawn of a value within another, of which the line names all labels around it, and Deeper is Draws of one.
func (t *Telling) Within(line string) string { return t.inner("<", line) }

func (t *Telling) Deeper(path string) string { return t.inner("?", path) }

func (t *Telling) inner(kind, text string) string {
	if t.within += len(text); t.within > maxWithin {
		return ""
	}
	return t.line(kind, text)
}

func (t *Telling) line(kind, text string) string {
	if t.size += len(text); t.size > maxTold {
		return ""
	}
	return "\n" + toldPrefix + kind + strconv.Quote(text) + "\n"
}

// Told takes what the latest run has told out of standard error: a line for a draw.
func Told(text []byte) (rest []byte, drawn string) {
	if !bytes.Contains(text, []byte(toldPrefix)) {
		return text, ""
	}
	var lines, within []string
	open := ""
	for len(text) > 0 {
		at := bytes.Index(text, []byte("\n"+toldPrefix))
		if at < 0 {
			break
		}
		rest = append(rest, text[:at]...)
		var line []byte
		line, text, _ = bytes.Cut(text[at+1+len(toldPrefix):], []byte("\n"))
		if len(line) == 0 {
			lines, within, open = lines[:0], within[:0], ""
			continue
		}
		said, err := strconv.Unquote(string(line[1:]))
		switch {
		case err != nil: // it was cut
		case line[0] == '?':
			open = said
		case line[0] == '<':
			path, _, _ := strings.Cut(said, " = ")
			within = append(slices.DeleteFunc(within, func(s string) bool { return strings.HasPrefix(s, path+Under) }), said)
			open = path[:max(0, strings.LastIndex(path, Under))]
		default:
			lines, within, open = append(lines, said), within[:0], ""
		}
	}
	if lines = append(lines, within...); open != "" {
		lines = append(lines, open+", unfinished")
	}
	return append(rest, text...), strings.Join(lines, "\n")
}

// Under stands between the labels of a draw and those of a draw within it.
const Under = " > "
