package triage

import (
	"context"
	"parallax/cmd/internal/finding"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestMain(m *testing.M) { workertest.Main(m) }

// newTriager returns a triager of the victim's programs.
func newTriager(t *testing.T) *Triager {
	t.Helper()
	space := &flow.Space{Tested: func(function string) bool { return strings.HasPrefix(function, workertest.Subject) }}
	space.Add(workertest.Table(t), 0, 1)
	return &Triager{
		Computed: places{},
		Spec: execute.Spec{
			Binary: workertest.Build(t, true), Dir: t.TempDir(), MaxFlat: 4096, Timeout: time.Minute, Memory: 2 << 30,
		},
		Shape: input.Shape{input.Bytes}, Names: []string{"a", "b"}, Layers: oracle.VerdictLayer | oracle.ValueLayer,
		Space: space,
	}
}

func triaged(t *testing.T, j *Triager, c finding.Candidate) *Result {
	t.Helper()
	f, _, err := j.Triage(context.Background(), c)
	if err != nil {
		t.Fatalf("%q: %v", c.Flat, err)
	}
	return f
}

func TestTriageDiscrepancy(t *testing.T) {
	j := newTriager(t)
	buckets := map[string]bool{}
	for _, text := range []string{"300", "98765432101234567890", "0000000000000300"} {
		f := triaged(t, j, finding.Candidate{Flat: []byte(text), Parent: []byte("30"), Layer: oracle.VerdictLayer})
		if f == nil {
			t.Fatalf("%q is called flaky", text)
		}
		if f.Kind != finding.KindDiscrepancy || f.Layer != oracle.VerdictLayer || string(f.Flat) != text || f.Runs == 0 {
			t.Errorf("%q: %+v", text, f)
		}
		if len(f.Minimized) != 3 || !slices.Equal(outcomes(f.Results), []string{"accepted", "rejected"}) ||
			f.Results[1].Error != "too large for a byte" || f.Raw[1].Class != f.Results[1].Class {
			t.Errorf("%q: minimized to %q: %v %q", text, f.Minimized, outcomes(f.Results), f.Results[1].Error)
		}
		if again := triaged(t, j, finding.Candidate{Flat: []byte(text), Parent: []byte("30"), Layer: oracle.VerdictLayer}); !sameFinding(f, again) {
			t.Errorf("%q: triaged again: %+v, want %+v", text, again, f)
		}
		buckets[f.Bucket] = true
	}
	if len(buckets) != 1 {
		t.Errorf("%d buckets of one cause", len(buckets))
	}
}

// sameFinding compares findings without stacks, which hold addresses.
func sameFinding(a, b *Result) bool {
	strip := func(f Result) Result {
		for _, list := range []*[]wire.RunResult{&f.Raw, &f.Results} {
			*list = slices.Clone(*list)
			for i := range *list {
				(*list)[i].Stack = ""
			}
		}
		return f
	}
	return b != nil && reflect.DeepEqual(strip(*a), strip(*b))
}

// allSaturated saturates all buckets.
type allSaturated struct{ asked string }

func (k *allSaturated) Saturated(bucket string) bool { k.asked = bucket; return true }
func (*allSaturated) AnySaturated() bool             { return true }
func (*allSaturated) AcceptedVariant(string) bool    { return false }
func (*allSaturated) Shared(_, _ string, _ bool) int { return 0 }

// TestTriageEnough checks that a saturated bucket costs no more than locating.
func TestTriageEnough(t *testing.T) {
	j := newTriager(t)
	c := finding.Candidate{Flat: []byte("300000"), Layer: oracle.VerdictLayer}
	full := triaged(t, j, c)
	known := &allSaturated{}
	j.Known = known
	f := triaged(t, j, c)
	if f == nil || f.Results != nil || string(f.Minimized) != "300000" || f.Bucket != full.Before || known.asked != full.Before || f.Runs >= full.Runs {
		t.Errorf("%+v; asked for %s, want %s", f, known.asked, full.Before)
	}
}

// TestTriageStop checks that stopping leaves the input as it is.
func TestTriageStop(t *testing.T) {
	j := newTriager(t)
	j.Stop = func() bool { return true }
	f := triaged(t, j, finding.Candidate{Flat: []byte("300000"), Layer: oracle.VerdictLayer})
	if f == nil || string(f.Minimized) != "300000" || f.Bucket == "" || f.Results == nil {
		t.Errorf("%+v", f)
	}
}

func TestFlaky(t *testing.T) {
	j := newTriager(t)
	// The observations are those of another process.
	s := j.Replayer()
	other, err := s.Run([]byte("a:process"), 0)
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		c    finding.Candidate
	}{
		{"agrees now", finding.Candidate{Flat: []byte("12"), Layer: oracle.VerdictLayer}},
		{"disagrees in another layer", finding.Candidate{Flat: []byte("300"), Layer: oracle.ValueLayer}},
		{"does not crash now", finding.Candidate{Flat: []byte("12")}},
		{"depends on what ran before", finding.Candidate{Flat: []byte("a:count"), Layer: oracle.ValueLayer}},
		{"depends on the process", finding.Candidate{Flat: []byte("a:process"), Layer: oracle.ValueLayer, Seen: Observations(other)}},
		{"nothing deadly", finding.Candidate{Flat: []byte("12"), Deadly: true, Before: [][]byte{[]byte("13"), []byte("300")}}},
	}
	for _, test := range tests {
		if f := triaged(t, j, test.c); f != nil {
			t.Errorf("%s: a finding: %s %v %v", test.name, f.Kind, f.Layer, outcomes(f.Raw))
		}
	}
}

