package minimize

import (
	"bytes"
	"strings"
	"testing"

	"parallax/internal/input"
)

const large = 1 << 20

func longEnough(b []byte) bool { return len(b) >= 500_000 }

// TestLargeUniform checks that few candidates are made where all of one size are equal.
func TestLargeUniform(t *testing.T) {
	for name, in := range map[string][]byte{
		"zeros":    make([]byte, large),
		"commas":   bytes.Repeat([]byte{','}, large),
		"brackets": bytes.Repeat([]byte{'['}, large),
		"list":     []byte(strings.Repeat("1,", large/2)),
		"crossed":  []byte(strings.Repeat("(", large/2) + strings.Repeat("]", large/2)),
	} {
		calls := 0
		got, runs, _ := Run(raw, in, usual, nil, func(b []byte) bool { calls++; return longEnough(b) })
		if calls > usual || runs != calls {
			t.Errorf("%s: %d calls, %d runs", name, calls, runs)
		}
		if !longEnough(got) || len(got) >= len(in) {
			t.Errorf("%s: %d bytes of %d", name, len(got), len(in))
		}
		if name == "zeros" && (calls > 100 || string(got) != strings.Repeat("0", 500_000)) {
			t.Errorf("zeros: %d bytes, the first %q, after %d calls", len(got), got[0], calls)
		}
	}
}

// TestWorkIsBounded checks that untested candidates cost budget.
func TestWorkIsBounded(t *testing.T) {
	calls := 0
	m := minimizer{
		shape:  raw,
		args:   [][]byte{make([]byte, large)},
		budget: 100,
		test:   func([]byte) bool { calls++; return false },
		failed: map[uint64]struct{}{},
	}
	steps := 0
	for ; !m.spent() && steps <= large; steps++ {
		m.with(0, 0, 1, 'x')
	}
	if calls != 1 || steps > 2+m.budget*workPerRun/large {
		t.Errorf("%d calls, %d steps", calls, steps)
	}
}

func TestStop(t *testing.T) {
	shape := input.Shape{input.Bytes, input.String}
	flat := pack(t, shape, make([]byte, large), strings.Repeat("(a,b)", large/5))
	for _, after := range []int{0, 1, 5, 20} {
		calls, asked := 0, 0
		stop := func() bool { asked++; return calls >= after }
		got, runs, _ := Run(shape, flat, plenty, stop, func(b []byte) bool { calls++; return len(b) >= large })
		if calls != after || runs != after {
			t.Errorf("%d calls and %d runs, want %d", calls, runs, after)
		}
		if shape.Check(got) != nil || len(got) < large {
			t.Errorf("after %d calls: %d bytes", after, len(got))
		}
		if asked > large/10 {
			t.Errorf("after %d calls: asked %d times", after, asked)
		}
	}
}
