package callgraph

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

// The encoding of a graph: magic, then the fields in order, with numbers as varints and strings
// with their lengths, and a final checksum. The name of the file contains the version; see version.
const encodingMagic = "plxcalls1"

var errEncoding = errors.New("not a call graph of this version, or damaged")

func encode(g *Graph) []byte {
	e := &encoder{out: []byte(encodingMagic)}
	e.number(len(g.Notes))
	for _, s := range g.Notes {
		e.text(s)
	}
	e.number(len(g.files))
	for _, s := range g.files {
		e.text(s)
	}
	e.number(len(g.packages))
	for _, p := range g.packages {
		e.text(p.path)
		e.flags(p.skipped, p.own)
		e.numbers(p.imports)
	}
	e.number(len(g.lists))
	for _, l := range g.lists {
		e.numbers(l)
	}
	e.number(len(g.functions))
	for _, f := range g.functions {
		e.number(f.pkg)
		e.text(f.name)
		e.number(f.file)
		e.number(f.line)
		e.number(f.col)
		e.number(int(f.kind))
		e.flags(f.callback)
		e.number(len(f.sites))
		for _, s := range f.sites {
			e.number(s.file - f.file)
			e.number(s.line - f.line)
			e.number(s.col)
			e.flags(s.unknown)
			e.number(s.only)
			e.numbers(s.callees)
		}
	}
	return binary.LittleEndian.AppendUint32(e.out, crc32.ChecksumIEEE(e.out))
}

type encoder struct{ out []byte }

func (e *encoder) number(n int) { e.out = binary.AppendVarint(e.out, int64(n)) }

func (e *encoder) text(s string) {
	e.number(len(s))
	e.out = append(e.out, s...)
}

func (e *encoder) flags(flags ...bool) {
	bits := 0
	for i, f := range flags {
		if f {
			bits |= 1 << i
		}
	}
	e.number(bits)
}

// numbers writes an ascending list as differences.
func (e *encoder) numbers(list []int) {
	e.number(len(list))
	last := 0
	for _, n := range list {
		e.number(n - last)
		last = n
	}
}

// decode reads the output of encode. It checks the ranges of indices.
func decode(data []byte) (*Graph, error) {
	n := len(data) - 4
	if n < len(encodingMagic) || string(data[:len(encodingMagic)]) != encodingMagic || crc32.ChecksumIEEE(data[:n]) != binary.LittleEndian.Uint32(data[n:]) {
		return nil, errEncoding
	}
	d := &decoder{in: data[len(encodingMagic):n]}
	g := &Graph{}
	for range d.length() {
		g.Notes = append(g.Notes, d.text())
	}
	for range d.length() {
		g.files = append(g.files, d.text())
	}
	g.packages = make([]packageNode, d.length())
	for i := range g.packages {
		p := packageNode{path: d.text()}
		bits := d.number()
		p.skipped, p.own = bits&1 != 0, bits&2 != 0
		p.imports = d.numbers(len(g.packages))
		g.packages[i] = p
	}
	g.lists = make([][]int, d.length())
	for i := range g.lists {
		g.lists[i] = d.numbers(math.MaxInt)
	}
	g.functions = make([]function, d.length())
	for i := range g.functions {
		f := function{pkg: d.below(len(g.packages)), name: d.text(), file: d.number(), line: d.number(), col: d.number(), kind: kind(d.number())}
		f.callback = d.number()&1 != 0
		f.sites = make([]site, d.length())
		for k := range f.sites {
			s := site{file: f.file + d.number(), line: f.line + d.number(), col: d.number()}
			s.unknown = d.number()&1 != 0
			s.only = d.below(len(g.lists) + 1)
			s.callees = d.numbers(len(g.functions))
			d.bad = d.bad || s.file < -1 || s.file >= len(g.files)
			f.sites[k] = s
		}
		d.bad = d.bad || f.file < -1 || f.file >= len(g.files)
		g.functions[i] = f
	}
	if d.bad || len(d.in) > 0 {
		return nil, errEncoding
	}
	g.finish()
	return g, nil
}

type decoder struct {
	in    []byte
	bad   bool
	spare []int // memory for lists
}

func (d *decoder) fail() {
	d.bad, d.in = true, nil
}

func (d *decoder) number() int {
	n, k := binary.Varint(d.in)
	if k <= 0 {
		d.fail()
		return 0
	}
	d.in = d.in[k:]
	return int(n)
}

// length reads the length of a list or text. Each element takes at least one byte.
func (d *decoder) length() int {
	n := d.number()
	if n < 0 || n > len(d.in) {
		d.fail()
		return 0
	}
	return n
}

// below reads an index.
func (d *decoder) below(limit int) int {
	n := d.number()
	if n < 0 || n >= limit {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) text() string {
	n := d.length()
	s := string(d.in[:n])
	d.in = d.in[n:]
	return s
}

func (d *decoder) numbers(limit int) []int {
	n := d.length()
	if n == 0 {
		return nil
	}
	if n > len(d.spare) {
		d.spare = make([]int, max(n, 4096))
	}
	list := d.spare[:n:n]
	d.spare = d.spare[n:]
	last := 0
	for i := range list {
		last += d.number()
		if last < 0 || last >= limit {
			d.fail()
			return nil
		}
		list[i] = last
	}
	return list
}
