package mutate

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"parallax/internal/input"
)

func TestValues(t *testing.T) {
	for token, want := range map[string]string{
		"300":                                  "[[] [300] [300] [300]] [300]",
		"-2":                                   "[[254] [65534] [4294967294] [18446744073709551614]] [-2]",
		"0x1F":                                 "[[31] [31] [31] [31]] [31]",
		"-0x80":                                "[[128] [65408] [4294967168] [18446744073709551488]] [-128]",
		"010":                                  "[[10] [10] [10] [10]] [10]",
		"2.5":                                  "[[] [] [] []] [2.5]",
		"1e3":                                  "[[] [1000] [1000] [1000]] [1000]",
		"1e300":                                "[[] [] [] []] [1e+300]",
		"inf":                                  "[[] [] [] []] []",
		"token":                                "[[] [] [] []] []",
		"\x80":                                 "[[128] [128 65408] [128 4294967168] [128 18446744073709551488]] []",
		"\x01\x02":                             "[[] [513 258] [513 258] [513 258]] []",
		"\x00\x00\x00":                         "[[] [] [] []] []",
		"\x00\x00\x80?":                        "[[] [32831] [1065353216 32831] [1065353216 32831]] [1 4.600602988224807e-41]",
		"18446744073709551615":                 "[[] [] [] [18446744073709551615]] [1.8446744073709552e+19]",
		"9999999999999999999999999999999999.5": "[[] [] [] []] [1e+34]",
	} {
		v := newValues([][]byte{[]byte(token), []byte(token)})
		if got := fmt.Sprint(v.ints, v.floats); got != want {
			t.Errorf("%q: %s, want %s", token, got, want)
		}
	}
}

// TestConstantsReachScalars checks that the dictionary leads scalars to constants that a program
// compares with, and to their neighbors. Such mutants list the dictionary operator.
func TestConstantsReachScalars(t *testing.T) {
	for name, c := range map[string]struct {
		token string
		kind  input.Kind
		found func(v any) bool
	}{
		"decimal":       {"3735928559", input.Uint32, func(v any) bool { return v.(uint32) == 0xdeadbeef }},
		"hexadecimal":   {"0xdeadbeef", input.Uint32, func(v any) bool { return v.(uint32) == 0xdeadbeef }},
		"big endian":    {"\xde\xad\xbe\xef", input.Uint32, func(v any) bool { return v.(uint32) == 0xdeadbeef }},
		"little endian": {"\xef\xbe\xad\xde", input.Uint64, func(v any) bool { return v.(uint64) == 0xdeadbeef }},
		"above":         {"3735928559", input.Int, func(v any) bool { return v.(int) == 0xdeadbef0 }},
		"below":         {"-123456789", input.Int32, func(v any) bool { return v.(int32) == -123456790 }},
		"float64":       {"12345.678", input.Float64, func(v any) bool { return v.(float64) == 12345.678 }},
		"float32":       {"12345.678", input.Float32, func(v any) bool { return v.(float32) == 12345.678 }},
		"float bits":    {"\x40\x09\x21\xfb\x54\x44\x2d\x19", input.Float64, func(v any) bool { return v == math.Nextafter(math.Pi, 4) }},
	} {
		shape := input.Shape{c.kind}
		m := newMutator(t, Config{Shape: shape, Dictionary: [][]byte{[]byte("true"), []byte("GET "), []byte(c.token), []byte("77")}})
		r := NewRand(2, 3)
		seed := shape.Zero()
		var dst []byte
		found := false
		for n := 0; n < 4000 && !found; n++ {
			dst = m.Mutate(r, dst, seed, nil)
			values, err := shape.Unpack(dst)
			if err != nil {
				t.Fatal(err)
			}
			found = c.found(values[0]) && slices.Contains(m.Operators(), OpDictionary)
		}
		if !found {
			t.Errorf("%s: not found", name)
		}
	}
}
