package text

import (
	"bytes"
	"fmt"
	"strings"
)

// A document is the report of a finding in blocks. It is printed as Markdown for an issue
// (markdown.go), or as text for a terminal (text.go).
type document struct{ blocks []block }

func (d *document) add(b ...block) { d.blocks = append(d.blocks, b...) }

// A block of a document: heading, paragraph, code, table, list or facts.
type block interface {
	markdown(b *bytes.Buffer)
	text(t *textWriter)
}

// A style is the meaning of a span. No meaning depends on style alone: terminals without color and
// Markdown show the same.
type style uint8

const (
	asWords  style = iota // our own, which need no escape
	asPlain               // somebody else's text
	asName                // of a program, file or command: code in Markdown
	asValue               // a result: code in Markdown
	asGood                // an outcome; somebody else's words
	asBad                 // an outcome
	asMiddle              // an outcome
	asQuiet               // in code: what surrounds the rest
	asLoud                // in code: the line that is meant
	asMark                // in code: what differs
	asGone                // in code: a line of the first text only
	asFresh               // in code: a line of the second text only
)

type span struct {
	text  string
	style style
}

func say(format string, args ...any) span { return span{fmt.Sprintf(format, args...), asWords} }
func named(s string) span                 { return span{s, asName} }

type (
	headingBlock struct {
		level int
		spans []span
	}
	paragraphBlock []span
	// A codeBlock keeps its lines. A terminal cuts lines that are too long, or wraps them if wrap is
	// set.
	codeBlock struct {
		language string
		lines    [][]span
		wrap     bool
		whole    bool // never broken: it is to be copied
	}
	tableBlock struct {
		head []string
		rows [][][]span
		cut  func(row int, s string, width int) string // of its values; nil means at their ends
	}
	listBlock []item
	item      struct{ text, detail []span }
	// A factsBlock is for terminals only: Markdown has its facts in a sentence.
	factsBlock []fact
	fact       struct {
		name  string
		spans []span
	}
)

// codeText returns code of one style.
func codeText(language, s string) codeBlock {
	c := codeBlock{language: language, wrap: true}
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		c.lines = append(c.lines, []span{{l, asPlain}})
	}
	return c
}

// lineOf returns one line of one style.
func lineOf(s string, st style) []span { return []span{{s, st}} }

// enumerate joins names as a sentence does: a, b and c.
func enumerate(names []string) []span {
	var list []span
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			list = append(list, say(" and "))
		default:
			list = append(list, say(", "))
		}
		list = append(list, named(n))
	}
	return list
}
