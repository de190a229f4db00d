package tape

import (
	"math/rand/v2"
	"testing"
)

// unsealed returns the encoded tape without a seal, as older versions wrote it.
func unsealed(t *Tape) []byte {
	c := &Coded{}
	if err := c.Decode(t.Append(nil)); err != nil {
		panic(err)
	}
	b := append([]byte(magic), version, 0, byte(len(c.kinds)))
	// an unused kind replaces the seal, so that the others keep their numbers
	b = (&kind{bound: 5, site: 77}).append(b)
	b = append(b, c.head...)
	r := reader{data: c.data}
	_, n, _, _ := r.header(nil)
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(append(b, byte(n)), c.data[r.at:]...)
}

// TestDraft checks that an encoded mutant equals the encoding of the decoded parent's mutant.
func TestDraft(t *testing.T) {
	var s Source
	var d Draft
	var e Edit
	parents := make([]*Coded, 60)
	for n := range parents {
		switch s.Random(uint64(n)); {
		case n%10 == 9: // many kinds
			for i := 0; i < 40*n; i++ {
				s.Begin(2)
				s.Draw(uint32(i%n), Channel(i%2), 1<<(i%n))
				s.End()
			}
		default:
			wander(&s, n%4, 0)
			wander(&s, n%4, 0)
		}
		drawn := s.Tape().Clone()
		data := drawn.Append(nil)
		if n%3 == 0 {
			data = unsealed(drawn)
		}
		parents[n] = &Coded{}
		if err := parents[n].Decode(data); err != nil || !parents[n].Equal(drawn) {
			t.Fatalf("tape %d: %v", n, err)
		}
	}
	var read, again Tape
	for seed := uint64(0); seed < 6000; seed++ {
		r := rand.New(rand.NewPCG(seed, 3))
		of, from := parents[r.IntN(len(parents))], parents[r.IntN(len(parents))]
		if seed%4 == 0 {
			from = of
		}
		span, part := 1+r.IntN(len(of.Spans)-1), 1+r.IntN(len(from.Spans)-1)
		kind := seed % 6
		switch kind {
		case 0:
			d.Redraw(of, span)
		case 1:
			d.TakeOut(of, span)
		case 2:
			d.Splice(of, span, from, part)
		case 3:
			d.Repeat(of, span, from, part)
		case 4:
			after := int(of.Spans[span].After)
			if after >= len(of.Spans) {
				continue
			}
			if d.Swap(of, span, after); seed%8 == 0 {
				d.Swap(of, after, span)
			}
		case 5:
			d.Start(of)
			for n := r.IntN(40); n > 0; n-- {
				i := r.IntN(len(of.Choices))
				v := r.Uint64() >> r.IntN(64)
				if p := &of.Choices[i]; v > p.Bound {
					v = p.Bound
				}
				if d.Set(i, v, r.IntN(3) == 0); d.Value(i) != v {
					t.Fatal("a choice has not the value that it was given")
				}
			}
		}
		rest := r.Uint64() >> r.IntN(64)
		want := d.Tape(&e, rest)
		data := d.Append([]byte("before"), rest)
		if err := read.Decode(data[6:]); err != nil || !read.Equal(want) || read.Rest != rest || string(data[:6]) != "before" {
			t.Fatalf("seed %d, kind %d: %v\n%+v\n%+v", seed, kind, err, read, want)
		}
		if err := s.Load(data[6:]); err != nil || len(d.kinds) <= fewKinds && len(read.Choices)+len(read.Spans) > 1 && len(s.follow.ops) == 0 {
			t.Fatalf("seed %d: the seal is broken, %v", seed, err)
		}
		for _, c := range []Channel{Structural, Value, Both} {
			for _, i := range of.Spots(c) {
				if p := &of.Choices[i]; p.Bound == 0 || c != Both && p.Channel != c {
					t.Fatalf("choice %d is a spot of channel %d", i, c)
				}
			}
		}
		if again.Decode(of.data) != nil || !again.Equal(&of.Tape) {
			t.Fatalf("seed %d: the parent was changed", seed)
		}
	}
	var data []byte
	if n := testing.AllocsPerRun(200, func() {
		d.Splice(parents[1], 1, parents[2], 1)
		data = d.Append(data[:0], 5)
	}); n > 0 {
		t.Errorf("a mutant allocates %.1f times", n)
	}
}
