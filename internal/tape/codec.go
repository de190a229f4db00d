package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The file format, version 1. Numbers are unsigned varints but where it says otherwise:
//
//	c7 74 70 01     magic bytes and version
//	R               Tape.Rest
//	K               kinds of choices, and of each:
//	                  4 bytes, little endian: site; 1 byte: channel, and 128 where choices are drawn anew; bound
//	N               operations, and of each:
//	                  0: a span ends; 1: a span begins, then 4 bytes, little endian: its site; 2+k: a choice of kind k, then its value
//
// The outermost span is not written, and no span is left open. A value above its bound stands for what it leaves when it is divided by the
// number of values, so that mutants of tapes that are made byte by byte are tapes more often.
const (
	magic   = "\xc7tp"
	version = 1
	anew    = 128 // added to a channel
)

// IsTape reports whether data begins as an encoded tape of any version does.
func IsTape(data []byte) bool { return len(data) > len(magic) && string(data[:len(magic)]) == magic }

// kind is what choices of one site have in common.
type kind struct {
	site    uint32
	channel Channel // with anew
	bound   uint64
}

// kind is that of a choice.
func (c *Choice) kind() kind {
	k := kind{c.Site, c.Channel, c.Bound}
	if c.Anew {
		k.channel |= anew
	}
	return k
}

// kinds numbers kinds in the order in which they come. Most tapes have few: these are looked up in a table without a map's hashing, which took a third
// of the time of a mutant.
type kinds struct {
	n     int
	few   [fewKinds]kind
	table [4 * fewKinds]uint8 // places of few, and one; 0: none
	more  []kind              // behind few
	many  map[kind]int        // once there are more than few
}

const fewKinds = 64

func (k *kinds) at(n int) *kind {
	if n < fewKinds {
		return &k.few[n]
	}
	return &k.more[n-fewKinds]
}

func (k *kinds) number(one kind) int {
	h := (one.site ^ uint32(one.bound)*0x9e3779b1) * 0x85ebca6b >> 16
	for k.many == nil {
		slot := &k.table[h%uint32(len(k.table))]
		switch {
		case *slot > 0 && k.few[*slot-1] == one:
			return int(*slot - 1)
		case *slot > 0:
			h++
		case k.n < fewKinds:
			k.few[k.n] = one
			k.n++
			*slot = uint8(k.n)
			return k.n - 1
		default:
			k.many = map[kind]int{}
			for n, old := range k.few {
				k.many[old] = n
			}
		}
	}
	n, ok := k.many[one]
	if !ok {
		n = k.n
		k.many[one], k.more = n, append(k.more, one)
		k.n++
	}
	return n
}

// Append appends the encoded tape. What is in front of the operations is known behind them only, and is moved then.
func (t *Tape) Append(b []byte) []byte {
	var known kinds
	start := len(b)
	next, at := 1, int32(0) // the span that begins next, and the one that is open
	var last kind
	op := 0
	for i := 0; i <= len(t.Choices); i++ {
		for ; next < len(t.Spans) && int(t.Spans[next].First) <= i; next++ {
			for ; at != t.Spans[next].Parent; at = t.Spans[at].Parent {
				b = append(b, opEnd)
			}
			b = append(b, opBegin)
			b = binary.LittleEndian.AppendUint32(b, t.Spans[next].Site)
			at = int32(next)
		}
		if i == len(t.Choices) {
			break
		}
		c := &t.Choices[i]
		for ; at != c.Span; at = t.Spans[at].Parent {
			b = append(b, opEnd)
		}
		if one := c.kind(); i == 0 || one != last { // the runes of a string are of one kind
			last, op = one, known.number(one)+opChoice
		}
		if op < 0x80 && c.Value < 0x80 {
			b = append(b, byte(op), byte(c.Value))
		} else {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(op)), c.Value)
		}
	}
	for ; at > 0; at = t.Spans[at].Parent {
		b = append(b, opEnd)
	}
	var room [fewKinds * 8]byte
	head := append(room[:0], magic...)
	head = append(head, version)
	head = binary.AppendUvarint(head, t.Rest)
	head = binary.AppendUvarint(head, uint64(known.n))
	for i := 0; i < known.n; i++ {
		k := known.at(i)
		head = binary.LittleEndian.AppendUint32(head, k.site)
		head = append(head, byte(k.channel))
		head = binary.AppendUvarint(head, k.bound)
	}
	head = binary.AppendUvarint(head, uint64(len(t.Choices)+2*max(0, len(t.Spans)-1)))
	b = append(b, head...)
	copy(b[start+len(head):], b[start:len(b)-len(head)])
	copy(b[start:], head)
	return b
}

// The operations.
const (
	opEnd = iota
	opBegin
	opChoice // and above
)

