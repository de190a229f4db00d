package engine

import (
	"slices"
	"strings"
	"testing"

	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/grammar"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/policy"
	"parallax/internal/schedule"
	"parallax/internal/tape"
)

// grove is a program that draws a binary tree from its input and runs on it. It executes block 0, a
// block per depth, and one more for a value. Trees with more than two nodes are invalid, and one
// with root 9 crashes.
type grove struct {
	s     tape.Source
	t     tape.Tape
	guide *tape.Guide
	moody bool // it draws once more every third time
	runs  int
}

func (g *grove) tree(depth int) (nodes, root int) {
	g.s.Begin(1)
	defer g.s.End()
	root, nodes = int(g.s.Draw(2, tape.Value, 9)), 1
	for site := range uint32(2) {
		if depth < 4 && g.s.Draw(3+site, tape.Structural, 1) == 1 {
			below, _ := g.tree(depth + 1)
			nodes += below
		}
	}
	return nodes, root
}

func (g *grove) run(flat []byte) run {
	if decodes := tape.IsTape(flat) && g.t.Decode(flat) == nil; decodes && g.guide != nil && len(g.t.Choices) == 0 {
		g.s.Guided(g.guide, g.t.Rest)
	} else if decodes {
		g.s.Play(&g.t)
	} else {
		g.s.Plain(flat, 7)
	}
	nodes, root := g.tree(0)
	if g.runs++; g.moody && g.runs%3 == 0 {
		g.s.Draw(9, tape.Value, 1)
	}
	r := run{path: []int{0, 1 + nodes, 40 + root}, obs: accept(0)}
	switch {
	case root == 9:
		r.obs = crash(1)
	case nodes > 4:
		r.obs = reject(1)
	}
	return r
}

func (g *grove) drawn(b, _ []byte) []byte { return g.s.Tape().Append(b) }

// searching returns a campaign of the grove.
func searching(t *testing.T, guidance string, seed uint64) (*Engine, *record, *grove) {
	g := &grove{}
	cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Seed: seed, MaxBytes: 8, MaxTape: 4096}}, Tapes: true, Drawn: g.drawn}
	cfg.Guide = func(choose func(uint32, uint64, uint64) (uint64, bool), chosen func(uint32, uint64, uint64)) {
		g.guide = &tape.Guide{Choose: choose, Chosen: chosen}
	}
	if d := feature.Find(guidance); d.Search != nil {
		cfg.Schedule = d.Search.Schedule
	}
	e, r := newEngine(t, newFake(60, g.run), cfg)
	return e, r, g
}

// searches returns all guidances for generators, and others.
func searches() []string {
	names := []string{feature.Random, feature.Coverage}
	for _, d := range feature.Table {
		if d.Search != nil {
			names = append(names, d.Name)
		}
	}
	return names
}

// TestDrawnFromNothing checks the fresh inputs of the default search. They are a sample of their
// own, in which one of ten fails as the generator determines. The published searches have no such
// sample: they draw all inputs, or none once there is a corpus.
func TestDrawnFromNothing(t *testing.T) {
	for _, guidance := range searches() {
		e, _, _ := searching(t, guidance, 1)
		e.Seed(nil)
		fresh := uint64(0)
		for range 16000 {
			if e.Fuzz(); e.execution.step.Ops[0] == mutate.OpFresh {
				fresh++
			}
		}
		r := e.behavior.assemblages[0].Record
		n, failed := r.Word(diversity.Drawn), r.Word(diversity.DrawnFailed)
		if guidance != feature.Coverage {
			if n != 0 {
				t.Errorf("%s: %d inputs are taken for a sample", guidance, n)
			}
			continue
		}
		if share := float64(failed) / float64(n); n != fresh || n < 400 || n > 600 || share < 0.05 || share > 0.15 {
			t.Errorf("%d of %d inputs that were drawn, %d of them failed", n, fresh, failed)
		}
		own, all := r.Independent(), r.Sample()
		if own.Units != float64(n-failed) || own.Species < 9 || own.Species > all.Species || own.Once+own.Twice == 0 {
			t.Errorf("%+v of %+v", own, all)
		}
	}
}

func TestSearchesRepeat(t *testing.T) {
	events := func(seed uint64, guidance string) string {
		e, r, _ := searching(t, guidance, seed)
		e.Seed(nil)
		for range 1000 {
			e.Fuzz()
		}
		return strings.Join(r.events, "\n")
	}
	for _, guidance := range searches() {
		if a := events(1, guidance); a != events(1, guidance) || a == events(2, guidance) {
			t.Errorf("%s: the same seed gives other events, or another one the same", guidance)
		}
	}
}

