package triage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/execute/workertest"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

func TestMain(m *testing.M) { workertest.Main(m) }

// newJudge returns a judge of the victim's programs.
func newJudge(t *testing.T) *Judge {
	t.Helper()
	table := workertest.Table(t)
	return &Judge{
		Spec: execute.Spec{
			Binary: workertest.Build(t, true), Dir: t.TempDir(), MaxFlat: 4096, Timeout: time.Minute, Memory: 2 << 30,
		},
		Shape: input.Shape{input.Bytes}, Names: []string{"a", "b"}, Layers: judge.VerdictLayer | judge.ValueLayer,
		Own: func(function string) bool { return strings.HasPrefix(function, workertest.Subject) },
		Place: func(id int) string {
			f := table.Funcs[table.Blocks[id].Func]
			return fmt.Sprintf("%s#%d", f.Name, id-f.First)
		},
	}
}

func judged(t *testing.T, j *Judge, c Candidate) *Finding {
	t.Helper()
	f, err := j.Judge(context.Background(), c)
	if err != nil {
		t.Fatalf("%q: %v", c.Flat, err)
	}
	return f
}

func outcomes(results []wire.RunResult) (names []string) {
	for _, r := range results {
		names = append(names, judge.Outcome(r.Outcome).String())
	}
	return names
}

func TestSession(t *testing.T) {
	j := newJudge(t)
	s := j.Session()
	defer s.Close()
	tests := []struct {
		input  string
		want   string
		deaths int
		words  string // of the first that crashed
	}{
		{"12", "accepted accepted", 0, ""},
		{"300", "accepted rejected", 0, ""},
		{"a:panic now", "crashed accepted", 0, "as told: now"},
		{"a:exit 0", "crashed accepted", 1, "the program ended its process: exit status 0"},
		{"b:exit 9", "accepted crashed", 1, "the program ended its process: exit status 9"},
		{"ab:exit 1", "crashed crashed", 2, "the program ended its process: exit status 1"},
		{"a:overflow x", "crashed accepted", 1, "stack overflow"},
		{"ab:echo", "accepted accepted", 0, ""},
	}
	for _, test := range tests {
		before, runs := s.Deaths, s.Runs
		results, err := s.Run([]byte(test.input), wire.WantDetail)
		if err != nil {
			t.Fatalf("%q: %v", test.input, err)
		}
		if got := strings.Join(outcomes(results), " "); got != test.want || s.Deaths-before != test.deaths || s.Runs != runs+1 {
			t.Errorf("%q: %s after %d deaths, want %s after %d", test.input, got, s.Deaths-before, test.want, test.deaths)
		}
		p, failed := Failed(results)
		if failed != (test.words != "") || failed && !strings.Contains(results[p].Panic, test.words) {
			t.Errorf("%q: program %d, %q, want %q", test.input, p, results[p].Panic, test.words)
		}
	}
}

