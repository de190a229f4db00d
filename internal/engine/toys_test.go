package engine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/policy"
	"parallax/internal/schedule"
	"parallax/internal/source"
)

// Each of these tests adds one thing of its kind, as CONTRIBUTING says: a guidance, a schedule, a
// source of inputs. The rest of the engine does not depend on it.

// octaves has a feature per octave of an output's value.
var octaves = &feature.Domain{
	Name: "octaves", Text: "toy: new octaves of the output", Number: 200, Key: "octaves", Bounded: true,
	Measure: func(feature.Setting) feature.Measure {
		return func(j *feature.Joint, out []uint64) []uint64 {
			for n := j.Obs[0].Value; n > 0; n >>= 1 {
				out = append(out, feature.Mix(n))
			}
			return out
		}
	},
}

// echo accepts every input along one path, with its length as the value.
func echo(flat []byte) run { return run{[]int{0}, accept(uint64(len(flat)))} }

func addDomain(t *testing.T, d *feature.Domain) {
	table := feature.Table
	feature.Table = append(table[:len(table):len(table)], d)
	t.Cleanup(func() { feature.Table = table })
}

// TestToyGuidance checks that a guidance is a row. It guides campaigns of one program and of more,
// announces its features by its number, and knows those of earlier processes.
func TestToyGuidance(t *testing.T) {
	addDomain(t, octaves)
	for programs := 1; programs <= 2; programs++ {
		fakes := []func([]byte) run{echo, echo}[:programs]
		e, r := newEngine(t, newFake(4, fakes...), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"octaves"}, Seed: 1}}})
		for range 3000 {
			e.Fuzz()
		}
		if e.Diversity(200) < 6 || len(r.kept) < 4 {
			t.Errorf("%d programs: %d features, kept %q", programs, e.Diversity(200), r.kept)
		}
		announced := 0
		for _, event := range r.events {
			if strings.HasPrefix(event, "novel octaves ") {
				announced++
			}
			if strings.HasPrefix(event, "kept ") && !strings.HasSuffix(event, "for [octaves]") {
				t.Errorf("%d programs: %s", programs, event)
			}
		}
		if announced != e.Diversity(200) {
			t.Errorf("%d programs: %d of %d features announced", programs, announced, e.Diversity(200))
		}
		next, again := newEngine(t, newFake(4, fakes...), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"octaves"}, Seed: 2}}})
		e.novelty.domain(200).Seen.All(func(h uint64) { next.MarkSeen(200, h) })
		next.Replay([]byte("x"), nil)
		try(next, []byte("another"))
		if len(again.kept) != 0 {
			t.Errorf("%d programs: kept %q for what is known", programs, again.kept)
		}
	}
}

// TestToyGuidanceLeftOut checks that a domain that does not guide and has no Always is not
// measured. A domain that needs more programs does not guide.
func TestToyGuidanceLeftOut(t *testing.T) {
	pair := *octaves
	pair.Name, pair.Number, pair.Programs = "pairs", 201, 2
	addDomain(t, octaves)
	addDomain(t, &pair)
	e, r := newEngine(t, newFake(4, echo), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"pairs"}, Seed: 1}}})
	for range 500 {
		e.Fuzz()
	}
	if e.novelty.domain(200) != nil || e.novelty.domain(201) != nil || len(r.kept) > 0 {
		t.Errorf("kept %q", r.kept)
	}
}

// TestToyTraits checks that a row with Blocks guides by the coverage map and names its inputs, and
// that one with CellOwners has owners.
func TestToyTraits(t *testing.T) {
	marked := &feature.Domain{Name: "marked", Number: feature.Unstored, Blocks: true}
	spoken := *feature.Find(feature.Cells)
	spoken.Name, spoken.Number, spoken.Key = "spoken", 202, "spoken"
	addDomain(t, marked)
	addDomain(t, &spoken)
	e, r := newEngine(t, newFake(60, hashed(1, 30), hashed(2, 60)), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"marked"}, Seed: 1}}})
	for range 500 {
		e.Fuzz()
	}
	if len(r.kept) < 5 {
		t.Errorf("kept %q", r.kept)
	}
	for _, event := range r.events {
		if strings.HasPrefix(event, "kept ") && !strings.HasSuffix(event, "for [marked]") && !strings.HasSuffix(event, "for []") {
			t.Error(event)
		}
	}
	if e.novelty.owners != nil {
		t.Error("there are cell owners")
	}
	e, _ = newEngine(t, newFake(4, echo, echo), Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"spoken"}, Seed: 1}}})
	if e.novelty.owners == nil || !onlyForCells([]string{"spoken"}) || onlyForCells([]string{"spoken", "marked"}) || onlyForCells(nil) {
		t.Error("the row's inputs have no cell owners")
	}
}

