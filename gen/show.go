package gen

import (
	"fmt"
	"strconv"
	"strings"
)

// shown is what a property has drawn, for people. What generators draw for themselves is part of that.
type shown struct {
	lines  []string
	depth  int
	labels map[uint32]string // of sites; nil: nobody wants them
	sites  *sites            // is told of each draw; nil: nobody wants to know
}

func (s *shown) enter(site uint32, label string) {
	if s.depth++; s.labels != nil && s.labels[site] == "" {
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
	if s.depth--; s.depth == 0 {
		s.lines = append(s.lines, label+" = "+render(v))
	}
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
		text = fmt.Sprintf("%#v", v)
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
