package feature

import (
	"slices"
	"strings"
	"testing"

	"parallax/internal/oracle"
)

func TestParse(t *testing.T) {
	tests := []struct {
		in   string
		want string
		err  string
	}{
		{"coverage", "coverage", ""},
		{"output,coverage", "coverage output", ""}, // in the order of Names
		{"output, coverage ,output", "coverage output", ""},
		{"ensemble", "coverage path-coarse path-fine output cells", ""},
		{"ensemble,output,nezha-fine", "coverage path-coarse path-fine output nezha-fine cells", ""},
		{"random", "random", ""},
		{"zest", "coverage valid zest", ""},
		{"behaviour,output", "coverage output valid behaviour", ""},
		{"zest,behaviour", "", "two ways to search"},
		{"random,coverage", "", "random cannot be united"},
		{"random,ensemble", "", "random cannot be united"},
		{"", "", `unknown guidance ""`},
		{"Coverage", "", `unknown guidance "Coverage"`},
	}
	for _, test := range tests {
		got, err := Parse(strings.Split(test.in, ","))
		if strings.Join(got, " ") != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: %v, %v", test.in, got, err)
		}
		if again, err := Parse(got); err != nil && got != nil || !slices.Equal(again, got) {
			t.Errorf("%q: parsed again %v, %v", test.in, again, err)
		}
	}
	for _, name := range Names(2, true) {
		if _, err := Parse([]string{name}); err != nil {
			t.Errorf("%s is listed and not known: %v", name, err)
		}
	}
	if !NeedsOrder([]string{Coverage, PublishedFine}) || NeedsOrder(Names(2, false)[:5]) {
		t.Error("the order of first hits is for nezha-fine alone")
	}
}

// TestDeviation checks that a deviation is new once per path and kind, and that agreement is not a
// deviation.
func TestDeviation(t *testing.T) {
	n := NewNovelty(&deviation, Setting{Programs: 2, Blocks: 10, Layers: oracle.VerdictLayer | oracle.ValueLayer}, true, 0)
	accepted := func(value uint64) oracle.Observation {
		return oracle.Observation{Outcome: oracle.Accepted, Value: value}
	}
	for i, step := range []struct {
		set  uint64
		last oracle.Observation
		want int
	}{
		{1, accepted(7), 0}, {1, accepted(8), 1}, {1, accepted(9), 0}, {1, oracle.Observation{Outcome: oracle.Rejected}, 1}, {2, accepted(9), 1}, {2, accepted(7), 0},
		{2, accepted(8), 0}, {3, oracle.Observation{Outcome: oracle.Declined}, 0},
	} {
		j := &Joint{Traces: []Trace{{Set: step.set}, {}}, Obs: []oracle.Observation{accepted(7), step.last}}
		if got := len(n.Observe(j)); got != step.want {
			t.Errorf("step %d: %d new, want %d", i, got, step.want)
		}
	}
}

// TestValid checks that a block is new once for accepted inputs, whatever other inputs executed.
func TestValid(t *testing.T) {
	n := NewNovelty(&valid, Setting{Programs: 2, Blocks: 10}, true, 0)
	run := func(outcome oracle.Outcome, hits ...uint32) int {
		return len(n.Observe(&Joint{
			Traces: []Trace{{Hits: hits}, {}},
			Obs:    []oracle.Observation{{Outcome: outcome}, {Outcome: oracle.Rejected}},
		}))
	}
	for i, step := range []struct {
		outcome oracle.Outcome
		hits    []uint32
		want    int
	}{
		{oracle.Rejected, []uint32{1, 2, 3}, 0},
		{oracle.Accepted, []uint32{1, 2}, 2},
		{oracle.Crashed, []uint32{3}, 0},
		{oracle.Declined, []uint32{3}, 0},
		{oracle.Accepted, []uint32{1, 2, 3}, 1},
		{oracle.Accepted, []uint32{1, 2, 3}, 0},
	} {
		if got := run(step.outcome, step.hits...); got != step.want {
			t.Errorf("step %d: %d new blocks, want %d", i, got, step.want)
		}
	}
	// Blocks of one program do not count while the other fails, since the input is not kept.
	for _, step := range []struct {
		other oracle.Outcome
		want  int
	}{{oracle.Crashed, 0}, {oracle.Timeout, 0}, {oracle.OOM, 0}, {oracle.Rejected, 2}, {oracle.Rejected, 0}} {
		got := len(n.Observe(&Joint{
			Traces: []Trace{{Hits: []uint32{7, 8}}, {}}, Obs: []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: step.other}},
		}))
		if got != step.want {
			t.Errorf("the other program ends by %v: %d new blocks, want %d", step.other, got, step.want)
		}
	}
}

