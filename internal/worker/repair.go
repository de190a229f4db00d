package worker

import (
	"bytes"
	"fmt"
	"strconv"

	"parallax/internal/input"
	"parallax/internal/wire"
)

// repairer has the user's function make mutants valid before they are executed. The function is no program: what it
// executes is not counted. It may do all that a program may: a panic leaves the mutant as it is, and so does the end of the
// goroutine; for the rest the shared memory says that the input in flight is being repaired.
type repairer struct {
	fn     func(*input.Args, *input.Builder)
	shape  input.Shape
	maxLen int
	mem    *wire.Memory
	note   func(text string)

	args    input.Args
	out     input.Builder
	again   input.Builder
	spans   []input.Span
	calls   uint64
	failed  uint64
	checked int  // for idempotence
	changed int  // of those that were not left as they are
	open    bool // a call is under way
	told    map[string]bool
	pending []string // what is to be told, once nothing can end the goroutine
}

// Idempotence is checked on the first mutants, and on one of so many later. In a few inputs a checksum may lie within what
// another one protects, as in a file that is cut short: one in so many is nothing to tell.
const (
	checkFirst    = 64
	checkEvery    = 256
	enoughChecked = 16
	fewChange     = 4
)

func newRepairer(t Target, maxLen int, mem *wire.Memory, note func(string)) *repairer {
	return &repairer{fn: t.Repair, shape: t.Shape, maxLen: maxLen, mem: mem, note: note, told: map[string]bool{}}
}

// repair returns the repaired input, which is valid until the next call, or nil when the input is to stay as it is.
func (r *repairer) repair(flat []byte) []byte {
	r.mem.SetInput(flat)
	r.mem.SetProgram(0)
	r.mem.SetRepairing(true)
	r.mem.SetState(wire.InFlight)
	r.mem.Beat()
	r.calls++
	r.mem.Count(wire.Repaired, r.calls)
	r.mem.Seal()
	repaired := r.call(flat, &r.out)
	if repaired != nil && (r.calls <= checkFirst || r.calls%checkEvery == 0) {
		r.checked++
		if again := r.call(repaired, &r.again); again != nil && !bytes.Equal(again, repaired) {
			r.changed++
		}
		if r.checked >= enoughChecked && r.changed*fewChange > r.checked {
			r.tell("idempotent", "the repair function changes inputs that it has already repaired, which it should leave unchanged: first seen on %s", repaired)
		}
	}
	r.mem.SetState(wire.Idle)
	r.mem.SetRepairing(false)
	if repaired == nil {
		r.failed++
		r.mem.Count(wire.Unrepaired, r.failed)
		r.mem.Seal()
	}
	r.say()
	return repaired
}

// call calls the function. It returns nil when that comes to nothing.
func (r *repairer) call(flat []byte, out *input.Builder) (repaired []byte) {
	r.args.Load(r.shape, flat)
	out.Reset(r.shape)
	normal := false
	r.open = true
	defer func() {
		if normal {
			return
		}
		repaired = nil
		if v := recover(); v != nil {
			r.open = false
			r.tell("panics", "the repair function panics (%s), and the mutant is executed as it is: first seen on %s", flat, cut(panicText(v)))
		}
	}()
	r.fn(&r.args, out)
	normal, r.open = true, false
	made, n := out.Flat()
	if n != len(r.shape) || r.tooLong(made) {
		r.tell("long", "the repair function makes arguments of more than %s bytes (--max-bytes), and the mutant is executed as it is: first seen on %s", flat, strconv.Itoa(r.maxLen))
		return nil
	}
	return made
}

func (r *repairer) tooLong(flat []byte) bool {
	if r.shape.Check(flat) != nil {
		return true
	}
	r.spans = r.shape.Spans(r.spans[:0], flat)
	for i, sp := range r.spans {
		if r.shape[i].Width() == 0 && sp.End-sp.Start > r.maxLen {
			return true
		}
	}
	return false
}

// ended reports whether the function has ended the goroutine that called it, and closes the call.
func (r *repairer) ended() bool {
	if !r.open {
		return false
	}
	r.open = false
	r.mem.SetRepairing(false)
	r.failed++
	r.mem.Count(wire.Unrepaired, r.failed)
	r.mem.Seal()
	r.tell("goexit", "the repair function ends its goroutine, and the mutant is executed as it is: first seen on %s", r.args.Flat())
	r.say()
	return true
}

// tell notes something once, with the input at the end.
func (r *repairer) tell(what, format string, flat []byte, more ...any) {
	if !r.told[what] {
		r.told[what] = true
		r.pending = append(r.pending, fmt.Sprintf(format, append(more, quoted(flat))...))
	}
}

func (r *repairer) say() {
	for _, text := range r.pending {
		r.note(text)
	}
	r.pending = r.pending[:0]
}

// maxShown is how much of an input or a message stands in a note.
const maxShown = 80

func quoted(flat []byte) string {
	if len(flat) > maxShown {
		return strconv.QuoteToASCII(string(flat[:maxShown])) + "…"
	}
	return strconv.QuoteToASCII(string(flat))
}

func cut(s string) string {
	if len(s) > maxShown {
		s = s[:maxShown]
	}
	q := strconv.QuoteToGraphic(s)
	return q[1 : len(q)-1]
}
