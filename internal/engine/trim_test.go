package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/policy"
)

// words is a program with a block per word that its input contains.
func words(list ...string) func([]byte) run {
	return func(flat []byte) run {
		path := []int{0}
		for i, w := range list {
			if bytes.Contains(flat, []byte(w)) {
				path = append(path, i+1)
			}
		}
		return run{path, accept(0)}
	}
}

// provisions is a record that also lists provisional inputs.
type provisions struct {
	record
	provisional []string
}

func (p *provisions) Provisional(it Item) { p.provisional = append(p.provisional, string(it.Flat)) }

func trimEngine(t *testing.T, shape input.Shape, f *fake, c Config) (*Engine, *provisions) {
	t.Helper()
	c.Shape, c.Programs, c.Blocks, c.Guidance, c.MaxBytes = shape, len(f.programs), len(f.counters.Regions[0].Cov), []string{feature.Coverage}, 4096
	sink := &provisions{}
	e, err := New(c, f, sink)
	if err != nil {
		t.Fatal(err)
	}
	return e, sink
}

// TestTrimsSeed checks that a seed is kept unchanged, and the trimmed input with it.
func TestTrimsSeed(t *testing.T) {
	doc := strings.Repeat("a", 300) + "KEY" + strings.Repeat("b", 200)
	e, sink := trimEngine(t, input.Shape{input.Bytes}, newFake(4, words("KEY")), Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1}}})
	e.Seed([]byte("calm"))
	e.Seed([]byte(doc))
	if len(e.corpus.inputs) != 2 || string(e.corpus.inputs[1]) != doc || len(sink.provisional) != 1 {
		t.Fatalf("kept %d, provisional %d", len(e.corpus.inputs), len(sink.provisional))
	}
	for i := 0; i < 200 && e.sources.trim.Active(); i++ {
		e.Fuzz()
	}
	small := e.corpus.inputs[len(e.corpus.inputs)-1]
	if e.sources.trim.Active() || len(e.corpus.inputs) < 3 || !bytes.Contains(small, []byte("KEY")) || len(small) > 2*len(doc)/32+16 {
		t.Errorf("trimmed to %q", small)
	}
}

// TestTrimKeepsNovelty checks that trimming keeps everything new, wherever it is, also if a
// goroutine ends in between.
func TestTrimKeepsNovelty(t *testing.T) {
	events := func(dies bool) string {
		f := newFake(4, words("ONE", "TWO"))
		f.dies = func(_ int, flat []byte) bool { return dies && len(flat)%5 == 3 }
		if !dies {
			f.programs[0] = func(flat []byte) run {
				if len(flat)%5 == 3 {
					return run{nil, crash(1)}
				}
				return words("ONE", "TWO")(flat)
			}
		}
		e, _ := trimEngine(t, input.Shape{input.Bytes}, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1}}})
		for _, s := range []string{"calm", strings.Repeat("x", 101) + "ONE" + strings.Repeat("y", 90) + "TWO" + strings.Repeat("z", 93)} {
			if attempt(func() { e.Seed([]byte(s)) }) {
				t.Fatal("a seed died")
			}
		}
		for i := 0; i < 300 && e.sources.trim.Active(); i++ {
			if attempt(e.Fuzz) {
				e.Abort(crash(1))
				e.Resume()
			}
		}
		small := string(e.corpus.inputs[len(e.corpus.inputs)-1])
		if e.sources.trim.Active() || !strings.Contains(small, "ONE") || !strings.Contains(small, "TWO") || len(small) > 150 {
			t.Errorf("trimmed to %q", small)
		}
		return fmt.Sprintf("%q", e.corpus.inputs)
	}
	if a, b := events(true), events(false); a != b {
		t.Errorf("with deaths %s, without %s", a, b)
	}
}

// TestTrimsTuples checks that each []byte and string argument of a tuple is cut, and that the tuple
// stays valid.
func TestTrimsTuples(t *testing.T) {
	shape := input.Shape{input.String, input.Int32, input.Bytes}
	flat, err := shape.Pack(strings.Repeat("p", 80)+"KEY", int32(7), []byte(strings.Repeat("q", 120)))
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(4, func(flat []byte) run {
		if err := shape.Check(flat); err != nil {
			t.Error(err)
		}
		return words("KEY")(flat)
	})
	e, _ := trimEngine(t, shape, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1}}})
	e.Seed(shape.Zero())
	e.Seed(flat)
	for i := 0; i < 300 && e.sources.trim.Active(); i++ {
		e.Fuzz()
	}
	small := e.corpus.inputs[len(e.corpus.inputs)-1]
	values, err := shape.Unpack(small)
	if err != nil || !strings.Contains(values[0].(string), "KEY") || len(values[0].(string)) > 16 || values[1] != int32(7) || len(values[2].([]byte)) > 12 {
		t.Errorf("trimmed to %v, %v", values, err)
	}
	if n := binary.LittleEndian.Uint32(small); int(n) != len(values[0].(string)) {
		t.Errorf("length prefix %d", n)
	}
}

// TestNoTrim checks that inputs of two programs, and of a campaign without trimming, are kept
// unchanged.
func TestNoTrim(t *testing.T) {
	doc := []byte(strings.Repeat("a", 300) + "KEY")
	for name, e := range map[string]func() *Engine{
		"two programs": func() *Engine {
			e, _ := trimEngine(t, input.Shape{input.Bytes}, newFake(4, words("KEY"), words()), Config{})
			return e
		},
		"unwanted": func() *Engine {
			e, _ := trimEngine(t, input.Shape{input.Bytes}, newFake(4, words("KEY")), Config{Setup: policy.Setup{Policy: policy.Policy{NoTrim: true}}})
			return e
		},
	} {
		e := e()
		e.Seed(doc)
		if e.sources.trim.Active() {
			t.Errorf("%s: trimmed", name)
		}
	}
}

// TestShown checks that kept inputs are reported with their features, and trimmed and replayed ones
// too, if the configuration asks for them.
func TestShown(t *testing.T) {
	doc := strings.Repeat("a", 300) + "KEY" + strings.Repeat("b", 200)
	run := func(setup policy.Setup) *provisions {
		setup.Seed = 1
		e, sink := trimEngine(t, input.Shape{input.Bytes}, newFake(4, words("KEY", "OLD")), Config{Setup: setup})
		e.Replay([]byte("OLD"), nil)
		e.Seed([]byte("calm"))
		e.Seed([]byte(doc))
		e.Import([]byte("KEYOLD"), Elsewhere)
		for i := 0; i < 200 && e.sources.trim.Active(); i++ {
			e.Fuzz()
		}
		if e.execution.show(&feature.Domain{}, []uint64{1}); slices.Contains(e.execution.fresh, feature.Chain(1<<32, 1)) != setup.Shows {
			t.Errorf("features %v, with Shows %v", e.execution.fresh, setup.Shows)
		}
		return sink
	}
	if got := run(policy.Setup{}).shown; len(got) > 0 {
		t.Errorf("shown unasked: %q", got)
	}
	sink := run(policy.Setup{Shows: true})
	if len(sink.shown) != len(sink.kept) || sink.shown[0] != doc+" 2" || !strings.HasSuffix(sink.shown[len(sink.shown)-1], " 2") {
		t.Errorf("shown %q, kept %q", sink.shown, sink.kept)
	}
	sink = run(policy.Setup{Shows: true, ShowsReplayed: true})
	if sink.shown[0] != "OLD 2" || len(sink.shown) != len(sink.kept)+1 {
		t.Errorf("shown %q with replayed ones, kept %q", sink.shown, sink.kept)
	}
}
