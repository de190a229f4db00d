package wire

import (
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// AppendBrief encodes a program's observation and trace for an input of an ObserveMessage. The
// text, if requested, is the accepted value, or the message of an error or a panic.
func AppendBrief[T []byte | string](b []byte, o oracle.Observation, t *feature.Trace, text T) []byte {
	for _, v := range [...]uint64{uint64(o.Outcome), o.Class, o.Value, o.Place, t.Length, t.Allocated, t.Set, t.Order, t.Exact, uint64(len(t.Hits))} {
		b = AppendUint(b, v)
	}
	last := uint32(0)
	for _, h := range t.Hits {
		b = AppendUint(b, uint64(h-last))
		last = h
	}
	return AppendBytes(appendParts(append(b, t.Counts...), o.Value, &o.Parts), text)
}

// ReadBrief decodes a brief into a trace, whose memory it reuses. The text aliases the message.
func ReadBrief(r *Reader, t *feature.Trace) (o oracle.Observation, text []byte, err error) {
	t.Reset()
	o.Outcome, o.Class, o.Value, o.Place = oracle.Outcome(r.Int(255)), r.Uint(), r.Uint(), r.Uint()
	t.Length, t.Allocated, t.Set, t.Order, t.Exact = r.Uint(), r.Uint(), r.Uint(), r.Uint(), r.Uint()
	n, last := r.Int(1<<28), uint32(0)
	for ; n > 0 && r.Err() == nil; n-- {
		last += uint32(r.Uint())
		t.Hits = append(t.Hits, last)
	}
	t.Counts = append(t.Counts, r.raw(len(t.Hits))...)
	o.Parts = r.parts(o.Value)
	return o, r.Bytes(), r.Err()
}

// appendParts encodes the sketch of a value. Without a value there is none.
func appendParts(b []byte, value uint64, p *oracle.Parts) []byte {
	if value == 0 {
		return b
	}
	return append(b, p[:]...)
}

func (r *Reader) parts(value uint64) (p oracle.Parts) {
	if value != 0 {
		copy(p[:], r.raw(len(p)))
	}
	return p
}
