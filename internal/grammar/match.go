package grammar

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// matcher parses a text by Earley's method (CACM 1970), which accepts any grammar. An item is a
// node with a part that was read, from its origin to a position. The items of a position are those
// that may still be completed. Nodes that may be empty are passed at once, as by Aycock and
// Horspool (The Computer Journal 2002). Nodes that cannot begin with the next byte are not started.
//
// Repetitions are items with a count, so that each repetition takes one item and no recursion. Each
// item records its first derivation, which refers only to older items. The derivation that is taken
// is therefore finite.
type matcher struct {
	g       *Grammar
	data    []byte
	items   []item
	known   map[state]struct{}
	waits   map[wait]int32 // the latest item that waits for a symbol from a position on
	heads   []int32        // per position: its first and last item
	tails   []int32
	script  []uint64
	parts   []int32 // scratch for the items of a derivation
	most    int     // limit of items
	full    bool
	text    []byte // scratch for Form
	reached int    // furthest position with items

	doubles  map[int32][]pair // further derivations of items; nil means not recorded
	readings []reading        // ambiguous parts of the derivation that was taken
}

// state identifies an item.
type state struct{ node, dot, origin, at int32 }

type wait struct{ symbol, at int32 }

type item struct {
	state
	prev  int32 // the item with one part less, or none
	child int32 // the item of the last part, or one of the constants below
	next  int32 // next item of the position
	also  int32 // previous item that waits for the same symbol, or none
}

const none = -1

// Values of item.child for last parts without an item.
const (
	terminal = -2
	empty    = -3 // passed as empty
)

// maxItems limits the items for one text.
const maxItems = 1 << 20

// Mismatch describes the place where a text leaves a grammar.
type Mismatch struct {
	Line, Column int
	Expected     []string // possible continuations
	Found        string   // the actual text; empty at its end
}

func (m *Mismatch) Error() string {
	found := "the text ends"
	if m.Found != "" {
		found = fmt.Sprintf("there is %q", m.Found)
	}
	const shown = 8
	list := m.Expected
	more := ""
	if len(list) > shown {
		list, more = list[:shown], " and others"
	}
	expected := "nothing more may follow"
	switch {
	case len(list) == 1 && more == "":
		expected = list[0] + " may stand there"
	case len(list) > 0:
		expected = strings.Join(list, ", ") + more + " may stand there"
	}
	return fmt.Sprintf("line %d, column %d: %s, and %s", m.Line, m.Column, found, expected)
}

// read returns the choices that draw the text, in order.
func (m *matcher) read(data []byte) ([]uint64, error) {
	whole := m.whole(data, m.g.root)
	switch {
	case m.full:
		line, column := m.position(m.reached)
		return nil, fmt.Errorf("line %d, column %d: what was read so far can be read in too many ways, or is too long", line, column)
	case whole == none:
		return nil, m.mismatch()
	}
	m.script, m.readings = m.script[:0], m.readings[:0]
	m.derive(whole)
	return m.script, nil
}

// whole returns the item that derives the whole text from a root. It returns none for another text,
// or if m is full.
func (m *matcher) whole(data []byte, root *node) int32 {
	if m.known == nil || len(m.known) > 1<<12 { // clearing a large map is slow
		m.known, m.waits = map[state]struct{}{}, map[wait]int32{}
	}
	clear(m.known)
	clear(m.waits)
	clear(m.doubles)
	m.data, m.items, m.full, m.reached = data, m.items[:0], false, 0
	m.heads, m.tails = m.heads[:0], m.tails[:0]
	for i := 0; i <= len(data); i++ {
		m.heads, m.tails = append(m.heads, none), append(m.tails, none)
	}
	m.add(state{root.id, 0, 0, 0}, none, none)
	whole := int32(none)
	for at := 0; at <= len(data) && !m.full; at++ {
		for i := m.heads[at]; i != none; i = m.items[i].next {
			if it := m.items[i].state; it.node == root.id && it.dot == 1 && at == len(data) {
				whole = i
			}
			m.step(i)
		}
	}
	if m.full {
		return none
	}
	return whole
}

// add adds an item, unless it exists.
func (m *matcher) add(s state, prev, child int32) {
	if _, ok := m.known[s]; ok {
		if m.doubles != nil {
			m.double(s, prev, child)
		}
		return
	}
	if len(m.items) >= m.most {
		m.full = true
		return
	}
	m.known[s] = struct{}{}
	n := int32(len(m.items))
	m.items = append(m.items, item{s, prev, child, none, none})
	if m.heads[s.at] == none {
		m.heads[s.at] = n
	} else {
		m.items[m.tails[s.at]].next = n
	}
	m.tails[s.at] = n
	m.reached = max(m.reached, int(s.at))
}

// wanted returns the part for which an item waits, or nil.
func (m *matcher) wanted(s state) *node {
	switch n := m.g.nodes[s.node]; n.kind {
	case sequence:
		if int(s.dot) < len(n.subs) {
			return n.subs[s.dot].symbol
		}
	case choice:
		if s.dot&1 == 0 {
			return n.subs[s.dot/2].symbol
		}
	case repeat:
		if n.max == endless || int(s.dot) < n.max {
			return n.subs[0].symbol
		}
	}
	return nil
}

