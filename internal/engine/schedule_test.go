package engine

import (
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// ticks returns a clock that advances by a microsecond per reading.
func ticks() func() int64 {
	now := int64(0)
	return func() int64 { now += 1000; return now }
}

const (
	lockWord   = "key"
	lockDecoys = 8
)

// lock compares its input with a word, byte by byte. Each right byte is a block of its own. A wrong
// byte executes one of many other blocks, which are found at once and lead nowhere.
func lock(flat []byte) run {
	r := run{obs: accept(0)}
	for k := range len(lockWord) {
		if k >= len(flat) || flat[k] != lockWord[k] {
			h := uint64(len(flat))
			for _, b := range flat {
				h = feature.Chain(h, uint64(b))
			}
			r.path = append(r.path, len(lockWord)+int(h%lockDecoys))
			return r
		}
		r.path = append(r.path, k)
	}
	return r
}

// TestSchedulesMakeProgress checks that every schedule opens the lock. A byte is right in about one
// of a thousand mutants of the right seed, which is one of ten.
func TestSchedulesMakeProgress(t *testing.T) {
	const budget = 1_000_000
	for _, name := range schedule.Names(false) {
		for seed := range uint64(3) {
			e, _ := newEngine(t, newFake(len(lockWord)+lockDecoys, lock), Config{
				Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Schedule: name, Seed: seed, MaxBytes: 6}},
				Now:   ticks(),
			})
			e.Seed([]byte("door"))
			n := 0
			for e.coverage.maps[0][len(lockWord)-1] == 0 && n < budget {
				e.Fuzz()
				n++
			}
			t.Logf("%s, seed %d: %d inputs", name, seed, n)
			if n == budget {
				t.Errorf("%s, seed %d: not opened by %d inputs", name, seed, n)
			}
		}
	}
}

// TestSchedulesRepeat checks that campaigns repeat under every schedule, with a clock that repeats.
func TestSchedulesRepeat(t *testing.T) {
	events := func(name string, seed uint64) string {
		e, r := newEngine(t, newFake(60, hashed(1, 30), hashed(2, 60)), Config{
			Setup: policy.Setup{Policy: policy.Policy{Seed: seed, Guidance: []string{feature.Ensemble}, Schedule: name, PoolSize: 8}},
			Now:   ticks(),
		})
		e.Seed([]byte("a seed"))
		for range 2000 {
			e.Fuzz()
		}
		return strings.Join(r.events, "\n")
	}
	for _, name := range schedule.Names(false) {
		a := events(name, 1)
		if a != events(name, 1) {
			t.Errorf("%s: the same seed gives other events", name)
		}
		if a == events(name, 2) {
			t.Errorf("%s: the seed changes nothing", name)
		}
	}
}

// spy is a schedule that records its calls.
type spy struct {
	t      *testing.T
	clock  bool
	seeds  []schedule.Seed // without traces
	hits   [][]uint32      // of all programs, concatenated
	open   bool            // a mutant has not run
	asked  int
	last   int // last seed returned
	finds  int
	waited int // finds that joined the corpus after Ran
	ran    map[uint64]bool
}

func (s *spy) Clock() bool { return s.clock }

func (s *spy) Added(seed schedule.Seed) {
	var hits []uint32
	for i := range seed.Traces {
		hits = append(hits, seed.Traces[i].Hits...)
	}
	seed.Traces = nil
	s.seeds, s.hits = append(s.seeds, seed), append(s.hits, hits)
}

func (s *spy) Next(r *mutate.Rand) int {
	if s.open {
		s.t.Error("asked for a seed twice")
	}
	s.open = true
	s.asked++
	s.last = r.Intn(len(s.seeds))
	return s.last
}

func (s *spy) Ran(r schedule.Result) {
	if !s.open {
		s.t.Error("told of a mutant that was not asked for")
	}
	s.open = false
	s.ran[r.Deviation] = true
	if !r.Kept {
		return
	}
	s.finds++
	if n := len(s.seeds); s.seeds[n-1].Parent != s.last || len(s.hits[n-1]) == 0 {
		s.waited++
	}
}

// newSpied returns an engine whose schedule is a spy.
func newSpied(t *testing.T, f *fake, clock bool) (*Engine, *spy, *record) {
	name := "uniform"
	if clock {
		name = "afl"
	}
	now := ticks()
	e, r := newEngine(t, f, Config{
		Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Schedule: name, PoolSize: 8}},
		Now: func() int64 {
			if !clock {
				t.Fatal("the clock was read")
			}
			return now()
		},
	})
	s := &spy{t: t, clock: clock, ran: map[uint64]bool{}}
	e.schedule = s
	e.compose() // with the spy
	return e, s, r
}

