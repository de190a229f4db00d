package grammar

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf8"

	"parallax/internal/tape"
)

// Limits of one sentence. Beyond them, the shortest way is taken, whatever the tape says.
const (
	hardDepth   = 512     // nested spans; a tape may hold twice as many
	hardChoices = 1 << 15 // choices or spans; a tape may hold twice as many
)

// drawer draws one sentence.
type drawer struct {
	src    *tape.Source
	out    []byte
	begin  int // begin of the sentence in out
	limit  int // bytes of the sentence before the shortest way is taken
	script []uint64
	given  bool // choices come from the script instead of the source
	lost   bool // the script exceeds the limits, so that the rest does not fit
	budget int  // fresh choices before the shortest way is taken; 0 means unknown
	deep   int  // spans before fresh choices take the shortest way
	parts  *[]part
}

// Draw appends a sentence from a source. The sentence may be longer than limit, from which on it
// takes the shortest way to its end. If that way is very long, the source may panic with
// tape.ErrTooLong.
func (g *Grammar) Draw(src *tape.Source, limit int, b []byte) []byte {
	d := drawer{src: src, out: b, begin: len(b), limit: limit}
	d.draw(g.root.subs[0])
	return d.out
}

func (d *drawer) draw(n *node) {
	switch n.kind {
	case literal:
		d.out = append(d.out, n.text...)
	case class:
		d.character(n)
	case sequence:
		for _, sub := range n.subs {
			d.draw(sub)
		}
	case choice:
		d.draw(n.subs[d.alternative(n)])
	case repeat:
		d.repeat(n)
	case reference:
		begin := len(d.out) - d.begin
		d.src.Begin(n.rule.site)
		d.draw(n.rule.body)
		d.src.End()
		if d.parts != nil {
			*d.parts = append(*d.parts, part{n.rule, begin, len(d.out) - d.begin})
		}
	}
}

// over reports whether to take the shortest way. It depends only on the draws, so that a tape
// replays to itself.
func (d *drawer) over() bool {
	over := d.lost || d.src.Depth() > hardDepth || d.src.Drawn() > hardChoices || d.src.Spans() > hardChoices || len(d.out)-d.begin > d.limit
	d.lost = over && d.given
	return over
}

// tired reports whether enough fresh choices were drawn. The limit differs between sentences: most
// are small.
func (d *drawer) tired() bool {
	if d.budget == 0 {
		r := d.src.Uint64()
		d.budget = d.src.Fresh + 8<<(r%6)
		d.deep = d.src.Depth() + 6 + int(r>>8%48)
	}
	return d.src.Fresh > d.budget || d.src.Depth() > d.deep
}

// next returns the next choice of the script.
func (d *drawer) next() (v uint64) {
	if len(d.script) > 0 {
		v, d.script = d.script[0], d.script[1:]
	}
	return v
}

// alternative chooses an alternative: a structural choice.
func (d *drawer) alternative(n *node) uint64 {
	bound := uint64(len(n.subs) - 1)
	var v uint64
	ok := true
	if d.given {
		v = d.next()
	} else {
		v, ok = d.src.Recall(n.site, tape.Structural, bound)
	}
	switch {
	case d.over():
		v = 0
	case !ok && d.tired():
		same := uint64(0) // alternatives as short as the first one
		for same < bound && n.subs[same+1].depth == n.subs[0].depth {
			same++
		}
		v = d.src.UpTo(same)
	case !ok:
		v = d.src.UpTo(bound)
	}
	d.src.Record(n.site, tape.Structural, bound, v)
	return v
}

// few bounds the repetitions that a mutation chooses uniformly. More are reached step by step, so
// that one choice does not make a huge sentence.
const few = 15

// mean is the mean number of fresh repetitions above the minimum.
const mean = 3

