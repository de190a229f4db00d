package source

import (
	"math"
	"slices"
	"testing"

	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
	"parallax/internal/tape"
)

// drawnTape returns a tape with so many structural choices and values, alternating while there are
// both, none of them zero.
func drawnTape(structural, values int) []byte {
	var s tape.Source
	s.Random(1)
	for structural > 0 || values > 0 {
		if structural > 0 {
			s.Record(1, tape.Structural, 9, 5)
			structural--
		}
		if values > 0 {
			s.Record(2, tape.Value, 99, 50)
			values--
		}
	}
	return s.Tape().Append(nil)
}

// ordered is a schedule that returns next.
type ordered struct{ next int }

func (o *ordered) Added(schedule.Seed)   {}
func (o *ordered) Next(*mutate.Rand) int { return o.next }
func (o *ordered) Ran(schedule.Result)   {}

func taped(corpus *Corpus, s schedule.Schedule) Taped {
	return Taped{Corpus: corpus, Rand: mutate.NewRand(1, 0), Schedule: s, MaxBytes: 1 << 16}
}

// child proposes a step and counts, per channel, the choices that are to be redrawn or have become
// zero.
func child(t *testing.T, src Source, s *Step) (anew, zero [tape.Channels]int) {
	t.Helper()
	s.Reset()
	if !src.Propose(s) {
		t.Fatal("nothing is proposed")
	}
	var out tape.Tape
	if err := out.Decode(s.Flat); err != nil {
		t.Fatal(err)
	}
	if out.Rest == 0 {
		t.Fatal("the rest has no seed")
	}
	for _, c := range out.Choices {
		switch {
		case c.Redraw:
			anew[c.Channel]++
		case c.Value == 0:
			zero[c.Channel]++
		}
	}
	return anew, zero
}

func TestRandomIsFresh(t *testing.T) {
	corpus := Corpus{drawnTape(3, 3)}
	src := &Random{taped(&corpus, &ordered{})}
	seen := map[string]bool{}
	var s Step
	for range 100 {
		s.Reset()
		src.Propose(&s)
		var out tape.Tape
		if err := out.Decode(s.Flat); err != nil || len(out.Choices) != 0 || s.Parent != -1 || s.Ops[0] != mutate.OpFresh {
			t.Fatalf("%v: %d choices, of seed %d, by %v", err, len(out.Choices), s.Parent, s.Ops)
		}
		seen[string(s.Flat)] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d different inputs of 100", len(seen))
	}
}

// TestPerturb checks Geom(8) mutations of Geom(4) consecutive choices. One child in ten has zeros.
func TestPerturb(t *testing.T) {
	const children, choices = 4000, 2000
	corpus := Corpus{drawnTape(choices/2, choices/2)}
	src := &Zest{taped(&corpus, &ordered{})}
	var s Step
	zeros, changed := 0, 0
	both := 0
	for range children {
		anew, zero := child(t, src, &s)
		if s.Ops[0] != mutate.OpChoices || s.Parent != 0 {
			t.Fatalf("made of seed %d by %v", s.Parent, s.Ops)
		}
		fresh, none := anew[0]+anew[1], zero[0]+zero[1]
		if (fresh == 0) == (none == 0) {
			t.Fatalf("%d are drawn anew and %d are zero", fresh, none)
		}
		if none > 0 {
			zeros++
		}
		if anew[0]+zero[0] > 0 && anew[1]+zero[1] > 0 {
			both++
		}
		changed += fresh + none
	}
	if share := float64(zeros) / children; math.Abs(share-0.1) > 0.02 {
		t.Errorf("%.3f of all children have zeros", share)
	}
	// Few of the mutations overlap among so many choices.
	if mean := float64(changed) / children; mean < 30 || mean > 33 {
		t.Errorf("%.1f choices are mutated on the average, want nearly 32", mean)
	}
	if both < children*8/10 {
		t.Errorf("%d of %d children have changes in both channels: they are one", both, children)
	}
}

func TestGeometric(t *testing.T) {
	r := mutate.NewRand(1, 0)
	for _, mean := range []float64{4, 8} {
		sum, ones := 0, 0
		const n = 100000
		for range n {
			v := geometric(r, mean)
			sum += v
			if v == 1 {
				ones++
			}
		}
		if got := float64(sum) / n; math.Abs(got-mean) > 0.1 {
			t.Errorf("mean %.2f, want %v", got, mean)
		}
		if got := float64(ones) / n; math.Abs(got-1/mean) > 0.01 {
			t.Errorf("%.3f are 1, want %.3f", got, 1/mean)
		}
	}
}

