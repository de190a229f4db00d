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
	bound   uint64
	channel Channel // with anew
}

// kind is that of a choice.
func (c *Choice) kind() kind {
	k := kind{c.Site, c.Bound, c.Channel}
	if c.Anew {
		k.channel |= anew
	}
	return k
}

// kinds numbers kinds in the order in which they come. Most tapes have few: these are looked up in a table without a map's hashing, which took a third
// of the time of a mutant.
type kinds struct {
	list  []kind
	table [4 * fewKinds]uint16 // places of the list, and one; 0: none
	many  map[kind]int         // once there are more than fewKinds
}

const fewKinds = 64

func (k *kinds) number(one kind) int {
	if k.many != nil {
		n, ok := k.many[one]
		if !ok {
			n = len(k.list)
			k.many[one], k.list = n, append(k.list, one)
		}
		return n
	}
	h := (one.site ^ uint32(one.bound)*0x9e3779b1) * 0x85ebca6b >> 16
	for ; ; h++ {
		slot := &k.table[h%uint32(len(k.table))]
		if *slot == 0 {
			if len(k.list) == fewKinds {
				k.many = map[kind]int{}
				for n, old := range k.list {
					k.many[old] = n
				}
				return k.number(one)
			}
			k.list = append(k.list, one)
			*slot = uint16(len(k.list))
			return len(k.list) - 1
		}
		if k.list[*slot-1] == one {
			return int(*slot - 1)
		}
	}
}

// Append appends the encoded tape.
func (t *Tape) Append(b []byte) []byte {
	var known kinds
	for i := range t.Choices {
		c := &t.Choices[i]
		known.number(c.kind())
	}
	list := known.list
	b = append(b, magic...)
	b = append(b, version)
	b = binary.AppendUvarint(b, t.Rest)
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, k := range list {
		b = binary.LittleEndian.AppendUint32(b, k.site)
		b = append(b, byte(k.channel))
		b = binary.AppendUvarint(b, k.bound)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Choices)+2*max(0, len(t.Spans)-1)))
	next, at := 1, int32(0)
	leave := func(to int32) {
		for ; at != to; at = t.Spans[at].Parent {
			b = append(b, opEnd)
		}
	}
	begin := func(before int) { // spans that begin before so many choices were drawn and one more
		for ; next < len(t.Spans) && int(t.Spans[next].First) <= before; next++ {
			leave(t.Spans[next].Parent)
			b = append(b, opBegin)
			b = binary.LittleEndian.AppendUint32(b, t.Spans[next].Site)
			at = int32(next)
		}
	}
	for i := range t.Choices {
		c := &t.Choices[i]
		begin(i)
		leave(c.Span)
		b = binary.AppendUvarint(b, uint64(opChoice+known.number(c.kind())))
		b = binary.AppendUvarint(b, c.Value)
	}
	begin(len(t.Choices))
	leave(0)
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
	var room [fewKinds]kind
	kinds := room[:0]
	for n := r.count("kinds of choices"); n > 0 && r.err == nil; n-- {
		k := kind{site: r.site(), channel: Channel(r.byte())}
		if k.bound = r.uvarint(); k.channel&^anew >= Channels && r.err == nil {
			r.fail("a channel is %d", k.channel)
		}
		kinds = append(kinds, k)
	}
	at := int32(0)
	for n := r.count("operations"); n > 0 && r.err == nil; n-- {
		switch op := r.uvarint(); {
		case r.err != nil:
		case op == opEnd && at == 0:
			r.fail("a span ends that has not begun")
		case op == opEnd:
			t.end(at)
			at = t.Spans[at].Parent
		case op == opBegin:
			here := int32(len(t.Choices))
			t.Spans = append(t.Spans, Span{Site: r.site(), Parent: at, First: here, End: here})
			at = int32(len(t.Spans) - 1)
		case op-opChoice >= uint64(len(kinds)):
			r.fail("a choice is of kind %d of %d", op-opChoice, len(kinds))
		default:
			k := kinds[op-opChoice]
			t.Choices = append(t.Choices, Choice{
				Site: k.site, Span: at, Channel: k.channel &^ anew, Anew: k.channel&anew != 0, Bound: k.bound, Value: within(r.uvarint(), k.bound),
			})
		}
	}
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
