package engine

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// hashed is a program whose path and output are a checksum of the input: many cheap behaviors.
func hashed(salt byte, blocks int) func([]byte) run {
	return func(flat []byte) run {
		h := fnv.New32a()
		h.Write([]byte{salt})
		h.Write(flat)
		v := h.Sum32()
		r := run{path: []int{int(v) % blocks, int(v>>8) % blocks, int(v>>8) % blocks}, obs: accept(uint64(v % 3))}
		switch {
		case v%97 == 0:
			r.obs = crash(uint64(v % 2))
		case v%5 == 0:
			r.obs = reject(uint64(v % 7))
		}
		return r
	}
}

func TestCampaignsRepeat(t *testing.T) {
	events := func(seed, stream uint64, guidance string) string {
		e, r := newEngine(t, newFake(60, hashed(1, 30), hashed(2, 60)), Config{
			Setup: policy.Setup{Policy: policy.Policy{Seed: seed, Guidance: []string{guidance}, PoolSize: 8}, Stream: stream},
			Shape: input.Shape{input.Bytes, input.Int},
		})
		e.Seed([]byte("\x01\x00\x00\x00a12345678"))
		for range 3000 {
			e.Fuzz()
		}
		return strings.Join(r.events, "\n")
	}
	for _, guidance := range feature.Names(2, false) {
		if feature.Find(guidance).Search != nil {
			continue // TestSearchesRepeat
		}
		a := events(1, 0, guidance)
		if a != events(1, 0, guidance) {
			t.Errorf("%s: the same seed gives other events", guidance)
		}
		if a == events(2, 0, guidance) || a == events(1, 1, guidance) {
			t.Errorf("%s: seed or stream changes nothing", guidance)
		}
	}
}

// TestCorpusInvariants checks that corpus inputs never crashed, were new when they were kept, and
// descend from the corpus.
func TestCorpusInvariants(t *testing.T) {
	a, b := hashed(1, 30), hashed(2, 60)
	e, r := newEngine(t, newFake(60, a, b), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Seed: 3}}})
	sink := &checker{record: r, t: t, corpus: map[string]bool{}, fails: func(flat []byte) bool {
		return a(flat).obs.Outcome >= oracle.Crashed || b(flat).obs.Outcome >= oracle.Crashed
	}}
	e.sink = sink
	for range 5000 {
		e.Fuzz()
	}
	if len(r.reports) != 5000 || e.runner.(*fake).begun != 5000 || len(e.runner.(*fake).ran) != 10000 {
		t.Errorf("%d reports, want 5000, each of one input and two runs", len(r.reports))
	}
	if e.Corpus() != len(r.kept) || sink.crashes == 0 || e.Corpus() < 50 {
		t.Errorf("corpus %d, kept %d, crashes reported %d", e.Corpus(), len(r.kept), sink.crashes)
	}
}

type checker struct {
	*record
	t       *testing.T
	corpus  map[string]bool
	fails   func([]byte) bool
	crashes int
}

func (c *checker) Kept(it Item) {
	if c.fails(it.Flat) {
		c.t.Errorf("%q crashes and is kept", it.Flat)
	}
	if len(it.New) == 0 {
		c.t.Errorf("%q is kept for nothing", it.Flat)
	}
	if len(c.corpus) > 0 && !c.corpus[string(it.Parent)] {
		c.t.Errorf("the parent %q of %q is not in the corpus", it.Parent, it.Flat)
	}
	c.corpus[string(it.Flat)] = true
	c.record.Kept(it)
}

func (c *checker) Candidate(it Item, a Admission, obs []oracle.Observation) {
	if c.fails(it.Flat) != (a.Failing != 0) || !c.fails(it.Flat) != (a.Candidates != 0) {
		c.t.Errorf("%q is reported as %+v", it.Flat, a)
	}
	if a.Failing != 0 {
		c.crashes++
	}
	c.record.Candidate(it, a, obs)
}

// imports returns a step that imports an input.
func imports(from Finder) func(*Engine, []byte) {
	return func(e *Engine, flat []byte) { e.Import(flat, from) }
}

// TestClaims checks that findings of another campaign are candidates, even if they look like
// earlier ones. Other inputs of it are candidates as those found here.
func TestClaims(t *testing.T) {
	program := func(flat []byte) run {
		if flat[0] == 'c' {
			return run{[]int{1}, crash(1)}
		}
		return run{[]int{2}, reject(1)}
	}
	quiet := func([]byte) run { return run{[]int{0}, accept(0)} }
	for _, test := range []struct {
		input string
		from  Finder
		again int // candidates after five
	}{{"crash", Elsewhere, 0}, {"crash", Claim, 1}, {"reject", Elsewhere, 0}, {"reject", Claim, 1}, {"reject", Worker, 0}} {
		for _, batch := range []bool{false, true} {
			f := newFake(3, program, quiet)
			e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"coverage"}}}})
			for range 5 {
				e.Seed([]byte(test.input))
			}
			before := len(r.candidates)
			if batch {
				e.ImportAll(&Batch{}, [][]byte{[]byte(test.input)}, test.from, f.all)
			} else {
				e.Import([]byte(test.input), test.from)
			}
			if again := len(r.candidates) - before; again != test.again || before == 0 {
				t.Errorf("%+v, batch %v: %d candidates before, and %d", test, batch, before, again)
			}
		}
	}
}

