package grammar

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"parallax/internal/tape"
)

// The ambiguity of a grammar is undecidable (Cantor, JACM 1962). The functions below search for
// texts that a part of the grammar can read in two ways. Finding none is no proof. An ambiguous
// grammar is usable: one reading of each text is taken.

// Limits of the search.
const (
	samples      = 300     // drawn sentences
	sampleBytes  = 64      // of each, roughly: short texts show where the readings differ
	sampleItems  = 1 << 15 // Earley items per text
	mostTexts    = 100     // of the given ones
	textBytes    = 1 << 12 // examined prefix of a given one
	mostReported = 5       // reported parts
	witness      = 40      // shown characters of a text
)

// reading is a part of a grammar with a text that it reads in two ways.
type reading struct {
	node *node
	text string
	how  string
}

// Ambiguities reports parts that can read a text in two ways, with the shortest such text found. It
// searches the given texts and drawn sentences, which are the same in each call. The reports are
// sorted by place, and few.
func (g *Grammar) Ambiguities(texts [][]byte) (problems Problems) {
	form := g.Form(sampleBytes)
	form.match.most = sampleItems
	form.match.doubles = map[int32][]pair{}
	found := map[*node]reading{}
	examine := func(text []byte) {
		if _, err := form.match.read(text); err != nil {
			return
		}
		for _, r := range form.match.readings {
			if before, ok := found[r.node]; !ok || len(r.text) < len(before.text) {
				found[r.node] = r
			}
		}
	}
	var src tape.Source
	var out []byte
	for seed := uint64(0); seed < samples; seed++ {
		src.Random(seed)
		d := drawer{src: &src, out: out[:0], limit: sampleBytes}
		if out = d.short(g.root.subs[0]); len(out) <= textBytes {
			examine(out)
		}
	}
	for i := 0; i < len(texts) && i < mostTexts; i++ {
		if len(texts[i]) <= textBytes {
			examine(texts[i])
		}
	}
	all := make([]reading, 0, len(found))
	for _, r := range found {
		all = append(all, r)
	}
	sort.Slice(all, func(i, k int) bool {
		a, b := all[i].node.at, all[k].node.at
		return a.line < b.line || a.line == b.line && a.column < b.column
	})
	for i, r := range all {
		if i == mostReported {
			problems = append(problems, Problem{g.file, r.node.at.line, r.node.at.column, fmt.Sprintf("and there are %d more parts that read a text in two ways", len(all)-i)})
			break
		}
		problems = append(problems, Problem{g.file, r.node.at.line, r.node.at.column, fmt.Sprintf("rule %s is ambiguous: %s can be read in two ways, %s", r.node.owner, quoted(r.text), r.how)})
	}
	return problems
}

// short draws a sentence, which the limit of a tape may cut.
func (d *drawer) short(n *node) []byte {
	defer func() {
		if r := recover(); r != nil && r != tape.ErrTooLong {
			panic(r)
		}
	}()
	d.draw(n)
	return d.out
}

func quoted(text string) string {
	if n := utf8.RuneCountInString(text); n > witness {
		return fmt.Sprintf("a text of %d characters, which begins with %q,", n, string([]rune(text)[:witness]))
	}
	return fmt.Sprintf("%q", text)
}

// pair is a derivation of an item: the item with one part less, and the last part.
type pair struct{ prev, child int32 }

// double records another derivation of an item.
func (m *matcher) double(s state, prev, child int32) {
	for i := m.heads[s.at]; i != none; i = m.items[i].next {
		if m.items[i].state == s {
			m.doubles[i] = append(m.doubles[i], pair{prev, child})
			return
		}
	}
}

// differ records the alternatives of an item in the derivation that is taken. whole is the
// completed item of the node.
func (m *matcher) differ(n *node, whole, item int32) {
	it := m.items[item]
	for _, other := range m.doubles[item] {
		if other.prev != it.prev {
			end := m.items[whole].at
			m.readings = append(m.readings, reading{n, string(m.data[it.origin:end]), m.split(n, it, other)})
			continue
		}
		// The parts before are the same, so that the last one has two readings: two items of the
		// same node.
		begin := m.items[it.prev].at
		a, b := it.child, other.child
		if a < 0 || b < 0 {
			continue
		}
		of := m.g.nodes[m.items[a].node]
		how := ""
		switch of.kind {
		case choice:
			p, q := of.subs[m.items[a].dot/2].at, of.subs[m.items[b].dot/2].at
			if q.line < p.line || q.line == p.line && q.column < p.column {
				p, q = q, p
			}
			how = fmt.Sprintf("by the alternative at %d:%d and by that at %d:%d", p.line, p.column, q.line, q.column)
		case repeat:
			p, q := m.items[a].dot, m.items[b].dot
			if p > q {
				p, q = q, p
			}
			how = fmt.Sprintf("as %d and as %d repetitions", p, q)
		default:
			continue
		}
		m.readings = append(m.readings, reading{of, string(m.data[begin:it.at]), how})
	}
}

// split describes two divisions of a text among a node's parts.
func (m *matcher) split(n *node, it item, other pair) string {
	a, b := m.items[it.prev].at, m.items[other.prev].at
	if a == b { // two numbers of repetitions
		return "as fewer repetitions and as more"
	}
	if a < b {
		a, b = b, a
	}
	if n.kind == sequence {
		part := n.subs[it.dot-1]
		return fmt.Sprintf("with %s for the part at %d:%d and with %s", quoted(string(m.data[a:it.at])), part.at.line, part.at.column, quoted(string(m.data[b:it.at])))
	}
	return fmt.Sprintf("with %s and with %s as a repetition", quoted(string(m.data[a:it.at])), quoted(string(m.data[b:it.at])))
}
