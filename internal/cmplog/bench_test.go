package cmplog

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
)

// benchDocument returns 4 KiB of JSON. benchOps returns a parser's comparisons at 200 places of it:
// characters, lengths and counters, keys and values against constants and tables.
func benchDocument() []byte {
	var b bytes.Buffer
	b.WriteString("[")
	for i := 0; b.Len() < 4<<10; i++ {
		fmt.Fprintf(&b, `{"id":%d,"name":"user %c%d","tags":["a%d","b"],"esc":"x\ty%d","data":"aGVsbG8gd29ybGQ%d="},`, 1000+i, 'a'+i%26, i, i, i, i%10)
	}
	return b.Bytes()[:4<<10]
}

func benchOps(flat []byte, n int) []Comparison {
	r := rand.New(rand.NewSource(1))
	part := func(most int) string {
		i := r.Intn(len(flat) - most)
		return string(flat[i : i+1+r.Intn(most)])
	}
	var ops []Comparison
	for i := 0; len(ops) < n; i++ {
		o := Comparison{Site: uint64(r.Intn(200))}
		switch r.Intn(8) {
		case 0, 1:
			o.Kind, o.Width, o.ConstB, o.A, o.B = IntEqual, 1, true, uint64(flat[r.Intn(len(flat))]), uint64(' '+r.Intn(90))
		case 2:
			o.Kind, o.Width, o.Signed, o.A, o.B = IntOrder, 8, true, uint64(i), uint64(len(flat))
		case 3:
			o.Kind, o.Width, o.Signed, o.ConstB, o.A, o.B = IntOrder, 8, true, true, uint64(1000+i%30), uint64(r.Intn(1<<20))
		case 4:
			o.Kind, o.S, o.T = Lookup, part(8), fmt.Sprintf("field_%d", i%50)
		case 5:
			o.Kind, o.ConstB, o.S, o.T = StringEqual, true, part(12), fmt.Sprintf("constant %d", i%70)
		case 6:
			o.Kind, o.S, o.T = StringEqual, part(6), part(6)
		case 7:
			o.Kind, o.ConstB, o.S, o.T = Prefix, true, part(250), fmt.Sprintf("p%d:", i%30)
		}
		ops = append(ops, o)
	}
	return ops
}

func BenchmarkSolve(b *testing.B) {
	for _, bench := range []struct {
		name string
		flat []byte
	}{{"JSON", benchDocument()}, {"zeros", make([]byte, 4<<10)}} {
		b.Run(bench.name, func(b *testing.B) {
			ops := benchOps(bench.flat, 2000)
			b.ReportAllocs()
			s := NewSolver(raw, 8<<10)
			patches := 0
			for i := 0; i < b.N; i++ {
				clear(s.memory.slots) // as if no replacement had been tried
				patches += len(s.Solve(bench.flat, ops))
			}
			b.ReportMetric(float64(patches)/float64(b.N), "patches/op")
		})
	}
}

func BenchmarkApply(b *testing.B) {
	flat := benchDocument()
	s := NewSolver(raw, 8<<10)
	patches := s.Solve(flat, benchOps(flat, 2000))
	b.ReportAllocs()
	var dst []byte
	for i := 0; i < b.N; i++ {
		dst = s.Apply(dst, flat, patches[i%len(patches)])
	}
}
