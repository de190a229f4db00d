package tape

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// wander uses all ways in which generators draw: nested parts, lists, retries, values other than
// the recalled ones, wide and narrow bounds. Its draws differ with age, like those of an edited
// generator.
func wander(s *Source, age, depth int) (text string) {
	s.Begin(Site(0, "wander"))
	defer s.End()
	if age == 1 {
		text = fmt.Sprint(s.Draw(11, Value, 7), " ")
	}
	kinds := uint64(5)
	if age == 2 {
		kinds = 4
	}
	which := uint64(0)
	if depth < 7 {
		which = s.Draw(1, Structural, kinds)
	}
	switch which {
	case 1:
		text += "(" + wander(s, age, depth+1) + fmt.Sprint(s.Draw(2, Value, 1<<40)) + wander(s, age, depth+1) + ")"
	case 2:
		site := s.Site("list")
		s.Begin(site)
		n, ok := s.Recall(3, Structural, 6)
		if !ok {
			n = s.UpTo(3)
		}
		if depth > 4 {
			n = 0
		}
		s.Record(3, Structural, 6, n)
		for i := uint64(0); i < n; i++ {
			s.Begin(s.In(site, "element"))
			text += wander(s, age, depth+1) + ","
			s.End()
		}
		s.End()
	case 3: // a filter
		s.Begin(4)
		for i := 0; ; i++ {
			v := s.Draw(5, Value, 99)
			text += fmt.Sprint("f", v)
			if v%3 == 0 || i == 5 || !s.Retry() {
				break
			}
		}
		s.End()
	case 4:
		text += fmt.Sprint(s.Draw(6, Value, 200), s.Draw(7, Structural, 1), s.Draw(6, Value, 200))
		s.EndTo(s.Depth())
	default:
		text += fmt.Sprint(s.Draw(8, Value, uint64(9+90*(age&1))))
	}
	if age == 3 {
		text += fmt.Sprint(s.Draw(12, Structural, 2))
	}
	return text
}

// TestFollow checks that a followed tape draws and records the same as a decoded one, for each kind
// of mutant and for an edited generator.
func TestFollow(t *testing.T) {
	var made, followed, decoded Source
	var e Edit
	whole := 0
	for seed := uint64(0); seed < 6000; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		made.Random(seed)
		wander(&made, 0, 0)
		parent := made.Tape().Clone()
		mutant := e.Copy(parent)
		span := func() int { return 1 + r.IntN(len(parent.Spans)-1) }
		switch kind := seed % 8; kind {
		case 0, 1:
			for n := 0; n < 3; n++ {
				c := &mutant.Choices[r.IntN(len(mutant.Choices))]
				c.Value, _ = c.Other(r.Uint64)
				c.Redraw = kind == 1
			}
		case 2:
			mutant = e.Redraw(parent, span())
		case 3:
			mutant = e.TakeOut(parent, span())
		case 4:
			at := span()
			mutant = e.Repeat(parent, at, parent, at)
		case 5:
			mutant = e.Splice(parent, span(), parent, span())
		case 6:
			mutant.Reset()
		}
		if mutant.Rest = 0; seed%5 > 0 {
			mutant.Rest = seed
		}
		data := mutant.Append(nil)
		age := int(seed / 8 % 6 % 4)
		if err := followed.Load(data); err != nil {
			t.Fatal(err)
		}
		for i := range data {
			data[i] = 0xff // the source must not need it
		}
		decoded.Play(mutant)
		a, b := wander(&followed, age, 0), wander(&decoded, age, 0)
		if len(followed.follow.ops) > 0 {
			whole++
		}
		if a != b || followed.Fresh != decoded.Fresh || followed.Tries != decoded.Tries || followed.Drawn() != decoded.Drawn() || followed.Spans() != decoded.Spans() {
			t.Fatalf("seed %d: %s is followed to %s, and replayed to %s; fresh %d and %d, tries %d and %d", seed, made.Tape().Append(nil), a, b, followed.Fresh, decoded.Fresh, followed.Tries, decoded.Tries)
		}
		if !followed.Tape().Equal(decoded.Tape()) {
			t.Fatalf("seed %d: of a tape that is followed, something else is recorded:\n%v\n%v", seed, followed.Tape(), decoded.Tape())
		}
	}
	if whole < 1000 {
		t.Errorf("only %d tapes were followed to their end", whole)
	}
}

// TestLoad checks that tapes with many kinds, or above the limit, are decoded at once. Undecodable
// tapes give the error of Decode.
func TestLoad(t *testing.T) {
	var s, again Source
	var read Tape
	for n := uint32(1); n < 300; n += 37 {
		s.Random(1)
		for i := uint32(0); i < 2*n; i++ {
			s.Draw(i%n, Value, uint64(i%n)*3)
		}
		data := s.Tape().Append(nil)
		if err := again.Load(data); err != nil {
			t.Fatal(err)
		}
		for i := uint32(0); i < 2*n; i++ {
			if v := again.Draw(i%n, Value, uint64(i%n)*3); v != s.Out.Choices[i].Value {
				t.Fatalf("%d kinds: %d is drawn, and %d is on the tape", n, v, s.Out.Choices[i].Value)
			}
		}
		r := rand.New(rand.NewPCG(uint64(n), 2))
		for k := 0; k < 800; k++ {
			bad := append([]byte(nil), data...)
			bad[r.IntN(len(bad))] = byte(r.Uint32() >> r.IntN(9))
			if k%5 == 0 {
				bad = bad[:r.IntN(len(bad))]
			}
			got, want := again.Load(bad), read.Decode(bad)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%x: %v, and Decode says %v", bad, got, want)
			}
		}
	}
	s.Random(1)
	wander(&s, 0, 0)
	for seed := uint64(2); s.Drawn() < 20; seed++ {
		s.Random(seed)
		wander(&s, 0, 0)
	}
	again.Limit(10)
	if err := again.Load(s.Tape().Append(nil)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil || !again.Endless {
			t.Error("a tape is followed beyond the limit")
		}
	}()
	wander(&again, 0, 0)
}
