package flow

import (
	"encoding/binary"
	"errors"
	"math"

	"parallax/cmd/internal/base/packed"
)

// The encoding of a table begins with magic and a version byte. A list of strings follows, and then
// the fields of Table in order. Numbers are varints, and strings are indices into the list. The end
// is a checksum of all before it.
const (
	encodingMagic   = "plxflow"
	encodingVersion = 3
)

var errEncoding = errors.New("not a block table of this version, or damaged")

// Encode writes a table for Decode.
func Encode(t *Table) []byte {
	e := encoder{index: map[string]int{}}
	e.text(t.Package)
	e.Number(len(t.Funcs))
	for _, f := range t.Funcs {
		e.text(f.Name)
		e.text(f.Symbol)
		e.text(f.File)
		e.Number(f.Line)
		e.Number(f.First)
		e.Number(f.Count)
	}
	e.Number(len(t.Blocks))
	for _, b := range t.Blocks {
		e.Number(b.Func)
		e.Number(int(b.Kind))
		e.text(b.File)
		e.Number(b.Line)
		e.Number(b.Col)
		e.Number(b.Cond)
		e.Number(b.EndLine)
		e.Numbers(b.Succs, b.ID)
		e.Flags(b.Exit, b.Indirect, b.Fails, b.Passes)
		e.Number(len(b.Calls))
		for _, c := range b.Calls {
			e.text(c)
		}
		e.Number(len(b.Named))
		for _, n := range b.Named {
			e.text(n)
		}
	}
	e.Number(len(t.Files))
	for _, f := range t.Files {
		e.text(f.Path)
		e.Number(len(f.Lines))
		last := 0
		for _, l := range f.Lines {
			e.Number(l.Line - last)
			last = l.Line
			e.Numbers(l.Blocks, 0)
		}
	}
	out := append([]byte(encodingMagic), encodingVersion)
	out = binary.AppendUvarint(out, uint64(len(e.strings)))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	out = append(out, e.Out...)
	return packed.Seal(out)
}

type encoder struct {
	packed.Writer
	strings []string
	index   map[string]int
}

func (e *encoder) text(s string) {
	i, ok := e.index[s]
	if !ok {
		i = len(e.strings)
		e.index[s] = i
		e.strings = append(e.strings, s)
	}
	e.Number(i)
}

// Decode decodes the output of Encode. Its ids and indices are within their ranges.
func Decode(data []byte) (*Table, error) {
	in, ok := packed.Open(data, encodingMagic+string(rune(encodingVersion)))
	if !ok {
		return nil, errEncoding
	}
	d := decoder{Reader: in}
	count, k := binary.Uvarint(d.In)
	if k <= 0 || count > uint64(len(d.In)) {
		return nil, errEncoding
	}
	d.In = d.In[k:]
	d.strings = make([]string, count)
	for i := range d.strings {
		n, k := binary.Uvarint(d.In)
		if k <= 0 || n > uint64(len(d.In)-k) {
			return nil, errEncoding
		}
		d.strings[i] = string(d.In[k : k+int(n)])
		d.In = d.In[k+int(n):]
	}
	t := d.table()
	if !d.Ended() || !t.sound() {
		return nil, errEncoding
	}
	return t, nil
}

type decoder struct {
	packed.Reader
	strings []string
}

// texts reads a list of strings, nil if it is empty.
func (d *decoder) texts() []string {
	n := d.Length()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = d.text()
	}
	return list
}

func (d *decoder) table() *Table {
	t := &Table{Package: d.text()}
	t.Funcs = make([]Func, d.Length())
	for i := range t.Funcs {
		t.Funcs[i] = Func{Name: d.text(), Symbol: d.text(), File: d.text(), Line: d.Number(), First: d.Number(), Count: d.Number()}
	}
	t.Blocks = make([]Block, d.Length())
	for i := range t.Blocks {
		b := Block{ID: i, Func: d.Number(), Kind: Kind(d.Number()), File: d.text(), Line: d.Number(), Col: d.Number(), Cond: d.Number(), EndLine: d.Number()}
		b.Succs = d.Numbers(i, math.MaxInt)
		flags := d.Number()
		b.Exit, b.Indirect, b.Fails, b.Passes = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0
		b.Calls, b.Named = d.texts(), d.texts()
		t.Blocks[i] = b
	}
	if n := d.Length(); n > 0 {
		t.Files = make([]File, n)
	}
	for i := range t.Files {
		f := File{Path: d.text(), Lines: make([]Line, d.Length())}
		last := 0
		for k := range f.Lines {
			last += d.Number()
			f.Lines[k] = Line{last, d.Numbers(0, math.MaxInt)}
		}
		t.Files[i] = f
	}
	return t
}

func (d *decoder) text() string {
	i := d.Below(len(d.strings))
	if d.Bad {
		return ""
	}
	return d.strings[i]
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