// Decode reads an encoded tape into t. The error says at which byte it went wrong; what t holds then is of no use.
func (t *Tape) Decode(data []byte) error {
	r := reader{data: data}
	t.Reset()
	switch {
	case !IsTape(data):
		return errors.New("this is no tape: it does not begin with c7 74 70")
	case data[len(magic)] != version:
		return fmt.Errorf("the tape has version %d, and this parallax reads version %d", data[len(magic)], version)
	}
	r.at = len(magic) + 1
	t.Rest = r.uvarint()
	var room [fewKinds]Choice
	kinds := room[:0]
	for n := r.count("kinds of choices"); n > 0 && r.err == nil; n-- {
		k := Choice{Site: r.site()}
		channel := r.byte()
		k.Channel, k.Anew = Channel(channel&^anew), channel&anew != 0
		if k.Bound = r.uvarint(); k.Channel >= Channels && r.err == nil {
			r.fail("a channel is %d", channel)
		}
		kinds = append(kinds, k)
	}
	at := int32(0)
	n := r.count("operations")
	pos := r.at
	for ; n > 0 && r.err == nil; n-- {
		// Nearly all operations are spans, and choices of which kind and value take a byte each.
		if pos+1 < len(data) {
			op, value := data[pos], uint64(data[pos+1])
			switch {
			case op >= opChoice && op < 0x80 && int(op-opChoice) < len(kinds) && value < 0x80:
				k := &kinds[op-opChoice]
				c := t.choice()
				c.Site, c.Span, c.Channel, c.Anew, c.Bound, c.Value = k.Site, at, k.Channel, k.Anew, k.Bound, within(value, k.Bound)
				pos += 2
				continue
			case op == opEnd && at != 0:
				t.end(at)
				at = t.Spans[at].Parent
				pos++
				continue
			case op == opBegin && pos+5 <= len(data):
				at = t.begin(binary.LittleEndian.Uint32(data[pos+1:]), at)
				pos += 5
				continue
			}
		}
		r.at = pos
		switch op := r.uvarint(); {
		case r.err != nil:
		case op == opEnd && at == 0:
			r.fail("a span ends that has not begun")
		case op == opEnd:
			t.end(at)
			at = t.Spans[at].Parent
		case op == opBegin:
			at = t.begin(r.site(), at)
		case op-opChoice >= uint64(len(kinds)):
			r.fail("a choice is of kind %d of %d", op-opChoice, len(kinds))
		default:
			k := &kinds[op-opChoice]
			value := within(r.uvarint(), k.Bound)
			c := t.choice()
			c.Site, c.Span, c.Channel, c.Anew, c.Bound, c.Value = k.Site, at, k.Channel, k.Anew, k.Bound, value
		}
		pos = r.at
	}
	r.at = pos
	switch {
	case r.err != nil:
	case at != 0:
		r.fail("a span does not end")
	case r.at < len(data):
		r.fail("there is more behind the tape")
	}
	t.end(0)
	return r.err
}

// begin begins a span within another one behind all that there is, and returns its index.
func (t *Tape) begin(site uint32, parent int32) int32 {
	n, here := int32(len(t.Spans)), int32(len(t.Choices))
	s := t.span()
	s.Site, s.Parent, s.First, s.End, s.After = site, parent, here, here, 0
	return n
}

// end ends a span behind all that there is.
func (t *Tape) end(span int32) {
	t.Spans[span].End, t.Spans[span].After = int32(len(t.Choices)), int32(len(t.Spans))
}

// reader reads what Append has written. After an error it reads zeros.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("the tape is damaged at byte %d: %s", r.at, fmt.Sprintf(format, args...))
	}
}

// count reads how many of something follow: of each there is a byte at least.
func (r *reader) count(what string) uint64 {
	n := r.uvarint()
	if left := len(r.data) - r.at; r.err == nil && n > uint64(left) {
		r.fail("there are %d %s, and %d bytes", n, what, left)
	}
	return n
}

func (r *reader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	if r.at < len(r.data) && r.data[r.at] < 0x80 { // most numbers
		r.at++
		return uint64(r.data[r.at-1])
	}
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 {
		r.fail("a number is cut off or too large")
		return 0
	}
	r.at += n
	return v
}

func (r *reader) byte() byte {
	if r.err != nil {
		return 0
	}
	if r.at >= len(r.data) {
		r.fail("it is cut off")
		return 0
	}
	r.at++
	return r.data[r.at-1]
}

func (r *reader) site() uint32 {
	if r.err != nil {
		return 0
	}
	if len(r.data)-r.at < 4 {
		r.fail("a site is cut off")
		return 0
	}
	r.at += 4
	return binary.LittleEndian.Uint32(r.data[r.at-4:])
}
