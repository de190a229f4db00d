package diversity

import (
	"encoding/binary"
	"errors"
)

// A record on disk has the version (1 byte), the number of words, and the words. Then follow the
// number of branches with counts, and these branches. A branch has the distance to the previous one
// and three numbers of traces. Then it has the number of inputs plus 4 times the number of fresh
// inputs. All but the version are uvarints. A reader skips unknown words.

const codecVersion = 2

// Encode appends the encoded record.
func (r Record) Encode(b []byte) []byte {
	b = binary.AppendUvarint(append(b, codecVersion), uint64(numWords))
	for w := Word(0); w < numWords; w++ {
		b = binary.AppendUvarint(b, r.Word(w))
	}
	n, last := 0, 0
	for i := 0; i < r.Branches(); i++ {
		if !blank(r.cell(i)) {
			n++
		}
	}
	b = binary.AppendUvarint(b, uint64(n))
	for i := 0; i < r.Branches(); i++ {
		c := r.cell(i)
		if blank(c) {
			continue
		}
		b = binary.AppendUvarint(b, uint64(i-last))
		for at := 0; at < 12; at += 4 {
			b = binary.AppendUvarint(b, uint64(binary.LittleEndian.Uint32(c[at:])))
		}
		b = binary.AppendUvarint(b, uint64(c[12])+4*uint64(c[13]))
		last = i
	}
	return b
}

// ErrRecord reports data that is not a record of the given number of branches.
var ErrRecord = errors.New("not a record of the diversity of branches")

// Decode reads a record of the given number of branches.
func Decode(data []byte, branches int) (Record, error) {
	if len(data) == 0 || data[0] != codecVersion {
		return nil, ErrRecord
	}
	data = data[1:]
	ok := true
	next := func(limit uint64) uint64 {
		v, n := binary.Uvarint(data)
		if n <= 0 || v > limit {
			ok = false
			return 0
		}
		data = data[n:]
		return v
	}
	r := make(Record, RecordSize(branches))
	words := next(1 << 10)
	for w := uint64(0); w < words && ok; w++ {
		if v := next(1<<64 - 1); w < numWords {
			binary.LittleEndian.PutUint64(r[8*w:], v)
		}
	}
	at := uint64(0)
	for n := next(uint64(branches)); n > 0 && ok; n-- {
		if at += next(uint64(branches)); at >= uint64(branches) {
			return nil, ErrRecord
		}
		c := r.cell(int(at))
		for k := 0; k < 12; k += 4 {
			binary.LittleEndian.PutUint32(c[k:], uint32(next(1<<32-1)))
		}
		times := next(4*maxTimes + maxTimes)
		c[12], c[13] = byte(times%4), byte(times/4)
	}
	if !ok || len(data) > 0 {
		return nil, ErrRecord
	}
	return r, nil
}

// cell returns the counts of a branch.
func (r Record) cell(i int) []byte { return r[headSize+blockSize*i : headSize+blockSize*(i+1)] }
