package tape

import (
	"encoding/binary"
	"slices"
)

// Coded holds a tape and its encoded form, as the parent of mutants: see Draft.
type Coded struct {
	Tape
	data   []byte  // sealed
	kinds  []kind  // the seal, followed by the others
	head   []byte  // the others, encoded
	at     []int32 // offset of each choice in data
	spans  []place // place of each span in data
	spots  [Channels + 1][]int
	sealed []byte
}

// place is the offset of a span in data, and the offset behind it.
type place struct{ from, to int32 }

// Both is the channel of Spots that means all channels.
const Both = Channel(Channels)

// Decode decodes a tape. The data must not change afterwards.
func (c *Coded) Decode(data []byte) error {
	if err := c.Tape.Decode(data); err != nil {
		return err
	}
	r := reader{data: data}
	_, _, kinds, sealed := r.header(c.kinds[:0])
	if !sealed {
		c.sealed = c.Tape.Append(c.sealed[:0])
		r = reader{data: c.sealed}
		_, _, kinds, _ = r.header(kinds[:0])
	}
	data = r.data
	c.data, c.kinds, c.head = data, kinds, c.head[:0]
	for i := range kinds[1:] {
		c.head = kinds[1+i].append(c.head)
	}
	c.at, c.spans = c.at[:0], append(c.spans[:0], place{int32(r.at), int32(len(data))})
	for i := range c.spots {
		c.spots[i] = c.spots[i][:0]
	}
	open := int32(0)
	for i := r.at; i < len(data); {
		switch op := data[i]; op {
		case opBegin:
			open = int32(len(c.spans))
			c.spans = append(c.spans, place{from: int32(i)})
			i += 5
		case opEnd:
			i++
			c.spans[open].to = int32(i)
			open = c.Spans[open].Parent
		default:
			c.at = append(c.at, int32(i))
			i += choiceSize(data[i:])
		}
	}
	for i := range c.Choices {
		if p := &c.Choices[i]; p.Bound > 0 {
			c.spots[p.Channel] = append(c.spots[p.Channel], i)
			c.spots[Both] = append(c.spots[Both], i)
		}
	}
	return nil
}

// choiceSize returns the size of the first encoded choice.
func choiceSize(b []byte) int {
	i := 0
	for n := 2; n > 0; i++ {
		if b[i] < 0x80 {
			n--
		}
	}
	return i
}

// Spots returns the sorted indices of a channel's choices with more than one value. Both means all
// channels. The caller must not change them.
func (c *Coded) Spots(channel Channel) []int { return c.spots[channel] }

// Draft is a mutant of a tape: at most one edit of a span, and changed choices. Its encoding copies
// the parent's encoded form where it can, without a decoded mutant. The zero value is ready, and
// keeps its memory.
type Draft struct {
	parent, from *Coded
	op           edit
	span         int
	part         int
	set          []setting
	kinds        []kind // of the parent, and further ones of the mutant
	number       []int  // of from's kinds among kinds; -1 means unknown
	head         []byte
}

// edit is the change of the span.
type edit uint8

const (
	asIs edit = iota
	redraw
	takeOut
	splice
	repeat
	swap
)

// setting is a changed choice.
type setting struct {
	choice  int
	value   uint64
	redrawn bool
}

// Start begins a mutant that equals the parent, which must not change.
func (d *Draft) Start(parent *Coded) { d.begin(parent, asIs, 0, nil, 0) }

// Redraw, TakeOut, Splice, Repeat and Swap begin mutants like the methods of Edit.
func (d *Draft) Redraw(parent *Coded, span int)  { d.begin(parent, redraw, span, nil, 0) }
func (d *Draft) TakeOut(parent *Coded, span int) { d.begin(parent, takeOut, span, nil, 0) }
func (d *Draft) Swap(parent *Coded, a, b int)    { d.begin(parent, swap, min(a, b), parent, max(a, b)) }
func (d *Draft) Splice(parent *Coded, span int, from *Coded, part int) {
	d.begin(parent, splice, span, from, part)
}
func (d *Draft) Repeat(parent *Coded, span int, from *Coded, part int) {
	d.begin(parent, repeat, span, from, part)
}

func (d *Draft) begin(parent *Coded, op edit, span int, from *Coded, part int) {
	d.parent, d.op, d.span, d.from, d.part, d.set = parent, op, span, from, part, d.set[:0]
}

// Value returns the mutant's value of a choice of the parent.
func (d *Draft) Value(choice int) uint64 {
	for i := range d.set {
		if d.set[i].choice == choice {
			return d.set[i].value
		}
	}
	return d.parent.Choices[choice].Value
}

// Set changes a choice of a mutant that Start began. With redrawn, the choice is redrawn.
func (d *Draft) Set(choice int, value uint64, redrawn bool) {
	for i := range d.set {
		if d.set[i].choice == choice {
			d.set[i].value, d.set[i].redrawn = value, redrawn
			return
		}
	}
	d.set = append(d.set, setting{choice, value, redrawn})
}

