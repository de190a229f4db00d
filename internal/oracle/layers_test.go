package oracle

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

const all = VerdictLayer | ValueLayer | ClassLayer

func acc(value uint64) Observation { return Observation{Outcome: Accepted, Value: value} }
func rej(class uint64) Observation { return Observation{Outcome: Rejected, Class: class} }

var (
	declined = Observation{Outcome: Declined, Class: 7, Value: 7}
	crashed  = Observation{Outcome: Crashed, Class: 8, Value: 8}
	timeout  = Observation{Outcome: Timeout}
	oom      = Observation{Outcome: OOM}
)

func TestDisagree(t *testing.T) {
	cases := []struct {
		name                  string
		obs                   []Observation
		verdict, value, class bool // alone
		first                 Layers
		odd                   []int
	}{
		{"none", nil, false, false, false, 0, nil},
		{"one", []Observation{acc(1)}, false, false, false, 0, nil},
		{"agree", []Observation{acc(1), acc(1)}, false, false, false, 0, nil},
		{"verdict", []Observation{acc(1), rej(1)}, true, false, false, VerdictLayer, nil},
		{"value", []Observation{acc(1), acc(2)}, false, true, false, ValueLayer, nil},
		{"class", []Observation{rej(1), rej(2)}, false, false, true, ClassLayer, nil},
		{"value of rejected", []Observation{{Outcome: Rejected, Class: 1, Value: 1}, {Outcome: Rejected, Class: 1, Value: 2}}, false, true, false, ValueLayer, nil},
		{"verdict of three", []Observation{acc(1), acc(1), rej(1)}, true, false, false, VerdictLayer, []int{2}},
		{"value of three", []Observation{acc(1), acc(2), acc(1)}, false, true, false, ValueLayer, []int{1}},
		{"class of three", []Observation{rej(5), rej(1), rej(1)}, false, false, true, ClassLayer, []int{0}},
		{"all three differ", []Observation{acc(1), acc(2), acc(3)}, false, true, false, ValueLayer, nil},
		{"two against two", []Observation{acc(1), acc(1), rej(1), rej(1)}, true, false, false, VerdictLayer, nil},
		{"two odd ones", []Observation{acc(9), acc(1), acc(1), acc(8), acc(1)}, false, true, false, ValueLayer, []int{0, 3}},
		{"a plurality is no majority", []Observation{acc(1), acc(1), acc(2), acc(3)}, false, true, false, ValueLayer, nil},
		{"everything differs", []Observation{acc(1), acc(2), rej(1), rej(2), acc(1)}, true, true, true, VerdictLayer, []int{2, 3}},
		{"the rest takes no part", []Observation{declined, acc(1), crashed, timeout, oom, {}}, false, false, false, 0, nil},
		{"rejected beside declined", []Observation{declined, rej(1), crashed, rej(1)}, false, false, false, 0, nil},
		{"two take part", []Observation{crashed, acc(1), declined, rej(1)}, true, false, false, VerdictLayer, nil},
		{"three take part", []Observation{crashed, acc(1), declined, rej(1), acc(1), timeout}, true, false, false, VerdictLayer, []int{3}},
		{"values of accepted alone", []Observation{acc(1), acc(2), rej(1), rej(1), rej(1)}, true, true, false, VerdictLayer, []int{0, 1}},
	}
	for _, c := range cases {
		for _, one := range []struct {
			layer Layers
			want  bool
		}{{VerdictLayer, c.verdict}, {ValueLayer, c.value}, {ClassLayer, c.class}, {all, c.first != 0}, {0, false}} {
			if got := Disagree(one.layer, c.obs); got != one.want {
				t.Errorf("%s: Disagree in %v is %v", c.name, one.layer, got)
			}
		}
		if got := DisagreeLayer(all, c.obs); got != c.first {
			t.Errorf("%s: first layer %v, want %v", c.name, got, c.first)
		}
		if got := Minority(all, c.obs); !reflect.DeepEqual(got, c.odd) {
			t.Errorf("%s: minority %v, want %v", c.name, got, c.odd)
		}
		if _, ok := UniqueDiscrepancy(c.obs); ok != c.verdict {
			t.Errorf("%s: unique discrepancy %v", c.name, ok)
		}
	}
}

