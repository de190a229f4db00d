package flow

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// The encoding of a table begins with magic and a version byte. A list of strings follows, and then
// the fields of Table in order. Numbers are varints, and strings are indices into the list. The end
// is a checksum of all before it.
const (
	encodingMagic   = "plxflow"
	encodingVersion = 1
)

var errEncoding = errors.New("not a block table of this version, or damaged")

// Encode writes a table for Decode.
func Encode(t *Table) []byte {
	e := encoder{index: map[string]int{}}
	e.text(t.Package)
	e.number(len(t.Funcs))
	for _, f := range t.Funcs {
		e.text(f.Name)
		e.text(f.Symbol)
		e.text(f.File)
		e.number(f.Line)
		e.number(f.First)
		e.number(f.Count)
	}
	e.number(len(t.Blocks))
	for _, b := range t.Blocks {
		e.number(b.Func)
		e.number(int(b.Kind))
		e.text(b.File)
		e.number(b.Line)
		e.number(b.Col)
		e.number(b.Cond)
		e.number(b.EndLine)
		e.ids(b.Succs, b.ID)
		flags := 0
		if b.Exit {
			flags |= 1
		}
		if b.Indirect {
			flags |= 2
		}
		e.number(flags)
		e.number(len(b.Calls))
		for _, c := range b.Calls {
			e.text(c)
		}
	}
	e.number(len(t.Files))
	for _, f := range t.Files {
		e.text(f.Path)
		e.number(len(f.Lines))
		last := 0
		for _, l := range f.Lines {
			e.number(l.Line - last)
			last = l.Line
			e.ids(l.Blocks, 0)
		}
	}
	out := append([]byte(encodingMagic), encodingVersion)
	out = binary.AppendUvarint(out, uint64(len(e.strings)))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	out = append(out, e.out...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

type encoder struct {
	out     []byte
	strings []string
	index   map[string]int
}

func (e *encoder) number(n int) { e.out = binary.AppendVarint(e.out, int64(n)) }

func (e *encoder) text(s string) {
	i, ok := e.index[s]
	if !ok {
		i = len(e.strings)
		e.index[s] = i
		e.strings = append(e.strings, s)
	}
	e.number(i)
}

// ids writes a list of ids as differences.
func (e *encoder) ids(ids []int, last int) {
	e.number(len(ids))
	for _, id := range ids {
		e.number(id - last)
		last = id
	}
}

// Decode decodes the output of Encode. Its ids and indices are within their ranges.
func Decode(data []byte) (*Table, error) {
	head := len(encodingMagic) + 1
	if len(data) < head+4 || string(data[:head-1]) != encodingMagic || data[head-1] != encodingVersion {
		return nil, errEncoding
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, errEncoding
	}
	d := decoder{in: body[head:]}
	count, k := binary.Uvarint(d.in)
	if k <= 0 || count > uint64(len(d.in)) {
		return nil, errEncoding
	}
	d.in = d.in[k:]
	d.strings = make([]string, count)
	for i := range d.strings {
		n, k := binary.Uvarint(d.in)
		if k <= 0 || n > uint64(len(d.in)-k) {
			return nil, errEncoding
		}
		d.strings[i] = string(d.in[k : k+int(n)])
		d.in = d.in[k+int(n):]
	}
	t := d.table()
	if d.bad || len(d.in) > 0 || !t.sound() {
		return nil, errEncoding
	}
	return t, nil
}

type decoder struct {
	in      []byte
	strings []string
	bad     bool
	spare   []int // memory from which lists of ids are cut
}

func (d *decoder) table() *Table {
	t := &Table{Package: d.text()}
	t.Funcs = make([]Func, d.length())
	for i := range t.Funcs {
		t.Funcs[i] = Func{Name: d.text(), Symbol: d.text(), File: d.text(), Line: d.number(), First: d.number(), Count: d.number()}
	}
	t.Blocks = make([]Block, d.length())
	for i := range t.Blocks {
		b := Block{ID: i, Func: d.number(), Kind: Kind(d.number()), File: d.text(), Line: d.number(), Col: d.number(), Cond: d.number(), EndLine: d.number()}
		b.Succs = d.ids(i)
		flags := d.number()
		b.Exit, b.Indirect = flags&1 != 0, flags&2 != 0
		if n := d.length(); n > 0 {
			b.Calls = make([]string, n)
			for k := range b.Calls {
				b.Calls[k] = d.text()
			}
		}
		t.Blocks[i] = b
	}
	if n := d.length(); n > 0 {
		t.Files = make([]File, n)
	}
	for i := range t.Files {
		f := File{Path: d.text(), Lines: make([]Line, d.length())}
		last := 0
		for k := range f.Lines {
			last += d.number()
			f.Lines[k] = Line{last, d.ids(0)}
		}
		t.Files[i] = f
	}
	return t
}

func (d *decoder) number() int {
	n, k := binary.Varint(d.in)
	if k <= 0 {
		d.bad, d.in = true, nil
		return 0
	}
	d.in = d.in[k:]
	return int(n)
}

// length reads the length of a list: each of its elements takes a byte at least.
func (d *decoder) length() int {
	n := d.number()
	if n < 0 || n > len(d.in) {
		d.bad, d.in = true, nil
		return 0
	}
	return n
}

func (d *decoder) text() string {
	i := d.number()
	if i < 0 || i >= len(d.strings) {
		d.bad = true
		return ""
	}
	return d.strings[i]
}

func (d *decoder) ids(last int) []int {
	n := d.length()
	if n == 0 {
		return nil
	}
	if n > len(d.spare) {
		d.spare = make([]int, max(n, 4096))
	}
	ids := d.spare[:n:n]
	d.spare = d.spare[n:]
	for i := range ids {
		last += d.number()
		ids[i] = last
	}
	return ids
}

// sound reports whether ids and indices are within their ranges.
func (t *Table) sound() bool {
	within := func(ids []int) bool {
		for _, id := range ids {
			if id < 0 || id >= len(t.Blocks) {
				return false
			}
		}
		return true
	}
	for _, f := range t.Funcs {
		if f.First < 0 || f.Count < 0 || f.First > len(t.Blocks)-f.Count {
			return false
		}
	}
	for _, b := range t.Blocks {
		if b.Func < 0 || b.Func >= len(t.Funcs) || !within(b.Succs) {
			return false
		}
	}
	for _, f := range t.Files {
		for _, l := range f.Lines {
			if !within(l.Blocks) {
				return false
			}
		}
	}
	return true
}
