package tape

import (
	"encoding/binary"
	"fmt"
)

// follower follows an encoded tape, operation by operation, while the generator draws the choices
// and spans on it. It records nothing, since the tape holds these draws already. A campaign follows
// most mutants for a large part or to their end, and reads the drawn tape of few. When the
// generator leaves the tape, the source decodes it, copies the followed part, and continues as
// Replay does. The drawn values are the same in both cases.
type follower struct {
	data  []byte // the encoded tape
	ops   []byte // its operations; empty means that no tape is followed
	at    int    // offset of the next operation
	kinds []followed

	choices int   // followed so far
	spans   int32 // followed so far, including the outermost
	changed []change

	// The recalled choice. Record with the same bound and value keeps it as encoded.
	bound, value uint64
	unchanged    bool

	read    [fewKinds]kind
	room    [fewKinds]followed
	decoded Tape
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
	f.ops, f.at, f.choices, f.spans, f.changed = f.data[r.at:], 0, 0, 1, f.changed[:0]
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

// leave continues as Replay does.
func (s *Source) leave() {
	f := &s.follow
	f.ops, f.at = nil, 0
	if err := f.decoded.Decode(f.data); err != nil {
		panic(fmt.Errorf("tape: the seal is right, and %w", err)) // no encoder has written it
	}
	s.old = &f.decoded
	s.Out.Choices = append(s.Out.Choices[:0], s.old.Choices[:f.choices]...)
	for i := range f.changed {
		to, c := &s.Out.Choices[f.changed[i].choice], &f.changed[i]
		to.Bound, to.Value, to.Redraw = c.bound, c.value, false
	}
	s.Out.Spans = append(s.Out.Spans[:0], s.old.Spans[:f.spans]...)
	// Open spans have been followed so far.
	for i := range s.frames {
		at := &s.frames[i]
		at.old, at.separate, at.end = at.span, false, s.old.Spans[at.span].End
		at.next[0], at.child = int32(f.choices), f.spans
		if i+1 < len(s.frames) {
			inner := &s.old.Spans[s.frames[i+1].span]
			at.next[0], at.child = inner.End, inner.After
		}
	}
}
