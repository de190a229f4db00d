// Package wire defines the protocol between a worker and its supervisor: the layout of their shared
// memory, and the messages on the socket. Both sides are built from the same sources. The version
// in the hello message detects a worker of another build.
//
// Integers are unsigned varints. Byte strings carry their length. Readers never panic: after an
// error, a Reader returns zero values and keeps the error.
//
// A program under test can overwrite the shared memory. So neither side trusts it. The worker
// compares the header with a copy after each program (Memory.Intact). Words of the supervisor carry
// a checksum (signals.go), and so do events (Memory.Drain) and counts (Memory.Counts). The
// supervisor uses no coverage map of a memory with a damaged header (Memory.Trusted).
package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Version changes whenever a message or the layout does.
const Version = 21

// Kinds of messages. The worker opens with Hello. Every other message from it answers one of the
// supervisor's.
const (
	Hello       = byte(iota + 1) // worker: version, regions, programs
	Setup                        // supervisor: configuration of a campaign's worker
	Tuples                       // supervisor: known features of a domain: the level of their sample (feature.Set), and their hashes
	Seeds                        // supervisor: inputs to execute and keep, replayed ones with their domains; answered by Done
	Fuzz                         // supervisor: fuzz a number of inputs; answered by Done
	Run                          // supervisor: execute one input on every program; answered by Ran
	Mail                         // supervisor, during Fuzz: a Letter
	Done                         // worker: the order was carried out
	Ran                          // worker: the programs' results
	Compare                      // fuzzing worker to the process of the cmplog build: execute one input; answered by Comparisons
	Comparisons                  // the operands of its comparisons
	Repair                       // supervisor: repair an input, as mutants are; answered by RepairDone
	RepairDone                   // worker: the repaired input, or the unchanged one
	Observe                      // lockstep process: execute inputs on one program; answered by Briefs
	Briefs                       // worker: the program's results, in the form of AppendBrief
	Screen                       // supervisor: repair and check an input (ScreenMessage); answered by Screened
	Screened                     // lockstep process: whether it may, and the repaired input
	Failed                       // lockstep process: programs cannot be run: exit code, reason; it ends
)

// DomainSeparator separates the domains in which an input was new.
const DomainSeparator = ","

// A broken peer must not make a reader allocate memory for data that was never sent. Messages
// longer than readAtOnce take memory as they arrive, up to maxMessage.
const (
	maxMessage = 1 << 30
	readAtOnce = 1 << 20
)

// Send writes one message.
func Send(w io.Writer, kind byte, payload []byte) error {
	if len(payload) > maxMessage {
		return fmt.Errorf("message of %d bytes: more than the limit of %d", len(payload), maxMessage)
	}
	var head [5]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(payload)))
	head[4] = kind
	if b, ok := w.(*bufio.Writer); ok {
		b.Write(head[:]) // the writer keeps its error
		_, err := b.Write(payload)
		return err
	}
	_, err := w.Write(append(append(make([]byte, 0, 5+len(payload)), head[:]...), payload...))
	return err
}

// Receive reads one message.
func Receive(r io.Reader) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxMessage {
		return 0, nil, fmt.Errorf("message of %d bytes: more than the limit of %d", n, maxMessage)
	}
	if payload, err = readN(r, int(n)); err != nil {
		return 0, nil, err
	}
	return head[4], payload, nil
}

// readN reads n bytes.
func readN(r io.Reader, n int) (b []byte, err error) {
	if n <= readAtOnce {
		b = make([]byte, n)
		_, err = io.ReadFull(r, b)
	} else if b, err = io.ReadAll(io.LimitReader(r, int64(n))); err == nil && len(b) < n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// AppendUint appends v.
func AppendUint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// AppendBytes appends s with its length.
func AppendBytes[T []byte | string](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendBool appends v.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// ErrShort reports a message that ends too early.
var ErrShort = errors.New("message ends too early")

// Reader decodes a message.
type Reader struct {
	b   []byte
	err error
}

// NewReader returns a reader of b, which must not change while it is used.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Uint reads an integer.
func (r *Reader) Uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// Int reads an integer that is at most limit.
func (r *Reader) Int(limit int) int {
	v := r.Uint()
	if v > uint64(limit) {
		r.fail()
		return 0
	}
	return int(v)
}

// Bytes reads a byte string, which aliases the message.
func (r *Reader) Bytes() []byte {
	n := r.Uint()
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}

// raw reads n bytes, which alias the message.
func (r *Reader) raw(n int) []byte {
	if r.err == nil && n > len(r.b) {
		r.fail()
	}
	if r.err != nil {
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}

// String reads a byte string as a string.
func (r *Reader) String() string { return string(r.Bytes()) }

// Bool reads a boolean.
func (r *Reader) Bool() bool { return r.Uint() != 0 }

// More reports whether any data is left.
func (r *Reader) More() bool { return r.err == nil && len(r.b) > 0 }

func (r *Reader) fail() {
	if r.err == nil {
		r.err = ErrShort
	}
	r.b = nil
}
