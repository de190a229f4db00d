package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// in returns a doubt about a process that ended after recent inputs of a corpus.
func in(corpus, recent []string) *doubt {
	q := &doubt{death: &execute.Death{Outcome: oracle.Crashed}, room: maxIsolated}
	for _, s := range corpus {
		q.inputs = append(q.inputs, held{flat: []byte(s)})
	}
	for _, s := range recent {
		q.death.Recent = append(q.death.Recent, []byte(s))
	}
	return q
}

// resolved resolves a doubt, where run decides the results of inputs alone, and returns the
// executed inputs, sorted.
func resolved(ctx context.Context, q *doubt, run func(inputs []string) (bool, error)) (executed []string) {
	var mu sync.Mutex
	q.resolve(ctx, func() loner {
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
		if q.isolate, q.room = true, test.room; test.known >= 0 {
			q.inputs[test.known].bad = true
		}
		executed := resolved(context.Background(), q, test.run)
		if fmt.Sprint(q.bad) != test.bad || q.found != test.found || fmt.Sprint(executed) != test.executed || q.isolated != len(executed) {
			t.Errorf("%s: %v, found %v, executed %v (%d)", test.name, q.bad, q.found, executed, q.isolated)
		}
	}
	first := in([]string{"a"}, []string{"a"}) // the first input of the corpus is not suspected for being there
	if first.isolate = true; len(resolved(context.Background(), first, only())) != 1 || len(first.bad) != 0 {
		t.Errorf("%v", first.bad)
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
		q.forget = true
		resolved(context.Background(), q, test.run)
		if fmt.Sprint(q.bad) != test.bad || q.leaves != (test.bad != "[]") || q.unharmful != test.unharmful {
			t.Errorf("%s: %v, leaves %v, unharmful %v", test.name, q.bad, q.leaves, q.unharmful)
		}
	}
}

func TestSurvivor(t *testing.T) {
	gone := errors.New("no memory")
	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprint("seed ", i))
	}
	c := &Campaign{}
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
		q.survive = true
		for _, s := range test.seeds {
			q.seeds = append(q.seeds, []byte(s))
		}
		resolved(context.Background(), q, test.run)
		if q.survived != test.survived || q.tried != test.tried {
			t.Errorf("%s: survived %v after %d", test.name, q.survived, q.tried)
		}
		if err := c.broken(q, "why"); !test.survived && (exit.Code(err) != test.code || !strings.Contains(err.Error(), test.says)) {
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
		q.survive = true
		for _, s := range many {
			q.seeds = append(q.seeds, []byte(s))
		}
		resolved(ctx, q, func(in []string) (bool, error) {
			if in[0] == test.last {
				cancel()
			}
			return true, nil
		})
		if err := c.broken(q, "why"); q.survived || exit.Code(err) != test.code || !strings.Contains(err.Error(), test.says) {
			t.Errorf("the time is over at %s: %v", test.last, err)
		}
		cancel()
	}
	// If another input ends processes, seeds are not tested.
	q := in([]string{"a", "b"}, []string{"b"})
	q.isolate, q.survive = true, true
	if got := resolved(context.Background(), q, only("b")); !q.found || fmt.Sprint(got) != "[b]" {
		t.Errorf("found %v, executed %v", q.found, got)
	}
	// The answer is unknown if the time ends before the first seed is done.
	over, cancel := context.WithCancel(context.Background())
	cancel()
	q = in(nil, nil)
	q.survive, q.seeds = true, [][]byte{{}}
	resolved(over, q, only())
	if err := c.broken(q, "why"); exit.Code(err) != exit.InfraCode || q.survived {
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
		q := &doubt{survive: true, paired: true}
		for _, seed := range strings.Fields(seeds) {
			q.seeds = append(q.seeds, []byte(seed))
		}
		q.resolve(context.Background(), func() loner { return pair{} })
		got := fmt.Sprint(q.fails)
		if !q.survived {
			got = "broken"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", seeds, got, want)
		}
	}
}

