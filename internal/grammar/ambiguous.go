package grammar

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"parallax/internal/tape"
)

// Whether a grammar is ambiguous cannot be decided in general (Cantor, JACM 1962). What is told here is found: a text that a part of it reads in two
// ways. That nothing is told is no proof. An ambiguous grammar works: of each text one reading is taken.

// What is looked at beside the texts that are given.
const (
	samples     = 300     // sentences that are drawn
	sampleBytes = 64      // of each, about: short texts say where the two readings part
	sampleItems = 1 << 15 // for reading one
	mostTexts   = 100     // of the given ones
	textBytes   = 1 << 12 // of the given ones that are looked at
	mostTold    = 5       // parts
	witness     = 40      // characters of a text that is shown
)

// reading is a part of a grammar that reads a text in two ways.
type reading struct {
	node *node
	text string
	how  string
}

// Ambiguities are parts of which a text was found that they read in two ways, with the shortest that was found: of sentences that are drawn, the same
// ones each time, and of texts. They are sorted by their places, and at most a few.
func (g *Grammar) Ambiguities(texts [][]byte) (told Problems) {
	form := g.Form(sampleBytes)
	form.match.most = sampleItems
	form.match.doubles = map[int32][]pair{}
	found := map[*node]reading{}
	look := func(text []byte) {
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
			look(out)
		}
	}
	for i := 0; i < len(texts) && i < mostTexts; i++ {
		if len(texts[i]) <= textBytes {
			look(texts[i])
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
		if i == mostTold {
			told = append(told, Problem{g.file, r.node.at.line, r.node.at.column, fmt.Sprintf("and there are %d more parts that read a text in two ways", len(all)-i)})
			break
		}
		told = append(told, Problem{g.file, r.node.at.line, r.node.at.column, fmt.Sprintf("rule %s is ambiguous: %s can be read in two ways, %s", r.node.owner, quoted(r.text), r.how)})
	}
	return told
}

// short draws a sentence, which may be cut off by what a tape holds at most.
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

// pair is a way in which an item was come to: the item with one part less, and what the last part is.
type pair struct{ prev, child int32 }

// double notes that an item was come to in another way.
func (m *matcher) double(s state, prev, child int32) {
	for i := m.heads[s.at]; i != none; i = m.items[i].next {
		if m.items[i].state == s {
			m.doubles[i] = append(m.doubles[i], pair{prev, child})
			return
		}
	}
}

// differ notes where an item of the derivation that is taken can be another one. Whole is the item that it becomes, of a node.
func (m *matcher) differ(n *node, whole, item int32) {
	it := m.items[item]
	for _, other := range m.doubles[item] {
		if other.prev != it.prev {
			end := m.items[whole].at
			m.readings = append(m.readings, reading{n, string(m.data[it.origin:end]), m.split(n, it, other)})
			continue
		}
		// The parts before are the same, so that the last one has two ways: it is one item or another of the same node.
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

// split says how the parts of a node can be divided otherwise.
func (m *matcher) split(n *node, it item, other pair) string {
	a, b := m.items[it.prev].at, m.items[other.prev].at
	if a == b { // of repetitions, the number differs
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