// repeat draws the number of repetitions: a structural choice, in a span of its own.
func (d *drawer) repeat(n *node) {
	d.src.Begin(n.site)
	most := uint64(n.max - n.min)
	var v uint64
	ok := true
	switch {
	case d.given:
		v = d.next()
	case d.src.Replays():
		v, ok = d.src.Recall(n.site, tape.Structural, most)
	default:
		v, ok = d.src.Recall(n.site, tape.Structural, min(most, few))
	}
	switch {
	case d.over() || !ok && d.tired():
		v = 0
	case !ok:
		u := float64(d.src.Uint64()>>11) / (1 << 53)
		v = min(most, uint64(math.Log(1-u)/math.Log(1-1./(mean+1))))
	}
	d.src.Record(n.site, tape.Structural, min(most, max(few, uint64(1)<<(bits.Len64(v)+1)-1)), v)
	element := n.subs[0]
	spans := element.kind == sequence || element.kind == choice
	for i := uint64(0); i < v+uint64(n.min); i++ {
		if i >= uint64(n.min) && d.over() {
			break
		}
		if spans {
			d.src.Begin(n.site + 1)
		}
		d.draw(element)
		if spans {
			d.src.End()
		}
	}
	d.src.End()
}

// character draws a character of a class: a value. Printable characters come first, and again at
// their place in order.
func (d *drawer) character(n *node) {
	size, simple := n.set.len(), uint64(len(n.simple))
	if size == 1 {
		d.out = utf8.AppendRune(d.out, n.set[0])
		return
	}
	bound := simple + size - 1
	var v uint64
	ok := true
	switch {
	case d.lost:
	case d.given:
		v = d.next()
	default:
		v, ok = d.src.Recall(n.site, tape.Value, bound)
	}
	if !ok {
		if v = d.src.Uint64(); simple > 0 && v&15 < 13 {
			v = v >> 4 % simple
		} else {
			v = simple + d.src.UpTo(size-1)
		}
	}
	d.src.Record(n.site, tape.Value, bound, v)
	if v < simple {
		d.out = utf8.AppendRune(d.out, n.simple[v])
		return
	}
	d.out = utf8.AppendRune(d.out, n.set.nth(v-simple))
}

// number returns the choice for a character.
func (n *node) number(c rune) uint64 {
	for i, s := range n.simple {
		if s == c {
			return uint64(i)
		}
	}
	return uint64(len(n.simple)) + n.set.index(c)
}

// Form converts tapes to sentences of a grammar, and sentences to tapes.
type Form struct {
	g     *Grammar
	limit int
	src   tape.Source
	match matcher
	parts *[]part // receives the parts of a text that is read; nil means not recorded
}

// Form returns a Form for sentences of at most limit bytes.
func (g *Grammar) Form(limit int) *Form {
	return &Form{g: g, limit: limit, match: matcher{g: g, most: maxItems}}
}

// Fitting is Form, but returns an error if even the simplest sentence exceeds the limit.
func (g *Grammar) Fitting(limit int) (*Form, error) {
	f := g.Form(limit)
	if text := f.Simplest(); len(text) > limit {
		return nil, fmt.Errorf("the simplest text of rule %s has %d bytes, and an input may have %d", g.Start(), len(text), limit)
	}
	return f, nil
}

// Simplest returns the sentence of the simplest choices.
func (f *Form) Simplest() []byte {
	f.src.Random(0)
	d := drawer{src: &f.src, limit: 0, given: true, lost: true}
	d.draw(f.g.root.subs[0])
	return d.out
}

// Text appends the sentence of a tape. It reports false if the sentence is longer than the limit.
func (f *Form) Text(t *tape.Tape, b []byte) (text []byte, ok bool) {
	f.src.Play(t)
	defer func() {
		if r := recover(); r != nil {
			if err, is := r.(error); !is || !errors.Is(err, tape.ErrTooLong) {
				panic(r)
			}
			text, ok = b, false
		}
	}()
	text = f.g.Draw(&f.src, f.limit, b)
	return text, len(text)-len(b) <= f.limit
}

// Drawn returns the tape of the latest sentence, which is valid until the next one.
func (f *Form) Drawn() *tape.Tape { return f.src.Tape() }

// Tape returns a tape that draws the text, valid until the next call. An error says where the text
// leaves the grammar.
func (f *Form) Tape(text []byte) (*tape.Tape, error) {
	script, err := f.match.read(text)
	if err != nil {
		return nil, err
	}
	f.src.Random(0)
	d := drawer{src: &f.src, limit: len(text), script: script, given: true, out: f.match.text[:0], parts: f.parts}
	d.draw(f.g.root.subs[0])
	if f.match.text = d.out; string(d.out) != string(text) {
		return nil, errors.New("it nests too deep or needs too many choices: a tape has at most 32768, and 512 parts within each other")
	}
	return f.src.Tape(), nil
}