// hangs returns a program that hangs on every seed. It closes begun when the first seed is executed
// alone.
func hangs(begun chan<- struct{}) func(context.Context, []string) (bool, error) {
	var once sync.Once
	return func(ctx context.Context, _ []string) (bool, error) {
		once.Do(func() { close(begun) })
		<-ctx.Done()
		return false, ctx.Err()
	}
}

// TestDoubtEnds checks that ^C, a second ^C and the end of the time end a campaign at once while
// inputs are executed alone.
func TestDoubtEnds(t *testing.T) {
	for _, why := range []string{"^C", "second ^C", "time"} {
		for _, seeds := range []bool{true, false} { // the doubt is about seeds; about a process that ended
			begun := make(chan struct{})
			f := &fakes{alone: hangs(begun), unkept: seeds}
			f.fuzz = func(p *fake, quota uint64) error {
				if seeds {
					return errors.New("a process fuzzes while it is not known whether it may")
				}
				return &execute.Death{Outcome: oracle.Crashed, Status: "exit status 2", Recent: [][]byte{{}}}
			}
			ctx, cancel := context.WithCancel(context.Background())
			kill := make(chan struct{})
			c := live(t, f, func(o *Options) {
				if why == "time" {
					o.Budget = Budget{Time: time.Second} // in which even a busy machine begins
				}
			})
			go func() {
				<-begun
				switch why {
				case "^C":
					cancel()
				case "second ^C":
					close(kill)
				}
			}()
			s, err := c.run(ctx, kill)
			cancel()
			want := "interrupted"
			if why == "time" {
				want = "budget"
			}
			if err != nil || s.Stopped != want {
				t.Errorf("%s, seeds %v: %v, stopped by %s", why, seeds, err, s.Stopped)
			}
			for _, p := range f.processes() {
				if !p.closed {
					t.Errorf("%s, seeds %v: a process is left", why, seeds)
				}
			}
		}
	}
}

// TestNoSeedKept checks that nothing is fuzzed before the seeds were executed alone, if none was
// kept. A seed that survives is a note; else the baseline is broken.
func TestNoSeedKept(t *testing.T) {
	for _, fails := range []bool{true, false} {
		var c *Campaign
		f := &fakes{unkept: true, alone: func(context.Context, []string) (bool, error) { return fails, nil }}
		c = live(t, f, nil)
		s, err := c.run(context.Background(), nil)
		if fails && (exit.Code(err) != exit.BaselineCode || s.Inputs != 1 || s.Stopped != "error" || !strings.Contains(err.Error(), "fails on every seed")) {
			t.Errorf("%v, %d inputs, stopped by %s", err, s.Inputs, s.Stopped)
		}
		if !fails && (err != nil || s.Inputs != 10 || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "but not on each of them alone") })) {
			t.Errorf("%v, %d inputs, notes %q", err, s.Inputs, s.Notes)
		}
	}
}

// TestIsolatedInput checks that an input that ends processes later is no longer replayed, and that
// the campaign goes on.
func TestIsolatedInput(t *testing.T) {
	f := &fakes{alone: func(_ context.Context, inputs []string) (bool, error) { return inputs[0] == "late", nil }}
	f.fuzz = func(p *fake, quota uint64) error {
		if p.n == 0 {
			p.keep("late")
			p.keep("later")
			p.execute(1)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.n == 0 || slices.Contains(p.replayed, "late") {
			return &execute.Death{Outcome: oracle.Crashed, Status: "signal: killed", Recent: [][]byte{[]byte("later"), []byte("late"), {}}}
		}
		p.execute(quota)
		return nil
	}
	c := live(t, f, nil)
	s, err := c.run(context.Background(), nil)
	all := f.processes()
	// The first process counted inputs. The second and third did not, which raises the doubt.
	if err != nil || s.Inputs != 10 || fmt.Sprintf("%q", all[len(all)-1].replayed) != `["" "later"]` || len(all) > 4 {
		t.Errorf("%v: %d inputs, %d processes, the last replayed %q", err, s.Inputs, len(all), all[len(all)-1].replayed)
	}
}
