package triage

import (
	"math"
	"parallax/cmd/internal/finding"
	"testing"

	"parallax/internal/oracle"
)

// TestRuns checks that steady programs cost a few runs, and wavering ones as many as it takes to
// see them waver again.
func TestRuns(t *testing.T) {
	for _, test := range []struct {
		steadiness finding.Steadiness
		costly     bool
		want       int
	}{
		{finding.Steadiness{}, false, fewRuns},
		{finding.Steadiness{Again: 300, Differed: []uint64{0, 0}}, false, fewRuns},
		{finding.Steadiness{Again: 0, Differed: []uint64{0, 3}}, false, fewRuns},
		{finding.Steadiness{Again: 300, Differed: []uint64{0, 150}}, false, 25},
		{finding.Steadiness{Again: 300, Differed: []uint64{300, 1}}, false, mostRuns},
		{finding.Steadiness{Again: 300, Differed: []uint64{0, 12}}, false, 342},
		{finding.Steadiness{Again: 300, Differed: []uint64{0, 12}}, true, mostRuns / slowBudgets},
	} {
		got := runsFor(test.steadiness, test.costly)
		if got != test.want {
			t.Errorf("%+v, costly %t: %d runs, want %d", test.steadiness, test.costly, got, test.want)
		}
		// The probabilities are those in the comments of the constants.
		for _, differed := range test.steadiness.Differed {
			q := float64(differed) / float64(max(1, test.steadiness.Again)) / 2
			if missed := math.Pow(1-q, float64(got)); got < mostRuns && !test.costly && test.steadiness.Again > 0 && differed > 0 && missed > missedRate {
				t.Errorf("%+v: missed with a probability of %g", test.steadiness, missed)
			}
		}
	}
	if p := math.Pow(2, -fewRuns); 1/p < 131_000 {
		t.Errorf("%d runs are wrong once in %g candidates", fewRuns, 1/p)
	}
	j := &Triager{Steadiness: func() finding.Steadiness { return finding.Steadiness{Again: 100, Differed: []uint64{50}} }}
	if n := j.Runs(finding.KindDiscrepancy); n*processes < 25 {
		t.Errorf("%d runs in each of %d processes", n, processes)
	}
	// A program wavered on a candidate alone. A disagreement in 49 of 50 runs is missed less than
	// once in 1000.
	j = &Triager{Steadiness: func() finding.Steadiness {
		return finding.Steadiness{Again: 46, Differed: []uint64{0, 0}, Wavered: true}
	}}
	if n := j.AllRuns(finding.KindDiscrepancy); math.Pow(0.98, float64(n)) > missedRate || j.Runs(finding.KindDiscrepancy)*processes > fewRuns+processes {
		t.Errorf("%d runs at the end, %d in each process before", n, j.Runs(finding.KindDiscrepancy))
	}
	if j.Traits.CostlyInputs = true; j.AllRuns(finding.KindDiscrepancy) != 0 {
		t.Errorf("%d costly runs", j.AllRuns(finding.KindDiscrepancy))
	}
	for _, kind := range []string{oracle.KindTimeout, oracle.KindOOM} {
		if n := j.Runs(kind); n != 1 {
			t.Errorf("%s: %d runs in each of %d processes", kind, n, processes)
		}
	}
}

