package input

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestArgs(t *testing.T) {
	flat, err := every.Pack(everyValue()...)
	if err != nil {
		t.Fatal(err)
	}
	var a Args
	a.Load(every, flat)
	if got := a.Bytes(0); string(got) != "ab\x00\xff" || cap(got) != len(got) {
		t.Errorf("Bytes(0) = %q, capacity %d", got, cap(got))
	}
	if a.String(0) != "ab\x00\xff" || a.String(1) != "héllo\n" || string(a.Bytes(1)) != "héllo\n" {
		t.Errorf("String(0), String(1), Bytes(1) = %q, %q, %q", a.String(0), a.String(1), a.Bytes(1))
	}
	if !a.Bool(2) {
		t.Error("Bool(2) = false")
	}
	for i, want := range []int64{-5, -128, -300, 'x', math.MinInt64} {
		if got := a.Int(3 + i); got != want {
			t.Errorf("Int(%d) = %d, want %d", 3+i, got, want)
		}
	}
	for i, want := range []uint64{7, 200, 65535, 1 << 31, math.MaxUint64} {
		if got := a.Uint(8 + i); got != want {
			t.Errorf("Uint(%d) = %d, want %d", 8+i, got, want)
		}
	}
	if a.Float(13) != 1.5 || a.Float32(13) != 1.5 || a.Float(14) != math.Inf(-1) {
		t.Errorf("Float = %v, %v, %v", a.Float(13), a.Float32(13), a.Float(14))
	}
}

func TestArgsRaw(t *testing.T) {
	var a Args
	a.Load(Shape{String}, []byte("raw"))
	if a.String(0) != "raw" || string(a.Bytes(0)) != "raw" {
		t.Errorf("%q, %q", a.String(0), a.Bytes(0))
	}
	a.Load(Shape{Bytes}, nil)
	if b := a.Bytes(0); b == nil || len(b) != 0 || a.String(0) != "" {
		t.Errorf("empty: %#v, %q", b, a.String(0))
	}
}

// TestArgsFresh keeps the results of many calls, overwrites them, appends to them, and checks that
// nothing else changed.
func TestArgsFresh(t *testing.T) {
	s := Shape{Bytes, String}
	var a Args
	var kept []string
	var want []string
	for n := 0; n < 3000; n++ {
		text := strings.Repeat(string(rune('a'+n%26)), n%97)
		if n%500 == 499 {
			text = strings.Repeat("z", ownSize-1+n%3)
		}
		flat, err := s.Pack([]byte(text), text)
		if err != nil {
			t.Fatal(err)
		}
		a.Load(s, flat)
		kept = append(kept, a.String(1), a.String(0))
		want = append(want, strings.Clone(text), strings.Clone(text))
		b := a.Bytes(0)
		kept = append(kept, a.String(1))
		want = append(want, strings.Clone(text))
		for i := range b {
			b[i] = '!'
		}
		_ = append(b, "overrun"...)
		for i := range flat {
			flat[i] = '?'
		}
	}
	for i := range kept {
		if kept[i] != want[i] {
			t.Fatalf("string %d changed to %q, want %q", i, kept[i], want[i])
		}
	}
}

func TestArgsMisuse(t *testing.T) {
	for name, read := range map[string]func(*Args){
		"int as string": func(a *Args) { a.String(1) },
		"string as int": func(a *Args) { a.Int(0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			var a Args
			a.Load(Shape{String, Int}, Shape{String, Int}.Zero())
			read(&a)
		})
	}
}

// TestArgsAllocs uses 112 bytes per call, which are one chunk in about 600 calls. AllocsPerRun
// rounds this down to 0.
func TestArgsAllocs(t *testing.T) {
	s := Shape{Bytes, String, Int}
	flat, err := s.Pack(bytes.Repeat([]byte("x"), 100), "yy", 1)
	if err != nil {
		t.Fatal(err)
	}
	var a Args
	if n := testing.AllocsPerRun(1000, func() {
		a.Load(s, flat)
		a.Bytes(0)
		a.String(1)
		a.Int(2)
	}); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func BenchmarkArgs(b *testing.B) {
	for _, size := range []int{20, 200, 4096} {
		b.Run(strconv.Itoa(size)+"B", func(b *testing.B) {
			b.ReportAllocs()
			flat := bytes.Repeat([]byte("x"), size)
			s := Shape{String}
			var a Args
			for i := 0; i < b.N; i++ {
				a.Load(s, flat)
				a.String(0)
			}
		})
	}
}