// done reports whether an item may be complete.
func (m *matcher) done(s state) bool {
	switch n := m.g.nodes[s.node]; n.kind {
	case sequence:
		return int(s.dot) == len(n.subs)
	case choice:
		return s.dot&1 == 1
	default:
		return int(s.dot) >= n.min
	}
}

// advance adds an item with one more part, up to a position.
func (m *matcher) advance(i, at, child int32) {
	s := m.items[i].state
	if n := m.g.nodes[s.node]; n.kind != repeat || n.max != endless || int(s.dot) < n.min {
		s.dot++
	}
	s.at = at
	m.add(s, i, child)
}

// step adds the items that follow from an item.
func (m *matcher) step(i int32) {
	s := m.items[i].state
	if m.done(s) && s.origin < s.at { // empty nodes were passed
		last, ok := m.waits[wait{s.node, s.origin}]
		for k := last; ok && k != none; k = m.items[k].also {
			m.advance(k, s.at, i)
		}
	}
	n := m.wanted(s)
	if n == nil {
		return
	}
	if n.nullable {
		m.advance(i, s.at, empty)
	}
	rest := m.data[s.at:]
	if len(rest) == 0 || !n.first.has(rest[0]) {
		return
	}
	switch n.kind {
	case literal:
		if len(rest) >= len(n.text) && string(rest[:len(n.text)]) == n.text {
			m.advance(i, s.at+int32(len(n.text)), terminal)
		}
		return
	case class:
		if c, size := utf8.DecodeRune(rest); n.set.has(c) && (c != utf8.RuneError || size > 1) {
			m.advance(i, s.at+int32(size), terminal)
		}
		return
	}
	w := wait{n.id, s.at}
	if last, ok := m.waits[w]; ok {
		m.items[i].also = last
		m.waits[w] = i
		return
	}
	m.waits[w] = i
	if n.kind != choice {
		m.add(state{n.id, 0, s.at, s.at}, none, none)
		return
	}
	for k, sub := range n.subs {
		if sub.first.has(rest[0]) {
			m.add(state{n.id, int32(2 * k), s.at, s.at}, none, none)
		}
	}
}

// derive writes the choices of a completed item.
func (m *matcher) derive(i int32) {
	n := m.g.nodes[m.items[i].node]
	begin := len(m.parts)
	for k := i; m.items[k].prev != none; k = m.items[k].prev {
		m.parts = append(m.parts, k)
	}
	end := len(m.parts)
	switch n.kind {
	case choice:
		m.script = append(m.script, uint64(m.items[i].dot/2))
	case repeat:
		m.script = append(m.script, uint64(end-begin-n.min))
	}
	for k := end - 1; k >= begin; k-- {
		it := m.items[m.parts[k]]
		if m.doubles != nil {
			m.differ(n, i, m.parts[k])
		}
		sub := n.subs[0]
		switch n.kind {
		case sequence:
			sub = n.subs[it.dot-1]
		case choice:
			sub = n.subs[it.dot/2]
		}
		switch {
		case it.child >= 0:
			m.derive(it.child)
		case it.child == empty:
			m.pass(sub.symbol)
		case sub.symbol.kind == class && sub.symbol.set.len() > 1:
			c, _ := utf8.DecodeRune(m.data[m.items[it.prev].at:])
			m.script = append(m.script, sub.symbol.number(c))
		}
	}
	m.parts = m.parts[:begin]
}

// pass writes the choices of an empty node. It ends, since left-recursive grammars are rejected.
func (m *matcher) pass(n *node) {
	switch n.kind {
	case sequence:
		for _, sub := range n.subs {
			m.pass(sub.symbol)
		}
	case choice:
		k := slices.IndexFunc(n.subs, func(sub *node) bool { return sub.nullable })
		m.script = append(m.script, uint64(k))
		m.pass(n.subs[k].symbol)
	case repeat:
		m.script = append(m.script, 0)
		for k := 0; k < n.min; k++ {
			m.pass(n.subs[0].symbol)
		}
	}
}

func (m *matcher) position(at int) (line, column int) {
	before := string(m.data[:at])
	begin := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[begin:]) + 1
}

// mismatch returns the possible continuations at the furthest position.
func (m *matcher) mismatch() error {
	e := &Mismatch{}
	e.Line, e.Column = m.position(m.reached)
	if rest := m.data[m.reached:]; len(rest) > 0 {
		_, size := utf8.DecodeRune(rest)
		e.Found = string(rest[:size])
	}
	seen := map[*node]bool{}
	var begin func(*node)
	begin = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		switch n.kind {
		case literal, class:
			if text := n.String(); !n.nullable && !slices.Contains(e.Expected, text) {
				e.Expected = append(e.Expected, text)
			}
		case sequence:
			for _, sub := range n.subs {
				if begin(sub.symbol); !sub.nullable {
					return
				}
			}
		default:
			for _, sub := range n.subs {
				begin(sub.symbol)
			}
		}
	}
	for i := m.heads[m.reached]; i != none; i = m.items[i].next {
		if n := m.wanted(m.items[i].state); n != nil {
			begin(n)
		}
	}
	return e
}