// TestGoneCandidate checks that a candidate of other programs that no run shows is gone, and is not
// compared with their observations.
func TestGoneCandidate(t *testing.T) {
	j := newTriager(t)
	j.Code = "new"
	disagreed := []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected}}
	agreed := []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Accepted}}
	for _, test := range []struct {
		name        string
		c           finding.Candidate
		found, gone bool // for candidates of other programs; those of the same are flaky
	}{
		{"agrees now", finding.Candidate{Flat: []byte("12"), Layer: oracle.VerdictLayer, Seen: disagreed}, false, true},
		{"does not crash now", finding.Candidate{Flat: []byte("12"), Failing: 1, Seen: []oracle.Observation{{Outcome: oracle.Crashed}, {}}}, false, true},
		{"nothing deadly", finding.Candidate{Flat: []byte("12"), Deadly: true}, false, true},
		{"shows in another way", finding.Candidate{Flat: []byte("300"), Layer: oracle.VerdictLayer, Seen: agreed}, true, false},
		{"depends on what ran before", finding.Candidate{Flat: []byte("a:count"), Layer: oracle.ValueLayer}, false, false},
	} {
		for _, code := range []string{"", "old", "new"} {
			test.c.Code = code
			f, wavered, err := j.Triage(t.Context(), test.c)
			if err != nil || (f != nil) != (test.found && code != "new") || wavered.Gone != (test.gone && code != "new") {
				t.Errorf("%s, by %q: finding %v, gone %v, error %v", test.name, code, f != nil, wavered.Gone, err)
			}
		}
	}
}

func TestTriageCrash(t *testing.T) {
	j := newTriager(t)
	tests := []struct {
		input   string
		small   string // empty means any that shows the same
		program int
		message string
	}{
		{"a:panic some words", "", 0, "as told: some words"},
		{"xxbxx:panic some words", "b:panic some words", 1, "as told: some words"},
		{"ba:nil", "", 0, "invalid memory address"},
		{"bb:error", "b:error", 1, "in Error"},
	}
	for _, test := range tests {
		f := triaged(t, j, finding.Candidate{Flat: []byte(test.input)})
		if f == nil {
			t.Fatalf("%q is called flaky", test.input)
		}
		if f.Kind != oracle.KindCrash || f.Layer != 0 || f.Program != test.program || !strings.Contains(f.Crash.Message, test.message) {
			t.Errorf("%q: %s in program %d: %q", test.input, f.Kind, f.Program, f.Crash.Message)
		}
		if test.small != "" && string(f.Minimized) != test.small || len(f.Minimized) > len(test.input) {
			t.Errorf("%q: minimized to %q, want %q", test.input, f.Minimized, test.small)
		}
		if f.Results[f.Program].Class != f.Raw[f.Program].Class || !slices.Equal(f.Deciding, []int{None, None}) {
			t.Errorf("%q: the class has changed, or a block decides: %v", test.input, f.Deciding)
		}
		frames := ""
		for _, frame := range f.Crash.Frames {
			frames += frame.Func + " "
		}
		if !strings.Contains(frames, workertest.Subject+".") {
			t.Errorf("%q: frames %s", test.input, frames)
		}
	}
}

