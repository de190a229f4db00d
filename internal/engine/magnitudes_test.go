package engine

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// TestMagnitudes checks that few mutants have a large number after large ones ran out of time, and
// that the campaign still repeats. If the text is the cause, numbers stay as they are.
func TestMagnitudes(t *testing.T) {
	shape := input.Shape{input.String, input.Int}
	seed, err := shape.Pack("text", 4)
	if err != nil {
		t.Fatal(err)
	}
	number := func(flat []byte) uint64 {
		n, _ := mutate.Magnitude(input.Int, flat[len(flat)-8:])
		return n
	}
	for name, c := range map[string]struct {
		hangs    func(flat []byte) bool
		min, max int // inputs with a large number, of 2,048
		notes    int
	}{
		"the number": {func(flat []byte) bool { return number(flat) > 1<<20 }, 1, 100, 1},
		"the text":   {func(flat []byte) bool { return number(flat) < largeValue && len(flat) > 16 }, 200, 2048, 0},
		"nothing":    {func([]byte) bool { return false }, 200, 2048, 0},
	} {
		run := func() (events string, large, notes int) {
			program := func(flat []byte) run {
				if number(flat) > 1<<16 {
					large++
				}
				if c.hangs(flat) {
					return run{obs: oracle.Observation{Outcome: oracle.Timeout}}
				}
				return run{path: []int{len(flat) % 30}, obs: oracle.Observation{Outcome: oracle.Accepted}}
			}
			e, r := newEngine(t, newFake(30, program), Config{Shape: shape, Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"coverage"}}}})
			e.Seed(seed)
			for range 2048 {
				e.Fuzz()
				notes += len(e.Notes())
			}
			return strings.Join(r.events, "\n"), large, notes
		}
		events, large, notes := run()
		if large < c.min || large > c.max || notes != c.notes {
			t.Errorf("%s: %d large numbers, want %d to %d; %d notes, want %d", name, large, c.min, c.max, notes, c.notes)
		}
		if again, _, _ := run(); again != events {
			t.Errorf("%s: the campaign does not repeat", name)
		}
	}
}

// TestSmallBatches checks that the first batches are small if an argument is an integer.
func TestSmallBatches(t *testing.T) {
	for _, c := range []struct {
		shape input.Shape
		want  string
	}{{input.Shape{input.String, input.Int}, "[8 16 32 64 128 256]"}, {input.Shape{input.String, input.Bool}, "[256 256 256 256 256 256]"}} {
		f := newFake(60, hashed(1, 30), hashed(2, 60))
		e, _ := newEngine(t, f, Config{Shape: c.shape, Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"ensemble"}}}})
		b := &Batch{}
		var sizes []int
		for range 6 {
			ran, ok := e.FuzzAll(b, 256, 1<<20, f.all)
			if !ok {
				t.Fatal("refused")
			}
			sizes = append(sizes, ran)
		}
		if got := fmt.Sprint(sizes); got != c.want {
			t.Errorf("%v: batches of %s inputs, want %s", c.shape, got, c.want)
		}
	}
}
