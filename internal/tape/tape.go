// Package tape owns choices: what a generator drew while it made an input. A tape is the input in the form that is mutated, minimized and
// saved, since a change of a choice always makes an input of the generator, and a change of a byte of the input hardly ever does.
//
// A choice has a site, where in the generator it was drawn; a channel, structural if a branch of the generator depends on it, else value
// (BeDivFuzz, Definition 3.1); a bound; and a value. Simpler values are smaller: zero is the simplest. Spans hold the choices of a part of the generator,
// and nest.
//
// A Source draws choices and records them. It replays a tape, plain bytes, or nothing; where what it replays has no choice, it draws a fresh
// one. A tape is replayed by sites and spans, not by position: a choice that was inserted, removed or changed moves nothing that
// comes behind its span, and a tape that an older generator made keeps what both have.
//
// Invariants: what is drawn depends on the seed and on what is replayed alone. A recorded tape replays to itself: the same generator draws the
// same values, and none fresh. Drawing allocates nothing once buffers have grown. Every draw ends, and no source records more choices or
// spans than its limit.
package tape

import (
	"slices"
)

// Channel says whether a branch of the generator depends on a choice.
type Channel uint8

// The channels.
const (
	Structural Channel = iota
	Value
	Channels = 2
)

func (c Channel) String() string {
	if c == Structural {
		return "structural"
	}
	return "value"
}

// Choice is what a generator drew at a site.
type Choice struct {
	Site    uint32
	Span    int32 // index of the innermost span that holds it
	Channel Channel
	Anew    bool   // only of a tape that is to be replayed: the generator draws it anew, and Value means nothing
	Bound   uint64 // the largest value there may be
	Value   uint64
}

// Span is the choices of one part of the generator, those of the spans within it among them.
type Span struct {
	Site   uint32
	Parent int32 // index of the span around it; -1 of the outermost one
	First  int32 // index of its first choice
	End    int32 // index behind its last choice
	After  int32 // index behind the last span within it
}

// Tape is the choices of one input, in the order in which they were drawn. The first span holds all.
type Tape struct {
	Choices []Choice
	Spans   []Span
	// Rest is from which seed choices are drawn that a replay needs and the tape has not; 0: the simplest are drawn.
	Rest uint64
}

// Reset makes the tape empty.
func (t *Tape) Reset() {
	t.Choices, t.Spans, t.Rest = t.Choices[:0], append(t.Spans[:0], Span{Parent: -1, After: 1}), 0
}

// choice appends a choice, whose fields the caller sets, all of them. To set them where they stay takes a fraction of what it takes to append a whole
// choice: that is put together elsewhere, field by field, and read again at once in larger pieces.
func (t *Tape) choice() *Choice {
	n := len(t.Choices)
	if n < cap(t.Choices) {
		t.Choices = t.Choices[:n+1]
	} else {
		t.Choices = append(t.Choices, Choice{})
	}
	return &t.Choices[n]
}

// span appends a span in the same way.
func (t *Tape) span() *Span {
	n := len(t.Spans)
	if n < cap(t.Spans) {
		t.Spans = t.Spans[:n+1]
	} else {
		t.Spans = append(t.Spans, Span{})
	}
	return &t.Spans[n]
}

// Clone is a copy that shares no memory.
func (t *Tape) Clone() *Tape { return &Tape{slices.Clone(t.Choices), slices.Clone(t.Spans), t.Rest} }

// Equal reports whether two tapes hold the same choices in the same spans.
func (t *Tape) Equal(other *Tape) bool {
	return slices.Equal(t.Choices, other.Choices) && slices.Equal(t.Spans, other.Spans)
}

// Count is how many choices a channel has.
func (t *Tape) Count(c Channel) (n int) {
	for i := range t.Choices {
		if t.Choices[i].Channel == c {
			n++
		}
	}
	return n
}

// Simpler reports whether the tape is simpler than another one: fewer choices, then smaller structural values, then smaller ones of all, the first
// that differs deciding.
func (t *Tape) Simpler(other *Tape) bool {
	if a, b := len(t.Choices), len(other.Choices); a != b {
		return a < b
	}
	for _, structural := range []bool{true, false} {
		for i := range t.Choices {
			a, b := &t.Choices[i], &other.Choices[i]
			if structural && (a.Channel != Structural || b.Channel != Structural) {
				continue
			}
			if a.Value != b.Value {
				return a.Value < b.Value
			}
		}
	}
	return false
}

// Structure is the structural signature: a hash of the structural choices as they were decoded, with their sites.
func (t *Tape) Structure() uint64 {
	h := offset
	for i := range t.Choices {
		if c := &t.Choices[i]; c.Channel == Structural {
			h = mix(mix(h, uint64(c.Site)), c.Value)
		}
	}
	return h
}

// Skeleton is a hash of the sites of all choices and spans, and how deep they lie. A choice on which it depends is structural.
func (t *Tape) Skeleton() uint64 {
	h, span := offset, 0
	for i := range t.Choices {
		for span+1 < len(t.Spans) && int(t.Spans[span+1].First) <= i {
			span++
			h = mix(h, uint64(t.Spans[span].Site)<<32|ofSpan|uint64(uint32(t.Spans[span].Parent)))
		}
		h = mix(h, uint64(t.Choices[i].Site)<<32|uint64(uint32(t.Choices[i].Span)))
	}
	for span++; span < len(t.Spans); span++ {
		h = mix(h, uint64(t.Spans[span].Site)<<32|ofSpan|uint64(uint32(t.Spans[span].Parent)))
	}
	return h
}

const (
	offset = uint64(14695981039346656037)
	ofSpan = 1 << 31 // tells a span from a choice of the same site in the same span
)

// mix is one round of a hash that distributes well enough for signatures (Steele, Lea, Flood, OOPSLA 2014: the finalizer of SplitMix).
func mix(h, v uint64) uint64 {
	h ^= v
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Site names a place in a generator, within the place around it: by a label and not by a line of source, so that a tape fits after edits.
func Site(around uint32, label string) uint32 {
	h := uint32(2166136261) ^ around*0x9e3779b9
	for i := 0; i < len(label); i++ {
		h = (h ^ uint32(label[i])) * 16777619
	}
	h ^= h >> 15
	return h
}