// The class of a crash is the same in every process, and does not depend on how the supervisor learnt of it.
// Inputs that are run at once come out as they do one by one, also those that end the process and those after them.
func TestRunAll(t *testing.T) {
	s := newJudge(t).Session()
	defer s.Close()
	var inputs [][]byte
	for i := range 70 {
		inputs = append(inputs, []byte(fmt.Sprint(i*10)))
	}
	for at, deadly := range map[int]string{3: "a:exit 0", 4: "ab:exit 1", 40: "b:exit 9", 69: "a:exit 2"} {
		inputs[at] = []byte(deadly)
	}
	want := map[int]string{3: "[crashed accepted]", 4: "[crashed crashed]", 26: "[accepted rejected]", 40: "[accepted crashed]", 69: "[crashed accepted]"}
	n := 0
	err := s.RunAll(slices.Values(inputs), 0, func(results []wire.RunResult) bool {
		expected := want[n]
		if expected == "" && n < 26 {
			expected = "[accepted accepted]"
		} else if expected == "" {
			expected = "[accepted rejected]"
		}
		if got := fmt.Sprint(outcomes(results)); got != expected {
			t.Errorf("input %d, %q: %s, want %s", n, inputs[n], got, expected)
		}
		n++
		return true
	})
	if err != nil || n != len(inputs) || s.Runs != len(inputs) || s.Deaths != 5 {
		t.Errorf("%d of %d inputs, %d runs, %d deaths, error %v", n, len(inputs), s.Runs, s.Deaths, err)
	}
	n = 0
	if err := s.RunAll(slices.Values(inputs), 0, func([]wire.RunResult) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("told to stop after 2: %d inputs, error %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Ctx = ctx
	if err := s.RunAll(slices.Values(inputs), 0, func([]wire.RunResult) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestCrashClasses(t *testing.T) {
	j := newJudge(t)
	class := func(inputText string) uint64 {
		s := j.Session()
		defer s.Close()
		results, err := s.Run([]byte(inputText), wire.WantDetail)
		if err != nil {
			t.Fatal(err)
		}
		return results[0].Class
	}
	tests := []struct {
		a, b string
		same bool
	}{
		{"a:panic 1", "a:panic 1", true},
		{"a:panic 1", "a:panic 22", true}, // numbers do not count
		{"a:panic one", "a:panic two", false},
		{"a:panic", "a:nil", false},
		{"a:exit 1", "a:exit 1", true},
		{"a:overflow x", "a:overflow xyz", true},
		{"a:goexit", "a:goexit", true},
	}
	for _, test := range tests {
		if got := class(test.a) == class(test.b); got != test.same {
			t.Errorf("%q and %q: same class is %v", test.a, test.b, got)
		}
	}
}

// What an input left behind may end the process when the next is about to run. That is no fault of the next.
func TestSessionSurvivesWhatIsLeft(t *testing.T) {
	j := newJudge(t)
	s := j.Session()
	defer s.Close()
	for round := range 3 {
		if _, err := s.Run([]byte("a:later boom"), 0); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		<-s.worker.Dead
		results, err := s.Run([]byte("12"), 0)
		if err != nil || !slices.Equal(outcomes(results), []string{"accepted", "accepted"}) {
			t.Fatalf("round %d: %v, %v", round, outcomes(results), err)
		}
	}
	if s.Deaths != 3 {
		t.Errorf("%d deaths, want 3", s.Deaths)
	}
	// Given time, the failure belongs to the program that left it, whichever it is.
	for p, text := range []string{"a:later boom", "b:later boom"} {
		s.Fresh()
		results, err := s.Run([]byte(text), wire.WantDetail|wire.Settle)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"accepted", "accepted"}
		want[p] = "crashed"
		if !slices.Equal(outcomes(results), want) || !strings.Contains(results[p].Panic, "later: boom") {
			t.Errorf("%q: %v %q", text, outcomes(results), results[p].Panic)
		}
	}
}

func TestSessionEnds(t *testing.T) {
	j := newJudge(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f, err := j.Judge(ctx, Candidate{Flat: []byte("300"), Layer: judge.VerdictLayer}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", f, err)
	}
	j.Spec.Binary = "/nonexistent"
	if f, err := j.Judge(context.Background(), Candidate{Flat: []byte("300")}); err == nil || f != nil {
		t.Errorf("%v, %v", f, err)
	}
}

func TestLocate(t *testing.T) {
	j := newJudge(t)
	s := j.Session()
	defer s.Close()
	base, err := s.Run([]byte("300"), 0)
	if err != nil {
		t.Fatal(err)
	}
	same := j.cause(base, judge.VerdictLayer, nil).shown
	at, err := Locate(s, j.Layers, j.Shape, []byte("300"), nil, neighbourBudget, same)
	if err != nil {
		t.Fatal(err)
	}
	first := at.Deciding
	for p, function := range []string{"lenient#", "strict#"} {
		if first[p] == None || !strings.HasPrefix(j.Place(first[p]), function) {
			t.Fatalf("deciding blocks %v, want one in %s", first, function)
		}
	}
	again, err := Locate(s, j.Layers, j.Shape, []byte("300"), nil, neighbourBudget, same)
	if err != nil || !reflect.DeepEqual(at, again) {
		t.Errorf("the second time %v, %v, want %v", again, err, first)
	}
	// Inputs that end the process on every neighbour do not cost more than a few processes.
	deaths := s.Deaths
	if _, err := Locate(s, j.Layers, j.Shape, []byte("b:exit 5"), nil, neighbourBudget, same); err != nil {
		t.Fatal(err)
	}
	if n := s.Deaths - deaths; n > maxDeaths+3 {
		t.Errorf("%d processes ended", n)
	}
}

func TestJudgeDiscrepancy(t *testing.T) {
	j := newJudge(t)
	buckets := map[string]bool{}
	for _, text := range []string{"300", "98765432101234567890", "0000000000000300"} {
		f := judged(t, j, Candidate{Flat: []byte(text), Parent: []byte("30"), Layer: judge.VerdictLayer})
		if f == nil {
			t.Fatalf("%q is called flaky", text)
		}
		if f.Kind != Discrepancy || f.Layer != judge.VerdictLayer || string(f.Flat) != text || f.Runs == 0 {
			t.Errorf("%q: %+v", text, f)
		}
		if len(f.Minimized) != 3 || !slices.Equal(outcomes(f.Results), []string{"accepted", "rejected"}) ||
			f.Results[1].Error != "too large for a byte" || f.Raw[1].Class != f.Results[1].Class {
			t.Errorf("%q: minimised to %q: %v %q", text, f.Minimized, outcomes(f.Results), f.Results[1].Error)
		}
		if again := judged(t, j, Candidate{Flat: []byte(text), Parent: []byte("30"), Layer: judge.VerdictLayer}); !sameFinding(f, again) {
			t.Errorf("%q: judged again: %+v, want %+v", text, again, f)
		}
		buckets[f.Bucket] = true
	}
	if len(buckets) != 1 {
		t.Errorf("%d buckets of one cause", len(buckets))
	}
}

// sameFinding compares findings but for stacks, which hold addresses.
func sameFinding(a, b *Finding) bool {
	strip := func(f Finding) Finding {
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

// A bucket that needs no more is left at the price of looking for the deciding blocks.
func TestJudgeEnough(t *testing.T) {
	j := newJudge(t)
	c := Candidate{Flat: []byte("300000"), Layer: judge.VerdictLayer}
	full := judged(t, j, c)
	asked := ""
	j.Enough = func(bucket string) bool { asked = bucket; return true }
	f := judged(t, j, c)
	if f == nil || f.Results != nil || string(f.Minimized) != "300000" || f.Bucket != full.Before || asked != full.Before || f.Runs >= full.Runs {
		t.Errorf("%+v; asked for %s, want %s", f, asked, full.Before)
	}
}

// Who does not want to wait gets the input as it is.
func TestJudgeStop(t *testing.T) {
	j := newJudge(t)
	j.Stop = func() bool { return true }
	f := judged(t, j, Candidate{Flat: []byte("300000"), Layer: judge.VerdictLayer})
	if f == nil || string(f.Minimized) != "300000" || f.Bucket == "" || f.Results == nil {
		t.Errorf("%+v", f)
	}
}

func TestFlaky(t *testing.T) {
	j := newJudge(t)
	// What another process saw.
	s := j.Session()
	other, err := s.Run([]byte("a:process"), 0)
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		c    Candidate
	}{
		{"agrees now", Candidate{Flat: []byte("12"), Layer: judge.VerdictLayer}},
		{"disagrees in another layer", Candidate{Flat: []byte("300"), Layer: judge.ValueLayer}},
		{"does not crash now", Candidate{Flat: []byte("12")}},
		{"depends on what ran before", Candidate{Flat: []byte("a:count"), Layer: judge.ValueLayer}},
		{"depends on the process", Candidate{Flat: []byte("a:process"), Layer: judge.ValueLayer, Seen: Observations(other)}},
		{"nothing deadly", Candidate{Flat: []byte("12"), Deadly: true, Before: [][]byte{[]byte("13"), []byte("300")}}},
	}
	for _, test := range tests {
		if f := judged(t, j, test.c); f != nil {
			t.Errorf("%s: a finding: %s %v %v", test.name, f.Kind, f.Layer, outcomes(f.Raw))
		}
	}
}

func TestJudgeCrash(t *testing.T) {
	j := newJudge(t)
	tests := []struct {
		input   string
		small   string // "": whatever shows the same
		program int
		message string
	}{
		{"a:panic some words", "", 0, "as told: some words"},
		{"xxbxx:panic some words", "b:panic some words", 1, "as told: some words"},
		{"ba:nil", "", 0, "invalid memory address"},
		{"bb:error", "b:error", 1, "in Error"},
	}
	for _, test := range tests {
		f := judged(t, j, Candidate{Flat: []byte(test.input)})
		if f == nil {
			t.Fatalf("%q is called flaky", test.input)
		}
		if f.Kind != judge.KindCrash || f.Layer != 0 || f.Program != test.program || !strings.Contains(f.Crash.Message, test.message) {
			t.Errorf("%q: %s in program %d: %q", test.input, f.Kind, f.Program, f.Crash.Message)
		}
		if test.small != "" && string(f.Minimized) != test.small || len(f.Minimized) > len(test.input) {
			t.Errorf("%q: minimised to %q, want %q", test.input, f.Minimized, test.small)
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

func TestJudgeDeadly(t *testing.T) {
	j := newJudge(t)
	before := [][]byte{[]byte("300"), []byte("a:later boom"), []byte("b:echo")}
	tests := []struct {
		name    string
		c       Candidate
		culprit string
		program int
		message string
	}{
		{"ends the process", Candidate{Flat: []byte("b:exit 3"), Deadly: true, Before: before}, "b:exit 3", 1, "the program ended its process: exit status"},
		{"left something before", Candidate{Flat: []byte("12"), Deadly: true, Before: before}, "a:later boom", 0, "later: boom"},
		{"left something itself", Candidate{Flat: []byte("xb:later boom"), Deadly: true}, "xb:later boom", 1, "later: boom"},
	}
	for _, test := range tests {
		f := judged(t, j, test.c)
		if f == nil {
			t.Fatalf("%s: called flaky", test.name)
		}
		if f.Kind != judge.KindCrash || string(f.Flat) != test.culprit || f.Program != test.program || !strings.Contains(f.Results[f.Program].Panic, test.message) {
			t.Errorf("%s: %s by %q in program %d: %q", test.name, f.Kind, f.Flat, f.Program, f.Results[f.Program].Panic)
		}
		if f.Runs > deadlyBudget+10 || len(f.Minimized) > len(f.Flat) || f.Results[f.Program].Class != f.Raw[f.Program].Class {
			t.Errorf("%s: minimised to %q in %d runs", test.name, f.Minimized, f.Runs)
		}
	}
}

// What takes its time is confirmed and not minimised: every try would cost the whole limit.
func TestJudgeTimeout(t *testing.T) {
	j := newJudge(t)
	j.Spec.Timeout = time.Second
	f := judged(t, j, Candidate{Flat: []byte("bbb:loop"), Deadly: true})
	if f == nil || f.Kind != judge.KindTimeout || f.Program != 1 || string(f.Minimized) != "bbb:loop" || f.Runs > 3 {
		t.Fatalf("%+v", f)
	}
	if f.Results[1].Panic != "still running after 1s" || len(f.Crash.Frames) == 0 {
		t.Errorf("%q, frames %v", f.Results[1].Panic, f.Crash.Frames)
	}
}

func TestMinimize(t *testing.T) {
	j := newJudge(t)
	bucket := judged(t, j, Candidate{Flat: []byte("0003000"), Layer: judge.VerdictLayer}).Bucket
	tests := []struct {
		input, kind, layer string
		budget             int
		small              string // "-": no finding
	}{
		{"0003000", Discrepancy, "verdict", 2000, "300"},
		{"0003000", Discrepancy, "verdict", 0, "0003000"},
		{"0003000", Discrepancy, "value", 2000, "-"},
		{"12", Discrepancy, "verdict", 2000, "-"},
		{"12", judge.KindCrash, "", 2000, "-"},
		{"xxa:error", judge.KindCrash, "", 2000, "a:error"},
		{"xa:later", judge.KindCrash, "", 40, "a:later"},
	}
	for _, test := range tests {
		m, err := j.Minimize(context.Background(), []byte(test.input), bucket, test.kind, test.layer, test.budget)
		if err != nil {
			t.Errorf("%q: %v", test.input, err)
			continue
		}
		f := m.Finding
		switch {
		case f == nil && test.small == "-":
		case f == nil || test.small == "-":
			t.Errorf("%q: %+v", test.input, f)
		case test.kind == Discrepancy && len(f.Minimized) != len(test.small), test.kind != Discrepancy && string(f.Minimized) != test.small:
			t.Errorf("%q: minimised to %q, want one like %q", test.input, f.Minimized, test.small)
		case f.Results == nil:
			t.Errorf("%q: without results", test.input)
		case m.Tried > test.budget || m.Done != (test.budget == 2000):
			t.Errorf("%q: %d tried of %d, done: %v", test.input, m.Tried, test.budget, m.Done)
		case m.Done:
			again, err := j.Minimize(context.Background(), f.Minimized, bucket, test.kind, test.layer, test.budget)
			if err != nil || !bytes.Equal(again.Finding.Minimized, f.Minimized) || !again.Done || fmt.Sprint(again.Finding.Holes) != fmt.Sprint(f.Holes) {
				t.Errorf("%q: again: %+v, %v", f.Minimized, again.Finding, err)
			}
		}
	}
	// What would be smaller but belongs elsewhere is not taken.
	m, err := j.Minimize(context.Background(), []byte("0003000"), "another", Discrepancy, "verdict", 2000)
	if err != nil || string(m.Finding.Minimized) != "0003000" || m.Finding.Results == nil || !m.Moved {
		t.Errorf("across buckets: %+v, %v", m, err)
	}
	// What does not do the same each time is told apart from what does not show any more.
	for _, in := range []string{"b:count", "b:process"} {
		if m, err = j.Minimize(context.Background(), []byte(in), "any", Discrepancy, "value", 2000); err != nil || !m.Wavers || m.Finding != nil {
			t.Errorf("%s: %+v, %v", in, m, err)
		}
	}
}

// Whoever stops it has the smallest so far that belongs to the bucket.
func TestMinimizeStops(t *testing.T) {
	j := newJudge(t)
	flat := []byte("00000000000000000000000030000000000000000000000000")
	bucket := judged(t, j, Candidate{Flat: flat, Layer: judge.VerdictLayer}).Bucket
	asked := 0
	j.Stop = func() bool { asked++; return asked > 60 }
	m, err := j.Minimize(context.Background(), flat, bucket, Discrepancy, "verdict", 2000)
	if err != nil || m.Finding == nil || m.Done || m.Finding.Results == nil {
		t.Fatalf("%+v, %v", m, err)
	}
	if n := len(m.Finding.Minimized); n > len(flat) || n < 3 || m.Tried > 60 {
		t.Errorf("%q after %d inputs", m.Finding.Minimized, m.Tried)
	}
}

// The smallest so far is kept whenever the context ends, and Minimize says which searches came to their end.
func TestMinimizeCancelled(t *testing.T) {
	j := newJudge(t)
	flat := []byte("00000000000000000000000030000000000000000000000000")
	bucket := judged(t, j, Candidate{Flat: flat, Layer: judge.VerdictLayer}).Bucket
	small := []byte("300")
	asks := 0
	j.Stop = func() bool { asks++; return false }
	all, err := j.Minimize(context.Background(), small, bucket, Discrepancy, "verdict", 2000)
	if err != nil || !all.Done || !all.Holed || len(all.Finding.Holes) == 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, test := range []struct {
		name         string
		flat         []byte
		kind, bucket string
		after        int // asks of Stop
		smaller      bool
		done         bool
	}{
		{"at once", flat, Discrepancy, bucket, 1, false, false},
		{"while making it smaller", flat, Discrepancy, bucket, 60, true, false},
		{"a crash", []byte("xxxxxxxxxxxxxxxxa:error"), judge.KindCrash, "any", 40, true, false},
		{"while looking for holes", small, Discrepancy, bucket, asks - 1, false, true},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		j.Stop = func() bool {
			if n++; n == test.after {
				cancel()
			}
			return false
		}
		layer := ""
		if test.kind == Discrepancy {
			layer = "verdict"
		}
		m, err := j.Minimize(ctx, test.flat, test.bucket, test.kind, layer, 2000)
		if err != nil || m.Finding == nil || m.Finding.Results == nil || m.Done != test.done || m.Holed {
			t.Errorf("%s: %+v, %v", test.name, m, err)
		} else if got := len(m.Finding.Minimized); (got < len(test.flat)) != test.smaller || !bytes.Equal(m.Finding.Minimized, test.flat) != test.smaller {
			t.Errorf("%s: %q", test.name, m.Finding.Minimized)
		}
		cancel()
	}

	// The worker that records the order of blocks takes a while to build.
	j.Stop = nil
	ctx, cancel := context.WithCancel(context.Background())
	j.Ordered = func(ctx context.Context) (execute.Spec, error) {
		cancel()
		select {
		case <-ctx.Done():
			return execute.Spec{}, ctx.Err()
		default:
			t.Error("the build is not interrupted")
			return j.Spec, nil
		}
	}
	m, err := j.Minimize(ctx, flat, bucket, Discrepancy, "verdict", 2000)
	if err != nil || m.Done || m.Holed || m.Tried != 0 || !bytes.Equal(m.Finding.Minimized, flat) || m.Finding.Results == nil {
		t.Errorf("while building: %+v, %v", m, err)
	}
	if m, err = j.Minimize(ctx, flat, bucket, Discrepancy, "verdict", 2000); !errors.Is(err, context.Canceled) || m.Finding != nil {
		t.Errorf("before it was run: %+v, %v", m, err)
	}
}

func TestFurthest(t *testing.T) {
	for n := 0; n < 20; n++ {
		var steps [][]byte
		for i := 0; i < n; i++ {
			steps = append(steps, []byte{byte(i)})
		}
		for last := -1; last < n; last++ { // that belongs
			got, looks := -1, 0
			taken, err := (&Judge{}).furthest(steps, func(b []byte) (bool, error) {
				looks++
				if int(b[0]) <= last {
					got = int(b[0])
				}
				return int(b[0]) <= last, nil
			})
			if err != nil || taken != (last >= 0) || got != last || looks > 6 {
				t.Errorf("%d steps, the last is %d: took %d after %d looks", n, last, got, looks)
			}
		}
	}
}

func TestWithoutInput(t *testing.T) {
	shape := input.Shape{input.String, input.Int}
	for _, c := range []struct{ arg, message, want string }{
		{"boom", `cannot read boom, which is "boom"`, `cannot read x, which is "x"`},
		{`bo\`, "cannot read bo\\, which is \"bo\\\\\"", `cannot read x, which is "x"`},
		{"bö\n", `"bö\n" is "b\u00f6\n" in other words`, `"x" is "x" in other words`},
		{"ab", "[97 98] is 6162 and 6162", "x is x and x"},
		{"o\xff", "6FFF or 6fff", "x or x"},
		{"a", "a is too short to be told from words", "a is too short to be told from words"},
		{" ab ", "ab", "x"},
	} {
		flat, err := shape.Pack(c.arg, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutInput(shape, c.message, flat); got != c.want {
			t.Errorf("%q without %q: %q, want %q", c.message, c.arg, got, c.want)
		}
	}
}
