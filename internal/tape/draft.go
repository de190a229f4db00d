package tape

import (
	"encoding/binary"
	"slices"
)

// Coded is a tape beside what it was decoded of, of which mutants are made: see Draft.
type Coded struct {
	Tape
	data  []byte  // with a seal
	kinds []kind  // the seal, and the others
	head  []byte  // the others, encoded
	at    []int32 // where each choice begins in data
	spans []place // where each span is
	spots [Channels + 1][]int
	own   []byte
}

// place is where a span begins, and where what is behind it does.
type place struct{ from, to int32 }

// Both is the channel of Spots that stands for all of them.
const Both = Channel(Channels)

// Decode reads an encoded tape, which must stay as it is.
func (c *Coded) Decode(data []byte) error {
	if err := c.Tape.Decode(data); err != nil {
		return err
	}
	r := reader{data: data}
	_, _, kinds, sealed := r.header(c.kinds[:0])
	if !sealed {
		c.own = c.Tape.Append(c.own[:0])
		r = reader{data: c.own}
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

// choiceSize is how many bytes the choice takes that is encoded first.
func choiceSize(b []byte) int {
	i := 0
	for n := 2; n > 0; i++ {
		if b[i] < 0x80 {
			n--
		}
	}
	return i
}

// Spots are the choices of a channel, or of Both, that can be another, in order. They must not be changed.
func (c *Coded) Spots(channel Channel) []int { return c.spots[channel] }

// Draft is a mutant of a tape: a part that is put elsewhere, and choices that are changed. It is encoded without a tape being made of it: what stays of the
// encoded parent is copied. Its zero value is ready, and keeps its memory.
type Draft struct {
	of, from *Coded
	op       edit
	span     int
	part     int
	set      []setting
	kinds    []kind // of the parent, and those that the mutant has beside them
	number   []int  // of the kinds of from, among them; -1: not known yet
	head     []byte
}

// edit is what becomes of the span.
type edit uint8

const (
	asIs edit = iota
	redraw
	takeOut
	splice
	repeat
	swap
)

// setting is a choice that is changed.
type setting struct {
	choice int
	value  uint64
	anew   bool
}

// Of begins a mutant: the parent as it is, which must stay so.
func (d *Draft) Of(parent *Coded) { d.begin(parent, asIs, 0, nil, 0) }

// Redraw, TakeOut, Splice, Repeat and Swap are those of Edit.
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
	d.of, d.op, d.span, d.from, d.part, d.set = parent, op, span, from, part, d.set[:0]
}

// Value is a choice of the parent as the mutant has it.
func (d *Draft) Value(choice int) uint64 {
	for i := range d.set {
		if d.set[i].choice == choice {
			return d.set[i].value
		}
	}
	return d.of.Choices[choice].Value
}

// Set changes a choice of a mutant that Of began; anew: it is to be drawn anew.
func (d *Draft) Set(choice int, value uint64, anew bool) {
	for i := range d.set {
		if d.set[i].choice == choice {
			d.set[i].value, d.set[i].anew = value, anew
			return
		}
	}
	d.set = append(d.set, setting{choice, value, anew})
}

// Tape makes the mutant a tape.
func (d *Draft) Tape(e *Edit, rest uint64) *Tape {
	var t *Tape
	switch of := &d.of.Tape; d.op {
	case redraw:
		t = e.Redraw(of, d.span)
	case takeOut:
		t = e.TakeOut(of, d.span)
	case splice:
		t = e.Splice(of, d.span, &d.from.Tape, d.part)
	case repeat:
		t = e.Repeat(of, d.span, &d.from.Tape, d.part)
	case swap:
		t = e.Swap(of, d.span, d.part)
	default:
		t = e.Copy(of)
		for _, s := range d.set {
			c := &t.Choices[s.choice]
			c.Value, c.Anew = s.value, s.anew
		}
	}
	t.Rest = rest
	return t
}

// Append appends the encoded mutant.
func (d *Draft) Append(b []byte, rest uint64) []byte {
	of, start := d.of, len(b)
	b = slices.Grow(b, 2*len(of.data)+64)
	d.kinds, d.number = append(d.kinds[:0], of.kinds...), d.number[:0]
	at, ops := of.spans[0].from, of.ops(0)-2
	if d.op == takeOut || d.op == repeat {
		d.count()
	}
	slices.SortFunc(d.set, func(a, b setting) int { return a.choice - b.choice })
	for _, s := range d.set {
		i := of.at[s.choice]
		c := &of.Choices[s.choice]
		if c.Anew == s.anew {
			_, n := binary.Uvarint(of.data[i:])
			b = append(b, of.data[at:int(i)+n]...)
		} else {
			b = append(b, of.data[at:i]...)
			b = binary.AppendUvarint(b, uint64(opChoice+d.kind(kind{c.Bound, c.Site, c.Channel, s.anew})))
		}
		b = binary.AppendUvarint(b, s.value)
		at = i + int32(choiceSize(of.data[i:]))
	}
	if d.op != asIs {
		span := of.spans[d.span]
		b = append(b, of.data[at:span.from]...)
		at = span.to
		switch d.op {
		case redraw:
			b = append(append(b, of.data[span.from:span.from+5]...), opEnd)
			ops += 2 - of.ops(d.span)
		case takeOut:
			ops -= of.ops(d.span)
		case splice:
			b = d.piece(b)
			ops += d.from.ops(d.part) - of.ops(d.span)
		case repeat:
			b = d.piece(b)
			ops += d.from.ops(d.part)
			at = span.from
		case swap:
			other := of.spans[d.part]
			b = append(b, of.data[other.from:other.to]...)
			b = append(b, of.data[span.to:other.from]...)
			b = append(b, of.data[span.from:span.to]...)
			at = other.to
		}
	}
	b = append(b, of.data[at:]...)
	d.head = append(d.head[:0], of.head...)
	for i := len(of.kinds); i < len(d.kinds); i++ {
		d.head = d.kinds[i].append(d.head)
	}
	d.head = slices.Grow(d.head, binary.MaxVarintLen64) // for what front appends
	return front(b, start, rest, len(d.kinds)-1, d.head, ops)
}

// ops is how many operations a span takes, its own among them.
func (c *Coded) ops(span int) int {
	s := &c.Spans[span]
	return int(s.End-s.First) + 2*(int(s.After)-span)
}

// count changes the choice that counts spans like that which is taken out or repeated.
func (d *Draft) count() {
	i := d.of.count(d.span)
	if i < 0 {
		return
	}
	switch c := &d.of.Choices[i]; {
	case d.op == takeOut && c.Value > 0:
		d.Set(i, c.Value-1, c.Anew)
	case d.op == repeat && c.Value < c.Bound:
		d.Set(i, c.Value+1, c.Anew)
	}
}

// kind is the number of a kind, which the mutant has from now on.
func (d *Draft) kind(k kind) int {
	for i := 1; i < len(d.kinds); i++ {
		if d.kinds[i] == k {
			return i
		}
	}
	d.kinds = append(d.kinds, k)
	return len(d.kinds) - 1
}

// piece appends the part that comes from elsewhere.
func (d *Draft) piece(b []byte) []byte {
	p := d.from.spans[d.part]
	data := d.from.data[p.from:p.to]
	if d.from == d.of {
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