// Tape returns the mutant as a decoded tape.
func (d *Draft) Tape(e *Edit, rest uint64) *Tape {
	var t *Tape
	switch parent := &d.parent.Tape; d.op {
	case redraw:
		t = e.Redraw(parent, d.span)
	case takeOut:
		t = e.TakeOut(parent, d.span)
	case splice:
		t = e.Splice(parent, d.span, &d.from.Tape, d.part)
	case repeat:
		t = e.Repeat(parent, d.span, &d.from.Tape, d.part)
	case swap:
		t = e.Swap(parent, d.span, d.part)
	default:
		t = e.Copy(parent)
		for _, s := range d.set {
			c := &t.Choices[s.choice]
			c.Value, c.Redraw = s.value, s.redrawn
		}
	}
	t.Rest = rest
	return t
}

// Append appends the encoded mutant.
func (d *Draft) Append(b []byte, rest uint64) []byte {
	parent, start := d.parent, len(b)
	b = slices.Grow(b, 2*len(parent.data)+64)
	d.kinds, d.number = append(d.kinds[:0], parent.kinds...), d.number[:0]
	at, ops := parent.spans[0].from, parent.ops(0)-2
	if d.op == takeOut || d.op == repeat {
		d.count()
	}
	slices.SortFunc(d.set, func(a, b setting) int { return a.choice - b.choice })
	for _, s := range d.set {
		i := parent.at[s.choice]
		c := &parent.Choices[s.choice]
		if c.Redraw == s.redrawn {
			_, n := binary.Uvarint(parent.data[i:])
			b = append(b, parent.data[at:int(i)+n]...)
		} else {
			b = append(b, parent.data[at:i]...)
			b = binary.AppendUvarint(b, uint64(opChoice+d.kind(kind{c.Bound, c.Site, c.Channel, s.redrawn})))
		}
		b = binary.AppendUvarint(b, s.value)
		at = i + int32(choiceSize(parent.data[i:]))
	}
	if d.op != asIs {
		span := parent.spans[d.span]
		b = append(b, parent.data[at:span.from]...)
		at = span.to
		switch d.op {
		case redraw:
			b = append(append(b, parent.data[span.from:span.from+5]...), opEnd)
			ops += 2 - parent.ops(d.span)
		case takeOut:
			ops -= parent.ops(d.span)
		case splice:
			b = d.piece(b)
			ops += d.from.ops(d.part) - parent.ops(d.span)
		case repeat:
			b = d.piece(b)
			ops += d.from.ops(d.part)
			at = span.from
		case swap:
			other := parent.spans[d.part]
			b = append(b, parent.data[other.from:other.to]...)
			b = append(b, parent.data[span.to:other.from]...)
			b = append(b, parent.data[span.from:span.to]...)
			at = other.to
		}
	}
	b = append(b, parent.data[at:]...)
	d.head = append(d.head[:0], parent.head...)
	for i := len(parent.kinds); i < len(d.kinds); i++ {
		d.head = d.kinds[i].append(d.head)
	}
	d.head = slices.Grow(d.head, binary.MaxVarintLen64) // for front
	return front(b, start, rest, len(d.kinds)-1, d.head, ops)
}

// ops returns the number of a span's operations, including its own.
func (c *Coded) ops(span int) int {
	s := &c.Spans[span]
	return int(s.End-s.First) + 2*(int(s.After)-span)
}

// count adjusts the choice that counts the spans like the removed or repeated one.
func (d *Draft) count() {
	i := d.parent.count(d.span)
	if i < 0 {
		return
	}
	switch c := &d.parent.Choices[i]; {
	case d.op == takeOut && c.Value > 0:
		d.Set(i, c.Value-1, c.Redraw)
	case d.op == repeat && c.Value < c.Bound:
		d.Set(i, c.Value+1, c.Redraw)
	}
}

// kind returns the number of a kind in the mutant, and adds it if necessary.
func (d *Draft) kind(k kind) int {
	for i := 1; i < len(d.kinds); i++ {
		if d.kinds[i] == k {
			return i
		}
	}
	d.kinds = append(d.kinds, k)
	return len(d.kinds) - 1
}

// piece appends the part from another tape.
func (d *Draft) piece(b []byte) []byte {
	p := d.from.spans[d.part]
	data := d.from.data[p.from:p.to]
	if d.from == d.parent {
		return append(b, data...)
	}
	for range d.from.kinds {
		d.number = append(d.number, -1)
	}
	for i := 0; i < len(data); {
		from := i
		switch data[i] {
		case opBegin:
			i += 5
		case opEnd:
			i++
		default:
			op, n := binary.Uvarint(data[i:])
			i += choiceSize(data[i:])
			of := op - opChoice
			if d.number[of] < 0 {
				d.number[of] = d.kind(d.from.kinds[of])
			}
			b = binary.AppendUvarint(b, uint64(d.number[of]+opChoice))
			from += n
		}
		b = append(b, data[from:i]...)
	}
	return b
}
