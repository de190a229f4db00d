package mutate

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"parallax/internal/input"
)

// values holds the numbers that a dictionary's tokens represent, for scalar arguments. An automatic
// dictionary holds constants of the programs. No other operator finds a constant of 32 bits.
type values struct {
	ints   [4][]uint64 // those that fit into 8, 16, 32 and 64 bits, signed or unsigned; bits above the width are 0
	floats []float64   // finite values
}

// newValues reads each token as the number that it spells. A token that spells none and has 1, 2, 4
// or 8 bytes is read as a binary number in both byte orders. Each value is kept once, in the order
// of the tokens.
func newValues(tokens [][]byte) *values {
	v := new(values)
	for _, t := range tokens {
		if !v.spelled(string(t)) {
			v.binary(t)
		}
	}
	return v
}

// spelled adds the number that a text spells. It tries decimal with leading zeros first, then every
// form of Go.
func (v *values) spelled(text string) bool {
	for _, base := range [...]int{10, 0} {
		if i, err := strconv.ParseInt(text, base, 64); err == nil {
			v.addInt(i)
			v.addFloat(float64(i))
			return true
		}
		if u, err := strconv.ParseUint(text, base, 64); err == nil {
			v.addUint(u)
			v.addFloat(float64(u))
			return true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	v.addFloat(f)
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		v.addInt(int64(f))
	}
	return true
}

// binary adds the numbers encoded by the token's bytes.
func (v *values) binary(t []byte) {
	if len(t) > 8 || bits.OnesCount(uint(len(t))) != 1 {
		return
	}
	unused := 64 - 8*len(t)
	for _, order := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		u := load(t, order)
		v.addUint(u)
		v.addInt(int64(u<<unused) >> unused)
		switch len(t) {
		case 4:
			v.addFloat(float64(math.Float32frombits(uint32(u))))
		case 8:
			v.addFloat(math.Float64frombits(u))
		}
	}
}

func (v *values) addUint(u uint64) {
	for n := range v.ints {
		if unused := 64 - 8<<n; u<<unused>>unused == u && !slices.Contains(v.ints[n], u) {
			v.ints[n] = append(v.ints[n], u)
		}
	}
}

func (v *values) addInt(i int64) {
	if i >= 0 {
		v.addUint(uint64(i))
		return
	}
	for n := range v.ints {
		unused := 64 - 8<<n
		u := uint64(i) << unused >> unused
		if i<<unused>>unused == i && !slices.Contains(v.ints[n], u) {
			v.ints[n] = append(v.ints[n], u)
		}
	}
}

// addFloat adds a finite number. Mutants have the others anyway.
func (v *values) addFloat(f float64) {
	if f-f == 0 && !slices.Contains(v.floats, f) {
		v.floats = append(v.floats, f)
	}
}

// mutant returns the bits of a value of the kind, or of a neighbor of one. One mutant in eight is
// such a value, so that it mostly reports false. It also does so without values, where it draws no
// randomness, and if the result is the old value.
func (v *values) mutant(r *Rand, k input.Kind, old uint64, size int) (uint64, bool) {
	float := k == input.Float32 || k == input.Float64
	ints := v.ints[bits.TrailingZeros(uint(size))]
	n := len(ints)
	if float {
		n = len(v.floats)
	}
	if n == 0 || !r.Chance(1, 8) {
		return 0, false
	}
	x := r.Uint64()
	at := scale(x, n)
	delta := [4]int{0, 0, 1, -1}[x&3]
	var u uint64
	switch {
	case !float:
		unused := 64 - 8*size
		u = (ints[at] + uint64(delta)) << unused >> unused
	case k == input.Float32:
		u = uint64(math.Float32bits(float32(v.floats[at] + float64(delta))))
	default:
		u = math.Float64bits(v.floats[at] + float64(delta))
	}
	return u, u != old
}
