package gen

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"parallax/internal/tape"
)

// shown records the drawn values of a property for users: its own draws, and the inner draws of a
// generator that did not return.
type shown struct {
	lines  []string
	open   []unfinished
	labels map[uint32]string // by site; nil means not recorded
	sites  *sites            // records the site of each draw; nil means not recorded
	// prints draws at once; nil means that the lines are read after the run
	print   func(string)
	drawLog tape.DrawLog
}

// stderr keeps the process's standard error, in case the program changes os.Stderr.
var stderr = os.Stderr

// stream prints draws on standard error at once, since the run may end the process.
func (s *shown) stream() {
	s.print = func(line string) { stderr.WriteString(line) }
	s.print(s.drawLog.Begin())
}

// unfinished is a draw in progress.
type unfinished struct {
	label string
	drawn []labeled
}

type labeled struct {
	label string
	value any
}

func (s *shown) enter(site uint32, label string) {
	if s.print != nil && len(s.open) == 0 {
		s.print(s.drawLog.Start(label))
	}
	s.open = append(s.open, unfinished{label: label})
	if s.print != nil && len(s.open) > 1 && len(s.open) <= openLevels {
		s.print(s.drawLog.StartInner(s.path(len(s.open) - 1)))
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
		if s.print != nil {
			s.print(s.drawLog.Drawn(s.lines[len(s.lines)-1]))
		}
		return
	}
	if s.print != nil && last < openLevels {
		s.print(s.drawLog.Inner(s.path(last-1) + tape.PathSeparator + label + " = " + render(v)))
	}
	around := &s.open[last-1]
	around.drawn = append(around.drawn, labeled{label, v})
}

// drop removes all draws in progress but the first open ones.
func (s *shown) drop(open int) {
	for len(s.open) > open {
		if s.sites != nil {
			s.sites.leave()
		}
		s.open = s.open[:len(s.open)-1]
	}
}

// shownDraws limits the finished draws that are shown, the first and the last. A property without
// bound has 65,536.
const shownDraws = 200

// Limits for unfinished draws, which may be a thousand levels deep.
const (
	openLevels = 8
	openValues = 32
)

// all returns the lines of finished draws, and of unfinished ones.
func (s *shown) all() []string {
	lines := append([]string(nil), s.lines...)
	if n := len(lines); n > shownDraws {
		lines = append(append(lines[:shownDraws/2:shownDraws/2], fmt.Sprintf("... (%d more)", n-shownDraws)), lines[n-shownDraws/2:]...)
	}
	var levels []int // levels with something to show
	for i := range s.open {
		if len(s.open[i].drawn) > 0 || i == len(s.open)-1 {
			levels = append(levels, i)
		}
	}
	for k, i := range levels {
		if len(levels) > openLevels && k >= openLevels/2 && k < len(levels)-openLevels/2 {
			if k == openLevels/2 {
				lines = append(lines, fmt.Sprintf("... (%d more)", len(levels)-openLevels))
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

// path names an unfinished draw by the labels from the property down to it.
func (s *shown) path(i int) string {
	var b strings.Builder
	for k := 0; k <= i; k++ {
		switch {
		case i < openLevels || k < openLevels/2 || k > i-openLevels/2:
			if k > 0 {
				b.WriteString(tape.PathSeparator)
			}
			b.WriteString(s.open[k].label)
		case k == openLevels/2:
			fmt.Fprintf(&b, " > ... (%d more)", i+1-openLevels)
		}
	}
	return b.String()
}

// longest limits the printed bytes of a value.
const longest = 4 << 10

func render(v any) (text string) {
	defer func() {
		if r := recover(); r != nil { // of a user's String method
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

// quote formats a string as a Go literal, as a raw one if that is more readable.
func quote(s string) string {
	if strings.ContainsAny(s, "\n\"\\") && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
