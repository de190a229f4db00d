// Package grammar owns grammars as a source of inputs: it reads one, draws sentences of it from a tape, and reads sentences back into tapes. The
// notation is the EBNF of the W3C, as in the XML recommendation (section 6), with {n,m} beside its operators; docs/guides/grammars.md has it.
//
// A sentence is what a tape says (package tape): which alternative and how many repetitions are structural choices, the characters of a class are
// values. Each rule is a span of one site wherever it is used, so that its parts are exchanged between inputs, and each repetition is a span. Smaller
// choices are simpler: the alternatives that end soonest stand first, and the characters that can be printed.
//
// Invariants: drawing always ends, since beyond a depth, a number of choices or a length it goes the shortest way, which is known of each part. A
// grammar that is accepted has no left recursion and repeats nothing that may be empty, so that no text has endlessly many derivations. What is read back
// (Form.Tape) draws the same text. A Grammar never changes; a Form belongs to one goroutine.
//
// The engine, which finds inputs by a grammar, uses it, triage, which makes them smaller, and package gen. It is part of workers.
package grammar

import (
	"fmt"
	"sort"
	"strings"

	"parallax/internal/tape"
)

// Grammar is a grammar that was read and checked.
type Grammar struct {
	Warnings Problems // of what is likely a mistake

	file  string
	rules []*rule // in the order of the file; the first is the start
	nodes []*node // by their ids
	root  *node   // a sequence of the start alone
}

// rule is a name and what stands for it.
type rule struct {
	name string
	at   place
	body *node
	site uint32
	root *node // a sequence of this rule alone, for reading what it stands for
}

// kind is what a node is.
type kind uint8

const (
	literal    kind = iota // a text
	class                  // a character of some
	sequence               // one after another
	choice                 // one of some
	repeat                 // one node, several times
	reference              // a rule
	difference             // characters of one node that another has not; a class once it is resolved
)

// node is a part of a rule.
type node struct {
	kind     kind
	at       place
	id       int32
	text     string  // of a literal
	set      set     // of a class
	simple   []rune  // those of its characters that can be printed
	subs     []*node // parts; of a repetition, the one that is repeated
	min, max int     // of a repetition; max is endless without bound
	name     string  // of a reference
	rule     *rule
	site     uint32
	owner    string // the rule that it is a part of

	// What is computed of all.
	depth    int   // spans within each other that the shortest sentence needs
	size     int   // bytes of the shortest one
	nullable bool  // it may be empty
	first    bytes // with which bytes it begins
	symbol   *node // what is read for it: that of a reference is the body of the rule
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

// Limits of what a grammar may ask for.
const (
	endless  = 1<<16 - 1 // repetitions, where no bound is given
	maxText  = 1 << 20   // bytes of a file
	maxNest  = 200       // parentheses in each other
	maxDepth = 400       // spans that the shortest sentence may need
	never    = 1 << 30   // depth and size of what never ends
)

// Problem is something wrong at a place of a grammar.
type Problem struct {
	File         string
	Line, Column int
	Text         string
}

func (p Problem) Error() string { return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text) }

// Problems are all that is wrong with a grammar, in the order of the file.
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

// Parse reads a grammar. The error is Problems; file is what they call the file.
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

// number gives nodes ids and sites, and puts the alternatives that end soonest first.
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

// Start is the name of the rule that sentences are made of.
func (g *Grammar) Start() string { return g.rules[0].name }

// Shortest is how many bytes the shortest sentence has.
func (g *Grammar) Shortest() int { return g.rules[0].body.size }

// plain are the characters that can be printed, the simplest first.
var plain = []rune("a0AbcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
