package triage

import (
	"iter"
	"math"
	"parallax/cmd/internal/finding"
	"slices"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A sequential test decides whether a finding repeats. It ends with the first run that differs. The
// number of runs follows from the error rates below and the steadiness of the programs. syzkaller
// derives the number of its deflake runs in the same way.

const (
	// On an input, a program that decides by chance does the less frequent thing in at most half of
	// the runs. n equal runs then have a probability of at most 2^-n: 17 runs fail once in 131,000
	// candidates. A campaign has a few hundred.
	fewRuns = 17
	// missedRate is the probability that a wavering finding is missed on a wavering program.
	missedRate = 0.001
	mostRuns   = 500 // the error rate is higher for programs that waver on less than one input in 70
	// DeadlyRuns bounds the runs that each cost a process. With two earlier runs, these are 8: a
	// death by chance every second time is filed once in 256 candidates.
	DeadlyRuns = 6
	// processes is the number of fresh processes: one for the original input, the rest for the
	// filed.
	processes = 3
)

// runsFor returns the number of equal runs that an input needs.
func runsFor(s finding.Steadiness, costly bool) int {
	n := fewRuns
	for _, differed := range s.Differed {
		if differed == 0 || s.Again == 0 {
			continue
		}
		// Two runs differ with probability 2q(1-q), where q is that of the less frequent thing.
		q := min(0.5, float64(differed)/float64(s.Again)/2)
		n = max(n, int(math.Ceil(math.Log(missedRate)/math.Log(1-q))))
	}
	return min(n, maxRuns(costly))
}

// maxRuns bounds the runs of an input.
func maxRuns(costly bool) int {
	if costly {
		return max(fewRuns, mostRuns/slowBudgets)
	}
	return mostRuns
}

// Runs returns the number of runs per process for a kind of finding: one at a limit.
func (j *Triager) Runs(kind string) int {
	if kind == oracle.KindTimeout || kind == oracle.KindOOM {
		return 1
	}
	return (j.runs() + processes - 1) / processes
}

// AllRuns returns the number of all runs for a kind of finding, or 0 if no program wavers.
// Disagreements may be on inputs so rare that few were executed a second time. So a program that
// wavered on one candidate gets the most runs, unless they are costly.
func (j *Triager) AllRuns(kind string) int {
	s := j.steadiness()
	n := runsFor(s, j.Traits.CostlyInputs)
	if s.Wavered && !j.Traits.CostlyInputs {
		n = mostRuns
	}
	if n > fewRuns && kind != oracle.KindTimeout && kind != oracle.KindOOM {
		return n
	}
	return 0
}

// runs returns the number of runs that a finding needs.
func (j *Triager) runs() int { return runsFor(j.steadiness(), j.Traits.CostlyInputs) }

// steadiness returns the steadiness of the programs for the current candidate.
func (j *Triager) steadiness() finding.Steadiness {
	switch {
	case j.steadily != nil:
		return *j.steadily
	case j.Steadiness != nil:
		return j.Steadiness()
	}
	return finding.Steadiness{}
}

// steady runs the filed input in fresh processes, alone and between other inputs, whose traces may
// matter. It returns the zero Wavering for a finding that repeats.
func (j *Triager) steady(s *Replayer, f *Result, others [][]byte) (wavered Wavering, err error) {
	want := Observations(f.Results)
	// Deaths of neighbors in the same process do not count.
	n, deadly := j.Runs(f.Kind), f.deadly
	if deadly {
		n = min(n, DeadlyRuns/(processes-1))
	}
	if Disagrees(f.Kind) {
		defer s.leave(bystanders(j.Layers, f.Layer, f.Results))()
	} else {
		defer s.leave(j.dispensable(f))()
	}
	first := 1
	if f.Layer == oracle.CostLayer { // the filed input needs three first runs
		first = 0
	}
	for process := first; process < processes; process++ {
		s.Fresh()
		mixed := process == processes-1 && !deadly
		inputs := func(yield func([]byte) bool) {
			for k := range n {
				if mixed && len(others) > 0 && !yield(others[k%len(others)]) || !yield(f.Minimized) {
					return
				}
			}
		}
		run, k := s.RunAll, 0
		if deadly { // the rest of a batch would be wasted
			run = s.runOneByOne
		}
		err := run(inputs, f.flags, func(_ []byte, results []wire.RunResult) bool {
			if k++; mixed && len(others) > 0 && k%2 == 1 {
				return true
			}
			why := WhyRun
			switch {
			case mixed && len(others) > 0:
				why = WhyBetween
			case k == 1:
				why = WhyProcess
			}
			wavered = j.waver(f, want, results, why)
			return wavered == Wavering{}
		})
		if err != nil || wavered != (Wavering{}) {
			return wavered, err
		}
	}
	return Wavering{}, nil
}

// waver compares a run of a finding with its earlier observations.
func (j *Triager) waver(f *Result, want []oracle.Observation, results []wire.RunResult, why string) Wavering {
	now := Observations(results)
	w := waver(Differ(f.Aspect(), want, now), want, now, why)
	if w == (Wavering{}) && !f.dear(j.Layers, results) {
		return Wavering{Why: WhyCost}
	}
	return w
}

// runOneByOne does the work of RunAll without batches.
func (s *Replayer) runOneByOne(inputs iter.Seq[[]byte], flags uint64, use func(flat []byte, results []wire.RunResult) bool) error {
	for flat := range inputs {
		if results, err := s.Run(flat, flags); err != nil || !use(flat, results) {
			return err
		}
	}
	return nil
}

// repeat runs the original input again, in the process that has just confirmed it.
func (j *Triager) repeat(s *Replayer, f *Result, runs int) (wavered Wavering, err error) {
	want := Observations(f.Raw)
	defer s.leave(j.dispensable(f))()
	err = s.RunAll(slices.Values(slices.Repeat([][]byte{f.Flat}, max(0, runs))), f.flags, func(_ []byte, results []wire.RunResult) bool {
		wavered = j.waver(f, want, results, WhyRun)
		return wavered == Wavering{}
	})
	return wavered, err
}

// Differ returns the set of programs that differ in an aspect. They differ in outcome, in class
// except for limits, or in value in the layer of values. For a failure, only its program counts, or
// whether both of two programs fail. For a disagreement, failing programs and bystanders do not
// count.
func Differ(of Aspect, a, b []oracle.Observation) (programs uint64) {
	bystanders := oracle.Bystanders(allLayers, of.Layer, a)
	for p := range a {
		x, y := &a[p], &b[p]
		switch {
		case of.Layer != 0 && (x.Outcome >= oracle.Crashed || y.Outcome == 0 || bystanders>>p&1 != 0): // or left out
			continue
		case of.Failing != 0 && of != Fails(p):
			if len(a) == 2 && x.Outcome != 0 && y.Outcome != 0 && (x.Outcome >= oracle.Crashed) != (y.Outcome >= oracle.Crashed) {
				programs |= 1 << p
			}
			continue
		}
		// A run that reaches a limit stops at another place each time.
		if x.Outcome != y.Outcome || x.Outcome <= oracle.Crashed && x.Class != y.Class || of.Layer == oracle.ValueLayer && x.Value != y.Value {
			programs |= 1 << p
		}
	}
	return programs
}

// allLayers are the layers in which programs may disagree at the same time.
const allLayers = oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer
