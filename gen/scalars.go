package gen

import (
	"fmt"
	"math"
	"math/bits"

	"parallax/internal/tape"
)

// Integers lists the integer types.
type Integers interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Bool draws true or false: a value choice. Use Bool().Structural() or T.Flip if a branch depends
// on it.
func Bool() Gen[bool] {
	return Gen[bool]{scalar: true, draw: func(t *T) bool { return t.src.Draw(t.at, t.channel.or(tape.Value), 1) == 1 }}
}

// Int draws any number of a type, with small numbers and edge cases more often. The simplest is 0,
// then 1, -1, 2, ...
func Int[N Integers]() Gen[N] {
	min, max := limits[N]()
	if max < 0 { // uint64
		return Gen[N]{scalar: true, draw: func(t *T) N { return N(drawUint(t, uint64(max))) }}
	}
	return Gen[N]{scalar: true, draw: func(t *T) N { return N(drawInt(t, min, max)) }}
}

// IntRange draws a number from min to max, with edge cases more often. The simplest is the one
// closest to 0.
func IntRange[N Integers](min, max N) Gen[N] {
	if min > max {
		panic(fmt.Sprintf("gen: IntRange(%d, %d) has no number: the first is to be the least", min, max))
	}
	if zero := N(0); zero-1 > zero { // unsigned
		return Gen[N]{scalar: true, draw: func(t *T) N { return min + N(drawUint(t, uint64(max-min))) }}
	}
	return Gen[N]{scalar: true, draw: func(t *T) N { return N(drawInt(t, int64(min), int64(max))) }}
}

// limits returns the least and the largest number of a type. The largest of an unsigned 64-bit type
// is -1.
func limits[N Integers]() (min, max int64) {
	var zero N
	if zero-1 > zero {
		return 0, int64(uint64(zero - 1))
	}
	n := 0
	for one := N(1); one != 0; one <<= 1 {
		n++
	}
	return -1 << (n - 1), 1<<(n-1) - 1
}

// drawInt draws from min to max at t.at. The choice orders numbers by their distance from the
// number closest to 0, positive ones first.
func drawInt(t *T, min, max int64) int64 {
	bound := uint64(max) - uint64(min)
	channel := t.channel.or(tape.Value)
	v, ok := t.src.Followed(t.at, channel, bound)
	if !ok {
		if v, ok = t.src.Recall(t.at, channel, bound); !ok {
			v = outward(freshInt(t.src, min, max, bound), min, max)
		}
		t.src.Record(t.at, channel, bound, v)
	}
	return inward(v, min, max)
}

// freshInt returns a random number: an edge, one of few bits, or any.
func freshInt(s *tape.Source, min, max int64, bound uint64) int64 {
	r := s.Uint64()
	switch kind := r & 15; {
	case bound < 16 || kind < 6:
		return int64(uint64(min) + s.UpTo(bound))
	case kind == 6:
		return edge(r>>4, min, max)
	}
	n := int64(s.Uint64() >> (64 - 1 - r>>4%uint64(bits.Len64(bound))))
	if r>>32&1 == 1 {
		n = -n
	}
	if n < min || n > max {
		return int64(uint64(min) + s.UpTo(bound))
	}
	return n
}

// edge returns an edge case: an end of the range, an end of a smaller type, or a number next to 0.
func edge(r uint64, min, max int64) int64 {
	edges := [...]int64{min, max, min, max, 0, 1, -1, math.MaxInt8, math.MinInt8, math.MaxUint8, math.MaxInt16, math.MinInt16, math.MaxUint16, math.MaxInt32, math.MinInt32, math.MaxUint32}
	n := edges[r%uint64(len(edges))]
	if n < min || n > max {
		return max
	}
	return n
}

// outward returns the index of a number in the order 0, 1, -1, 2, ..., restricted to the range.
func outward(n, min, max int64) uint64 {
	switch {
	case min >= 0:
		return uint64(n - min)
	case max <= 0:
		return uint64(max - n)
	}
	up, down := uint64(max), -uint64(min) // numbers on either side
	most := up
	if down < most {
		most = down
	}
	far := uint64(n)
	if n < 0 {
		far = -far
	}
	switch {
	case far > most:
		return most + far
	case n > 0:
		return 2*far - 1
	}
	return 2 * far
}

// inward returns the number at an index. It is the inverse of outward.
func inward(v uint64, min, max int64) int64 {
	switch {
	case min >= 0:
		return min + int64(v)
	case max <= 0:
		return max - int64(v)
	}
	up, down := uint64(max), -uint64(min)
	most := up
	if down < most {
		most = down
	}
	switch {
	case v > 2*most && up > down:
		return int64(v - most)
	case v > 2*most:
		return -int64(v - most)
	case v&1 == 1:
		return int64(v/2 + 1)
	}
	return -int64(v / 2)
}

