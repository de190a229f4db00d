package types

import (
	"math"
	"testing"
)

func FuzzBool(f *testing.F) {
	f.Fuzz(func(t *testing.T, b bool) {
		if b {
			t.Fatal("true")
		}
	})
}

func FuzzByte(f *testing.F) {
	f.Fuzz(func(t *testing.T, b byte) {
		if b == 0xfe {
			t.Fatal("a byte")
		}
	})
}

func FuzzRune(f *testing.F) {
	f.Fuzz(func(t *testing.T, r rune) {
		if r == '\u2028' {
			t.Fatal("a line separator")
		}
	})
}

func FuzzInt(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		if n == -123456789012345 {
			t.Fatal("an int")
		}
	})
}

func FuzzInt8(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int8) {
		if n == math.MinInt8 {
			t.Fatal("the smallest int8")
		}
	})
}

func FuzzInt16(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int16) {
		if n == -12345 {
			t.Fatal("an int16")
		}
	})
}

func FuzzInt32(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int32) {
		if n == 1234567890 {
			t.Fatal("an int32")
		}
	})
}

func FuzzInt64(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int64) {
		if n == math.MaxInt64 {
			t.Fatal("the largest int64")
		}
	})
}

func FuzzUint(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint) {
		if n == 0xdeadbeefcafe {
			t.Fatal("a uint")
		}
	})
}

func FuzzUint16(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint16) {
		if n == 54321 {
			t.Fatal("a uint16")
		}
	})
}

func FuzzUint32(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint32) {
		if n == math.MaxUint32 {
			t.Fatal("the largest uint32")
		}
	})
}

func FuzzUint64(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint64) {
		if n>>32 == 0x12345678 {
			t.Fatal("the upper half of a uint64")
		}
	})
}

func FuzzFloat32(f *testing.F) {
	f.Fuzz(func(t *testing.T, x float32) {
		if math.IsNaN(float64(x)) {
			t.Fatal("not a number")
		}
	})
}

func FuzzFloat64(f *testing.F) {
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsNaN(x) {
			t.Fatal("not a number")
		}
	})
}

func FuzzInfinity(f *testing.F) {
	f.Fuzz(func(t *testing.T, x float64) {
		if math.IsInf(x, -1) {
			t.Fatal("less than all numbers")
		}
	})
}

func FuzzNumber(f *testing.F) {
	f.Add(1.5)
	f.Fuzz(func(t *testing.T, x float64) {
		if x > 1e100 && x < 1e200 {
			t.Fatal("a large number")
		}
	})
}

func FuzzNegativeZero(f *testing.F) {
	f.Fuzz(func(t *testing.T, x float32) {
		if x == 0 && math.Signbit(float64(x)) {
			t.Fatal("negative zero")
		}
	})
}

func FuzzString(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if s == "a rather long secret" {
			t.Fatal("the secret")
		}
	})
}

func FuzzBytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 3 && b[0] == 0 && b[1] == 0xff && b[2] == 0x80 && b[3] == '\n' {
			t.Fatal("four bytes")
		}
	})
}

func FuzzMix(f *testing.F) {
	f.Add("a", []byte("b"), 1, true, 2.5, 'r')
	f.Fuzz(func(t *testing.T, s string, b []byte, n int, ok bool, x float64, r rune) {
		if s == "key" && string(b) == "value" {
			if n < 0 && !ok {
				if r == 'π' && x > 100 {
					t.Fatal("all together")
				}
			}
		}
	})
}

func FuzzEvery(f *testing.F) {
	f.Fuzz(func(t *testing.T, a bool, b byte, c rune, d int, e int8, g int16, h int32, i int64, j uint, k uint8, l uint16,
		m uint32, n uint64, o float32, p float64, q string, r []byte) {
		if b == 'b' && m == 1<<20 && q == "q" && o > 1 {
			t.Fatal("every type")
		}
	})
}