func TestScheduleCalls(t *testing.T) {
	for _, clock := range []bool{false, true} {
		a, b := hashed(1, 30), hashed(2, 60)
		e, s, r := newSpied(t, newFake(60, a, b), clock)
		e.Replay([]byte("replayed"), nil)
		e.Seed([]byte("a seed"))
		for n := range 3000 {
			if e.Fuzz(); n%10 == 0 {
				e.Import([]byte{byte(n), byte(n >> 8), 7}, Worker)
			}
		}
		if len(s.seeds) != e.Corpus() || s.asked != 3000 || s.open {
			t.Errorf("told of %d seeds of %d, asked %d times", len(s.seeds), e.Corpus(), s.asked)
		}
		kept := map[string]bool{}
		for _, flat := range r.kept {
			kept[flat] = true
		}
		mutants := 0
		for i, seed := range s.seeds {
			flat := e.corpus.inputs[i]
			var hits []uint32
			for _, program := range []func([]byte) run{a, b} {
				path := program(flat).path
				slices.Sort(path)
				for _, id := range slices.Compact(path) {
					hits = append(hits, uint32(id))
				}
			}
			if !slices.Equal(hits, s.hits[i]) || seed.Len != len(flat) || seed.Known != (i == 0) || seed.Parent >= i {
				t.Errorf("seed %d, %q: told %+v, blocks %v; it executes %v", i, flat, seed, s.hits[i], hits)
			}
			want := int64(0)
			if clock {
				want = 1000
			}
			if seed.Nanos != want {
				t.Errorf("seed %d took %d ns, want %d", i, seed.Nanos, want)
			}
			if seed.Parent >= 0 {
				mutants++
			} else if i > 1 && kept[string(flat)] {
				t.Errorf("mutant %q without a parent", flat)
			}
		}
		if s.finds != mutants || s.finds < 20 || s.waited > 0 {
			t.Errorf("%d mutants in the corpus, %d were told as such, %d late", mutants, s.finds, s.waited)
		}
	}
}

// TestScheduleDeviations checks that a schedule gets the same deviation for the same disagreement
// on the same path, and none where programs agree.
func TestScheduleDeviations(t *testing.T) {
	does := func(model bool) func([]byte) run {
		return func(flat []byte) run {
			r := run{path: []int{0}, obs: accept(1)}
			if len(flat) > 0 && flat[0] >= 'n' {
				r.path = append(r.path, 1)
			}
			switch {
			case !model || len(flat) < 2:
			case flat[1] == 'v':
				r.obs = accept(2)
			case flat[1] == 'r':
				r.obs = reject(3)
			}
			return r
		}
	}
	e, s, _ := newSpied(t, newFake(4, does(false), does(true)), false)
	names := map[string]uint64{}
	for _, text := range []string{"a", "z", "av", "bv", "zv", "ar", "zr", "zrr"} {
		e.Replay([]byte(text), nil)
		names[text] = s.seeds[len(s.seeds)-1].Deviation
	}
	if names["a"] != 0 || names["z"] != 0 || names["av"] == 0 || names["av"] != names["bv"] || names["zr"] != names["zrr"] {
		t.Errorf("deviations %x", names)
	}
	if different := map[uint64]bool{names["av"]: true, names["zv"]: true, names["ar"]: true, names["zr"]: true}; len(different) != 4 {
		t.Errorf("two ways or two paths have one name: %x", names)
	}
	for range 2000 {
		e.Fuzz()
	}
	known := map[uint64]bool{0: true}
	for _, n := range names {
		known[n] = true
	}
	for d := range s.ran {
		if !known[d] {
			t.Errorf("a mutant deviates as %x, and no seed does", d)
		}
	}
	if len(s.ran) < 3 {
		t.Errorf("mutants deviate as %v", s.ran)
	}
}

// TestScheduleTrimmed checks that an input trimmed before it joins counts as found, by the seed
// that was asked for.
func TestScheduleTrimmed(t *testing.T) {
	f := newFake(64, hashed(1, 64))
	e, s, r := newSpied(t, f, false)
	e.Replay([]byte("a seed that is long enough to be trimmed"), nil)
	for range 5000 {
		e.Fuzz()
	}
	if s.finds < 20 || s.waited < 10 {
		t.Errorf("%d finds, %d of them trimmed", s.finds, s.waited)
	}
	if n := len(r.kept); n < s.finds-1 || n > len(s.seeds) {
		t.Errorf("%d finds, %d inputs kept, %d seeds", s.finds, n, len(s.seeds))
	}
}

// TestSchedulesAllocateNothing checks that schedules do not allocate, whatever their calls.
func TestSchedulesAllocateNothing(t *testing.T) {
	for _, name := range schedule.Names(false) {
		f := newIdle()
		e, err := New(Config{
			Setup:    policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Layers: oracle.VerdictLayer, Mutators: "full", MaxBytes: 64, Schedule: name}},
			Shape:    input.Shape{input.Bytes},
			Programs: 2,
			Blocks:   f.counters.Blocks,
		}, f, discardSink{})
		if err != nil {
			t.Fatal(err)
		}
		e.Seed([]byte(`{"name": "a value", "list": [1, 2, 3.5e7, null, true]}`))
		for range 10_000 {
			e.Fuzz()
		}
		if n := testing.AllocsPerRun(2000, e.Fuzz); n != 0 {
			t.Errorf("%s: %v allocations an input", name, n)
		}
	}
}