// drawUint draws from 0 to max at t.at.
func drawUint(t *T, max uint64) uint64 {
	channel := t.channel.or(tape.Value)
	v, ok := t.src.Followed(t.at, channel, max)
	if ok {
		return v
	}
	if v, ok = t.src.Recall(t.at, channel, max); !ok {
		r := t.src.Uint64()
		switch kind := r & 15; {
		case max < 16 || kind < 6:
			v = t.src.UpTo(max)
		case kind == 6:
			v = [...]uint64{0, max, max - 1, max / 2, max/2 + 1, 1, math.MaxUint8 & max, math.MaxUint16 & max}[r>>4&7]
		default:
			if v = t.src.Uint64() >> (r >> 4 & 63); v > max {
				v = t.src.UpTo(max)
			}
		}
	}
	t.src.Record(t.at, channel, max, v)
	return v
}

// Floats lists the floating-point types.
type Floats interface{ ~float32 | ~float64 }

// A choice of a float64 has the sign in its lowest bit. Whole numbers below wholes come first, then
// all magnitudes in order, with infinity and NaN last.
const (
	wholes   = 1 << 51
	infinite = 0x7ff << 52
	floats   = (wholes+infinite+1)<<1 | 1
)

// Float draws any number of a type, including infinities, NaN and both zeros. Whole numbers are
// simpler than others.
func Float[F Floats]() Gen[F] {
	return Gen[F]{scalar: true, draw: func(t *T) F {
		channel := t.channel.or(tape.Value)
		v, ok := t.src.Recall(t.at, channel, floats)
		if !ok {
			v = freshFloat(t.src)
		}
		t.src.Record(t.at, channel, floats, v)
		return F(floatOf(v))
	}}
}

// FloatRange draws a number from min to max, which must be finite, with the ends more often. The
// simplest is min.
func FloatRange[F Floats](min, max F) Gen[F] {
	if !(min <= max) {
		panic(fmt.Sprintf("gen: FloatRange(%v, %v) has no number: the first is to be the least", min, max))
	}
	if math.IsInf(float64(min), 0) || math.IsInf(float64(max), 0) {
		panic(fmt.Sprintf("gen: FloatRange(%v, %v) has an end that is no number: Float draws infinities", min, max))
	}
	const steps = 1 << 53
	return Gen[F]{scalar: true, draw: func(t *T) F {
		channel := t.channel.or(tape.Value)
		v, ok := t.src.Recall(t.at, channel, steps)
		if !ok {
			if v = t.src.UpTo(steps); t.src.Uint64()&15 == 0 {
				v = v & 1 * steps
			}
		}
		t.src.Record(t.at, channel, steps, v)
		part := float64(v) / steps
		f := F(float64(min)*(1-part) + float64(max)*part)
		if f < min {
			f = min
		} else if f > max {
			f = max
		}
		return f
	}}
}

func floatOf(v uint64) float64 {
	f := 0.0
	if w := v >> 1; w < wholes {
		f = float64(w)
	} else {
		f = math.Float64frombits(w - wholes)
	}
	if v&1 == 1 {
		f = -f
	}
	return f
}

func freshFloat(s *tape.Source) uint64 {
	r := s.Uint64()
	sign := r >> 63
	magnitude := func(f float64) uint64 { return (wholes+math.Float64bits(f))<<1 | sign }
	switch r & 7 {
	case 0:
		return s.UpTo(floats)
	case 1:
		special := [...]uint64{
			0, 1, 1<<1 | sign, magnitude(0.5), magnitude(0.1), magnitude(math.MaxFloat64), magnitude(math.SmallestNonzeroFloat64), magnitude(math.Inf(1)),
			(wholes + infinite + 1) << 1, magnitude(1 << 53), magnitude(1<<53 + 2), magnitude(math.MaxFloat32), magnitude(math.SmallestNonzeroFloat32), magnitude(1.0 / 3),
			(wholes - 1) << 1, magnitude(1 << 63),
		}
		return special[r>>3%uint64(len(special))]
	case 2, 3:
		return s.Uint64()>>(13+r>>3%50)<<1 | sign
	}
	return magnitude(math.Ldexp(float64(s.Uint64()>>11), int(r>>3%80)-90))
}

// special lists runes that programs often mishandle.
var special = []rune{0, '\t', '\n', '\r', 0x1b, 0x7f, 0x80, 0x85, 0xa0, 0xad, 'ß', 'İ', 'ı', 'ſ', 0x301, 0x200b, 0x200d, 0x202e, 0x2028, 0x3000, 'ﬁ', 0xfe0f, 0xfeff, 0xfffd, 0xffff, 0x1f600, 0x1f1e6, 0x10ffff}

// Rune draws a rune: mostly ASCII, sometimes one that programs often mishandle, sometimes any.
func Rune() Gen[rune] { return Gen[rune]{scalar: true, draw: drawRune} }

func drawRune(t *T) rune {
	channel := t.channel.or(tape.Value)
	v, ok := t.src.Followed(t.at, channel, tape.Runes)
	if ok {
		return tape.RuneAt(v)
	}
	if v, ok = t.src.Recall(t.at, channel, tape.Runes); !ok {
		switch r := t.src.Uint64(); {
		case r&15 < 13:
			v = r >> 4 % uint64(len(tape.PlainRunes))
		case r&15 == 13:
			v = tape.RunePlace(special[r>>4%uint64(len(special))])
		default:
			v = t.src.UpTo(tape.Runes)
		}
	}
	t.src.Record(t.at, channel, tape.Runes, v)
	return tape.RuneAt(v)
}
