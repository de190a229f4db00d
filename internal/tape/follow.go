package tape

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// follower follows an encoded tape, operation by operation, while the generator draws the choices
// and spans on it. It records nothing, since the tape holds these draws already. A campaign follows
// most mutants for a large part or to their end, and reads the drawn tape of few. When the
// generator leaves the tape, the source decodes the rest of it, and continues as Replay does. The
// followed part is decoded only if Tape is called. The drawn values are the same in both cases.
type follower struct {
	data  []byte // the encoded tape
	ops   []byte // its operations; empty means that no tape is followed
	at    int    // offset of the next operation
	kinds []followed

	total   uint64 // operations
	choices int    // followed so far
	spans   int32  // followed so far, including the outermost
	changed []change

	// The recalled choice. Record with the same bound and value keeps it as encoded.
	bound, value uint64
	unchanged    bool

	read    [fewKinds]kind
	room    [fewKinds]followed
	decoded Tape
	skipped skipped
}

// skipped is the part of Out that was followed, and that fill has yet to copy from the tape.
type skipped struct{ choices, spans int }

// cut shortens the part if Out has become shorter.
func (k *skipped) cut(choices, spans int) {
	k.choices, k.spans = min(k.choices, choices), min(k.spans, spans)
}

// followed is a kind of choices in a form for fast comparisons.
type followed struct {
	key   uint64 // site, channel, and anewKey if choices are redrawn
	bound uint64
}

const redrawKey = 1 << 40

func keyOf(site uint32, c Channel) uint64 { return uint64(site) | uint64(c)<<32 }

// change is a followed choice that differs from the tape: redrawn, or within another bound.
type change struct {
	choice       int
	bound, value uint64
}

// Load replays an encoded tape as Play does with a decoded one. The error is that of Decode. A tape
// without a correct seal is decoded at once.
func (s *Source) Load(data []byte) error {
	f := &s.follow
	f.data = append(f.data[:0], data...)
	r := reader{data: f.data}
	rest, n, kinds, sealed := r.header(f.read[:0])
	if !sealed || len(kinds) > fewKinds || n > uint64(s.most()) || s.Noted != nil {
		if err := f.decoded.Decode(f.data); err != nil {
			return err
		}
		s.Play(&f.decoded)
		return nil
	}
	s.begin(nil, nil, rest)
	s.simplest, s.Given = rest == 0, n > 0
	f.kinds = f.room[:len(kinds)]
	for i := range kinds {
		k := &kinds[i]
		f.kinds[i] = followed{keyOf(k.site, k.channel), k.bound}
		if k.redrawn {
			f.kinds[i].key |= redrawKey
		}
	}
	f.ops, f.at, f.total, f.choices, f.spans, f.changed = f.data[r.at:], 0, n, 0, 1, f.changed[:0]
	if n == 0 {
		s.leave()
	}
	return nil
}

// recall implements Recall on the followed tape. on is false if the next operation is no such
// choice.
func (f *follower) recall(site uint32, c Channel, bound uint64) (value uint64, ok, on bool) {
	if f.at+1 >= len(f.ops) || f.ops[f.at] < opChoice {
		return 0, false, false
	}
	n := int(f.ops[f.at] - opChoice)
	if n >= len(f.kinds) {
		return 0, false, false
	}
	k := &f.kinds[n]
	if k.key&^redrawKey != keyOf(site, c) {
		return 0, false, false
	}
	value, size := uint64(f.ops[f.at+1]), 1
	if value >= 0x80 {
		if value, size = binary.Uvarint(f.ops[f.at+1:]); size <= 0 {
			return 0, false, false
		}
	}
	f.at += 1 + size
	if f.unchanged = k.key&redrawKey == 0; !f.unchanged {
		return 0, false, true
	}
	f.value, f.bound = within(value, k.bound), k.bound
	return within(f.value, bound), true, true
}

// record implements Record for the recalled choice.
func (f *follower) record(bound, value uint64) {
	if !f.unchanged || f.value != value || f.bound != bound {
		f.changed = append(f.changed, change{f.choices, bound, value})
	}
	f.choices++
}

// leave continues as Replay does. It decodes the operations that were not followed, since replay
// never looks back. Of the followed part it restores only the open spans.
func (s *Source) leave() {
	f := &s.follow
	old, out := &f.decoded, &s.Out
	old.Choices, old.Spans = reserve(old.Choices, f.choices), reserve(old.Spans, int(f.spans))
	out.Choices, out.Spans = reserve(out.Choices, f.choices), reserve(out.Spans, int(f.spans))
	clear(out.Spans) // those that fill copies have no end
	f.skipped = skipped{f.choices, int(f.spans)}
	parent := int32(-1)
	for i := range s.frames {
		at := &s.frames[i]
		old.Spans[at.span] = Span{Site: at.site, Parent: parent, First: at.first}
		out.Spans[at.span] = old.Spans[at.span]
		parent = at.span
	}
	r := reader{data: f.data, at: len(f.data) - len(f.ops) + f.at}
	followed := f.choices + 2*int(f.spans-1) - (len(s.frames) - 1)
	f.ops, f.at = nil, 0
	old.operations(&r, f.total-uint64(followed), f.read[:len(f.kinds)], parent)
	if old.end(0); r.err != nil {
		panic(fmt.Errorf("tape: the seal is right, and %w", r.err)) // no encoder has written it
	}
	s.old = old
	for i := range s.frames {
		at := &s.frames[i]
		at.old, at.separate, at.end = at.span, false, old.Spans[at.span].End
		at.next[0], at.child = int32(len(out.Choices)), int32(len(out.Spans))
		if i+1 < len(s.frames) {
			inner := &old.Spans[s.frames[i+1].span]
			at.next[0], at.child = inner.End, inner.After
		}
	}
}

// fill copies the followed part of the tape to Out.
func (s *Source) fill() {
	f := &s.follow
	k := f.skipped
	if f.skipped = (skipped{}); k.spans == 0 {
		return
	}
	if err := f.decoded.Decode(f.data); err != nil {
		panic(fmt.Errorf("tape: the seal is right, and %w", err)) // no encoder has written it
	}
	copy(s.Out.Choices[:k.choices], f.decoded.Choices)
	for i := range f.changed {
		if c := &f.changed[i]; c.choice < k.choices {
			to := &s.Out.Choices[c.choice]
			to.Bound, to.Value, to.Redraw = c.bound, c.value, false
		}
	}
	// Spans that were open when the generator left the tape have their own ends.
	for i := range s.Out.Spans[:k.spans] {
		if to := &s.Out.Spans[i]; to.After == 0 {
			*to = f.decoded.Spans[i]
		}
	}
}

// reserve returns a slice of that length, whose elements may hold anything.
func reserve[E any](s []E, n int) []E { return slices.Grow(s[:0], n)[:n] }