// kinds counts the channels that n children mutate. Each child's result is reported.
func kinds(t *testing.T, b *Behavior, n int, unique func(tape.Channel) bool) (made [tape.Channels]int) {
	t.Helper()
	var s Step
	for range n {
		anew, zero := child(t, b, &s)
		c := tape.Structural
		if s.Ops[0] == mutate.OpValue {
			c = tape.Value
		}
		if other := 1 - c; anew[other]+zero[other] > 0 || anew[c]+zero[c] == 0 {
			t.Fatalf("a mutation of the %v channel changes %v and %v", c, anew, zero)
		}
		made[c]++
		s.Done(Result{Unique: unique(c), Validity: oracle.Valid})
	}
	return made
}

// TestMutateAdaptive checks Algorithm 2: with epsilon 0.2 a coin decides, and else the higher
// score. Nine of ten mutations use the better channel.
func TestMutateAdaptive(t *testing.T) {
	for _, better := range []tape.Channel{tape.Structural, tape.Value} {
		corpus := Corpus{drawnTape(20, 20)}
		b := &Behavior{Taped: taped(&corpus, &ordered{})}
		kinds(t, b, 50, func(c tape.Channel) bool { return c == better })
		made := kinds(t, b, 4000, func(c tape.Channel) bool { return c == better })
		if share := float64(made[better]) / 4000; math.Abs(share-0.9) > 0.02 {
			t.Errorf("%.3f of the mutations are of the %v channel, which is better", share, better)
		}
	}
	// A coin decides a tie: all children of both are unique, or none.
	for _, all := range []bool{true, false} {
		corpus := Corpus{drawnTape(20, 20)}
		b := &Behavior{Taped: taped(&corpus, &ordered{})}
		kinds(t, b, 50, func(tape.Channel) bool { return all })
		made := kinds(t, b, 4000, func(tape.Channel) bool { return all })
		if share := float64(made[0]) / 4000; math.Abs(share-0.5) > 0.03 {
			t.Errorf("all unique %v: %.3f of the mutations are structural", all, share)
		}
	}
}

// now returns the scores of the mutated seed.
func (b *Behavior) now() *scores { return b.scoresOf(b.turn - 1) }

// TestScores checks R, the fraction of children with new traces, for valid ones only. R_s and R_v
// start again with each seed.
func TestScores(t *testing.T) {
	corpus := Corpus{drawnTape(20, 20), drawnTape(20, 20)}
	o := &ordered{}
	b := &Behavior{Taped: taped(&corpus, o)}
	kinds(t, b, 100, func(c tape.Channel) bool { return c == tape.Value })
	if b.now().score(tape.Structural) != 0 || b.now().score(tape.Value) != 1 || b.now().made[0]+b.now().made[1] != 100 {
		t.Errorf("scores %v and %v of %v children", b.now().score(tape.Structural), b.now().score(tape.Value), b.now().made)
	}
	o.next = 1
	var s Step
	child(t, b, &s)
	if b.now().made != [2]int{} || b.now().unique != [2]int{} || b.now().score(tape.Value) != 0 {
		t.Errorf("another seed: %v of %v", b.now().unique, b.now().made)
	}
	s.Done(Result{Unique: true, Validity: oracle.Invalid}) // not accepted
	if b.now().made[0]+b.now().made[1] != 1 || b.now().unique != [2]int{} {
		t.Errorf("an invalid input: %v of %v", b.now().unique, b.now().made)
	}
	o.next = 0
	if child(t, b, &s); b.now().made != [2]int{} {
		t.Errorf("the first seed again: %v", b.now().made)
	}
}

// TestScoresOfRepaired checks that a repaired mutant counts for the channel that was mutated.
func TestScoresOfRepaired(t *testing.T) {
	corpus := Corpus{drawnTape(20, 20)}
	b := &Behavior{Taped: taped(&corpus, &ordered{})}
	var s Step
	made := [tape.Channels]int{}
	for range 200 {
		child(t, b, &s)
		c, ok := s.Channel()
		if s.Ops = append(s.Ops, mutate.OpRepair); !ok || s.Ops[0] != [tape.Channels]mutate.Op{mutate.OpStructural, mutate.OpValue}[c] {
			t.Fatalf("%v is of the %v channel: %v", s.Ops, c, ok)
		}
		if again, ok := s.Channel(); again != c || !ok {
			t.Fatalf("%v is of the %v channel: %v", s.Ops, again, ok)
		}
		made[c]++
		s.Done(Result{Unique: c == tape.Value, Validity: oracle.Valid})
	}
	if b.now().made != made || b.now().score(tape.Value) != 1 || b.now().score(tape.Structural) != 0 || made[tape.Value] < 160 {
		t.Errorf("scored %v of %v, mutants %v", b.now().unique, b.now().made, made)
	}
	s.Reset()
	if _, ok := s.Channel(); ok {
		t.Error("what nothing made has a channel")
	}
	s.Ops = append(s.Ops, mutate.OpFresh, mutate.OpRepair)
	if _, ok := s.Channel(); ok {
		t.Error("what was drawn anew has a channel")
	}
}