// TestOrigins checks which inputs from elsewhere are counted, reported and kept.
func TestOrigins(t *testing.T) {
	program := func(flat []byte) run {
		switch string(flat) {
		case "crash":
			return run{[]int{1}, crash(1)}
		case "reject":
			return run{[]int{2}, reject(1)}
		}
		return run{[]int{0}, accept(0)}
	}
	quiet := func([]byte) run { return run{[]int{0}, accept(0)} }
	const old = "old" // behaves as an earlier input
	tests := []struct {
		name     string
		input    string
		guidance string
		step     func(*Engine, []byte)
		ran      bool // counted
		report   bool // as a candidate
		keeps    bool
		event    bool // a kept event
	}{
		{"seed, new", "reject", "coverage", seeded, true, true, true, true},
		{"seed, old", old, "coverage", seeded, true, false, false, false},
		{"seed, crash", "crash", "coverage", seeded, true, true, false, false},
		{"seed, old, random", old, "random", seeded, true, false, true, true},
		{"seed, crash, random", "crash", "random", seeded, true, true, false, false},
		{"replay, new", "reject", "coverage", replay, false, false, true, false},
		{"replay, old", old, "coverage", replay, false, false, true, false},
		{"replay, crash", "crash", "coverage", replay, false, true, true, false},
		{"replay, random", old, "random", replay, false, false, true, false},
		{"import, new", "reject", "coverage", imports(Worker), false, false, true, false},
		{"import, old", old, "coverage", imports(Worker), false, false, false, false},
		{"import, crash", "crash", "coverage", imports(Worker), false, true, false, false},
		{"import, random", "reject", "random", imports(Worker), false, false, false, false},
		{"elsewhere, new", "reject", "coverage", imports(Elsewhere), false, true, true, true},
		{"elsewhere, old", old, "coverage", imports(Elsewhere), false, false, false, false},
		{"elsewhere, crash", "crash", "coverage", imports(Elsewhere), false, true, false, false},
		{"elsewhere, random", "reject", "random", imports(Elsewhere), false, true, false, false},
		{"claim, new", "reject", "coverage", imports(Claim), false, true, true, true},
		{"mutant, new", "reject", "coverage", try, true, true, true, true},
		{"mutant, old", old, "coverage", try, true, false, false, false},
		{"mutant, crash", "crash", "coverage", try, true, true, false, false},
		{"mutant, random", "reject", "random", try, true, true, false, false},
	}
	for _, test := range tests {
		e, r := newEngine(t, newFake(3, program, quiet), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{test.guidance}}}})
		e.Replay([]byte("first"), nil)
		before := e.Corpus()
		test.step(e, []byte(test.input))
		got := fmt.Sprint(len(r.reports) == 1, len(r.candidates) == 1, e.Corpus() == before+1, len(r.kept) == 1)
		if want := fmt.Sprint(test.ran, test.report, test.keeps, test.event); got != want {
			t.Errorf("%s: counted, reported, kept, told: %s, want %s", test.name, got, want)
		}
	}
}

func seeded(e *Engine, flat []byte) { e.Seed(flat) }
func replay(e *Engine, flat []byte) { e.Replay(flat, nil) }

// TestMarkSeen checks that known tuples are not announced again and do not keep inputs.
func TestMarkSeen(t *testing.T) {
	programs := []func([]byte) run{hashed(1, 30), hashed(2, 30)}
	first, r := newEngine(t, newFake(30, programs...), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.PathFine}}}})
	try(first, []byte("x"))
	if len(r.events) < 4 || len(r.kept) != 1 {
		t.Fatalf("events %q", r.events)
	}
	second, r := newEngine(t, newFake(30, programs...), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.PathFine}}}})
	for _, d := range feature.Stored() {
		if n := first.novelty.domain(d.Number); n != nil { // it is measured
			n.Seen.All(func(h uint64) { second.MarkSeen(d.Number, h) })
		}
	}
	second.MarkSeen(200, 1) // of a later version: ignored
	try(second, []byte("x"))
	for _, event := range r.events {
		if strings.HasPrefix(event, "novel") || strings.HasPrefix(event, "kept") {
			t.Errorf("known already: %s", event)
		}
	}
	for _, d := range feature.Stored() {
		if a, b := first.Diversity(d.Number), second.Diversity(d.Number); a != b {
			t.Errorf("%s: diversity %d, want %d", d.Name, b, a)
		}
	}
}

