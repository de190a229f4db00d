package engine

import "bytes"

// drawing asks the generator for the tape that it drew for the input that has just run. The drawn
// tape replaces the given one when the input is kept or reported, at most once per input. A drawn
// tape above the limit, a large one, does not replace it.
type drawing struct {
	drawn    func(b, flat []byte) []byte // Config.Drawn; nil means that there is no generator
	maxBytes int
	tape     []byte // drawn last
	settled  bool   // the current input has been replaced, or is large
	large    bool
}

// reset prepares for the next input.
func (d *drawing) reset() { d.settled, d.large = false, false }

// settle replaces the given tape by the drawn one, which may be longer. A large tape can be drawn
// again from the given tape. If the given tape is empty, all its children are fresh.
func (d *drawing) settle(x *execution) {
	if d.drawn == nil || d.settled || x.origin == replayed || x.foreign() {
		return
	}
	d.settled = true
	tape, fits := d.draw(x.step.Flat)
	if d.large = len(tape) > d.maxBytes; fits {
		x.step.Flat = append(x.step.Flat[:0], tape...)
	}
}

// draw returns the drawn tape of an input that has just run, and whether it can be an input.
func (d *drawing) draw(flat []byte) (tape []byte, fits bool) {
	d.tape = d.drawn(d.tape[:0], flat)
	return d.tape, len(d.tape) > 0 && len(d.tape) <= d.maxBytes
}

// realigned reports whether the generator drew something else from a tape. ok is false if it drew
// no tape that can be an input.
func (d *drawing) realigned(flat []byte) (realigned, ok bool) {
	tape, fits := d.draw(flat)
	return fits && !bytes.Equal(tape, flat), fits
}
