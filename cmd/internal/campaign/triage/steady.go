package triage

import (
	"iter"
	"math"
	"slices"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Whether a finding repeats. This is a sequential test: it ends with the first run that shows something else, and the number of runs
// that must show the same follows from the rates of error below and from how steady the programs were seen to be. syzkaller derives
// the number of its deflake runs in the same way.

const (
	// A program that decides by chance does, on an input, the less frequent of two things at most every second time. So n runs that
	// all show it have a probability of 2^-n at most: 17 runs are wrong once in 131,000 candidates. A campaign looks at a few hundred.
	fewRuns = 17
	// Where a program was seen to waver on a share of all inputs, a finding needs so many runs that it would have wavered here, too:
	// missedRate is how often that is missed.
	missedRate = 0.001
	mostRuns   = 500 // for programs that waver on less than one input in 70, the rate of error is larger
	// Each run of what ends its process costs a process. With the one that confirmed it, and the one before it was minimized, these are 8
	// runs: a program that ends its process every second time by chance is filed once in 256 candidates.
	DeadlyRuns = 6
	// The runs are made in so many fresh processes: one for the input as it was found, and the others for the input that is filed.
	processes = 3
)

// Steadiness is what a campaign knows of its programs from inputs that it executed a second time.
type Steadiness struct {
	Again    uint64   `json:"again"`    // inputs executed a second time
	Differed []uint64 `json:"differed"` // for each program: those of them on which it did otherwise
	// Wavered says that a program did otherwise on a candidate. How often it does is not known of that, and not whether the candidate
	// was the rule or the exception.
	Wavered bool `json:"-"`
}

// runs is how many runs of an input must show the same.
func (s Steadiness) runs(costly bool) int {
	n := fewRuns
	for _, differed := range s.Differed {
		if differed == 0 || s.Again == 0 {
			continue
		}
		// Two runs differ with a probability of 2q(1-q) where one run does the less frequent thing with q: q is half of it at least.
		q := min(0.5, float64(differed)/float64(s.Again)/2)
		n = max(n, int(math.Ceil(math.Log(missedRate)/math.Log(1-q))))
	}
	return min(n, most(costly))
}

// most bounds the runs of an input.
func most(costly bool) int {
	if costly {
		return max(fewRuns, mostRuns/slowBudgets)
	}
	return mostRuns
}

// Runs is the number of runs that a kind of finding needs in each process: one where each takes all the time or memory that a program
// may use.
func (j *Triager) Runs(kind string) int {
	if kind == oracle.KindTimeout || kind == oracle.KindOOM {
		return 1
	}
	return (j.runs() + processes - 1) / processes
}

// AllRuns is the number of runs that a kind of finding needs in all, if the programs were seen to waver: those that were made before that was
// seen say little. It is 0 if they were not.
//
// A disagreement may be what a program does nearly always, on inputs so rare that few of them were executed a second time. Candidates are
// of such inputs more than others are: a program that did otherwise on one is run as often as any, unless each run is costly.
func (j *Triager) AllRuns(kind string) int {
	s := j.steadiness()
	n := s.runs(j.Traits.CostlyInputs)
	if s.Wavered && !j.Traits.CostlyInputs {
		n = mostRuns
	}
	if n > fewRuns && kind != oracle.KindTimeout && kind != oracle.KindOOM {
		return n
	}
	return 0
}

// runs is the number of runs that a finding needs, by what is known of the programs.
func (j *Triager) runs() int { return j.steadiness().runs(j.Traits.CostlyInputs) }

// steadiness is what is known of the programs.
func (j *Triager) steadiness() Steadiness {
	switch {
	case j.steadily != nil:
		return *j.steadily
	case j.Steadiness != nil:
		return j.Steadiness()
	}
	return Steadiness{}
}

// steady runs the input that is to be filed in fresh processes: as often as it needs alone, and as often between other inputs, since
// what they leave behind may show. It returns how the programs wavered: in no way for a finding that repeats.
func (j *Triager) steady(s *Replayer, f *Finding, others [][]byte) (wavered Wavering, err error) {
	want := Observations(f.Results)
	// What relatives of the input did while it was located and minimized in the same process says nothing of it.
	n, deadly := j.Runs(f.Kind), f.deadly
	if deadly {
		n = min(n, DeadlyRuns/(processes-1))
	}
	if Disagrees(f.Kind) {
		defer s.leave(bystanders(j.Layers, f.Layer, f.Results))()
	} else {
		defer s.leave(j.beside(f))()
	}
	first := 1
	if f.Layer == oracle.CostLayer { // the input that is filed, and not the one that was found, in three
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
		if deadly { // others in the same batch would be run in vain
			run = s.runEach
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

// waver compares a run of a finding with what it has shown.
func (j *Triager) waver(f *Finding, want []oracle.Observation, results []wire.RunResult, why string) Wavering {
	now := Observations(results)
	w := waver(Differ(f.Aspect(), want, now), want, now, why)
	if w == (Wavering{}) && !f.dear(j.Layers, results) {
		return Wavering{Why: WhyCost}
	}
	return w
}

// runEach is RunAll with one input at a time.
func (s *Replayer) runEach(inputs iter.Seq[[]byte], flags uint64, use func(flat []byte, results []wire.RunResult) bool) error {
	for flat := range inputs {
		if results, err := s.Run(flat, flags); err != nil || !use(flat, results) {
			return err
		}
	}
	return nil
}

// repeat runs the input as it was found again, in the process that has just shown what it does.
func (j *Triager) repeat(s *Replayer, f *Finding, runs int) (wavered Wavering, err error) {
	want := Observations(f.Raw)
	defer s.leave(j.beside(f))()
	err = s.RunAll(slices.Values(slices.Repeat([][]byte{f.Flat}, max(0, runs))), f.flags, func(_ []byte, results []wire.RunResult) bool {
		wavered = j.waver(f, want, results, WhyRun)
		return wavered == Wavering{}
	})
	return wavered, err
}

// Differ is the set of programs that showed something else of an aspect: another outcome, another class but for limits, or another value
// where values are what disagrees. What the others do is no part of a failure, but for one thing: of two programs, whether both fail. Nor is
// what a program does that failed part of a disagreement, or what one does that has no part in the layer. Of the zero Aspect, all is part.
func Differ(of Aspect, a, b []oracle.Observation) (programs uint64) {
	beside := oracle.Bystanders(allLayers, of.Layer, a)
	for p := range a {
		x, y := &a[p], &b[p]
		switch {
		case of.Layer != 0 && (x.Outcome >= oracle.Crashed || y.Outcome == 0 || beside>>p&1 != 0): // or it is left out
			continue
		case of.Failing != 0 && of != Fails(p):
			if len(a) == 2 && x.Outcome != 0 && y.Outcome != 0 && (x.Outcome >= oracle.Crashed) != (y.Outcome >= oracle.Crashed) {
				programs |= 1 << p
			}
			continue
		}
		// Where a run was when it had no more time or memory is another place each time.
		if x.Outcome != y.Outcome || x.Outcome <= oracle.Crashed && x.Class != y.Class || of.Layer == oracle.ValueLayer && x.Value != y.Value {
			programs |= 1 << p
		}
	}
	return programs
}

// allLayers are those of which programs may disagree in several.
const allLayers = oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer

// alike reports whether two executions of an input showed the same.
func alike(of Aspect, a, b []oracle.Observation) bool { return Differ(of, a, b) == 0 }
