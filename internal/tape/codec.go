package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// The file format, version 1. Numbers are unsigned varints unless stated otherwise:
//
//	c7 74 70 01     magic bytes and version
//	R               Tape.Rest
//	K               number of kinds of choices, and for each:
//	                  4 bytes, little endian: site; 1 byte: channel, plus 128 if choices are redrawn; bound
//	N               number of operations, and for each:
//	                  0: a span ends; 1: a span begins, then 4 bytes, little endian: its site; 2+k: a choice of kind k, then its value
//
// The first kind may be the seal: its site is sealSite, and its bound is a hash of all following
// bytes. A correct seal proves that an encoder has written the tape. A reader can then use it
// without checking all operations first. A wrong seal is a kind without choices. It is not an
// error, and tapes without a seal are equally valid.
//
// The outermost span is not written, and all spans are closed. A value above its bound is taken
// modulo the number of values, so that bytewise mutants of tapes are more often tapes.
const (
	magic      = "\xc7tp"
	version    = 1
	redrawFlag = 128 // added to a channel of redrawn choices
)

// IsTape reports whether data begins like an encoded tape of any version.
func IsTape(data []byte) bool { return len(data) > len(magic) && string(data[:len(magic)]) == magic }

// kind holds the common properties of a site's choices.
type kind struct {
	bound   uint64
	site    uint32
	channel Channel
	redrawn bool
}

// matches reports whether a choice is of the kind.
func (k *kind) matches(c *Choice) bool {
	return k.site == c.Site && k.bound == c.Bound && k.channel == c.Channel && k.redrawn == c.Redraw
}

// kinds numbers kinds in order of appearance. Most tapes have few kinds. These are found in a table
// without a map's hashing, which took a third of a mutant's time.
type kinds struct {
	n     int
	first [fewKinds]kind
	table [4 * fewKinds]uint8 // indices in first, plus 1; 0 means none
	rest  []kind              // kinds after first
	index map[kind]int        // nil until there are more than few
}

const fewKinds = 64

func (k *kinds) get(n int) *kind {
	if n < fewKinds {
		return &k.first[n]
	}
	return &k.rest[n-fewKinds]
}

// number returns the number of a choice's kind.
func (k *kinds) number(c *Choice) int {
	h := (c.Site ^ uint32(c.Bound)*0x9e3779b1) * 0x85ebca6b >> 16
	for k.index == nil {
		slot := &k.table[h%uint32(len(k.table))]
		switch {
		case *slot > 0 && k.first[(*slot-1)%fewKinds].matches(c):
			return int(*slot - 1)
		case *slot > 0:
			h++
		case k.n < fewKinds:
			k.first[k.n] = kind{c.Bound, c.Site, c.Channel, c.Redraw}
			k.n++
			*slot = uint8(k.n)
			return k.n - 1
		default:
			k.index = map[kind]int{}
			for n, old := range k.first {
				k.index[old] = n
			}
		}
	}
	one := kind{c.Bound, c.Site, c.Channel, c.Redraw}
	n, ok := k.index[one]
	if !ok {
		n = k.n
		k.index[one], k.rest = n, append(k.rest, one)
		k.n++
	}
	return n
}

// Append appends the encoded tape. The header depends on the operations. It is therefore written
// after them, and then moved to the front.
func (t *Tape) Append(b []byte) []byte {
	var known kinds
	start := len(b)
	b = slices.Grow(b, 2*len(t.Choices)+6*len(t.Spans)+fewKinds*8) // most tapes need less
	// the open span, and the number of written choices
	at, done := int32(0), 0
	for next := 1; next <= len(t.Spans); next++ {
		end := len(t.Choices)
		if next < len(t.Spans) {
			end = int(t.Spans[next].First)
		}
		// Write the choices before the next span.
		for i := done; i < end; i++ {
			c := &t.Choices[i]
			for ; at != c.Span; at = t.Spans[at].Parent {
				b = append(b, opEnd)
			}
			op := known.number(c) + opSealed
			if op < 0x80 && c.Value < 0x80 {
				b = append(b, byte(op), byte(c.Value))
			} else {
				b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(op)), c.Value)
			}
		}
		done = end
		parent := int32(0)
		if next < len(t.Spans) {
			parent = t.Spans[next].Parent
		}
		for ; at != parent; at = t.Spans[at].Parent {
			b = append(b, opEnd)
		}
		if next < len(t.Spans) {
			site := t.Spans[next].Site
			b = append(b, opBegin, byte(site), byte(site>>8), byte(site>>16), byte(site>>24))
			at = int32(next)
		}
	}
	var room [fewKinds * 8]byte
	head := room[:0]
	for i := 0; i < known.n; i++ {
		head = known.get(i).append(head)
	}
	return front(b, start, t.Rest, known.n, head, len(t.Choices)+2*max(0, len(t.Spans)-1))
}

// append appends the encoded kind.
func (k *kind) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, k.site)
	channel := byte(k.channel)
	if k.redrawn {
		channel |= redrawFlag
	}
	return binary.AppendUvarint(append(b, channel), k.bound)
}

// front moves the header before the operations, which begin at start. kinds holds n encoded kinds.
func front(b []byte, start int, rest uint64, n int, kinds []byte, ops int) []byte {
	kinds = binary.AppendUvarint(kinds, uint64(ops))
	var room [32]byte
	head := append(room[:0], magic...)
	head = append(head, version)
	head = binary.AppendUvarint(head, rest)
	head = binary.AppendUvarint(head, uint64(n+1))
	k := kind{site: sealSite, bound: seal(kinds, b[start:])}
	head = k.append(head)
	size := len(head) + len(kinds)
	b = append(append(b, head...), kinds...)
	copy(b[start+size:], b[start:len(b)-size])
	copy(b[start+copy(b[start:], head):], kinds)
	return b
}

// sealSite is the site of the seal's kind.
const sealSite = 0x5ea1ed01

// seal hashes the kinds and the operations. Its encoding has ten bytes.
func seal(kinds, ops []byte) uint64 { return digest(digest(offset, kinds), ops) | 1<<63 }

// digest hashes bytes. Two halves that do not wait for each other take half of the time.
func digest(h uint64, b []byte) uint64 {
	h ^= uint64(len(b))
	other := h ^ 0x9e3779b97f4a7c15
	for ; len(b) >= 16; b = b[16:] {
		h = fold(h ^ binary.LittleEndian.Uint64(b))
		other = fold(other ^ binary.LittleEndian.Uint64(b[8:]))
	}
	h = fold(h) + other
	if len(b) >= 8 {
		h = fold(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	last := uint64(0)
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	return fold(fold(h ^ last))
}

// fold is one round of a fast hash (Wang Yi: wyhash): it combines the halves of a product.
func fold(v uint64) uint64 {
	hi, lo := bits.Mul64(v, 0xa0761d6478bd642f)
	return hi ^ lo
}

// The operations. opChoice and above are choices.
const (
	opEnd = iota
	opBegin
	opChoice // and above
	opSealed // first choice in a sealed tape
)

// Decode decodes an encoded tape into t. An error has the byte of the mistake, and t is then
// invalid.
func (t *Tape) Decode(data []byte) error {
	r := reader{data: data}
	var room [fewKinds]kind
	t.Reset()
	rest, n, kinds, _ := r.header(room[:0])
	t.Rest = rest
	at := t.operations(&r, n, kinds, 0)
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

// operations appends n operations to the tape, within an open span. It returns the span that is
// open behind them.
func (t *Tape) operations(r *reader, n uint64, kinds []kind, at int32) int32 {
	data, pos := r.data, r.at
	for ; n > 0 && r.err == nil; n-- {
		// Most operations are spans, and choices whose kind and value take one byte each.
		if pos+1 < len(data) {
			op, value := data[pos], uint64(data[pos+1])
			switch {
			case op >= opChoice && op < 0x80 && int(op-opChoice) < len(kinds) && value < 0x80:
				k := &kinds[op-opChoice]
				c := t.choice()
				c.Site, c.Span, c.Channel, c.Redraw, c.Bound, c.Value = k.site, at, k.channel, k.redrawn, k.bound, within(value, k.bound)
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
			value := within(r.uvarint(), k.bound)
			c := t.choice()
			c.Site, c.Span, c.Channel, c.Redraw, c.Bound, c.Value = k.site, at, k.channel, k.redrawn, k.bound, value
		}
		pos = r.at
	}
	r.at = pos
	return at
}

// begin begins a span within parent at the end of the tape, and returns its index.
func (t *Tape) begin(site uint32, parent int32) int32 {
	n, here := int32(len(t.Spans)), int32(len(t.Choices))
	s := t.span()
	s.Site, s.Parent, s.First, s.End, s.After = site, parent, here, here, 0
	return n
}

// end ends a span at the end of the tape.
func (t *Tape) end(span int32) {
	t.Spans[span].End, t.Spans[span].After = int32(len(t.Choices)), int32(len(t.Spans))
}

// reader decodes numbers. After an error, it returns zeros.
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

// header reads the part before the operations: Tape.Rest, the number of operations, and the kinds
// of choices, which it appends. sealed reports that the first kind is a correct seal.
func (r *reader) header(kinds []kind) (rest, n uint64, _ []kind, sealed bool) {
	switch {
	case !IsTape(r.data):
		r.err = errors.New("this is no tape: it does not begin with c7 74 70")
	case r.data[len(magic)] != version:
		r.err = fmt.Errorf("the tape has version %d, and this parallax reads version %d", r.data[len(magic)], version)
	}
	r.at = len(magic) + 1
	rest = r.uvarint()
	behind := 0 // end of the first kind
	for n := r.count("kinds of choices"); n > 0 && r.err == nil; n-- {
		site := r.site()
		channel := r.byte()
		k := kind{r.uvarint(), site, Channel(channel &^ redrawFlag), channel&redrawFlag != 0}
		if k.channel >= Channels && r.err == nil {
			r.fail("a channel is %d", channel)
		}
		if kinds = append(kinds, k); len(kinds) == 1 {
			behind = r.at
		}
	}
	n = r.count("operations")
	if r.err == nil && len(kinds) > 0 && kinds[0].site == sealSite {
		sealed = kinds[0].bound == seal(r.data[behind:r.at], r.data[r.at:])
	}
	return rest, n, kinds, sealed
}

// count reads a number of items. Each item has at least one byte.
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
