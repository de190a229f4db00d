package tape

import (
	"bytes"
	"strconv"
	"strings"
)

// A process that an input may end tells on its standard error what it draws, while it draws: nobody can ask it afterwards.

// toldPrefix begins a line of what is told. "=" follows where a value was drawn, "?" where one is being drawn, and nothing where a run begins.
const toldPrefix = "parallax draws:"

// maxTold is how many bytes of lines a run tells.
const maxTold = 32 << 10

// Telling is what a run has told. Its zero value is ready for Begin.
type Telling struct{ size int }

// Begin is the line by which a run begins.
func (t *Telling) Begin() string {
	t.size = 0
	return "\n" + toldPrefix + "\n"
}

// Draws is the line for a value that is being drawn, and Drawn that for a line about one that was. They are empty when a run has told enough.
func (t *Telling) Draws(label string) string { return t.line("?", label) }

func (t *Telling) Drawn(line string) string { return t.line("=", line) }

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
	var lines []string
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
			lines, open = lines[:0], ""
			continue
		}
		said, err := strconv.Unquote(string(line[1:]))
		switch {
		case err != nil: // it was cut
		case line[0] == '?':
			open = said
		default:
			lines, open = append(lines, said), ""
		}
	}
	if open != "" {
		lines = append(lines, open+", unfinished")
	}
	return append(rest, text...), strings.Join(lines, "\n")
}