// TestTriageBothFail checks that failures of both programs are two findings, deadly or not, and
// none is flaky.
func TestTriageBothFail(t *testing.T) {
	j := newTriager(t)
	buckets := map[string]bool{}
	for _, input := range []string{"ab:panic some words", "ab:exit 3"} {
		for program := range 2 {
			f := triaged(t, j, finding.Candidate{Flat: []byte(input), Failing: 1 + program, Deadly: input == "ab:exit 3"})
			if f == nil {
				t.Fatalf("%q: the failure of program %d is called flaky", input, program)
			}
			if f.Program != program || f.Kind != oracle.KindCrash || !fails(&f.Results[program]) || buckets[f.Bucket] {
				t.Errorf("%q: %s of program %d in bucket %s", input, f.Kind, f.Program, f.Bucket)
			}
			buckets[f.Bucket] = true
		}
	}
	if f := triaged(t, j, finding.Candidate{Flat: []byte("a:panic some words"), Failing: 2}); f != nil {
		t.Errorf("program %d fails, and not 1", f.Program)
	}
}

func TestTriageDeadly(t *testing.T) {
	j := newTriager(t)
	before := [][]byte{[]byte("300"), []byte("a:later boom"), []byte("b:echo")}
	tests := []struct {
		name    string
		c       finding.Candidate
		culprit string
		program int
		message string
	}{
		{"ends the process", finding.Candidate{Flat: []byte("b:exit 3"), Deadly: true, Before: before}, "b:exit 3", 1, "the program ended its process: exit status"},
		{"left something before", finding.Candidate{Flat: []byte("12"), Deadly: true, Before: before}, "a:later boom", 0, "later: boom"},
		{"left something itself", finding.Candidate{Flat: []byte("xb:later boom"), Deadly: true}, "xb:later boom", 1, "later: boom"},
	}
	for _, test := range tests {
		f := triaged(t, j, test.c)
		if f == nil {
			t.Fatalf("%s: called flaky", test.name)
		}
		if f.Kind != oracle.KindCrash || string(f.Flat) != test.culprit || f.Program != test.program || !strings.Contains(f.Results[f.Program].Panic, test.message) {
			t.Errorf("%s: %s by %q in program %d: %q", test.name, f.Kind, f.Flat, f.Program, f.Results[f.Program].Panic)
		}
		if f.Runs > deadlyBudget+10+DeadlyRuns || len(f.Minimized) > len(f.Flat) || f.Results[f.Program].Class != f.Raw[f.Program].Class {
			t.Errorf("%s: minimized to %q in %d runs", test.name, f.Minimized, f.Runs)
		}
	}
}

// TestTriageTimeout checks that a timeout is confirmed and not minimized: each run takes the whole
// limit.
func TestTriageTimeout(t *testing.T) {
	j := newTriager(t)
	j.Spec.Timeout = time.Second
	f := triaged(t, j, finding.Candidate{Flat: []byte("bbb:loop"), Deadly: true})
	if f == nil || f.Kind != oracle.KindTimeout || f.Program != 1 || string(f.Minimized) != "bbb:loop" || f.Runs > 3 {
		t.Fatalf("%+v", f)
	}
	if f.Results[1].Panic != "still running after 1s" || len(f.Crash.Frames) == 0 {
		t.Errorf("%q, frames %v", f.Results[1].Panic, f.Crash.Frames)
	}
}

// TestLoopWithoutLine checks that a short loop, to which the compiler gives no line, is at the line
// of its function.
func TestLoopWithoutLine(t *testing.T) {
	s := &Replayer{Space: &flow.Space{}}
	s.Space.Add(&flow.Table{Package: "p", Funcs: []flow.Func{{Name: "F", File: "/p.go", Line: 7, Count: 1}}, Blocks: []flow.Block{{Line: 7}}}, 0)
	c := s.crash(&wire.RunResult{Stack: "SIGQUIT: quit\n\ngoroutine 1 [running]:\np.F(...)\n\t/p.go:0\nmain.main()\n\t/main.go:3\n"}, nil)
	if len(c.Frames) == 0 || c.Frames[0].Func != "p.F" || c.Frames[0].Line != 7 {
		t.Errorf("%+v", c.Frames)
	}
}
