// Package grammar makes inputs from grammars. It parses a grammar, draws sentences from tapes, and
// parses sentences into tapes. The notation is the EBNF of the W3C, as in the XML recommendation
// (section 6), with the additional operator {n,m}. See docs/guides/grammars.md.
//
// A sentence is determined by a tape (package tape). Alternatives and numbers of repetitions are
// structural choices; the characters of a class are values. Each rule is a span with the same site
// wherever it is used, so that mutations exchange its parts between inputs. Each repetition is a
// span, too. Smaller choices are simpler: the alternatives with the shortest way to the end come
// first, and so do printable characters.
//
// Drawing always ends. Beyond a depth, a number of choices or a length, it takes the shortest way,
// which is known for each part. An accepted grammar has no left recursion and does not repeat parts
// that may be empty, so that no text has infinitely many derivations. The tape of a text
// (Form.Tape) draws the same text. A Grammar is immutable; a Form belongs to one goroutine.
//
// The engine uses it to find inputs, triage to minimize them, and package gen to draw texts. It is
// part of workers.
//
// The corpus, the folder, the mail between workers, and findings hold texts. Tapes exist only while
// an input is mutated or minimized: the engine parses each text of the corpus once. So no other
// package needs to know that an input has a grammar.
package grammar

import (
	"fmt"
	"sort"
	"strings"

	"parallax/internal/tape"
)

// Grammar is a parsed and checked grammar.
type Grammar struct {
	Warnings Problems // likely mistakes

	file  string
	rules []*rule // in the order of the file; the first is the start
	nodes []*node // by id
	root  *node   // a sequence of the start alone
}

// rule is a name and its definition.
type rule struct {
	name string
	at   place
	body *node
	site uint32
	root *node // a sequence of this rule alone, as the start for reading its texts
}

// kind is the kind of a node.
type kind uint8

const (
	literal   kind = iota // a text
	class                 // a character of a set
	sequence              // one after another
	choice                // one of some
	repeat                // one node, several times
	reference             // a rule
	// characters of one node without those of another; a class once it is resolved
	difference
)

// node is a part of a rule.
type node struct {
	kind     kind
	at       place
	id       int32
	text     string  // of a literal
	set      set     // of a class
	simple   []rune  // its printable characters
	subs     []*node // parts; of a repetition, the one that is repeated
	min, max int     // of a repetition; max is endless without bound
	name     string  // of a reference
	rule     *rule
	site     uint32
	owner    string // the rule that contains it

	// Properties of all kinds.
	depth    int   // nested spans of the shortest sentence
	size     int   // bytes of the shortest sentence
	nullable bool  // it may be empty
	first    bytes // possible first bytes
	symbol   *node // the node that reads it: the rule's body for a reference
}

// bytes is a set of bytes.
type bytes [4]uint64

func (b *bytes) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }

func (b *bytes) add(c byte) { b[c>>6] |= 1 << (c & 63) }

func (b *bytes) join(other *bytes) {
	for i := range b {
		b[i] |= other[i]
	}
}

// Limits of a grammar.
const (
	endless  = 1<<16 - 1 // repetitions without a bound
	maxText  = 1 << 20   // bytes of a file
	maxNest  = 200       // nested parentheses
	maxDepth = 400       // spans of the shortest sentence
	never    = 1 << 30   // depth and size of nodes without finite texts
)

// Problem is a mistake at a place of a grammar.
type Problem struct {
	File         string
	Line, Column int
	Text         string
}

func (p Problem) Error() string { return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text) }

// Problems lists the mistakes in a grammar, in the order of the file.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) sorted() Problems {
	sort.SliceStable(p, func(i, k int) bool {
		a, b := p[i], p[k]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	return p
}

// Parse parses a grammar. The error is Problems; file is the file's name in it.
func Parse(file, text string) (*Grammar, error) {
	r := &reader{file: file, text: text}
	rules, problem := r.grammar()
	if problem != nil {
		return nil, Problems{*problem}
	}
	c := &checker{file: file, rules: rules}
	g := &Grammar{file: file, rules: rules}
	if c.check(); len(c.wrong) > 0 {
		return nil, c.wrong.sorted()
	}
	g.Warnings = c.warnings.sorted()
	g.number()
	return g, nil
}

// number assigns ids and sites to nodes, and sorts alternatives by the length of their shortest
// way.
func (g *Grammar) number() {
	for _, r := range g.rules {
		r.site = tape.Site(0, "rule "+r.name)
		n := 0
		r.body.each(func(part *node) {
			part.site = tape.Site(r.site, fmt.Sprint("part ", n))
			part.id, part.owner = int32(len(g.nodes)), r.name
			g.nodes = append(g.nodes, part)
			n++
		})
		r.body.each(func(part *node) {
			if part.kind == choice {
				sort.SliceStable(part.subs, func(i, k int) bool {
					a, b := part.subs[i], part.subs[k]
					return a.depth < b.depth || a.depth == b.depth && a.size < b.size
				})
			}
			if part.kind == class {
				for _, c := range plain {
					if part.set.has(c) {
						part.simple = append(part.simple, c)
					}
				}
			}
		})
	}
	for _, r := range g.rules {
		whole := &node{kind: reference, name: r.name, rule: r, at: r.at, id: int32(len(g.nodes))}
		r.root = &node{kind: sequence, subs: []*node{whole}, at: r.at, id: whole.id + 1}
		g.nodes = append(g.nodes, whole, r.root)
	}
	g.root = g.rules[0].root
	for _, n := range g.nodes {
		n.symbol = n.resolve()
	}
}

// resolve follows references.
func (n *node) resolve() *node {
	for n.kind == reference {
		n = n.rule.body
	}
	return n
}

// each calls f with a node and all its parts, from the outside in.
func (n *node) each(f func(*node)) {
	f(n)
	for _, sub := range n.subs {
		sub.each(f)
	}
}

// Start returns the name of the rule for sentences.
func (g *Grammar) Start() string { return g.rules[0].name }

// Shortest returns the length of the shortest sentence in bytes.
func (g *Grammar) Shortest() int { return g.rules[0].body.size }

// plain holds the printable characters, simplest first.
var plain = []rune("a0AbcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
