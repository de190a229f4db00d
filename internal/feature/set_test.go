package feature

import (
	"encoding/binary"
	"math/rand"
	"testing"
)

// check compares a set with a map after the same operations. Few and clashing hashes exercise
// probing.
func check(t *testing.T, hashes []uint64) {
	t.Helper()
	var s Set
	m := map[uint64]bool{}
	for _, h := range hashes {
		if s.Has(h) != m[h] {
			t.Fatalf("has %x: %v", h, s.Has(h))
		}
		if s.Add(h) == m[h] {
			t.Fatalf("add %x: new is %v", h, m[h])
		}
		m[h] = true
		if !s.Has(h) || s.Len() != len(m) {
			t.Fatalf("after %x: length %d, want %d", h, s.Len(), len(m))
		}
	}
	seen := map[uint64]bool{}
	s.All(func(h uint64) {
		if seen[h] || !m[h] {
			t.Fatalf("all: %x", h)
		}
		seen[h] = true
	})
	if len(seen) != len(m) {
		t.Fatalf("all: %d hashes, want %d", len(seen), len(m))
	}
}

func TestSet(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	tests := []struct {
		name string
		n    int
		hash func() uint64
	}{
		{"none", 0, nil},
		{"mixed", 20000, func() uint64 { return Mix(uint64(r.Intn(15000))) }},
		{"the same slot", 700, func() uint64 { return uint64(r.Intn(600)) << 32 }},
		{"the last slots", 700, func() uint64 { return uint64(r.Intn(600))<<32 | 1023 }},
		{"small", 5000, func() uint64 { return uint64(r.Intn(4000)) }},
		{"zero", 3, func() uint64 { return 0 }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var hashes []uint64
			for i := 0; i < test.n; i++ {
				hashes = append(hashes, test.hash())
			}
			check(t, hashes)
		})
	}
}

func FuzzSet(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00abcdefgh"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var hashes []uint64
		for ; len(data) >= 8; data = data[8:] {
			hashes = append(hashes, binary.LittleEndian.Uint64(data))
		}
		check(t, hashes)
	})
}

// TestSetMemory checks the memory of a set: at most 22 bytes per hash once there are many. A slot
// has eight bytes, and at most three quarters are full.
func TestSetMemory(t *testing.T) {
	var s Set
	for i := uint64(1); i <= 200_000; i++ {
		s.Add(Mix(i))
		if n := len(s.hashes.slots); 4*s.Len() > 3*n || n > minSlots && 8*n > 22*s.Len() {
			t.Fatalf("%d slots for %d hashes", n, s.Len())
		}
	}
	i := uint64(0)
	if n := testing.AllocsPerRun(1000, func() { i++; s.Add(Mix(i)) }); n != 0 {
		t.Errorf("%v allocations to add what is there", n)
	}
}

func TestMix(t *testing.T) {
	// The first outputs of splitmix64 from state 0 (Vigna's reference code).
	want := []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f}
	for i, w := range want {
		if got := Mix(uint64(i) * 0x9e3779b97f4a7c15); got != w {
			t.Errorf("output %d is %x, want %x", i, got, w)
		}
	}
	if Chain(Chain(0, 1), 2) == Chain(Chain(0, 2), 1) || Chain(0, 0) == 0 {
		t.Error("a chain forgets order or length")
	}
}

// TestSetOfASet checks that copying a set slot by slot does not fill a smaller set from one end.
func TestSetOfASet(t *testing.T) {
	var from, to Set
	for i := uint64(0); i < 300000; i++ {
		from.Add(Mix(i))
	}
	n, longest := 0, 0
	from.All(func(h uint64) {
		to.Add(h)
		if n++; n%10000 == 0 {
			run := 0
			for _, slot := range to.hashes.slots {
				if run++; slot == 0 {
					run = 0
				}
				longest = max(longest, run)
			}
		}
	})
	if to.Len() != from.Len() || longest > 2000 {
		t.Errorf("%d of %d hashes, %d slots in a row", to.Len(), from.Len(), longest)
	}
}
