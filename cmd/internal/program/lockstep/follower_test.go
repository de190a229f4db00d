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

// TestFollowerInputs checks the inputs of a program that runs after another. It gets those on which
// the other executed a block or did not end. It also gets some of the rest, in order, within its
// share. It is not observed on the others.
func TestFollowerInputs(t *testing.T) {
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
	ran, inputs, untouched, left, other := 0, 0, 0, 0, 0
	for round := range 200 {
		var batch []string
		for i := range 1 + r.IntN(40) {
			batch = append(batch, fmt.Sprint(string("abcdx"[r.IntN(5)]), round, i))
		}
		want := 0
		for i, j := range runAll(t, l, batch...) {
			in, old := batch[i], j.Obs[0]
			inputs++
			if in[0] == 'a' || in[0] == 'c' {
				if untouched++; old.Outcome == 0 {
					left++
				}
			} else if old.Outcome == 0 {
				other++
			}
			if old.Outcome == 0 {
				if old != (oracle.Observation{}) || len(j.Traces[0].Hits) > 0 || j.Traces[0].Length != 0 {
					t.Fatalf("%q, on which it did not run: %+v", in, j)
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
	if n := untouched - untouchedAlways; left < n*8/10 || left == untouched || other > inputs/2 {
		t.Errorf("%d of %d that touch nothing, and %d of %d others, were left out", left, untouched, other, inputs-untouched)
	}
	if old := inputs - left - other; old*10 > (inputs+old)*tenths {
		t.Errorf("it ran on %d of %d inputs", old, inputs)
	}
	details, err := l.Detail(flats("a", "b"), wire.WantDetail)
	if err != nil || details[0][0].Rendered != "a" || details[1][0].Rendered != "b" {
		t.Errorf("in detail: %+v, %v", details, err)
	}
}

// letter is echo with the first letter as its value.
func letter(ctx context.Context, in []byte, o *program.Observation) error {
	err := echo(ctx, in, o)
	o.Value = o.Value[:min(len(in), 1)]
	return err
}

// differing returns letter, with another value once *differ is set.
func differing(differ *bool) func(context.Context, []byte, *program.Observation) error {
	return func(ctx context.Context, in []byte, o *program.Observation) error {
		err := letter(ctx, in, o)
		if *differ {
			o.Value = append(o.Value, '!')
		}
		return err
	}
}

// TestAfterAgreed checks that after enough agreements on a path, one input in four of that path is
// run, and all again after a disagreement. Inputs that come again are chosen in another period.
func TestAfterAgreed(t *testing.T) {
	differ := false
	old := &scripted{features: 26, batch: 64, run: differing(&differ)}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{0}}}}}
	l := processOf(t, spec, &scripted{features: 26, batch: 64, run: letter}, old)
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
	once := 0
	for range 40 * oneInPeriod {
		once += ran(3000, 1)
	}
	if once == 0 || once == 40*oneInPeriod {
		t.Errorf("an input that came %d times was run %d times", 40*oneInPeriod, once)
	}
	differ = true
	for i := 0; ran(5000+i, 1) == 0; i++ {
	}
	if n := ran(6000, 100); n != 100 {
		t.Errorf("%d of 100 while they differ", n)
	}
}

// TestAfterResult checks that an input with a new result of the leader is run, although the
// programs have agreed on its path.
func TestAfterResult(t *testing.T) {
	value := func(changed string) func(context.Context, []byte, *program.Observation) error {
		return func(_ context.Context, in []byte, o *program.Observation) error {
			o.Outcome, o.Value = oracle.Accepted, append(o.Value, '0')
			o.Features, o.Counts = append(o.Features, 0), append(o.Counts, 1)
			if len(in) == 2 { // an entry of a table
				o.Value = append(o.Value, in...)
				if string(in) == "gb" {
					o.Value = append(o.Value, changed...)
				}
			}
			return nil
		}
	}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{0}}}}}
	l := processOf(t, spec, &scripted{features: 26, batch: 64, run: value("2")}, &scripted{features: 26, batch: 64, run: value("1")})
	for i := range 1000 {
		runAll(t, l, fmt.Sprint("no unit", i))
	}
	for _, in := range []string{"kb", "mb", "gb", "tb"} {
		if j := runAll(t, l, in)[0]; j.Obs[1].Outcome == 0 || (j.Obs[0].Value == j.Obs[1].Value) != (in != "gb") {
			t.Errorf("%q: %+v", in, j.Obs)
		}
	}
}

