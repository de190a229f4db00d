package engine

import (
	"fmt"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/policy"
)

func TestLengths(t *testing.T) {
	tests := []struct {
		name string
		max  int
		do   func(*lengths)
		want int
	}{
		{"starts small", 4096, func(*lengths) {}, 64},
		{"never above the maximum", 10, func(*lengths) {}, 10},
		{"a seed raises it", 4096, func(l *lengths) { l.raise(1000) }, 1000},
		{"a short seed does not lower it", 4096, func(l *lengths) { l.raise(1000); l.raise(5) }, 1000},
		{"a seed longer than allowed", 100, func(l *lengths) { l.raise(5000) }, 100},
		{"patience", 4096, func(l *lengths) { steps(l, 700) }, 64},
		{"grows when nothing is new", 4096, func(l *lengths) { steps(l, 701) }, 64 + 7},
		{"and again", 4096, func(l *lengths) { steps(l, 2*701) }, 64 + 14},
		{"new coverage starts the count again", 4096, func(l *lengths) { steps(l, 700); l.reset(); steps(l, 700) }, 64},
		{"up to the maximum", 66, func(l *lengths) { steps(l, 3000) }, 66},
	}
	for _, test := range tests {
		l := newLengths(test.max)
		test.do(l)
		if l.now != test.want {
			t.Errorf("%s: limit %d, want %d", test.name, l.now, test.want)
		}
	}
}

func steps(l *lengths, n int) {
	for i := 0; i < n; i++ {
		before := l.now
		if changed := l.step(); changed != (l.now != before) {
			panic(fmt.Sprintf("step %d: says changed %v at %d after %d", i, changed, l.now, before))
		}
	}
}

// TestMutantsGrowSlowly checks that mutants never exceed the current limit, and that new coverage
// delays its growth under any guidance.
func TestMutantsGrowSlowly(t *testing.T) {
	for _, guidance := range []string{feature.Coverage, feature.Output, feature.Random} {
		limit := func(covering bool) int {
			var e *Engine
			n := 0
			f := newFake(400, func(flat []byte) run {
				if len(flat) > e.length.now {
					t.Fatalf("%s: a mutant of %d bytes under a limit of %d", guidance, len(flat), e.length.now)
				}
				n++
				if covering && n%500 == 0 {
					return run{[]int{n / 500}, accept(0)}
				}
				return run{[]int{0}, accept(0)}
			})
			e, _ = newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, MaxBytes: 1000}}})
			for range 5000 {
				e.Fuzz()
			}
			return e.length.now
		}
		if with, without := limit(true), limit(false); with != 64 || without <= 64+5*7 {
			t.Errorf("%s: limit %d with new coverage now and then, %d without", guidance, with, without)
		}
	}
}