// TestSearchesRepeatInBatches checks batches, where later ones are made while one runs.
func TestSearchesRepeatInBatches(t *testing.T) {
	program := func(flat []byte) run {
		return run{[]int{strings.Count(string(flat), "(") % 8, 10 + strings.Count(string(flat), "+")%8, 20 + len(flat)%30}, accept(0)}
	}
	events := func(guidance string) string {
		cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Schedule: feature.Find(guidance).Search.Schedule, Grammar: sums, Seed: 1}}}
		f := newFake(60, program, program)
		e, r := newEngine(t, f, cfg)
		const batch, batches = 32, settled + 20
		for b, left := (&Batch{}), batch*batches; left > 0; left -= batch {
			if _, ok := e.FuzzAll(b, batch, left, f.all); !ok {
				t.Fatal("refused")
			}
		}
		return strings.Join(r.events, "\n")
	}
	for _, guidance := range []string{feature.Zest, feature.Behavior, feature.Lifetime} {
		if a := events(guidance); a != events(guidance) {
			t.Errorf("%s: the same seed gives other events", guidance)
		}
	}
}

// TestSearchesKeep checks what each search keeps: Zest's reasons, only valid inputs for BeDivFuzz,
// only new structures for its second configuration, and nothing for QuickCheck. No search keeps an
// input that fails.
func TestSearchesKeep(t *testing.T) {
	kept := map[string]int{}
	for _, guidance := range searches() {
		e, r, g := searching(t, guidance, 3)
		for range 4000 {
			e.Fuzz()
		}
		kept[guidance] = len(r.kept)
		reached, accepted := [60]bool{}, [60]bool{}
		structures := map[uint64]bool{}
		invalid := 0
		for _, flat := range r.kept {
			did := g.run([]byte(flat))
			if g.s.Fresh > 0 {
				t.Fatalf("%s: what is kept is not what was drawn: %d choices are fresh", guidance, g.s.Fresh)
			}
			if did.obs.Outcome > 2 {
				t.Fatalf("%s: an input is kept that fails", guidance)
			}
			valid := did.obs.Outcome == accept(0).Outcome
			if !valid {
				invalid++
			}
			first := false
			for _, b := range did.path {
				first = first || !reached[b] || valid && !accepted[b]
				reached[b] = true
				accepted[b] = accepted[b] || valid
			}
			if !first && feature.Find(guidance).Search != nil {
				t.Errorf("%s: an input is kept in which nothing is new", guidance)
			}
			if h := g.s.Tape().Structure(); guidance == feature.Structure && structures[h] {
				t.Errorf("%s: two inputs of one structure are kept", guidance)
			} else {
				structures[h] = true
			}
		}
		switch guidance {
		case feature.Behavior, feature.Structure:
			if invalid > 0 {
				t.Errorf("%s: %d invalid inputs of %d are kept", guidance, invalid, len(r.kept))
			}
		case feature.Zest:
			if invalid == 0 || invalid == len(r.kept) {
				t.Errorf("%s: %d invalid inputs of %d are kept", guidance, invalid, len(r.kept))
			}
		}
		if len(r.candidates) == 0 {
			t.Errorf("%s: the crash was not found", guidance)
		}
	}
	if kept[feature.Random] != 0 || kept[feature.RLCheck] != 0 || kept[feature.Structure] >= kept[feature.Behavior] || kept[feature.Structure] == 0 {
		t.Errorf("kept %v", kept)
	}
}

// TestRLCheckLearns checks that RLCheck makes more valid inputs than random drawing. The announced
// and repeated tape is the drawn one.
func TestRLCheckLearns(t *testing.T) {
	share := func(guidance string) float64 {
		e, r, g := searching(t, guidance, 5)
		valid := 0
		const inputs = 4000
		for range inputs {
			e.Fuzz()
			e.Repeat()
			if e.execution.joint.Obs[0].Outcome == accept(0).Outcome {
				valid++
			}
		}
		for _, differ := range r.differs {
			if differ != 0 {
				t.Fatalf("%s: an input did otherwise when it was executed again", guidance)
			}
		}
		for _, flat := range r.candidates {
			if g.run([]byte(flat)).obs.Outcome != crash(0).Outcome {
				t.Fatalf("%s: a candidate does not crash again", guidance)
			}
		}
		if len(r.differs) == 0 || len(r.candidates) == 0 || r.redrawn > 0 {
			t.Fatalf("%s: %d executed again, %d candidates, %d drawn otherwise", guidance, len(r.differs), len(r.candidates), r.redrawn)
		}
		return float64(valid) / inputs
	}
	if random, learned := share(feature.Random), share(feature.RLCheck); learned < random+0.1 {
		t.Errorf("%.2f of the inputs are valid, at random %.2f", learned, random)
	}
}