// newest always chooses the newest seed, and reads the environment.
type newest struct {
	env schedule.Environment
	n   int
}

func (s *newest) Added(schedule.Seed)     { s.n++ }
func (s *newest) Next(*mutate.Rand) int   { return s.n - 1 }
func (s *newest) Ran(r schedule.Result)   {}
func (s *newest) weight(p, b int) float64 { return s.env.Weights[p][b] }

// TestToySchedule checks that a schedule is a row, created with an environment.
func TestToySchedule(t *testing.T) {
	var made *newest
	table := schedule.Table
	t.Cleanup(func() { schedule.Table = table })
	schedule.Table = append(table[:len(table):len(table)], &schedule.Row{
		Name: "newest",
		New:  func(env schedule.Environment) schedule.Schedule { made = &newest{env: env}; return made },
	})
	e, r := newEngine(t, newFake(60, hashed(1, 30), hashed(2, 60)), Config{
		Setup:   policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Ensemble}, Schedule: "newest", Seed: 1}},
		Weights: [][]float64{{1, 0.5}, {0.25}},
	})
	for range 500 {
		e.Fuzz()
	}
	if made.n != e.Corpus() || made.env.Programs != 2 || made.env.Blocks != 60 || made.weight(0, 1) != 0.5 {
		t.Errorf("%d seeds of %d, environment %+v", made.n, e.Corpus(), made.env)
	}
	last := ""
	for _, event := range r.events {
		if !strings.HasPrefix(event, "kept ") {
			continue
		}
		var flat, parent string
		fmt.Sscanf(event, "kept %q from %q", &flat, &parent)
		if last != "" && parent != last {
			t.Fatalf("%q is a mutant of %q, not of the newest, %q", flat, parent, last)
		}
		last = flat
	}
}

// counting proposes its own words, one in four inputs, and counts their results.
type counting struct {
	n, proposed, done, found int
}

func (c *counting) Propose(s *source.Step) bool {
	if c.n++; c.n%4 != 0 {
		return false
	}
	c.proposed++
	s.Flat = append(s.Flat[:0], fmt.Sprintf("WORD%d", c.proposed)...)
	s.Notify(c)
	return true
}

func (c *counting) Done(s *source.Step, r source.Result) {
	c.done++
	if r.Found {
		c.found++
	}
	if !bytes.HasPrefix(s.Flat, []byte("WORD")) || s.Parent != -1 {
		panic("not an input of this source")
	}
}

// TestToySource checks that a source is a type with two methods, and works with single inputs and
// in batches.
func TestToySource(t *testing.T) {
	has := func(word string, block int) func([]byte) run {
		return func(flat []byte) run {
			if string(flat) == word {
				return run{[]int{0, block}, accept(0)}
			}
			return run{[]int{0}, accept(0)}
		}
	}
	for _, batched := range []bool{false, true} {
		toy := &counting{}
		f := newFake(4, has("WORD3", 1), has("WORD7", 2))
		e, r := newEngine(t, f, Config{
			Setup:   policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Seed: 1}},
			Sources: []source.Source{toy},
		})
		try(e, []byte("seed"))
		b := &Batch{}
		for k := 0; k < 400; {
			if !batched {
				e.Fuzz()
				k++
				continue
			}
			ran, ok := e.FuzzAll(b, 8, 400-k, f.all)
			if !ok {
				t.Fatal("refused")
			}
			k += ran
		}
		if toy.proposed < 100 || toy.done < 100 || toy.found != 2 || !strings.Contains(strings.Join(r.kept, " "), "WORD3 WORD7") {
			t.Errorf("batched %v: %+v, kept %q", batched, *toy, r.kept)
		}
	}
}
