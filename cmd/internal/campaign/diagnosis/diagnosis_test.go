package diagnosis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// in returns a diagnosis of a process that ended after recent inputs of a corpus.
func in(corpus, recent []string) *Diagnosis {
	q := &Diagnosis{Death: &execute.Death{Outcome: oracle.Crashed}, Room: MaxIsolated}
	for _, s := range corpus {
		q.Inputs = append(q.Inputs, Input{Flat: []byte(s)})
	}
	for _, s := range recent {
		q.Death.Recent = append(q.Death.Recent, []byte(s))
	}
	return q
}

// resolved resolves a diagnosis, where run decides the results of inputs alone, and returns the
// executed inputs, sorted.
func resolved(ctx context.Context, q *Diagnosis, run func(inputs []string) (bool, error)) (executed []string) {
	var mu sync.Mutex
	q.Resolve(ctx, func() Runner {
		return &alone{ctx: ctx, run: func(_ context.Context, inputs []string) (bool, error) {
			mu.Lock()
			executed = append(executed, strings.Join(inputs, " then "))
			mu.Unlock()
			return run(inputs)
		}}
	})
	slices.Sort(executed)
	return executed
}

func only(bad ...string) func([]string) (bool, error) {
	return func(inputs []string) (bool, error) { return slices.Contains(bad, inputs[len(inputs)-1]), nil }
}

func TestIsolate(t *testing.T) {
	corpus, recent := []string{"a", "b", "c", "d", "e"}, []string{"x", "d", "c", "b"}
	gone := errors.New("no memory")
	for _, test := range []struct {
		name     string
		run      func([]string) (bool, error)
		known    int // of the corpus, that is replayed no more already
		room     int
		bad      string
		found    bool
		executed string
	}{
		{"two do it", only("b", "d", "e"), -1, 9, "[1 3]", true, "[b c d]"},
		{"none does: the newest is suspected", only("e"), -1, 9, "[3]", false, "[b c d]"},
		{"what is replayed no more did not", only("d"), 3, 9, "[2]", false, "[b c]"},
		{"no room", only("b"), -1, 0, "[3]", false, "[]"},
		{"some room", only("b", "c"), -1, 1, "[1]", true, "[b]"},
		{"errors are no harm", func([]string) (bool, error) { return true, gone }, -1, 9, "[3]", false, "[b c d]"},
	} {
		q := in(corpus, recent)
		if q.Isolate, q.Room = true, test.room; test.known >= 0 {
			q.Inputs[test.known].Bad = true
		}
		executed := resolved(context.Background(), q, test.run)
		if fmt.Sprint(q.Bad) != test.bad || q.Found != test.found || fmt.Sprint(executed) != test.executed || q.Isolated != len(executed) {
			t.Errorf("%s: %v, found %v, executed %v (%d)", test.name, q.Bad, q.Found, executed, q.Isolated)
		}
	}
	first := in([]string{"a"}, []string{"a"}) // the first input of the corpus is not suspected for being there
	if first.Isolate = true; len(resolved(context.Background(), first, only())) != 1 || len(first.Bad) != 0 {
		t.Errorf("%v", first.Bad)
	}
}

func TestForget(t *testing.T) {
	locks := func(inputs []string) (bool, error) { return fmt.Sprint(inputs) == "[c x]", nil }
	for _, test := range []struct {
		name      string
		corpus    []string
		run       func([]string) (bool, error)
		bad       string
		unharmful bool
	}{
		{"it leaves something", []string{"a", "b", "c"}, locks, "[2]", false},
		{"it does not", []string{"a", "c", "b"}, locks, "[]", true},
		{"the other fails by itself", []string{"a", "c"}, only("x"), "[]", true},
		{"it is all there is", []string{"c"}, locks, "[]", false},
	} {
		q := in(test.corpus, []string{"x", "c"})
		q.Forget = true
		resolved(context.Background(), q, test.run)
		if fmt.Sprint(q.Bad) != test.bad || q.Leaves != (test.bad != "[]") || q.Unharmful != test.unharmful {
			t.Errorf("%s: %v, leaves %v, unharmful %v", test.name, q.Bad, q.Leaves, q.Unharmful)
		}
	}
}

