package c

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"path/filepath"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
)

// Comparisons runs an input and returns its comparisons. The program must be the cmplog build.
func (g *Program) Comparisons(ctx context.Context, input []byte) ([]cmplog.Comparison, error) {
	if err := g.ensure(ctx); err != nil {
		return nil, err
	}
	m := g.p.mem
	m.put32(atFlags, m.u32(atFlags)|wantCmpLog)
	m.put32(atOpCount, 0)
	g.p.request(runInputs, [][]byte{input}, 0)
	ok, err := g.p.await(ctx, g.wall())
	if err != nil {
		g.p.close()
		g.p = nil
		return nil, err
	}
	ops, intact := m.operands(g.p.maps), m.intact(1)
	m.put32(atFlags, m.u32(atFlags)&^wantCmpLog)
	if !intact {
		ops = nil
	}
	if g.ran++; !ok || !intact {
		g.lost()
	}
	return ops, nil
}

// site identifies a call by its file and offset, which are the same in each process.
func site(maps []mapping, addr uint64) uint64 {
	f, _ := place(maps, addr)
	h := fnv.New64a()
	h.Write([]byte(filepath.Base(f.File)))
	return feature.Chain(h.Sum64(), f.Offset)
}

// Bits of the flags of a comparison.
const constantA, constantB = 1, 2

func (m *memory) operands(maps []mapping) (ops []cmplog.Comparison) {
	text := func(at uint32, n uint16) string { return string(m.slice(m.op, uint64(at), uint64(n))) }
	for i := range min(int(m.u32(atOpCount)), maxOps) {
		b := m.b[m.op.off+i*opSize:]
		op := cmplog.Comparison{
			Site: site(maps, binary.LittleEndian.Uint64(b)),
			A:    binary.LittleEndian.Uint64(b[8:]), B: binary.LittleEndian.Uint64(b[16:]),
			Kind: cmplog.Kind(b[24]), Width: b[25], ConstA: b[26]&constantA != 0, ConstB: b[26]&constantB != 0,
		}
		if sn, tn := binary.LittleEndian.Uint16(b[28:]), binary.LittleEndian.Uint16(b[30:]); op.Width == 0 {
			op.S, op.T = text(binary.LittleEndian.Uint32(b[32:]), sn), text(binary.LittleEndian.Uint32(b[36:]), tn)
		}
		if op.Kind >= cmplog.IntEqual && op.Kind <= cmplog.Lookup {
			ops = append(ops, op)
		}
	}
	return ops
}