// TestLifetimeScores checks that a seed keeps the scores of its last turn.
func TestLifetimeScores(t *testing.T) {
	corpus := Corpus{drawnTape(20, 20), drawnTape(20, 20)}
	o := &ordered{}
	b := &Behavior{Taped: taped(&corpus, o), Lifetime: true}
	first := kinds(t, b, 100, func(c tape.Channel) bool { return c == tape.Value })
	o.next = 1
	second := kinds(t, b, 10, func(tape.Channel) bool { return false })
	if b.now().made != second {
		t.Errorf("the second seed: %v of %v", b.now().made, second)
	}
	o.next = 0
	var s Step
	if child(t, b, &s); b.now().made != first || b.now().score(tape.Value) != 1 || b.now().score(tape.Structural) != 0 {
		t.Errorf("the first seed again: %v, want %v", b.now().made, first)
	}
	o.next = 1
	if child(t, b, &s); b.now().made != second {
		t.Errorf("the second seed again: %v, want %v", b.now().made, second)
	}
}

// TestScoresOfBatches checks that late results of a turn count for the seed's next turn, and for no
// other seed.
func TestScoresOfBatches(t *testing.T) {
	for _, lifetime := range []bool{false, true} {
		corpus := Corpus{drawnTape(20, 20), drawnTape(20, 20)}
		o := &ordered{}
		b := &Behavior{Taped: taped(&corpus, o), Lifetime: lifetime}
		// batch makes n children of each seed before any result is known. The first seed's children
		// win by values, the other's by structure.
		batch := func(n ...int) (made [2][tape.Channels]int) {
			var steps []*Step
			for seed, n := range n {
				o.next = seed
				for range n {
					s := &Step{}
					child(t, b, s)
					steps = append(steps, s)
				}
			}
			for _, s := range steps {
				c, _ := s.Channel()
				made[s.Parent][c]++
				s.Done(Result{Unique: (c == tape.Value) == (s.Parent == 0), Validity: oracle.Valid})
			}
			return made
		}
		first := batch(50, 14)
		if got := [2]scores{*b.scoresOf(0), *b.scoresOf(1)}; got[0].made != first[0] || got[0].unique != [2]int{0, first[0][tape.Value]} ||
			got[1].made != first[1] || got[1].unique != [2]int{first[1][tape.Structural], 0} {
			t.Errorf("lifetime %v: scores %v, mutants %v", lifetime, got, first)
		}
		// The second of two turns in a batch uses the results of the first one in the batch before.
		better, all := 0, 0
		for range 40 {
			made := batch(32, 32)
			better += made[0][tape.Value] + made[1][tape.Structural]
			all += 64
			if got := b.scoresOf(0).made; !lifetime && got != made[0] { // that of two turns ago is forgotten
				t.Fatalf("%v mutants are scored of %v", got, made[0])
			}
		}
		if share := float64(better) / float64(all); math.Abs(share-0.9) > 0.03 {
			t.Errorf("lifetime %v: %.3f of the mutations are of the better channel", lifetime, share)
		}
	}
}

// TestTapesAllocateNothing checks that proposing does not allocate.
func TestTapesAllocateNothing(t *testing.T) {
	corpus := Corpus{drawnTape(30, 30), drawnTape(5, 50), foreign(3)}
	accepted := []bool{true, false, true}
	for _, src := range []Source{
		&Random{taped(&corpus, &turns{n: 3})}, &Zest{taped(&corpus, &turns{n: 3})}, &Behavior{Taped: taped(&corpus, &turns{n: 3}), Lifetime: true},
		&Tapes{Taped: taped(&corpus, &turns{n: 3}), Accepted: &accepted},
	} {
		var s Step
		play := func() {
			s.Reset()
			src.Propose(&s)
			s.Done(Result{Unique: true, Validity: oracle.Valid})
		}
		for range 1000 {
			play()
		}
		if n := testing.AllocsPerRun(1000, play); n != 0 {
			t.Errorf("%T: %v allocations", src, n)
		}
	}
}

// TestEmptyChannels checks that a seed without choices of one channel is mutated in the other, and
// that a seed without any makes fresh inputs.
func TestEmptyChannels(t *testing.T) {
	corpus := Corpus{drawnTape(5, 0), drawnTape(0, 5), drawnTape(0, 0), []byte("no tape")}
	o := &ordered{}
	for i, op := range []mutate.Op{mutate.OpStructural, mutate.OpValue, mutate.OpFresh, mutate.OpFresh} {
		o.next = i
		b := &Behavior{Taped: taped(&corpus, o)}
		var s Step
		for range 50 {
			if child(t, b, &s); !slices.Equal(s.Ops, []mutate.Op{op}) {
				t.Fatalf("seed %d is mutated by %v", i, s.Ops)
			}
			s.Done(Result{Unique: true, Validity: oracle.Valid})
		}
	}
}