func TestSurvivor(t *testing.T) {
	gone := errors.New("no memory")
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprint("seed ", i))
	}
	for _, test := range []struct {
		name     string
		seeds    []string
		run      func([]string) (bool, error)
		survived bool
		tried    int
		code     int
		says     string
	}{
		{"the second", []string{"a", "b", "c"}, only("a"), true, 2, 0, ""},
		{"the corpus counts", []string{"a"}, only("a"), true, 2, 0, ""},
		{"none", []string{"a", "b"}, func([]string) (bool, error) { return true, nil }, false, 3, exit.BaselineCode, "is broken: why. Use"},
		{"none of many", many, func([]string) (bool, error) { return true, nil }, false, 101, exit.BaselineCode, "is broken: why. Use"},
		{"one behind many", many, func(in []string) (bool, error) { return in[0] != "seed 70", nil }, true, 71, 0, ""},
		{"it cannot be told", []string{"a", "b"}, func(in []string) (bool, error) { return in[0] == "a", map[bool]error{true: gone}[in[0] == "b"] }, false, 1, exit.InfraCode, "no memory"},
	} {
		q := in([]string{"kept"}, nil)
		q.Survive = true
		for _, s := range test.seeds {
			q.Seeds = append(q.Seeds, []byte(s))
		}
		resolved(context.Background(), q, test.run)
		if q.Survived != test.survived || q.Tried != test.tried {
			t.Errorf("%s: survived %v after %d", test.name, q.Survived, q.Tried)
		}
		if err := q.Broken("why"); !test.survived && (exit.Code(err) != test.code || !strings.Contains(err.Error(), test.says)) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	// The baseline is broken only if every seed was executed alone in time. Inputs of the corpus
	// may be left.
	for _, test := range []struct {
		last string
		code int
		says string
	}{
		{"seed 70", exit.InfraCode, "why, and so does each of the first"},
		{"kept", exit.BaselineCode, "is broken: why. Use"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		q := in([]string{"kept"}, nil)
		q.Survive = true
		for _, s := range many {
			q.Seeds = append(q.Seeds, []byte(s))
		}
		resolved(ctx, q, func(in []string) (bool, error) {
			if in[0] == test.last {
				cancel()
			}
			return true, nil
		})
		if err := q.Broken("why"); q.Survived || exit.Code(err) != test.code || !strings.Contains(err.Error(), test.says) {
			t.Errorf("the time is over at %s: %v", test.last, err)
		}
		cancel()
	}
	// If another input ends processes, seeds are not tested.
	q := in([]string{"a", "b"}, []string{"b"})
	q.Isolate, q.Survive = true, true
	if got := resolved(context.Background(), q, only("b")); !q.Found || fmt.Sprint(got) != "[b]" {
		t.Errorf("found %v, executed %v", q.Found, got)
	}
	// The answer is unknown if the time ends before the first seed is done.
	over, cancel := context.WithCancel(context.Background())
	cancel()
	q = in(nil, nil)
	q.Survive, q.Seeds = true, [][]byte{{}}
	resolved(over, q, only())
	if err := q.Broken("why"); exit.Code(err) != exit.InfraCode || q.Survived {
		t.Errorf("%v", err)
	}
}

// pair answers for two versions. On each seed, "n" fails in the new one, "o" in the old one, and
// "no" in both.
type pair struct{}

func (pair) Fresh() {}
func (pair) Close() {}

func (pair) Run(flat []byte, _ uint64) ([]wire.RunResult, error) {
	results := []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}
	for i, name := range []byte("no") {
		if bytes.IndexByte(flat, name) >= 0 {
			results[i].Outcome = uint64(oracle.Crashed)
		}
	}
	return results, nil
}

// TestPairSurvivor checks that a note reports one of two versions that fails on every seed. The
// baseline is broken if both fail on each seed.
func TestPairSurvivor(t *testing.T) {
	for seeds, want := range map[string]string{"no n no": "0", "n n": "0", "no o n": "1", "n o": "1", "n -": "-1", "no no": "broken"} {
		q := &Diagnosis{Survive: true, Paired: true}
		for _, seed := range strings.Fields(seeds) {
			q.Seeds = append(q.Seeds, []byte(seed))
		}
		q.Resolve(context.Background(), func() Runner { return pair{} })
		got := fmt.Sprint(q.Fails)
		if !q.Survived {
			got = "broken"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", seeds, got, want)
		}
	}
}

// alone executes inputs in place of a replayer. run gets the inputs of one process, the last one in
// flight, and reports whether it fails.
type alone struct {
	ctx   context.Context
	run   func(ctx context.Context, inputs []string) (bool, error)
	since []string
}

func (a *alone) Fresh() { a.since = nil }
func (a *alone) Close() {}

func (a *alone) Run(flat []byte, flags uint64) ([]wire.RunResult, error) {
	if err := a.ctx.Err(); err != nil {
		return nil, err
	}
	a.since = append(a.since, string(flat))
	fails, err := a.run(a.ctx, a.since)
	if err != nil {
		return nil, err
	}
	results := []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}
	if fails {
		results[1].Outcome = uint64(oracle.Crashed)
	}
	return results, nil
}
