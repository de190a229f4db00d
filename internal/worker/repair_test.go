package worker

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/internal/wire"
)

func TestRepairer(t *testing.T) {
	shape := input.Shape{input.Bytes, input.Int}
	flat, err := shape.Pack([]byte("text"), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		repair func(text []byte, n int) ([]byte, int)
		want   string // empty means nothing
		note   string // empty means none
	}{
		{"mends", func(text []byte, _ int) ([]byte, int) { return text, len(text) }, "text 4", ""},
		{"leaves it", func(text []byte, n int) ([]byte, int) { return text, n }, "text 7", ""},
		{"panics", func([]byte, int) ([]byte, int) { panic(errors.New("no\x1b header")) }, "", `panics (no\x1b header), and the mutant is executed as it is: first seen on "\x04`},
		{"runs into a fault", func(b []byte, _ int) ([]byte, int) { return b[:99], 0 }, "", "slice bounds out of range"},
		{"grows", func([]byte, int) ([]byte, int) { return make([]byte, 65), 0 }, "", "arguments of more than 64 bytes (--max-bytes)"},
		{"just fits", func([]byte, int) ([]byte, int) { return []byte(strings.Repeat("x", 64)), 0 }, strings.Repeat("x", 64) + " 0", ""},
		{"is not idempotent", func(b []byte, n int) ([]byte, int) { return append(b, '!'), n }, "text! 7", "changes inputs that it has already repaired"},
		{"writes what it was given", func(b []byte, n int) ([]byte, int) { b[0] = 'T'; return b, n }, "Text 7", ""},
	} {
		var notes []string
		mem := memory(1024)
		target := Target{Shape: shape}
		target.Repair = func(a *input.Args, b *input.Builder) {
			if mem.State() != wire.InFlight || !mem.Repairing() || len(mem.Recent()) == 0 {
				t.Errorf("%s: the memory does not tell that it runs", test.name)
			}
			text, n := test.repair(a.Bytes(0), int(a.Int(1)))
			b.Bytes(text)
			b.Int(int64(n), input.Int)
		}
		r := newRepairer(target, 64, mem, func(text string) { notes = append(notes, text) })
		for call := uint64(1); call <= enoughChecked; call++ {
			got := ""
			if repaired := r.repair(flat); repaired != nil {
				values, err := shape.Unpack(repaired)
				if err != nil {
					t.Fatal(err)
				}
				got = string(values[0].([]byte)) + " " + string(rune('0'+values[1].(int)))
			}
			if got != test.want {
				t.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
			failed := uint64(0)
			if test.want == "" {
				failed = call
			}
			if mem.Stat(wire.Repaired) != call || mem.Stat(wire.Unrepaired) != failed || !mem.Beaten() {
				t.Errorf("%s: %d calls, %d in vain, or no sign of life", test.name, mem.Stat(wire.Repaired), mem.Stat(wire.Unrepaired))
			}
			if mem.State() != wire.Idle || mem.Repairing() || r.ended() {
				t.Errorf("%s: the call is not closed", test.name)
			}
		}
		if all := strings.Join(notes, "\n"); (all == "") != (test.note == "") || !strings.Contains(all, test.note) || len(notes) > 1 {
			t.Errorf("%s: notes %q", test.name, notes)
		}
	}
}

func TestRepairerEndsGoroutine(t *testing.T) {
	var notes []string
	mem := memory(1024)
	target := Target{Shape: input.Shape{input.Bytes}, Repair: func(*input.Args, *input.Builder) { runtime.Goexit() }}
	r := newRepairer(target, 64, mem, func(text string) { notes = append(notes, text) })
	for range [2]int{} {
		done := make(chan bool)
		go func() {
			defer close(done)
			r.repair([]byte("input"))
			t.Error("the goroutine goes on")
		}()
		<-done
		if !r.ended() || r.ended() || mem.Repairing() {
			t.Error("the call is not closed")
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `ends its goroutine, and the mutant is executed as it is: first seen on "input"`) {
		t.Errorf("notes %q", notes)
	}
}

func TestRepairAllocatesNothing(t *testing.T) {
	target := Target{Shape: input.Shape{input.Bytes}, Repair: func(a *input.Args, b *input.Builder) { b.Bytes(a.Bytes(0)) }}
	r := newRepairer(target, 64, memory(1024), func(string) {})
	flat := []byte("input")
	for range 2 * checkEvery {
		r.repair(flat)
	}
	if n := testing.AllocsPerRun(1000, func() { r.repair(flat) }); n != 0 {
		t.Errorf("%v allocations an input", n)
	}
}