// TestDisagreeLayers checks that programs disagree in each layer in which some participants do. The
// participants disagree in no other layer. Two programs disagree in at most one layer.
func TestDisagreeLayers(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 100_000 {
		obs := make([]Observation, 2+random.Intn(4))
		for i := range obs {
			obs[i] = Observation{Outcome: Outcome(random.Intn(5)), Class: uint64(random.Intn(2)), Value: uint64(random.Intn(2))}
		}
		l := Layers(random.Intn(8))
		in := DisagreeLayers(l, obs)
		if len(obs) == 2 && in != in.First() {
			t.Fatalf("two programs disagree in %v: %+v", in, obs)
		}
		for i := range obs {
			for k := range obs[:i] {
				if pair := DisagreeLayer(l, []Observation{obs[k], obs[i]}); in&pair != pair {
					t.Fatalf("%d and %d disagree in %v, all in %v of %v: %+v", k, i, pair, in, l, obs)
				}
			}
		}
		for layer := VerdictLayer; layer <= ClassLayer; layer <<= 1 {
			part := Part(layer, obs)
			only := slices.Clone(obs)
			for i := range only {
				if part>>i&1 == 0 {
					only[i] = Observation{}
				}
			}
			if in&layer != 0 && DisagreeLayer(l, only) != layer {
				t.Fatalf("those that take part in %v disagree in %v of %v: %+v", layer, DisagreeLayer(l, only), l, obs)
			}
			if layer == in.First() && Bystanders(l, layer, obs) != 0 {
				t.Fatalf("the first layer %v has bystanders: %+v", layer, obs)
			}
		}
	}
}

// TestMinorityInOneLayer checks that without the verdict layer, only values of programs that accept
// are compared.
func TestMinorityInOneLayer(t *testing.T) {
	obs := []Observation{acc(1), acc(2), rej(1), rej(1), acc(1)}
	if got := Minority(ValueLayer, obs); !reflect.DeepEqual(got, []int{1}) {
		t.Errorf("value layer: %v", got)
	}
	if got := Minority(ClassLayer, obs); got != nil {
		t.Errorf("class layer: %v", got)
	}
}

func TestDisagreeAllocatesNothing(t *testing.T) {
	obs := []Observation{acc(1), rej(2), crashed}
	if n := testing.AllocsPerRun(100, func() {
		Disagree(all, obs)
		Part(ClassLayer, obs)
		Bystanders(all, ValueLayer, obs)
		TupleHash(obs)
		UniqueDiscrepancy(obs)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTupleHash(t *testing.T) {
	tuples := [][]Observation{
		nil, {{}}, {{}, {}}, {acc(0)}, {acc(1)}, {rej(0)}, {rej(1)}, {acc(1), rej(1)}, {rej(1), acc(1)},
		{acc(1), acc(2)}, {acc(2), acc(1)}, {declined}, {crashed}, {timeout}, {oom},
	}
	seen := map[uint64]int{}
	for i, obs := range tuples {
		if j, ok := seen[TupleHash(obs)]; ok {
			t.Errorf("tuples %d and %d have one hash", i, j)
		}
		seen[TupleHash(obs)] = i
		if TupleHash(append([]Observation(nil), obs...)) != TupleHash(obs) {
			t.Errorf("tuple %d has two hashes", i)
		}
	}
	a, _ := UniqueDiscrepancy([]Observation{acc(1), rej(1)})
	b, _ := UniqueDiscrepancy([]Observation{acc(2), rej(1)})
	c, _ := UniqueDiscrepancy([]Observation{acc(2), rej(2)})
	if a != b || b == c {
		t.Error("a unique discrepancy is outcomes and classes, without values")
	}
}

// TestPaperTableI is the worked example of the paper's Table I: return codes of A and B on 7, 0, 1
// and 2. B's code on 7 is odd within 3..7.
func TestPaperTableI(t *testing.T) {
	run := func(code int) Observation {
		var r Result
		r.Verdict(code == 0)
		o := r.Observe(true)
		if code != 0 {
			o.Class = uint64(-code)
		}
		return o
	}
	a := func(v int) int {
		switch {
		case v%2 != 0:
			return -1
		case v < 1 || v > 7:
			return -2
		}
		return 0
	}
	b := func(v int) int {
		switch {
		case v < 3 || v > 7:
			return -2
		case v%2 != 0:
			return -1
		}
		return 0
	}
	tuples := map[uint64]bool{}
	for _, c := range []struct {
		v         int
		new, diff bool
	}{{7, true, false}, {0, true, false}, {1, true, false}, {2, true, true}, {9, false, false}} {
		obs := []Observation{run(a(c.v)), run(b(c.v))}
		h := TupleHash(obs)
		if tuples[h] == c.new {
			t.Errorf("input %d: output tuple new is %v", c.v, !tuples[h])
		}
		tuples[h] = true
		if Disagree(VerdictLayer, obs) != c.diff {
			t.Errorf("input %d: discrepancy is %v", c.v, !c.diff)
		}
	}
}

func TestLayers(t *testing.T) {
	cases := []struct {
		names []string
		want  Layers
		text  string
	}{
		{nil, 0, "none"},
		{[]string{"verdict"}, VerdictLayer, "verdict"},
		{[]string{"class", "value"}, ValueLayer | ClassLayer, "value,class"},
		{[]string{"value", "value", "verdict", "class"}, all, "verdict,value,class"},
	}
	for _, c := range cases {
		got, err := ParseLayers(c.names)
		if err != nil || got != c.want || got.String() != c.text {
			t.Errorf("ParseLayers(%q) = %v, %v", c.names, got, err)
		}
	}
	if _, err := ParseLayers([]string{"verdict", "Value"}); err == nil {
		t.Error("an unknown layer is no error")
	}
}
