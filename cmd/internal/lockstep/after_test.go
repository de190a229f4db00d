package lockstep

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A program that runs after another is given the inputs for which that one executed a block, or did not come to an end, and part of the others, in
// their order. Nothing is observed of it on what is left.
func TestAfter(t *testing.T) {
	leads := func(ctx context.Context, in []byte, o *program.Observation) error {
		if in[0] == 'x' {
			o.Outcome, o.Message = oracle.Crashed, "no x"
			return nil
		}
		err := echo(ctx, in, o)
		if in[0] == 'b' || in[0] == 'd' {
			o.Value = append(o.Value, '!') // they never agree
		}
		return err
	}
	follower := &scripted{features: 26, batch: 64, run: echo}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{
		{Name: "old", After: &After{Program: 1, Blocks: []uint32{26 + 'b' - 'a', 26 + 'd' - 'a'}}}, {Name: "new"},
	}}
	l := processOf(t, spec, follower, &scripted{features: 26, batch: 64, run: leads})
	r := rand.New(rand.NewPCG(3, 4))
	ran, untouched, left := 0, 0, 0
	for round := range 100 {
		var inputs []string
		for i := range 1 + r.IntN(40) {
			inputs = append(inputs, fmt.Sprint(string("abcdx"[r.IntN(5)]), round, i))
		}
		want := 0
		for i, j := range runAll(t, l, inputs...) {
			in, old := inputs[i], j.Obs[0]
			if in[0] == 'a' || in[0] == 'c' {
				untouched++
			}
			if (in[0] == 'a' || in[0] == 'c') && untouched > untouchedAlways && !oneIn(untouchedPart, []byte(in)) {
				left++
				if old != (oracle.Observation{}) || len(j.Traces[0].Hits) > 0 || j.Traces[0].Length != 0 {
					t.Fatalf("%q, which touches nothing: %+v", in, j)
				}
				continue
			}
			want++
			if old.Outcome != oracle.Accepted || old.Value != hash(in) || len(j.Traces[0].Hits) != 1 || j.Traces[0].Hits[0] != uint32(in[0]-'a') {
				t.Fatalf("%q: %+v", in, j)
			}
		}
		for _, n := range follower.sizes[ran:] {
			want -= n
		}
		if ran = len(follower.sizes); want != 0 {
			t.Fatalf("round %d: %d more or fewer were run", round, want)
		}
	}
	if n := untouched - untouchedAlways; left < n*8/10 || left == n {
		t.Errorf("%d of %d were left out", left, untouched)
	}
	details, err := l.Detail(flats("a", "b"), wire.WantDetail)
	if err != nil || details[0][0].Rendered != "a" || details[1][0].Rendered != "b" {
		t.Errorf("in detail: %+v, %v", details, err)
	}
}

// Where both have agreed on a path often enough, one input in four of that path is run, and all again after one on which they do not agree.
func TestAfterAgreed(t *testing.T) {
	differ := false
	old := &scripted{features: 26, batch: 64, run: func(ctx context.Context, in []byte, o *program.Observation) error {
		err := echo(ctx, in, o)
		if differ {
			o.Value = append(o.Value, '!')
		}
		return err
	}}
	constant := func(ctx context.Context, in []byte, o *program.Observation) error { return echo(ctx, in, o) }
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{0}}}}}
	l := processOf(t, spec, &scripted{features: 26, batch: 64, run: constant}, old)
	ran := func(from, n int) (all int) {
		for i := range n {
			before := len(old.sizes)
			runAll(t, l, fmt.Sprint("a", from+i))
			all += len(old.sizes) - before
		}
		return all
	}
	if n := ran(0, followAlways); n != followAlways {
		t.Errorf("%d of the first %d", n, followAlways)
	}
	again := ran(1000, 1000)
	if again < 200 || again > 300 {
		t.Errorf("%d of 1000 that follow", again)
	}
	if n := ran(1000, 1000); n != again {
		t.Errorf("%d where %d of the same inputs were run before", n, again)
	}
	differ = true
	for i := 0; ran(5000+i, 1) == 0; i++ {
	}
	if n := ran(6000, 100); n != 100 {
		t.Errorf("%d of 100 while they differ", n)
	}
}

// All inputs count as touched once the programs disagree on one that was not, or if a block was executed before the first input.
func TestAfterUntouched(t *testing.T) {
	for _, started := range []bool{false, true} {
		lead := &starter{scripted: &scripted{features: 26, batch: 64, run: echo}}
		if started {
			lead.before = []uint32{2, 5}
		}
		differ := false
		old := &scripted{features: 26, batch: 64, run: func(ctx context.Context, in []byte, o *program.Observation) error {
			err := echo(ctx, in, o)
			if differ {
				o.Value = append(o.Value, '!')
			}
			return err
		}}
		spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{5}}}}}
		l := processOf(t, spec, lead, old)
		if before := l.target.Before; len(before) != len(lead.before) {
			t.Errorf("executed before the first input: %v", before)
		}
		next := 0
		ran := func(n int) (all int) {
			for range n {
				before := len(old.sizes)
				runAll(t, l, fmt.Sprint("a", next))
				next++
				all += len(old.sizes) - before
			}
			return all
		}
		want := untouchedAlways + 1000/untouchedPart
		if started {
			want = followAlways + (untouchedAlways+1000)/followPart
		}
		if n := ran(untouchedAlways + 1000); n < want-60 || n > want+60 {
			t.Errorf("%d of the inputs, want about %d", n, want)
		}
		differ = true
		for ran(1) == 0 {
		}
		if n := ran(100); n != 100 {
			t.Errorf("%d of 100 while they differ", n)
		}
	}
}

// starter is scripted with blocks that were executed before the first input.
type starter struct {
	*scripted
	before []uint32
}

func (s *starter) Before() []uint32 { return s.before }

// A program can run after one that runs on every input, and no other.
func TestAfterNone(t *testing.T) {
	for _, after := range []*After{{Program: 0}, {Program: 1}, {Program: 3}, {Program: -1}} {
		spec := &Spec{MaxFlat: 10, Programs: []Program{{Name: "a", After: &After{Program: 2}}, {Name: "b", After: after}, {Name: "c"}}}
		l := &lockstep{spec: spec}
		if err := l.followAll(); err == nil {
			t.Errorf("a program after %d", after.Program)
		}
	}
}
