package mutate

import (
	"math/bits"
	"testing"
)

// TestRandGolden fixes the random sequence, on which the repetition of campaigns depends.
func TestRandGolden(t *testing.T) {
	tests := []struct {
		seed, stream uint64
		want         [4]uint64
	}{
		{0, 0, [4]uint64{0xc1b27788631c16c0, 0xc6629d1f5c5d7962, 0xf1d6fd98dea43ef7, 0x2405873c6cd54869}},
		{1, 0, [4]uint64{0xd3d9ebcdbdaa4c6d, 0x5de7fb875dc64cc, 0x60723e8bda45738f, 0x7cbfb39be99c6040}},
		{1, 1, [4]uint64{0xb7642cd0146315fb, 0x251bc2c22f2cbb0, 0x9c6fba31db151e7, 0x424df160f61b2d76}},
	}
	for _, test := range tests {
		r := NewRand(test.seed, test.stream)
		var got [4]uint64
		for i := range got {
			got[i] = r.Uint64()
		}
		if got != test.want {
			t.Errorf("seed %d, stream %d: %#x, want %#x", test.seed, test.stream, got, test.want)
		}
		r.Reseed(test.seed, test.stream)
		if r.Uint64() != got[0] {
			t.Errorf("seed %d, stream %d: Reseed does not start over", test.seed, test.stream)
		}
	}
}

// TestRandUniform checks for gross faults: biased bits, and similar adjacent streams or seeds.
func TestRandUniform(t *testing.T) {
	const n = 1 << 14
	for _, pair := range [][2]uint64{{0, 0}, {0, 1}, {1, 0}, {1 << 63, 1 << 63}} {
		a, b := NewRand(pair[0], pair[1]), NewRand(pair[0], pair[1]+1)
		var ones [64]int
		var digits [10]int
		differ := 0
		for i := 0; i < n; i++ {
			x := a.Uint64()
			for k := range ones {
				ones[k] += int(x >> k & 1)
			}
			differ += bits.OnesCount64(x ^ b.Uint64())
			digits[a.Intn(10)]++
		}
		// Six standard deviations of a binomial count.
		for k, c := range ones {
			if d := c - n/2; d*d > 36*n/4 {
				t.Errorf("%v: bit %d is set %d of %d times", pair, k, c, n)
			}
		}
		for k, c := range digits {
			if d := c - n/10; d*d > 36*n*9/100 {
				t.Errorf("%v: Intn(10) is %d %d of %d times", pair, k, c, n)
			}
		}
		if d := differ - 32*n; d*d > 36*64*n/4 {
			t.Errorf("%v: neighboring streams differ in %d of %d bits", pair, differ, 64*n)
		}
	}
}

func TestChance(t *testing.T) {
	r := NewRand(1, 2)
	hits := 0
	for i := 0; i < 10000; i++ {
		if r.Chance(0, 5) || !r.Chance(5, 5) {
			t.Fatal("Chance(0, 5) or not Chance(5, 5)")
		}
		if r.Chance(1, 4) {
			hits++
		}
	}
	if hits < 2300 || hits > 2700 {
		t.Errorf("Chance(1, 4) held %d of 10000 times", hits)
	}
}

func BenchmarkRand(b *testing.B) {
	r := NewRand(1, 1)
	sum := 0
	for i := 0; i < b.N; i++ {
		sum += r.Intn(100)
	}
	_ = sum
}