// ended passes a learner the result of an input.
func ended(l *RLCheck, flat string, r Result) {
	l.Done(&Step{Flat: []byte(flat)}, r)
}

// TestLearner has an episode worked out by hand: three inputs with a choice at site 1 and two at
// site 2, in one state.
func TestLearner(t *testing.T) {
	l := &RLCheck{Taped: taped(&Corpus{}, &ordered{})}
	tried := func(site uint32, value uint64) *action {
		known := l.table.actions(place(site, 7))
		if i := slices.IndexFunc(known, func(a action) bool { return a.value == value }); i >= 0 {
			return &known[i]
		}
		return nil
	}
	episode := func(flat string, valid bool, choices ...uint64) {
		var s Step
		s.Reset()
		l.Propose(&s)
		for i, v := range choices {
			l.Chosen(uint32(min(i, 1)+1), 7, v)
		}
		v := oracle.Invalid
		if valid {
			v = oracle.Valid
		}
		ended(l, flat, Result{Validity: v})
	}
	want := func(site uint32, value uint64, c, q float64) {
		t.Helper()
		a := tried(site, value)
		if a == nil {
			t.Fatalf("nothing is known of site %d, value %d", site, value)
		}
		if a.c != c || math.Abs(a.q-q) > 1e-9 {
			t.Errorf("site %d, value %d: C %v, Q %v, want %v and %v", site, value, a.c, a.q, c, q)
		}
	}
	episode("a", true, 0, 1, 1) // +20; two visits of 1 at site 2
	want(1, 0, 1, 20)
	want(2, 1, 2, 20)
	episode("a", true, 0, 1, 2) // known: 0
	want(1, 0, 2, 10)
	want(2, 1, 3, 40./3)
	want(2, 2, 1, 0)
	episode("b", false, 1, 2) // -1
	want(1, 1, 1, -1)
	want(2, 2, 2, -0.5)
	// A failure teaches nothing, and its episode leaves nothing for the next one.
	var s Step
	l.Propose(&s)
	l.Chosen(1, 7, 1)
	ended(l, "c", Result{Failed: true})
	want(1, 1, 1, -1)
	episode("d", true)
	want(1, 1, 1, -1)

	// The best action is taken in three of four cases, and else any. With a bound of 3, action 0 is
	// taken in 3/4 + 1/16.
	const draws = 8000
	counts := map[uint64]int{}
	l.learning = true
	for range draws {
		v, ok := l.Choose(1, 7, 3)
		if !ok {
			t.Fatal("a choice of four is left to the generator")
		}
		counts[v]++
	}
	for v, share := range []float64{0.75 + 0.25/4, 0.25 / 4, 0.25 / 4, 0.25 / 4} {
		if got := float64(counts[uint64(v)]) / draws; math.Abs(got-share) > 0.02 {
			t.Errorf("action %d has a share of %.3f, want %.3f", v, got, share)
		}
	}
	// In an unknown state every action is equally likely. If all tried ones are bad, the untried
	// ones are taken.
	unknown, bad := map[uint64]int{}, map[uint64]int{}
	a := tried(1, 0)
	a.q = -0.25
	for range draws {
		v, _ := l.Choose(9, 7, 3)
		unknown[v]++
		v, _ = l.Choose(1, 7, 3)
		bad[v]++
	}
	for v := range uint64(4) {
		if got := float64(unknown[v]) / draws; math.Abs(got-0.25) > 0.02 {
			t.Errorf("unknown state: action %d has a share of %.3f", v, got)
		}
		want := 0.25 / 4
		if v > 1 {
			want += 0.75 / 2
		}
		if got := float64(bad[v]) / draws; math.Abs(got-want) > 0.02 {
			t.Errorf("bad actions: action %d has a share of %.3f, want %.3f", v, got, want)
		}
	}
	// Of many values, tried ones are chosen if their Q is large enough. Otherwise the generator
	// draws.
	left := 0
	for range draws {
		if _, ok := l.Choose(1, 7, 1000); !ok {
			left++
		}
	}
	if left != draws {
		t.Errorf("%d of %d choices are left to the generator, though what was tried is bad", left, draws)
	}
	a.q = 5
	left = 0
	for range draws {
		if v, ok := l.Choose(1, 7, 1000); !ok {
			left++
		} else if v != 0 {
			t.Fatalf("%d is chosen", v)
		}
	}
	if got := float64(left) / draws; math.Abs(got-0.25) > 0.02 {
		t.Errorf("%.3f of the choices are left to the generator", got)
	}
	l.learning = false
	if _, ok := l.Choose(1, 7, 3); ok {
		t.Error("a choice of an input that is not learned from is made")
	}
}
