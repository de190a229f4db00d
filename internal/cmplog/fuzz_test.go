package cmplog

import (
	"bytes"
	"encoding/binary"
	"testing"

	"parallax/internal/input"
)

// reader draws inputs and comparisons from the bytes of a fuzzer. It returns zeros after their end.
type reader []byte

func (r *reader) number() uint64 {
	var b [8]byte
	// One byte gives the number of bytes, since most numbers are small.
	n := min(int(r.byte()%9), len(*r))
	copy(b[:], (*r)[:n])
	*r = (*r)[n:]
	return binary.LittleEndian.Uint64(b[:])
}

func (r *reader) byte() byte {
	if len(*r) == 0 {
		return 0
	}
	c := (*r)[0]
	*r = (*r)[1:]
	return c
}

func (r *reader) bytes() []byte {
	n := min(int(r.byte()), len(*r))
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

// input draws a flat form of a shape.
func (r *reader) input(shape input.Shape) []byte {
	flat := []byte{}
	for _, k := range shape {
		switch {
		case shape.Raw():
			flat = append(flat, r.bytes()...)
		case sized(k):
			b := r.bytes()
			flat = append(binary.LittleEndian.AppendUint32(flat, uint32(len(b))), b...)
		case k == input.Bool:
			flat = append(flat, r.byte()&1)
		default:
			flat = append(flat, binary.LittleEndian.AppendUint64(nil, r.number())[:k.Width()]...)
		}
	}
	return flat
}

// op draws a comparison. Half of its strings are parts of the input.
func (r *reader) op(flat []byte) Comparison {
	flags := r.byte()
	o := Comparison{
		Site: uint64(r.byte() % 8), Kind: Kind(r.byte() % 11), Width: r.byte(), ConstA: flags&1 != 0, ConstB: flags&2 != 0, Signed: flags&4 != 0,
		A: r.number(), B: r.number(), S: string(r.bytes()), T: string(r.bytes()),
	}
	if flags&8 != 0 {
		o.Width = 1 << (o.Width & 3)
	}
	part := func() string {
		i := int(r.byte()) % (len(flat) + 1)
		return string(flat[i : i+int(r.byte())%(len(flat)-i+1)])
	}
	if flags&16 != 0 {
		o.S = part()
	}
	if flags&32 != 0 {
		o.T = part()
	}
	return o
}

var fuzzShapes = []input.Shape{
	raw, rawText, {input.Int32}, {input.String, input.Int, input.Bytes}, {input.Bool, input.Float32, input.String, input.Float64, input.Uint8},
	{input.Bytes, input.Bytes, input.Int64, input.Uint16, input.Bool},
}

// FuzzSolve checks for all inputs and operands that mutants are valid, within the limit, and
// repeatable.
func FuzzSolve(f *testing.F) {
	for _, seed := range []string{
		"\x00\x20\x0bhello world\x1a\x01\x03\x00\x00\x00\x05hello\x05magic",
		"\x01\x08\x10" + `{"a":"b\n\"c"}  ` + "\x12\x02\x03\x00\x00\x00\x00\x06\"q\"\\\n!\x04\x04",
		"\x01\xff\x10eyJhIjoiYiJ9AAAA\x02\x02\x03\x00\x00\x00\x01b\x05magic\x0a\x03\x01\x03\x01\x03\x01\x09",
		"\x03\x40\x05hello\x01\x07\x04more\x0a\x01\x01\x03\x01\x07\x03\x01\x02\x03\x0e\x02\x02\x03\x01\x07\x02\x09\x09",
		"\x04\x40\x01\x04abcd\x03abc\x08abcdefgh\xff\x0a\x01\x01\x00\x01\x01\x01\x00\x1a\x01\x05\x00\x00\x00\x00\x02xy",
		"\x00\x05\x30a%20b%zz c\x00d\x00e\x00f\x00 AABBCCDD11 0x1F 0017 \x12\x01\x07\x00\x00\x00\x00\x03%20\x02\x06",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := reader(data)
		shape := fuzzShapes[int(r.byte())%len(fuzzShapes)]
		maxLen := int(r.byte())
		var solvers [2]*Solver
		for i := range solvers {
			solvers[i] = NewSolver(shape, maxLen)
		}
		for call := 0; call < 3; call++ {
			flat := r.input(shape)
			if err := shape.Check(flat); err != nil {
				t.Fatal(err)
			}
			var ops []Comparison
			for i := 0; i < 16 && len(r) > 0; i++ {
				ops = append(ops, r.op(flat))
			}
			got := mutants(t, solvers[0], flat, ops...)
			again := mutants(t, solvers[1], flat, ops...)
			if len(got) > maxPatches || len(got) != len(again) {
				t.Fatalf("%d patches, then %d", len(got), len(again))
			}
			for i := range got {
				if got[i] != again[i] {
					t.Fatalf("mutant %d is %q, then %q", i, got[i], again[i])
				}
			}
		}
		if a, b := solvers[0].Tokens(), solvers[1].Tokens(); !bytes.Equal(bytes.Join(a, []byte{0}), bytes.Join(b, []byte{0})) || len(a) > maxTokens {
			t.Fatalf("tokens %q, then %q", a, b)
		}
	})
}