func TestDiffer(t *testing.T) {
	a := []oracle.Observation{{Outcome: oracle.Accepted, Value: 1}, {Outcome: oracle.Rejected, Class: 1}, {Outcome: oracle.Timeout, Class: 1}}
	b := []oracle.Observation{{Outcome: oracle.Accepted, Value: 2}, {Outcome: oracle.Rejected, Class: 2}, {Outcome: oracle.Timeout, Class: 2}}
	for layer, want := range map[oracle.Layers]uint64{oracle.VerdictLayer: 2, oracle.ValueLayer: 3} {
		if got := Differ(Aspect{Layer: layer}, a, b); got != want {
			t.Errorf("%s: %b, want %b", layer, got, want)
		}
	}
	b[1].Outcome = oracle.Crashed
	if got := Differ(Aspect{Layer: oracle.VerdictLayer}, a, b); got != 2 {
		t.Errorf("%b", got)
	}
	for _, c := range []struct {
		of   Aspect
		a, b []oracle.Outcome
		want uint64
	}{
		{Fails(0), []oracle.Outcome{oracle.Crashed, oracle.Accepted, oracle.Accepted}, []oracle.Outcome{oracle.Crashed, oracle.Timeout, oracle.Rejected}, 0},
		{Fails(0), []oracle.Outcome{oracle.Crashed, oracle.Accepted, oracle.Accepted}, []oracle.Outcome{oracle.Timeout, oracle.Accepted, oracle.Accepted}, 1},
		{Fails(0), []oracle.Outcome{oracle.Crashed, oracle.Accepted}, []oracle.Outcome{oracle.Crashed, oracle.Rejected}, 0},
		{Fails(0), []oracle.Outcome{oracle.Crashed, oracle.Accepted}, []oracle.Outcome{oracle.Crashed, oracle.Crashed}, 2},
		{Aspect{Layer: oracle.VerdictLayer}, []oracle.Outcome{oracle.Crashed, oracle.Accepted, oracle.Rejected}, []oracle.Outcome{oracle.Accepted, oracle.Accepted, oracle.Rejected}, 0},
		{Aspect{Layer: oracle.VerdictLayer}, []oracle.Outcome{oracle.Accepted, oracle.Accepted, oracle.Rejected}, []oracle.Outcome{oracle.Crashed, oracle.Accepted, oracle.Rejected}, 1},
		{Aspect{}, []oracle.Outcome{oracle.Crashed, oracle.Accepted}, []oracle.Outcome{oracle.Crashed, oracle.Rejected}, 2},
	} {
		observed := func(list []oracle.Outcome) (obs []oracle.Observation) {
			for _, o := range list {
				obs = append(obs, oracle.Observation{Outcome: o})
			}
			return obs
		}
		if got := Differ(c.of, observed(c.a), observed(c.b)); got != c.want {
			t.Errorf("%+v of %v and %v: %b, want %b", c.of, c.a, c.b, got, c.want)
		}
	}
}

// TestMismatch checks that programs that the worker did not run do not differ, and that only the
// outcome of a failure counts.
func TestMismatch(t *testing.T) {
	fresh := []oracle.Observation{{Outcome: oracle.Crashed, Class: 1}, {Outcome: oracle.Crashed, Class: 2}}
	for _, c := range []struct {
		seen []oracle.Observation
		want uint64
	}{
		{[]oracle.Observation{{Outcome: oracle.Crashed, Class: 9}, {}}, 0},
		{[]oracle.Observation{{Outcome: oracle.Accepted}, {}}, 1},
		{[]oracle.Observation{{Outcome: oracle.Crashed}, {Outcome: oracle.Timeout}}, 2},
	} {
		if got := mismatch(Aspect{}, c.seen, fresh); got != c.want {
			t.Errorf("%v: %b, want %b", c.seen, got, c.want)
		}
	}
}

// TestSteadyRuns checks that a discrepancy runs as often as its programs need, in one process
// between other inputs, also if neighbors ended processes. Deadly inputs run less: each run costs a
// process.
func TestSteadyRuns(t *testing.T) {
	j := newTriager(t)
	j.Steadiness = func() finding.Steadiness { return finding.Steadiness{Again: 300, Differed: []uint64{0, 150}} } // 25 runs, 9 in each process
	for _, test := range []struct {
		input  string
		deadly bool
		runs   int
	}{
		{"300", false, 9 + 2*9}, // with as many others in the last process
		{"a:exit 3", true, DeadlyRuns},
	} {
		s := j.Replayer()
		f, _, err := j.confirm(s, finding.Candidate{Flat: []byte(test.input)})
		if err != nil || f == nil || f.deadly != test.deadly {
			t.Fatalf("%s: %+v, %v", test.input, f, err)
		}
		f.Results, f.Minimized = f.Raw, f.Flat
		s.Deaths++ // a relative's
		before := s.Runs
		wavered, err := j.steady(s, f, [][]byte{[]byte("12")})
		if err != nil || wavered != (Wavering{}) || s.Runs-before != test.runs {
			t.Errorf("%s: %d runs, want %d; %v wavered, %v", test.input, s.Runs-before, test.runs, wavered, err)
		}
		s.Close()
	}
	if p := math.Pow(2, DeadlyRuns+2); p != 256 {
		t.Errorf("deadly inputs are filed once in %g", p)
	}
}
