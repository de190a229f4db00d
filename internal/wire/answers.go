package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// KeyVariable is the environment variable with the key of a worker's answers, in hexadecimal.
const KeyVariable = "PARALLAX_KEY"

// Answers encodes and decodes a worker's answers to its supervisor. The socket is a descriptor of
// the process with the programs under test, and a program may write to it. So each answer carries
// checksums over the supervisor's random key, the answer's number and its content. Anything else
// comes from a program. The key is not secret from a program that searches for it.
type Answers struct {
	Key uint64
	n   uint64
}

// ErrForeign reports data that is not a worker's answer.
var ErrForeign = errors.New("this is no answer of a worker")

// The head of an answer has the length of the payload, the kind, and a checksum of both. The
// payload and its checksum follow.
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

// Receive reads an answer. It returns ErrForeign if anything else arrived. Then later data cannot
// be trusted either.
func (a *Answers) Receive(r io.Reader) (kind byte, payload []byte, err error) {
	var head [answerHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if binary.LittleEndian.Uint32(head[5:]) != uint32(a.check(head[:5])) || n > maxMessage {
		return 0, nil, ErrForeign
	}
	if payload, err = readN(r, int(n)+answerTail); err != nil {
		return 0, nil, err
	}
	sum := binary.LittleEndian.Uint64(payload[n:])
	if payload = payload[:n:n]; sum != a.check(payload) {
		return 0, nil, ErrForeign
	}
	a.n++
	return head[4], payload, nil
}

// check returns a checksum that depends on the key and on the number of earlier answers. It
// processes eight bytes at a time, with the multiplier of Knuth's MMIX.
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