// TestAbort has programs that end the engine's goroutine. Another goroutine continues, and nothing
// is lost or done twice.
func TestAbort(t *testing.T) {
	quiet := func([]byte) run { return run{[]int{1}, accept(1)} }
	for _, deadly := range [][]int{{0}, {1}, {2}, {0, 2}, {0, 1, 2}} {
		t.Run(fmt.Sprint(deadly), func(t *testing.T) {
			f := newFake(2, quiet, quiet, quiet)
			f.dies = func(p int, flat []byte) bool { return string(flat) == "die" && slices.Contains(deadly, p) }
			e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Output}}}})
			e.Seed([]byte("calm"))
			f.ran = nil
			step := func() { e.Seed([]byte("die")) }
			deaths := 0
			for attempt(step) {
				deaths++
				e.Abort(crash(9))
				step = e.Resume
			}
			if deaths != len(deadly) || !slices.Equal(f.ran, []int{0, 1, 2}) {
				t.Errorf("%d deaths, programs run %v", deaths, f.ran)
			}
			for p, o := range e.Joint().Obs {
				if want := slices.Contains(deadly, p); (o == crash(9)) != want || want == (len(e.Joint().Traces[p].Hits) > 0) {
					t.Errorf("program %d: %v with blocks %v", p, o, e.Joint().Traces[p].Hits)
				}
			}
			if len(r.reports) != 2 || r.last().Kept || !slices.Equal(r.candidates, []string{"die"}) {
				t.Errorf("reports %v, candidates %q", r.reports, r.candidates)
			}
			e.Resume() // no step is pending
			e.Abort(crash(9))
			e.Seed([]byte("calm"))
			if len(r.reports) != 3 || f.begun != 3 {
				t.Errorf("%d reports of %d inputs", len(r.reports), f.begun)
			}
		})
	}
}

// TestAbortRepeats checks that the end of the goroutine gives the same events as a program that
// returns the same observation and no trace.
func TestAbortRepeats(t *testing.T) {
	deadly := func(flat []byte) bool { return len(flat) > 0 && flat[0]&15 == 3 }
	events := func(really bool) []string {
		a := hashed(1, 30)
		f := newFake(30, func(flat []byte) run {
			if deadly(flat) {
				return run{nil, crash(4)}
			}
			return a(flat)
		}, hashed(2, 30))
		if really {
			f.dies = func(p int, flat []byte) bool { return p == 0 && deadly(flat) }
		}
		e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Seed: 5}}})
		for range 2000 {
			if attempt(e.Fuzz) {
				e.Abort(crash(4))
				e.Resume()
			}
		}
		return r.events
	}
	if a, b := events(true), events(false); !slices.Equal(a, b) {
		t.Error("other events than without deaths")
	}
}

func TestNewRefuses(t *testing.T) {
	good := Config{
		Setup:    policy.Setup{Policy: policy.Policy{Mutators: "full", MaxBytes: 10, Guidance: []string{"coverage"}}},
		Shape:    input.Shape{input.Bytes},
		Programs: 1,
	}
	tests := []struct {
		want string
		edit func(*Config)
	}{
		{"", func(*Config) {}},
		{"unknown guidance", func(c *Config) { c.Guidance = []string{"x"} }},
		{"unknown schedule", func(c *Config) { c.Schedule = "x" }},
		{"mutator", func(c *Config) { c.Mutators = "x" }},
	}
	for _, test := range tests {
		cfg := good
		test.edit(&cfg)
		_, err := New(cfg, newFake(0), &record{})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// TestGivenMaps has coverage maps with more than the corpus shows. A worker's maps lie in shared
// memory and include what a crash reached, and inputs not kept when the process ended. Novelty is
// relative to inputs that can be kept.
func TestGivenMaps(t *testing.T) {
	dies := false
	programs := []func([]byte) run{
		func([]byte) run { return run{[]int{1}, accept(0)} },
		func([]byte) run {
			if dies {
				return run{[]int{2}, crash(1)}
			}
			return run{[]int{2}, accept(0)}
		},
	}
	maps := []feature.Map{make(feature.Map, 4), make(feature.Map, 4)}
	maps[0][1] = 1
	e, r := newEngine(t, newFake(4, programs...), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}}}, Maps: maps})
	dies = true
	try(e, []byte("x"))
	if r.last().Kept || maps[1][2] != 1 || maps[1].Covered() != 1 || maps[0].Covered() != 1 {
		t.Errorf("after a crash: maps %v", maps)
	}
	dies = false
	try(e, []byte("y"))
	if !r.last().Kept {
		t.Error("not kept, though only a crash had been there")
	}
	try(e, []byte("z"))
	if r.last().Kept {
		t.Error("kept for coverage that is known")
	}
}
