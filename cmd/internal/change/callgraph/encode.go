package callgraph

import (
	"errors"
	"math"

	"parallax/cmd/internal/base/packed"
)

// The encoding of a graph: magic, then the fields in order, with numbers as varints and strings
// with their lengths, and a final checksum. The name of the file contains the version; see version.
const encodingMagic = "plxcalls1"

var errEncoding = errors.New("not a call graph of this version, or damaged")

func encode(g *Graph) []byte {
	e := &packed.Writer{Out: []byte(encodingMagic)}
	e.Number(len(g.Notes))
	for _, s := range g.Notes {
		e.Text(s)
	}
	e.Number(len(g.files))
	for _, s := range g.files {
		e.Text(s)
	}
	e.Number(len(g.packages))
	for _, p := range g.packages {
		e.Text(p.path)
		e.Flags(p.skipped, p.own)
		e.Numbers(p.imports, 0)
	}
	e.Number(len(g.lists))
	for _, l := range g.lists {
		e.Numbers(l, 0)
	}
	e.Number(len(g.functions))
	for _, f := range g.functions {
		e.Number(f.pkg)
		e.Text(f.name)
		e.Number(f.file)
		e.Number(f.line)
		e.Number(f.col)
		e.Number(int(f.kind))
		e.Flags(f.callback)
		e.Number(len(f.sites))
		for _, s := range f.sites {
			e.Number(s.file - f.file)
			e.Number(s.line - f.line)
			e.Number(s.col)
			e.Flags(s.unknown)
			e.Number(s.only)
			e.Numbers(s.callees, 0)
		}
	}
	return packed.Seal(e.Out)
}

// decode reads the output of encode. It checks the ranges of indices.
func decode(data []byte) (*Graph, error) {
	d, ok := packed.Open(data, encodingMagic)
	if !ok {
		return nil, errEncoding
	}
	g := &Graph{}
	for range d.Length() {
		g.Notes = append(g.Notes, d.Text())
	}
	for range d.Length() {
		g.files = append(g.files, d.Text())
	}
	g.packages = make([]packageNode, d.Length())
	for i := range g.packages {
		p := packageNode{path: d.Text()}
		bits := d.Number()
		p.skipped, p.own = bits&1 != 0, bits&2 != 0
		p.imports = d.Numbers(0, len(g.packages))
		g.packages[i] = p
	}
	g.lists = make([][]int, d.Length())
	for i := range g.lists {
		g.lists[i] = d.Numbers(0, math.MaxInt)
	}
	g.functions = make([]function, d.Length())
	for i := range g.functions {
		f := function{pkg: d.Below(len(g.packages)), name: d.Text(), file: d.Number(), line: d.Number(), col: d.Number(), kind: kind(d.Number())}
		f.callback = d.Number()&1 != 0
		f.sites = make([]site, d.Length())
		for k := range f.sites {
			s := site{file: f.file + d.Number(), line: f.line + d.Number(), col: d.Number()}
			s.unknown = d.Number()&1 != 0
			s.only = d.Below(len(g.lists) + 1)
			s.callees = d.Numbers(0, len(g.functions))
			d.Bad = d.Bad || s.file < -1 || s.file >= len(g.files)
			f.sites[k] = s
		}
		d.Bad = d.Bad || f.file < -1 || f.file >= len(g.files)
		g.functions[i] = f
	}
	if !d.Ended() {
		return nil, errEncoding
	}
	g.finish()
	return g, nil
}
