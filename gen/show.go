package gen

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"parallax/internal/tape"
)

// shown is what a property has drawn, for people: what it drew itself, and of a generator that did not come to its end, what that drew.
type shown struct {
	lines  []string
	open   []unfinished
	labels map[uint32]string // of sites; nil: nobody wants them
	sites  *sites            // is told of each draw; nil: nobody wants to know
	tell   func(string)      // prints what is drawn at once; nil: it is asked for when the run has ended
	told   tape.Telling
}

// stderr is that of the process, whatever a program makes of the variable.
var stderr = os.Stderr

// tellEnd has what is drawn told on standard error, since the run may end the process.
func (s *shown) tellEnd() {
	s.tell = func(line string) { stderr.WriteString(line) }
	s.tell(s.told.Begin())
}

// unfinished is a draw that is under way.
type unfinished struct {
	label string
	drawn []labelled
}

type labelled struct {
	label string
	value any
}

func (s *shown) enter(site uint32, label string) {
	if s.tell != nil && len(s.open) == 0 {
		s.tell(s.told.Draws(label))
	}
	s.open = append(s.open, unfinished{label: label})
	if s.tell != nil && len(s.open) > 1 && len(s.open) <= openLevels {
		s.tell(s.told.Deeper(s.path(len(s.open) - 1)))
	}
	if s.labels != nil && s.labels[site] == "" {
		s.labels[site] = label
	}
	if s.sites != nil {
		s.sites.enter(site, label)
	}
}

func (s *shown) leave(label string, v any) {
	if s.sites != nil {
		s.sites.leave()
	}
	last := len(s.open) - 1
	if s.open = s.open[:last]; last == 0 {
		s.lines = append(s.lines, label+" = "+render(v))
		if s.tell != nil {
			s.tell(s.told.Drawn(s.lines[len(s.lines)-1]))
		}
		return
	}
	if s.tell != nil && last < openLevels {
		s.tell(s.told.Within(s.path(last-1) + tape.Under + label + " = " + render(v)))
	}
	around := &s.open[last-1]
	around.drawn = append(around.drawn, labelled{label, v})
}

// drop forgets draws that are under way, but for some.
func (s *shown) drop(open int) {
	for len(s.open) > open {
		if s.sites != nil {
			s.sites.leave()
		}
		s.open = s.open[:len(s.open)-1]
	}
}

// shownDraws is how many draws that were finished are shown, the first and the last of them: a property without bound has 65,536.
const shownDraws = 200

// Limits of what is shown of draws that were not finished: they may be a thousand levels deep.
const (
	openLevels = 8
	openValues = 32
)

// all are the lines of what was drawn, and of what was not finished.
func (s *shown) all() []string {
	lines := append([]string(nil), s.lines...)
	if n := len(lines); n > shownDraws {
		lines = append(append(lines[:shownDraws/2:shownDraws/2], fmt.Sprintf("... (%d more)", n-shownDraws)), lines[n-shownDraws/2:]...)
	}
	var told []int // levels of which there is something to say
	for i := range s.open {
		if len(s.open[i].drawn) > 0 || i == len(s.open)-1 {
			told = append(told, i)
		}
	}
	for k, i := range told {
		if len(told) > openLevels && k >= openLevels/2 && k < len(told)-openLevels/2 {
			if k == openLevels/2 {
				lines = append(lines, fmt.Sprintf("... (%d more)", len(told)-openLevels))
			}
			continue
		}
		path, drawn := s.path(i), s.open[i].drawn
		if len(drawn) == 0 {
			lines = append(lines, path+", unfinished")
		}
		for n, one := range drawn {
			if n == openValues {
				lines = append(lines, fmt.Sprintf("%s > ... (%d more)", path, len(drawn)-n))
				break
			}
			lines = append(lines, path+" > "+one.label+" = "+render(one.value))
		}
	}
	return lines
}

// path names a draw that was not finished by the labels from the property to it.
func (s *shown) path(i int) string {
	var b strings.Builder
	for k := 0; k <= i; k++ {
		switch {
		case i < openLevels || k < openLevels/2 || k > i-openLevels/2:
			if k > 0 {
				b.WriteString(tape.Under)
			}
			b.WriteString(s.open[k].label)
		case k == openLevels/2:
			fmt.Fprintf(&b, " > ... (%d more)", i+1-openLevels)
		}
	}
	return b.String()
}

// longest is how much of a value is printed.
const longest = 4 << 10

func render(v any) (text string) {
	defer func() {
		if r := recover(); r != nil { // a String method of the user's
			text = fmt.Sprintf("a %T that cannot be printed: %v", v, r)
		}
	}()
	switch v := v.(type) {
	case string:
		text = quote(v)
	case []byte:
		text = "[]byte(" + quote(string(v)) + ")"
	case fmt.Stringer:
		text = v.String()
	case error:
		text = v.Error()
	default:
		var whole bool
		if text, whole = literal(v, longest); !whole {
			return text + "..."
		}
	}
	if len(text) > longest {
		text = fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:longest], ""), len(text))
	}
	return text
}

// quote is a string as Go writes it, as a raw one where that reads better.
func quote(s string) string {
	if strings.ContainsAny(s, "\n\"\\") && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
