package triage

import (
	"context"
	"errors"
	"fmt"
	"parallax/cmd/internal/finding"
	"slices"
	"strings"
	"testing"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Sessions check one or many inputs at once, the results of crashes and deaths, and leftovers of
// inputs.

func outcomes(results []wire.RunResult) (names []string) {
	for _, r := range results {
		names = append(names, oracle.Outcome(r.Outcome).String())
	}
	return names
}

func TestSession(t *testing.T) {
	j := newTriager(t)
	s := j.Replayer()
	defer s.Close()
	tests := []struct {
		input  string
		want   string
		deaths int
		words  string // of the first crash
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

// TestRunAll checks that batches have the results of single runs, also for deadly inputs and those
// after them.
func TestRunAll(t *testing.T) {
	s := newTriager(t).Replayer()
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
	err := s.RunAll(slices.Values(inputs), 0, func(_ []byte, results []wire.RunResult) bool {
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
	if err := s.RunAll(slices.Values(inputs), 0, func([]byte, []wire.RunResult) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("told to stop after 2: %d inputs, error %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.Ctx = ctx
	if err := s.RunAll(slices.Values(inputs), 0, func([]byte, []wire.RunResult) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

// TestCrashClasses checks that the class of a crash is the same in every process, in whatever way
// it is reported.
func TestCrashClasses(t *testing.T) {
	j := newTriager(t)
	class := func(inputText string) uint64 {
		s := j.Replayer()
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

// TestSessionSurvivesWhatIsLeft checks that a leftover that ends the process before the next input
// is not attributed to that input.
func TestSessionSurvivesWhatIsLeft(t *testing.T) {
	j := newTriager(t)
	s := j.Replayer()
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
	// Given time, the failure belongs to the program that left it behind.
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
	j := newTriager(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f, _, err := j.Triage(ctx, finding.Candidate{Flat: []byte("300"), Layer: oracle.VerdictLayer}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", f, err)
	}
	j.Spec.Binary = "/nonexistent"
	if f, _, err := j.Triage(context.Background(), finding.Candidate{Flat: []byte("300")}); err == nil || f != nil {
		t.Errorf("%v, %v", f, err)
	}
}