func TestTuples(t *testing.T) {
	base := func() *Joint {
		return &Joint{
			Traces: []Trace{{Hits: []uint32{1}, Counts: []byte{5}, Length: 5, Set: 10, Order: 20}, {Length: 6, Set: 11, Order: 21}},
			Obs:    []oracle.Observation{{Outcome: oracle.Accepted, Value: 1}, {Outcome: oracle.Rejected, Class: 2}},
		}
	}
	hashes := map[string]func(*Joint) uint64{
		PathCoarse: CoarseTuple, PathFine: FineTuple, Output: OutputTuple, PublishedCoarse: PublishedCoarseTuple,
		PublishedFine: PublishedFineTuple, Reference: ReferenceTuple(1),
	}
	tests := []struct {
		name  string
		edit  func(*Joint)
		moves string // domains that see a difference
	}{
		{"nothing", func(*Joint) {}, ""},
		{"length", func(j *Joint) { j.Traces[1].Length++ }, PathCoarse},
		{"set", func(j *Joint) { j.Traces[0].Set++ }, PathFine},
		{"order", func(j *Joint) { j.Traces[0].Order++ }, PublishedFine},
		{"hits of another bucket", func(j *Joint) { j.Traces[0].Counts[0] = 9 }, PublishedCoarse},
		{"hits of the same bucket", func(j *Joint) { j.Traces[0].Counts[0] = 6 }, ""},
		{"value", func(j *Joint) { j.Obs[0].Value++ }, Output + " " + Reference},
		{"class", func(j *Joint) { j.Obs[0].Class++ }, Output + " " + Reference},
		{"class of the reference", func(j *Joint) { j.Obs[1].Class++ }, Output},
		{"outcome of the reference", func(j *Joint) { j.Obs[1].Outcome = oracle.Declined }, Output + " " + Reference},
		{"programs exchanged", func(j *Joint) { slices.Reverse(j.Traces); slices.Reverse(j.Obs) },
			strings.Join([]string{PathCoarse, PathFine, Output, PublishedCoarse, PublishedFine, Reference}, " ")},
	}
	for _, test := range tests {
		j := base()
		test.edit(j)
		for name, hash := range hashes {
			want := slices.Contains(strings.Fields(test.moves), name)
			if got := hash(j) != hash(base()); got != want {
				t.Errorf("%s: %s differs: %v, want %v", test.name, name, got, want)
			}
		}
	}
}

// TestReferenceIsRelative changes all outputs but not which programs agree with the reference.
func TestReferenceIsRelative(t *testing.T) {
	same := func(o oracle.Observation) *Joint { return &Joint{Obs: []oracle.Observation{o, o}} }
	hash := ReferenceTuple(0)
	a, b := oracle.Observation{Outcome: oracle.Accepted, Value: 1}, oracle.Observation{Outcome: oracle.Accepted, Value: 2}
	if hash(same(a)) != hash(same(b)) {
		t.Error("agreement on another value is another tuple")
	}
	if hash(same(a)) == hash(&Joint{Obs: []oracle.Observation{a, b}}) {
		t.Error("disagreement is the tuple of agreement")
	}
}

func TestObserve(t *testing.T) {
	d := NewNovelty(Find(PathCoarse), Setting{Programs: 1}, false, 0)
	for i, s := range []struct {
		length uint64
		block  uint32
		fresh  bool
	}{
		{1, 1, true}, {1, 2, false}, // the same tuple with other blocks
		{2, 1, true}, {3, 2, true},
	} {
		j := &Joint{Traces: []Trace{{Length: s.length, Hits: []uint32{s.block}}}}
		fresh := d.Observe(j)
		if got := len(fresh) == 1 && fresh[0] == CoarseTuple(j); got != s.fresh || len(fresh) > 1 {
			t.Errorf("step %d: new %x, want %v", i, fresh, s.fresh)
		}
	}
	if d.Seen.Len() != 3 {
		t.Errorf("%d tuples seen, want 3", d.Seen.Len())
	}
}

// TestTableIsUnambiguous checks that each name, number and key, which files contain, belongs to one
// domain.
func TestTableIsUnambiguous(t *testing.T) {
	names, numbers, keys := map[string]bool{}, map[int]bool{}, map[string]bool{}
	for _, d := range Table {
		if d.Name == "" || names[d.Name] || d.Key != "" && keys[d.Key] {
			t.Errorf("domain %q: another has its name or its key %q", d.Name, d.Key)
		}
		if d.Number != Unstored && (d.Number < 0 || d.Number > 255 || numbers[d.Number]) {
			t.Errorf("domain %q: number %d", d.Name, d.Number)
		}
		names[d.Name], keys[d.Key] = true, true
		numbers[d.Number] = true
	}
}
