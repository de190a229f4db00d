package dataflow

import (
	"os"
	"strings"
	"testing"

	"parallax/cmd/internal/smt"
)

// Models of an engine for binaries, as it wrote them, are ground, and compute what the engine models: atoi by cases for each length of a run of
// digits, and strcmp, which is 1 for all strings that differ.
func TestRecorded(t *testing.T) {
	tests := []struct {
		function string
		args     []string // with what stands behind their ends
		want     int32
	}{
		{"atoi", []string{"0\x00zz"}, 0},
		{"atoi", []string{"12\x007"}, 12},
		{"atoi", []string{"7x99"}, 7},
		{"atoi", []string{"9876"}, 9876},
		{"atoi", []string{"-123"}, -123},
		{"strcmp", []string{"abc\x00", "abc\x00"}, 0},
		{"strcmp", []string{"ab\x00z", "ab\x00y"}, 0},
		{"strcmp", []string{"abcd", "abce"}, 1},
		{"strcmp", []string{"b\x00\x00\x00", "abcd"}, 1},
	}
	for _, test := range tests {
		text, err := os.ReadFile("testdata/" + test.function + ".smt2")
		if err != nil {
			t.Fatal(err)
		}
		m := recovered(t, string(text))
		if !m.Ground() {
			t.Fatalf("%s is not ground: %s", test.function, describe(m))
		}
		r, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		var values []smt.Value
		for _, a := range m.Args {
			// arg_1.2 is byte 2 of argument 1.
			which, at, ok := strings.Cut(strings.TrimPrefix(a.Name(), "arg_"), ".")
			if !ok {
				t.Fatalf("%s has the argument %v", test.function, a)
			}
			values = append(values, smt.WordValue(uint64(test.args[which[0]-'0'][at[0]-'0']), 8))
		}
		outcome, results, err := r.Run(values)
		if err != nil || outcome != Returned || int32(results[0].Word()) != test.want {
			t.Errorf("%s of %q: %v %v (%v), want %d", test.function, test.args, outcome, results, err, test.want)
		}
	}
}
