// Package tape records the choices of generators. A tape is the sequence of choices that a
// generator drew for an input. Tapes are mutated, minimized and saved instead of inputs. A changed
// choice always gives an input of the generator, but a changed byte of an input hardly ever does.
//
// A choice has a site, which is its place in the generator; a channel; a bound; and a value. The
// channel is structural if a branch of the generator depends on the choice, and value otherwise
// (BeDivFuzz, Definition 3.1). Smaller values are simpler, and zero is the simplest. Spans hold the
// choices of a part of the generator. They nest.
//
// A Source draws choices and records them. It replays a tape, plain bytes, or nothing. Where the
// replayed data has no choice, it draws a fresh one. A tape is replayed by sites and spans, not by
// position. A choice that was inserted, removed or changed does not shift anything behind its span.
// A tape of an older generator keeps the common choices.
//
// Draws depend only on the seed and the replayed data. A recorded tape replays to itself: the same
// generator draws the same values, none of them fresh. Drawing allocates nothing once buffers have
// grown. Every draw ends: no source records more choices or spans than its limit.
package tape

import (
	"slices"
)

// Channel distinguishes choices on which a branch of the generator depends from values.
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

// Choice is a generator's choice at a site.
type Choice struct {
	Site    uint32
	Span    int32 // index of the innermost span that holds it
	Channel Channel
	Redraw  bool   // in tapes to replay: the generator redraws it, and Value is ignored
	Bound   uint64 // largest possible value
	Value   uint64
}

// Span is the choices of one part of the generator, including those of inner spans.
type Span struct {
	Site   uint32
	Parent int32 // index of the enclosing span; -1 for the outermost
	First  int32 // index of its first choice
	End    int32 // index behind its last choice
	After  int32 // index behind the last span within it
}

// Tape is the choices of one input, in the order of their draws. The first span holds all.
type Tape struct {
	Choices []Choice
	Spans   []Span
	// Rest is the seed for choices that a replay needs beyond the tape. 0 means the simplest
	// choices.
	Rest uint64
}

// Reset makes the tape empty.
func (t *Tape) Reset() {
	t.Choices, t.Spans, t.Rest = t.Choices[:0], append(t.Spans[:0], Span{Parent: -1, After: 1}), 0
}

// choice appends a choice. The caller must set all its fields. Setting them in place takes a
// fraction of the time of appending a whole choice. A whole choice would be written field by field
// elsewhere and then read in larger pieces.
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

// Clone returns a copy that shares no memory.
func (t *Tape) Clone() *Tape { return &Tape{slices.Clone(t.Choices), slices.Clone(t.Spans), t.Rest} }

// Equal reports whether two tapes hold the same choices in the same spans.
func (t *Tape) Equal(other *Tape) bool {
	return slices.Equal(t.Choices, other.Choices) && slices.Equal(t.Spans, other.Spans)
}

// Count returns the number of a channel's choices.
func (t *Tape) Count(c Channel) (n int) {
	for i := range t.Choices {
		if t.Choices[i].Channel == c {
			n++
		}
	}
	return n
}

// Simpler reports whether the tape is simpler than another one. It compares the number of choices,
// then structural values, then all values; the first difference decides.
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

// Structure returns the structural signature: a hash of the structural choices' values and sites.
func (t *Tape) Structure() uint64 {
	h := offset
	for i := range t.Choices {
		if c := &t.Choices[i]; c.Channel == Structural {
			h = mix(mix(h, uint64(c.Site)), c.Value)
		}
	}
	return h
}

// Skeleton hashes the sites and depths of all choices and spans. A choice on which it depends is
// structural.
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
	ofSpan = 1 << 31 // distinguishes a span from a choice of the same site in the same span
)

// mix is one round of a hash that distributes well enough for signatures (Steele, Lea, Flood,
// OOPSLA 2014: the finalizer of SplitMix).
func mix(h, v uint64) uint64 {
	h ^= v
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Site hashes a place in a generator, within the enclosing place. It uses a label instead of a
// source line, so that tapes survive edits.
func Site(around uint32, label string) uint32 {
	h := uint32(2166136261) ^ around*0x9e3779b9
	for i := 0; i < len(label); i++ {
		h = (h ^ uint32(label[i])) * 16777619
	}
	h ^= h >> 15
	return h
}