// TestRedrawn checks that a generator that draws differently from its own tape is reported,
// whatever the program does.
func TestRedrawn(t *testing.T) {
	for _, guidance := range searches() {
		e, r, g := searching(t, guidance, 5)
		for range 4000 {
			e.Fuzz()
			e.Repeat()
		}
		if len(r.differs) < 30 || r.redrawn > 0 {
			t.Errorf("%s: %d of %d tapes drawn otherwise", guidance, r.redrawn, len(r.differs))
		}
		g.moody = true
		for range 4000 {
			e.Fuzz()
			e.Repeat()
		}
		if r.redrawn < 10 {
			t.Errorf("%s: %d of %d tapes drawn otherwise by a moody generator", guidance, r.redrawn, len(r.differs))
		}
	}
}

// TestSearchesResume checks that a resumed campaign keeps nothing for what is known.
func TestSearchesResume(t *testing.T) {
	for _, guidance := range searches() {
		e, r, _ := searching(t, guidance, 3)
		for range 6000 {
			e.Fuzz()
		}
		next, again, g := searching(t, guidance, 4)
		for _, flat := range r.kept {
			next.Replay([]byte(flat), nil)
		}
		for range 300 {
			next.Fuzz()
		}
		if next.Corpus() != len(r.kept)+len(again.kept) {
			t.Errorf("%s: a corpus of %d", guidance, next.Corpus())
		}
		if guidance != feature.Structure {
			continue
		}
		for _, flat := range again.kept {
			g.run([]byte(flat))
			signature := g.s.Tape().Structure()
			if slices.ContainsFunc(r.kept, func(old string) bool { g.run([]byte(old)); return g.s.Tape().Structure() == signature }) {
				t.Errorf("%s: a structure that was kept is kept again", guidance)
			}
		}
	}
}

// TestSearchNeedsGenerator checks that a search needs a generator, and that two searches cannot be
// combined.
func TestSearchNeedsGenerator(t *testing.T) {
	_, err := New(Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Zest}, Schedule: schedule.Zest, Mutators: "full"}}, Shape: input.Shape{input.Bytes}, Programs: 1, Blocks: 4}, nil, nil)
	if err == nil || !strings.Contains(err.Error(), "generator") {
		t.Errorf("%v", err)
	}
}

// TestSearchesOfGrammars checks that the searches work on texts of a grammar and keep the same.
func TestSearchesOfGrammars(t *testing.T) {
	g, err := grammar.Parse("sums", sums)
	if err != nil {
		t.Fatal(err)
	}
	form := g.Form(256)
	for _, guidance := range searches() {
		d := feature.Find(guidance)
		if d.Search != nil && d.Search.Guides {
			continue
		}
		program := func(flat []byte) run {
			if _, err := form.Tape(flat); err != nil {
				t.Errorf("%s: %q: %v", guidance, flat, err)
			}
			r := run{[]int{strings.Count(string(flat), "(") % 8, 10 + strings.Count(string(flat), "+")%8, 20 + len(flat)%30}, accept(0)}
			if strings.Contains(string(flat), "9") {
				r.obs = reject(1)
			}
			return r
		}
		cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{guidance}, Grammar: sums, Seed: 1}}}
		if d.Search != nil {
			cfg.Schedule = d.Search.Schedule
		}
		e, r := newEngine(t, newFake(60, program, program), cfg)
		for range 1000 {
			e.Fuzz()
		}
		structures := map[uint64]bool{}
		for _, text := range r.kept {
			read, err := form.Tape([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			h := read.Structure()
			if d.Search != nil && d.Search.Accepted && strings.Contains(text, "9") || guidance == feature.Structure && structures[h] {
				t.Errorf("%s: %q is kept", guidance, text)
			}
			structures[h] = true
		}
		if (guidance == feature.Random) != (len(r.kept) == 0) {
			t.Errorf("%s: %d are kept", guidance, len(r.kept))
		}
	}
}
