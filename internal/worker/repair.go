package worker

import (
	"bytes"
	"fmt"
	"strconv"

	"parallax/internal/input"
	"parallax/internal/wire"
)

// repairer calls the user's function to make mutants valid before they are executed. The function
// is not a program, and its blocks are not counted. It may behave like any program. A panic, or the
// end of the goroutine, leaves the mutant unchanged. For other failures, the shared memory marks
// the input in flight as being repaired.
type repairer struct {
	fn     func(*input.Args, *input.Builder)
	shape  input.Shape
	maxLen int
	mem    *wire.Memory
	note   func(text string)

	args    input.Args
	out     input.Builder
	second  input.Builder
	spans   []input.Span
	calls   uint64
	failed  uint64
	checked int  // calls checked for idempotence
	changed int  // of checked: the second call changed the input again
	open    bool // a call is running
	noted   map[string]bool
	pending []string // notes to send once no program can end the goroutine
}

// Idempotence is checked on the first mutants, and on one in checkEvery of the later ones. In a few
// inputs a checksum may lie within the range of another one, as in a truncated file. Up to a
// quarter of such inputs is not noted.
const (
	checkFirst    = 64
	checkEvery    = 256
	enoughChecked = 16
	fewChange     = 4
)

func newRepairer(t Target, maxLen int, mem *wire.Memory, note func(string)) *repairer {
	return &repairer{fn: t.Repair, shape: t.Shape, maxLen: maxLen, mem: mem, note: note, noted: map[string]bool{}}
}

// repair returns the repaired input, or nil to leave it unchanged. The result is valid until the
// next call.
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
		if again := r.call(repaired, &r.second); again != nil && !bytes.Equal(again, repaired) {
			r.changed++
		}
		if r.checked >= enoughChecked && r.changed*fewChange > r.checked {
			r.addNote("idempotent", "the repair function changes inputs that it has already repaired, which it should leave unchanged: first seen on %s", repaired)
		}
	}
	r.mem.SetState(wire.Idle)
	r.mem.SetRepairing(false)
	if repaired == nil {
		r.failed++
		r.mem.Count(wire.Unrepaired, r.failed)
		r.mem.Seal()
	}
	r.sendNotes()
	return repaired
}

// call calls the function. It returns nil if that fails.
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
			r.addNote("panics", "the repair function panics (%s), and the mutant is executed as it is: first seen on %s", flat, cut(panicText(v)))
		}
	}()
	r.fn(&r.args, out)
	normal, r.open = true, false
	made, n := out.Flat()
	if n != len(r.shape) || r.tooLong(made) {
		r.addNote("long", "the repair function makes arguments of more than %s bytes (--max-bytes), and the mutant is executed as it is: first seen on %s", flat, strconv.Itoa(r.maxLen))
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
	r.addNote("goexit", "the repair function ends its goroutine, and the mutant is executed as it is: first seen on %s", r.args.Flat())
	r.sendNotes()
	return true
}

// addNote adds a note once per kind, with the input at its end.
func (r *repairer) addNote(what, format string, flat []byte, more ...any) {
	if !r.noted[what] {
		r.noted[what] = true
		r.pending = append(r.pending, fmt.Sprintf(format, append(more, quoted(flat))...))
	}
}

func (r *repairer) sendNotes() {
	for _, text := range r.pending {
		r.note(text)
	}
	r.pending = r.pending[:0]
}

// maxShown bounds the part of an input or a message in a note.
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
