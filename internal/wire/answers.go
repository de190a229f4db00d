package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// KeyVariable is the environment variable by which a worker gets the key of its answers, in hexadecimal.
const KeyVariable = "PARALLAX_KEY"

// Answers are what a worker says to its supervisor. The socket is a descriptor of the process whose programs are under test, and a program
// may write there. So each answer says of itself that it is one, by a key that the supervisor has made up, the number of the answer and what
// it holds: whatever else arrives is a program's doing. That is no secret from a program that looks for it.
type Answers struct {
	Key uint64
	n   uint64
}

// ErrForeign is the error for what is no answer.
var ErrForeign = errors.New("this is no answer of a worker")

// The head of an answer: the length of what it holds, the kind, and a check of both; behind it what it holds and a check of that.
const (
	answerHead = 4 + 1 + 4
	answerTail = 8
)

// Send writes an answer.
func (a *Answers) Send(w io.Writer, kind byte, payload []byte) error {
	if len(payload) > maxMessage {
		return fmt.Errorf("message of %d bytes: more than the limit of %d", len(payload), maxMessage)
	}
	b := make([]byte, 0, answerHead+len(payload)+answerTail)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(a.check(b)))
	b = append(b, payload...)
	b = binary.LittleEndian.AppendUint64(b, a.check(payload))
	a.n++
	_, err := w.Write(b)
	return err
}

// Receive reads an answer. The error is ErrForeign where something else arrived: nothing that follows can be believed.
func (a *Answers) Receive(r io.Reader) (kind byte, payload []byte, err error) {
	var head [answerHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if binary.LittleEndian.Uint32(head[5:]) != uint32(a.check(head[:5])) || n > maxMessage {
		return 0, nil, ErrForeign
	}
	if payload, err = take(r, int(n)+answerTail); err != nil {
		return 0, nil, err
	}
	sum := binary.LittleEndian.Uint64(payload[n:])
	if payload = payload[:n:n]; sum != a.check(payload) {
		return 0, nil, ErrForeign
	}
	a.n++
	return head[4], payload, nil
}

// check is a checksum that hangs on the key and on how many answers came before. It takes eight bytes at a time, by the multiplier of
// Knuth's MMIX.
func (a *Answers) check(b []byte) uint64 {
	const multiplier = 6364136223846793005
	h := (a.Key^a.n)*multiplier + uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ h>>29 ^ binary.LittleEndian.Uint64(b)) * multiplier
	}
	for _, c := range b {
		h = (h ^ h>>29 ^ uint64(c)) * multiplier
	}
	return h ^ h>>32
}
