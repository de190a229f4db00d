package source

import (
	"math"
	"testing"

	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// turns is a schedule that gives all seeds turns in order.
type turns struct {
	ordered
	n int
}

func (o *turns) Next(*mutate.Rand) int {
	o.next = (o.next + 1) % o.n
	return o.next
}

// shares returns the fraction of inputs made from invalid seeds. validYield and invalidYield of ten
// children of each kind are valid and have new traces.
func shares(t *testing.T, own *Tapes, validYield, invalidYield int) float64 {
	t.Helper()
	var s Step
	invalid, n := 0, 0
	for i := range 20000 {
		s.Reset()
		own.Propose(&s)
		yields := validYield
		if s.Parent == 1 {
			yields = invalidYield
		}
		if s.Parent >= 0 && i >= 10000 {
			if n++; s.Parent == 1 {
				invalid++
			}
		}
		r := Result{Unique: own.Rand.Intn(10) < yields, Validity: oracle.Valid}
		s.Done(r)
	}
	return float64(invalid) / float64(n)
}

// TestInvalidSeeds checks that invalid seeds are mutated in proportion to their yield relative to
// that of valid ones.
func TestInvalidSeeds(t *testing.T) {
	accepted := []bool{true, false}
	for _, test := range []struct {
		valid, invalid int
		without        bool
		want           float64
	}{
		{5, 5, false, 0.5},
		{5, 9, false, 0.5},  // at most their turns
		{8, 2, false, 0.25}, // one of four turns of an invalid seed is used; otherwise the next seed, a valid one, has it
		{9, 0, false, 0.125},
		{9, 0, true, 0.5},
	} {
		corpus := Corpus{drawnTape(5, 5), drawnTape(5, 5)}
		own := &Tapes{Taped: taped(&corpus, &turns{n: 2}), Accepted: &accepted}
		if test.without {
			own.Accepted = nil
		}
		got := shares(t, own, test.valid, test.invalid)
		if test.want == 0.5 && math.Abs(got-0.5) > 0.05 || test.want < 0.5 && (got > test.want+0.03 || got < test.want/3) {
			t.Errorf("%d and %d of ten: invalid seeds have a share of %.3f, want about %.3f", test.valid, test.invalid, got, test.want)
		}
	}
	// Invalid seeds are mutated if there are no others.
	accepted = []bool{false, false}
	corpus := Corpus{drawnTape(5, 5), drawnTape(5, 5)}
	own := &Tapes{Taped: taped(&corpus, &turns{n: 2}), Accepted: &accepted}
	var s Step
	s.Reset()
	if own.Propose(&s); s.Parent < 0 && s.Ops[0] != mutate.OpFresh {
		t.Errorf("made of %d by %v", s.Parent, s.Ops)
	}
}

// TestCountsStaySmall checks that counts of parts stay near their values or are left to the
// generator. A uniform number below the bound is hundreds of parts. Large counts still occur.
func TestCountsStaySmall(t *testing.T) {
	var drawn tape.Source
	drawn.Random(1)
	drawn.Record(1, tape.Structural, 1024, 6)
	corpus := Corpus{drawn.Tape().Append(nil)}
	own := &Tapes{Taped: taped(&corpus, &ordered{})}
	var s Step
	mutants, anew, large, huge, seen := 0, 0, 0, 0, map[uint64]bool{}
	for range 20000 {
		s.Reset()
		own.Propose(&s)
		var out tape.Tape
		if err := out.Decode(s.Flat); err != nil {
			t.Fatal(err)
		}
		if s.Ops[0] != mutate.OpStructural {
			continue
		}
		mutants++
		switch c := out.Choices[0]; {
		case c.Redraw:
			anew++
		case c.Value > 512:
			huge++
			fallthrough
		case c.Value > 14:
			large++
		default:
			seen[c.Value] = true
		}
	}
	if part := func(n int) float64 { return float64(n) / float64(mutants) }; part(large) > 0.02 || huge == 0 || part(anew) < 0.1 || part(anew) > 0.4 {
		t.Errorf("of %d mutants %d are drawn anew, %d are large and %d huge", mutants, anew, large, huge)
	}
	for _, v := range []uint64{0, 2, 5, 7, 12, 14} {
		if !seen[v] {
			t.Errorf("%d is missing", v)
		}
	}
}

// foreign returns a tape of one span with the given value.
func foreign(value uint64) []byte {
	var s tape.Source
	s.Random(1)
	s.Begin(7)
	s.Record(1, tape.Structural, 3, 1)
	s.Record(2, tape.Value, 1000, value)
	s.End()
	return s.Tape().Append(nil)
}

// TestPartsLeftOut checks that all inputs have a parent without fresh inputs, and that without
// splicing no input holds values of another.
func TestPartsLeftOut(t *testing.T) {
	count := func(own *Tapes) (fresh, spliced int) {
		var s Step
		for range 4000 {
			s.Reset()
			own.Propose(&s)
			var out tape.Tape
			if err := out.Decode(s.Flat); err != nil {
				t.Fatal(err)
			}
			if s.Ops[0] == mutate.OpFresh {
				fresh++
			}
			for _, c := range out.Choices {
				if s.Ops[0] == mutate.OpPart && c.Value == 777 {
					spliced++
					break
				}
			}
		}
		return fresh, spliced
	}
	corpus := Corpus{foreign(5), foreign(777)}
	if fresh, spliced := count(&Tapes{Taped: taped(&corpus, &ordered{})}); fresh < 60 || spliced < 100 {
		t.Errorf("of 4000 inputs %d are fresh and %d spliced", fresh, spliced)
	}
	if fresh, spliced := count(&Tapes{Taped: taped(&corpus, &ordered{}), NoFresh: true, NoSplice: true}); fresh != 0 || spliced != 0 {
		t.Errorf("left out: %d are fresh and %d spliced", fresh, spliced)
	}
}
