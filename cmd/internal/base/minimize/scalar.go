package minimize

import (
	"encoding/binary"
	"math"
	"strconv"

	"parallax/internal/input"
)

// Passes on scalars. zeroArguments has tried zero already.

// scalar moves argument i closer to zero.
func (m *minimizer) scalar(i int) bool {
	kind := m.shape[i]
	switch kind {
	case input.Bool:
		return false
	case input.Float32, input.Float64:
		return m.float(i)
	case input.Int, input.Int8, input.Int16, input.Int32, input.Int64:
		return m.signed(i)
	}
	return m.magnitude(i, load(m.args[i]), 1)
}

func (m *minimizer) signed(i int) bool {
	v := signExtend(m.args[i])
	if v >= 0 {
		return m.magnitude(i, uint64(v), 1)
	}
	// The least integer has no positive counterpart.
	least := int64(-1) << (8*len(m.args[i]) - 1)
	if v != least && m.tryBits(i, uint64(-v)) {
		m.magnitude(i, uint64(-v), 1)
		return true
	}
	return m.magnitude(i, -uint64(v), ^uint64(0))
}

// small bounds the numbers that are all tried. A larger number is found only if the test holds for
// all numbers between it and the current one.
const small = 8

// magnitude searches for the smallest n > 0 such that the test holds with sign*n. The test holds
// for current, and fails for 0. Bisection finds an n whose predecessor fails.
func (m *minimizer) magnitude(i int, current, sign uint64) (changed bool) {
	low := uint64(0)
	for ; low < small && low+1 < current; low++ {
		if m.tryBits(i, sign*(low+1)) {
			return true
		}
	}
	for high := current; high > low+1 && !m.spent(); {
		middle := low + (high-low)/2
		if m.tryBits(i, sign*middle) {
			changed, high = true, middle
		} else {
			low = middle
		}
	}
	return changed
}

// float tries the simplest numbers, then the number without its sign, its fraction and its last
// digits.
func (m *minimizer) float(i int) (changed bool) {
	size := 8 * len(m.args[i])
	v := loadFloat(m.args[i])
	whole, step := math.Trunc(v), math.Copysign(1, v)
	candidates := []float64{0, 1, -1, 0.5, -0.5, -v, -whole, whole, whole + step, math.Trunc(v / 2)}
	for digits := 1; digits <= 6; digits++ {
		if rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, size), size); err == nil {
			candidates = append(candidates, rounded)
		}
	}
	for _, c := range candidates {
		if m.spent() {
			break
		}
		if simplerFloat(c, loadFloat(m.args[i]), size) && m.tryBits(i, floatBits(c, size)) {
			changed = true
		}
	}
	return changed
}

// simplerFloat orders floats by the length of their shortest text, then by distance from zero, then
// by sign. Infinities follow all finite numbers, and NaN follows them.
func simplerFloat(a, b float64, size int) bool {
	if la, lb := floatLength(a, size), floatLength(b, size); la != lb {
		return la < lb
	}
	if math.Abs(a) != math.Abs(b) {
		return math.Abs(a) < math.Abs(b)
	}
	return !math.Signbit(a) && math.Signbit(b)
}

func floatLength(v float64, size int) int {
	switch {
	case math.IsInf(v, 0):
		return 100
	case v != v:
		return 101
	}
	return len(strconv.FormatFloat(math.Abs(v), 'g', -1, size))
}

// tryBits tries the low bytes of v as argument i.
func (m *minimizer) tryBits(i int, v uint64) bool {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return m.try(i, b[:len(m.args[i])])
}

func load(data []byte) uint64 {
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:])
}

func signExtend(data []byte) int64 {
	unused := 64 - 8*len(data)
	return int64(load(data)<<unused) >> unused
}

func loadFloat(data []byte) float64 {
	if len(data) == 4 {
		return float64(math.Float32frombits(uint32(load(data))))
	}
	return math.Float64frombits(load(data))
}

func floatBits(v float64, size int) uint64 {
	if size == 32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}
