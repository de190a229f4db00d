package mutate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"parallax/internal/input"
)

var kinds = input.Shape{input.Bytes, input.String, input.Bool, input.Int, input.Int8, input.Int16, input.Int32, input.Int64,
	input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64, input.Float32, input.Float64}

func newMutator(t testing.TB, c Config) *Mutator {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomShape returns one to five arguments of any kinds.
func randomShape(r *Rand) input.Shape {
	s := make(input.Shape, 1+r.Intn(5))
	for i := range s {
		s[i] = kinds[r.Intn(len(kinds))]
	}
	return s
}

func longest(s input.Shape, flat []byte) int {
	n := 0
	for i, span := range s.Spans(nil, flat) {
		if sized(s[i]) {
			n = max(n, span.End-span.Start)
		}
	}
	return n
}

// TestValid checks the package's contract over random shapes. Mutants are valid flat forms within
// the limit, mostly different from their seed. The operators are listed, and seeds are unchanged.
func TestValid(t *testing.T) {
	r := NewRand(11, 0)
	for n := 0; n < 400; n++ {
		s := randomShape(r)
		set := []string{"full", "nezha", "der"}[n%3]
		limit := []int{1, 2, 3, 7, 40, 300, 4096}[r.Intn(7)]
		m := newMutator(t, Config{Shape: s, Set: set, Dictionary: [][]byte{[]byte("token"), []byte("-12"), {}}, MaxLen: limit})
		seed, other := m.Fresh(r, nil), m.Fresh(r, nil)
		equal := 0
		var dst []byte
		for k := 0; k < 200; k++ {
			if k == 150 {
				limit = 1 + limit/2
				m.SetMaxLen(limit)
			}
			before, donor := bytes.Clone(seed), other
			if k%5 == 0 {
				donor = nil
			}
			dst = m.Mutate(r, dst, seed, donor)
			if err := s.Check(dst); err != nil {
				t.Fatalf("%s, seed %q: mutant %q by %v: %v", set, seed, dst, m.Operators(), err)
			}
			if have := longest(s, dst); have > limit {
				t.Fatalf("%s, %v: argument of %d bytes by %v, limit %d", set, s, have, m.Operators(), limit)
			}
			if !bytes.Equal(seed, before) {
				t.Fatalf("%s: the seed was changed by %v", set, m.Operators())
			}
			if bytes.Equal(dst, seed) {
				equal++
			} else if len(m.Operators()) == 0 && longest(s, seed) <= limit {
				t.Fatalf("%s, %v: %q became %q without an operator", set, s, seed, dst)
			}
			if r.Chance(1, 3) {
				seed, dst = dst, nil
			}
		}
		if equal > 4 {
			t.Errorf("%s, %v, limit %d: %d of 200 mutants equal their seed %q", set, s, limit, equal, seed)
		}
	}
}

func TestFresh(t *testing.T) {
	r := NewRand(3, 3)
	for n := 0; n < 300; n++ {
		s := randomShape(r)
		m := newMutator(t, Config{Shape: s, Set: []string{"full", "nezha"}[n%2], MaxLen: 1 + r.Intn(20)})
		seen := map[string]bool{}
		for k := 0; k < 50; k++ {
			flat := m.Fresh(r, nil)
			if err := s.Check(flat); err != nil {
				t.Fatalf("%v: Fresh = %q: %v", s, flat, err)
			}
			if longest(s, flat) > m.maxLen {
				t.Fatalf("%v: Fresh = %q is longer than %d", s, flat, m.maxLen)
			}
			seen[string(flat)] = true
		}
		if len(seen) < 2 {
			t.Errorf("%v: Fresh always is %v", s, seen)
		}
		if got := fmt.Sprint(m.Operators()); got != "[fresh]" {
			t.Errorf("Operators() = %s after Fresh", got)
		}
	}
}

// TestLongSeeds checks that seeds beyond the limit are cut, whichever argument is mutated.
func TestLongSeeds(t *testing.T) {
	s := input.Shape{input.String, input.Int8, input.Bytes}
	seed, err := s.Pack(strings.Repeat("a", 100), int8(1), bytes.Repeat([]byte("b"), 200))
	if err != nil {
		t.Fatal(err)
	}
	m := newMutator(t, Config{Shape: s})
	m.SetMaxLen(50)
	r := NewRand(1, 1)
	for i := 0; i < 1000; i++ {
		dst := m.Mutate(r, nil, seed, seed)
		if err := s.Check(dst); err != nil || longest(s, dst) > 50 {
			t.Fatalf("%q: %v", dst, err)
		}
	}
	m = newMutator(t, Config{Shape: input.Shape{input.Bytes}})
	m.SetMaxLen(0)
	if dst := m.Mutate(r, nil, []byte("long"), nil); len(dst) > 1 {
		t.Errorf("%q is longer than a byte", dst)
	}
}

// TestDeterministic checks that the same source, seeds and order of calls give the same mutants for
// any dst.
func TestDeterministic(t *testing.T) {
	s := input.Shape{input.String, input.Float64, input.Int32}
	seed, err := s.Pack("a 12, b", 1.5, int32(7))
	if err != nil {
		t.Fatal(err)
	}
	var runs [2][]string
	for i := range runs {
		m := newMutator(t, Config{Shape: s, Dictionary: [][]byte{[]byte("x")}})
		r := NewRand(5, uint64(6))
		var dst []byte
		for k := 0; k < 2000; k++ {
			if i == 1 {
				dst = make([]byte, k%50)
			}
			dst = m.Mutate(r, dst, seed, seed)
			runs[i] = append(runs[i], fmt.Sprintf("%q %v", dst, m.Operators()))
		}
	}
	for k := range runs[0] {
		if runs[0][k] != runs[1][k] {
			t.Fatalf("mutant %d: %s and %s", k, runs[0][k], runs[1][k])
		}
	}
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]Config{
		"no arguments": {},
		"unknown kind": {Shape: input.Shape{0}},
		"unknown set":  {Shape: input.Shape{input.Bytes}, Set: "all"},
		"negative":     {Shape: input.Shape{input.Bytes}, MaxLen: -1},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if m := newMutator(t, Config{Shape: input.Shape{input.Bytes}}); m.maxLen != DefaultMaxLen || m.nezha {
		t.Errorf("defaults: limit %d, nezha %v", m.maxLen, m.nezha)
	}
}

func TestOpString(t *testing.T) {
	seen := map[string]bool{}
	for op := Op(0); op < NumOps; op++ {
		name := op.String()
		if name == "" || len(name) > 11 || seen[name] {
			t.Errorf("operator %d has the name %q", op, name)
		}
		seen[name] = true
	}
	if got := NumOps.String(); got != fmt.Sprintf("Op(%d)", NumOps) {
		t.Errorf("NumOps.String() = %q", got)
	}
}

func TestAllocs(t *testing.T) {
	for _, set := range []string{"full", "nezha"} {
		for _, text := range []string{"([]byte)", "(string, int, []byte, float64, bool)"} {
			s, err := input.ParseShape(text)
			if err != nil {
				t.Fatal(err)
			}
			m := newMutator(t, Config{Shape: s, Set: set, Dictionary: [][]byte{[]byte("token"), []byte("1.5"), []byte("-77")}, MaxLen: 512})
			r := NewRand(1, 1)
			seed, other := m.Fresh(r, nil), m.Fresh(r, nil)
			dst := make([]byte, 0, 4096)
			// Buffers grow to the limit during the first mutants.
			for i := 0; i < 20000; i++ {
				dst = m.Mutate(r, dst, seed, other)
			}
			if n := testing.AllocsPerRun(5000, func() {
				dst = m.Mutate(r, dst, seed, other)
				dst = m.Fresh(r, dst)
			}); n != 0 {
				t.Errorf("%s, %s: %v allocations a mutant", set, text, n)
			}
		}
	}
}

func BenchmarkMutate(b *testing.B) {
	text := `{"name":"value","n":[1,2.5e3,-7],"ok":true,"nested":{"a":"\u00e9"}} `
	for _, set := range []string{"full", "nezha"} {
		for _, size := range []int{20, 100, 200, 4096} {
			b.Run(fmt.Sprintf("%s/%dB", set, size), func(b *testing.B) {
				b.ReportAllocs()
				m := newMutator(b, Config{Shape: input.Shape{input.Bytes}, Set: set, Dictionary: [][]byte{[]byte("null")}})
				r := NewRand(1, 1)
				seed := []byte(strings.Repeat(text, 1+size/len(text))[:size])
				dst := make([]byte, 0, 2*DefaultMaxLen)
				b.ResetTimer()
				for i := 0; i < b.N; i++ {
					dst = m.Mutate(r, dst, seed, seed)
				}
			})
		}
	}
	b.Run("full/tuple", func(b *testing.B) {
		b.ReportAllocs()
		s := input.Shape{input.String, input.Int, input.Bytes, input.Float64}
		seed, err := s.Pack(text, 5, []byte(text), 1.5)
		if err != nil {
			b.Fatal(err)
		}
		m := newMutator(b, Config{Shape: s})
		r := NewRand(1, 1)
		dst := make([]byte, 0, 4*DefaultMaxLen)
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			dst = m.Mutate(r, dst, seed, seed)
		}
	})
}