// TestAfterUntouched checks that all inputs count as touched after a disagreement on an untouched
// one, or if a block was executed before the first input.
func TestAfterUntouched(t *testing.T) {
	for _, started := range []bool{false, true} {
		lead := &starter{scripted: &scripted{features: 26, batch: 64, run: letter}}
		if started {
			lead.before = []uint32{2, 5}
		}
		differ := false
		old := &scripted{features: 26, batch: 64, run: differing(&differ)}
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

// starter is scripted with blocks executed before the first input.
type starter struct {
	*scripted
	before []uint32
}

func (s *starter) Before() []uint32 { return s.before }

// TestAfterNeedsLeader checks that a program can only run after one that runs on every input.
func TestAfterNeedsLeader(t *testing.T) {
	for _, after := range []*After{{Program: 0}, {Program: 1}, {Program: 3}, {Program: -1}} {
		spec := &Spec{MaxFlat: 10, Programs: []Program{{Name: "a", After: &After{Program: 2}}, {Name: "b", After: after}, {Name: "c"}}}
		l := &lockstep{spec: spec}
		if err := l.followAll(); err == nil {
			t.Errorf("a program after %d", after.Program)
		}
	}
}

// TestAfterNovel checks that new executions of impacted blocks have priority if every input takes a
// new path, and that the share holds.
func TestAfterNovel(t *testing.T) {
	lead := func(ctx context.Context, in []byte, o *program.Observation) error {
		o.Outcome = oracle.Accepted
		n, rare := int(in[0])<<8|int(in[1]), in[2]
		for bit := range 14 {
			if n>>bit&1 != 0 {
				o.Features, o.Counts = append(o.Features, uint32(bit)), append(o.Counts, 1)
			}
		}
		o.Features, o.Counts = append(o.Features, 20), append(o.Counts, 1) // it holds the change
		if rare != 0 {
			o.Features, o.Counts = append(o.Features, 21+uint32(rare)), append(o.Counts, 1)
		}
		return nil
	}
	old := &scripted{features: 300, batch: 64, run: lead}
	impacted := []uint32{20}
	for b := uint32(21); b < 300; b++ {
		impacted = append(impacted, b)
	}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{20}, Impacted: impacted}}}}
	l := processOf(t, spec, &scripted{features: 300, batch: 64, run: lead}, old)
	rare, ran, inputs := byte(0), 0, 0
	for round := range 250 {
		var batch []string
		for i := range 64 {
			n := round*64 + i
			in := []byte{byte(n >> 8), byte(n), 0}
			if n%100 == 99 && rare < 250 {
				rare++
				in[2] = rare
			}
			batch = append(batch, string(in))
		}
		for i, j := range runAll(t, l, batch...) {
			if inputs++; j.Obs[1].Outcome != 0 {
				ran++
			} else if batch[i][2] != 0 {
				t.Errorf("the first input to execute block %d was left out", 21+batch[i][2])
			}
			if all := inputs + ran; i == len(batch)-1 && all >= whole && ran*10 > all*tenths {
				t.Fatalf("%d of %d executions", ran, all)
			}
		}
	}
	if ran*100 < (inputs+ran)*29 {
		t.Errorf("%d of %d executions, where all inputs take a path of their own", ran, inputs+ran)
	}
}

// TestAfterGiven checks that the program runs on all given inputs, whatever ran before, and that
// they do not count for its share.
func TestAfterGiven(t *testing.T) {
	old := &scripted{features: 26, batch: 64, run: letter}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100, Programs: []Program{{Name: "new"}, {Name: "old", After: &After{Program: 0, Blocks: []uint32{0}}}}}
	l := processOf(t, spec, &scripted{features: 26, batch: 64, run: letter}, old)
	mutants := func() (ran int) {
		for i := range 2000 {
			before := len(old.sizes)
			runAll(t, l, fmt.Sprint("a", i))
			ran += len(old.sizes) - before
		}
		return ran
	}
	before := mutants()
	for i := range 1000 {
		in := flats(fmt.Sprint("a", i), fmt.Sprint("b", i)) // one touches the change
		all := joints(2, 2)
		if ok, err := l.RunAll(in, all, true); !ok || err != nil {
			t.Fatal(ok, err)
		}
		for k := range in {
			if all[k].Obs[1].Outcome == 0 {
				t.Fatalf("it did not run on %q", in[k])
			}
		}
	}
	if after := mutants(); after > before {
		t.Errorf("%d mutants before and %d after given inputs", before, after)
	}
}
