package dataflow

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// TestRecorded checks recorded models of an engine for binaries. They are ground, and compute the
// modeled functions. atoi has cases for each length of a run of digits, and strcmp is 1 for all
// different strings.
func TestRecorded(t *testing.T) {
	tests := []struct {
		function string
		args     []string // including the bytes behind their ends
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

// comparison returns the model of strcmp, or of strcasecmp, of angr 9.2.213 for a number of
// elements. testdata/strcmp.smt2 is the one for 4.
func comparison(elements int, folded bool) string {
	var b strings.Builder
	for arg := range 2 {
		length := fmt.Sprintf("#x%016x", elements)
		for i := elements - 1; i >= 0; i-- {
			fmt.Fprintf(&b, "(declare-const arg_%d.%d (_ BitVec 8))", arg, i)
			length = fmt.Sprintf("(ite (= arg_%d.%d #x00) #x%016x %s)", arg, i, i, length)
		}
		fmt.Fprintf(&b, "(declare-const free_%d (_ BitVec 64))(assert (= %s free_%d))\n", arg, length, arg)
	}
	b.WriteString("(declare-const free_2 (_ BitVec 32))(define-fun t0 () Bool (= free_2 #x00000000))\n")
	var equal []string
	for i := elements - 1; i >= 0; i-- {
		name := fmt.Sprint("t", elements-i)
		fmt.Fprintf(&b, "(define-fun %s () Bool (or (= arg_0.%d arg_1.%d)", name, i, i)
		for k := range 2 {
			if x, y := fmt.Sprintf("arg_%d.%d", k, i), fmt.Sprintf("arg_%d.%d", 1-k, i); folded {
				fmt.Fprintf(&b, " (and (bvuge %s #x41) (bvule %s #x5a) (bvuge %s #x61) (bvule %s #x7a) (= (bvsub %s #x20) %s))", x, x, y, y, y, x)
			}
		}
		fmt.Fprintf(&b, " (bvult free_0 #x%016x)))\n", i)
		equal = append([]string{name}, equal...)
	}
	last := fmt.Sprint("t", elements+1)
	fmt.Fprintf(&b, "(define-fun %s () Bool (or (= free_0 free_1) (and (bvuge free_0 #x%016x) (bvuge free_1 #x%016x))))\n", last, elements, elements)
	all := strings.Join(append([]string{last}, equal...), " ")
	fmt.Fprintf(&b, "(assert (or (and %s t0) (and (not (and %s)) (= free_2 #x00000001)) (and (= free_0 #x%016x) (= free_1 #x%016x) t0)))\n", all, all, 0, 0)
	b.WriteString("(declare-const ret (_ BitVec 32))(assert (= ret free_2))\n")
	return b.String()
}

// TestComparisons checks that comparisons of strings of any length need no solver: equalities of
// arguments define nothing and are not multiplied out.
func TestComparisons(t *testing.T) {
	for _, elements := range []int{4, 8, 16, 64} {
		for _, folded := range []bool{false, true} {
			m := recovered(t, comparison(elements, folded))
			if !m.Ground() {
				t.Errorf("%d elements, folded %t: not ground, relational is %d", elements, folded, len(m.Relational))
				continue
			}
			r, err := m.Compile()
			if err != nil {
				t.Fatal(err)
			}
			run := func(x, y string) string {
				var values []smt.Value
				for _, a := range m.Args {
					var which, at int
					if _, err := fmt.Sscanf(a.Name(), "arg_%d.%d", &which, &at); err != nil {
						t.Fatal(err)
					}
					b := uint64(0)
					if text := []string{x, y}[which]; at < len(text) {
						b = uint64(text[at])
					}
					values = append(values, smt.WordValue(b, 8))
				}
				outcome, results, err := r.Run(values)
				return fmt.Sprint(outcome, results, err)
			}
			long := strings.Repeat("q", elements-1)
			for _, test := range []struct {
				x, y string
				same bool
			}{{"", "", true}, {long + "x", long + "x", true}, {long + "x", long + "y", false}, {long + "x", long + "X", folded}, {"Q", "q", folded}, {"q", long, elements == 2}} {
				want := "returned [#x00000001] <nil>"
				if test.same {
					want = "returned [#x00000000] <nil>"
				}
				if got := run(test.x, test.y); got != want {
					t.Errorf("%d elements, folded %t, of %q and %q: %s, want %s", elements, folded, test.x, test.y, got, want)
				}
			}
		}
	}
}