// TestGolden fixes the mutants of a random seed. A change here means that campaigns no longer
// repeat those of earlier versions, which the commit must say.
func TestGolden(t *testing.T) {
	typed := input.Shape{input.String, input.Float64, input.Float32, input.Int16}
	tuple, err := typed.Pack("ab=12;", 1.5, float32(-2), int16(300))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		set   string
		shape input.Shape
		seed  []byte
		first string // first mutant
		hash  string // of 3000 mutants, fresh inputs and their operators
	}{
		{"full", rawBytes, []byte(`{"n":1, "s":"xyz"}`),
			`"{\"n\":5, \"s\":\"xyz\"}" [digits]`, "9574eb53a280b354"},
		{"nezha", rawBytes, []byte(`{"n":1, "s":"xyz"}`),
			`"{\x04\"n\":0, \"s\":\xb2xy\"}" [insert digits splice byte]`, "ae638feca3a7a3ab"},
		{"full", typed, tuple,
			`"\x06\x00\x00\x00ab=12;\x00\x00\x00\x00\x00\x00\xf8?\x00\x00\x00?,\x01" [scalar]`, "aae639b75083d2e2"},
		{"nezha", typed, tuple,
			`"\x06\x00\x00\x00ab=12;\x00\x00\x00\x00\x00\x00\xf8?\x00\xc0\x00\x80,\x01" [shuffle bit]`, "e6be1ebe9fed62f6"},
	}
	for _, test := range tests {
		m := newMutator(t, Config{Shape: test.shape, Set: test.set, Dictionary: [][]byte{[]byte("null")}})
		r := NewRand(7, 1)
		h := sha256.New()
		first := ""
		var dst []byte
		for i := 0; i < 3000; i++ {
			if i%10 == 9 {
				dst = m.Fresh(r, dst)
			} else {
				dst = m.Mutate(r, dst, test.seed, test.seed)
			}
			text := fmt.Sprintf("%q %v", dst, m.Operators())
			if i == 0 {
				first = text
			}
			h.Write([]byte(text))
		}
		hash := hex.EncodeToString(h.Sum(nil)[:8])
		if first != test.first || hash != test.hash {
			t.Errorf("%s, %v: %#q, %q; want %#q, %q", test.set, test.shape, first, hash, test.first, test.hash)
		}
	}
}
