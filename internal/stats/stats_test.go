package stats

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values             []float64
		first, want, third float64
	}{
		{[]float64{3}, 3, 3, 3}, {[]float64{3, 1, 2}, 1.5, 2, 2.5}, {[]float64{4, 1, 3, 2}, 1.75, 2.5, 3.25},
		{[]float64{1, Never, Never}, math.Inf(1), Never, Never}, {[]float64{Never, 1, 2, 3}, 1.75, 2.5, math.Inf(1)},
	} {
		first, got, third := Quartiles(test.values)
		if first != test.first || got != test.want || third != test.third {
			t.Errorf("%v: %v, %v, %v", test.values, first, got, third)
		}
	}
	if got := Median(nil); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}

// TestHolm has the example of Wright, Adjusted p-values for simultaneous inference, Biometrics
// 1992, and results of R's p.adjust.
func TestHolm(t *testing.T) {
	for _, test := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.02}, []float64{0.02}},
		// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		// R: p.adjust(c(0.6, 0.5, 0.001), "holm"): at most one, and at least a smaller value's
		// result.
		{[]float64{0.6, 0.5, 0.001}, []float64{1, 1, 0.003}},
		{[]float64{0.02, 0.02, 0.02}, []float64{0.06, 0.06, 0.06}},
	} {
		got := Holm(test.p)
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%v: %v, want %v", test.p, got, test.want)
		}
	}
}

// TestA12 has the worked example of A. Arcuri and L. Briand: A hitchhiker's guide to statistical
// tests for assessing randomized algorithms in software engineering, 2014, section 5. There, A12 =
// (R1/m - (m+1)/2)/n, with rank sum R1 of m values against n.
func TestA12(t *testing.T) {
	a, b := []float64{42, 11, 7}, []float64{1, 20, 5}
	// Ranks of a: 6, 4, 3, so that R1 = 13 and A12 = (13/3 - 2)/3.
	if got, want := MannWhitney(a, b).A12, (13.0/3-2)/3; math.Abs(got-want) > 1e-12 {
		t.Errorf("A12 is %v, want %v", got, want)
	}
}

func TestLeastP(t *testing.T) {
	for _, test := range []struct {
		m, n int
		want float64
	}{{0, 5, 1}, {1, 1, 1}, {3, 3, 0.1}, {4, 4, 2.0 / 70}, {10, 10, 2.0 / 184756}, {2, 3, 0.2}} {
		if got := LeastP(test.m, test.n); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d against %d: %v, want %v", test.m, test.n, got, test.want)
		}
	}
	if a, b := []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}; math.Abs(MannWhitney(a, b).P-LeastP(4, 4)) > 1e-12 {
		t.Errorf("all larger: %v, and at least %v", MannWhitney(a, b).P, LeastP(4, 4))
	}
}

func TestA12Interval(t *testing.T) {
	if got := A12Interval(nil, []float64{1}); got != (Interval{0, 1}) {
		t.Errorf("of nothing: %v", got)
	}
	if got := A12Interval([]float64{5, 6}, []float64{1, 2}); got != (Interval{1, 1}) {
		t.Errorf("all larger: %v", got)
	}
	a, b := []float64{1, 4, 6, 9}, []float64{2, 3, 5, 7}
	first := A12Interval(a, b)
	if first != A12Interval(a, b) {
		t.Error("it does not repeat")
	}
	swapped := A12Interval(b, a)
	if math.Abs(first.Low-(1-swapped.High)) > 0.05 || math.Abs(first.High-(1-swapped.Low)) > 0.05 {
		t.Errorf("%v is not about the mirror of %v", first, swapped)
	}
	// The interval holds a known effect about as often as its level claims. Normal distributions
	// whose means differ by sqrt(2)*0.5244 have A12 = 0.7.
	r := rand.New(rand.NewSource(1))
	held := 0
	const times = 200
	for range times {
		x, y := make([]float64, 20), make([]float64, 20)
		for i := range x {
			x[i], y[i] = r.NormFloat64()+math.Sqrt2*0.5244, r.NormFloat64()
		}
		if in := A12Interval(x, y); in.Low <= 0.7 && 0.7 <= in.High {
			held++
		}
	}
	if held < times*88/100 || held == times {
		t.Errorf("the true value lies in %d of %d intervals", held, times)
	}
}

func TestCompareTimes(t *testing.T) {
	fast, slow := []float64{1, 2, 3, Never}, []float64{5, 6, Never, Never}
	got := CompareTimes(fast, slow)
	// fast wins 3*4 of 16 pairs, and its event that never happened ties with two.
	if got.U != 13 || got.A12 != 13.0/16 || got.P != MannWhitney(slow, fast).P {
		t.Errorf("got %+v", got)
	}
	if CountHappened(fast) != 3 || CountHappened(nil) != 0 {
		t.Errorf("happened %d, %d", CountHappened(fast), CountHappened(nil))
	}
	for _, test := range []struct {
		times []float64
		want  float64
		ok    bool
	}{{fast, 2.5, true}, {[]float64{1, Never, 3}, 3, true}, {slow, math.Inf(1), false}, {[]float64{Never}, Never, false}} {
		if m, ok := MedianTime(test.times); m != test.want || ok != test.ok {
			t.Errorf("%v: %v %v", test.times, m, ok)
		}
	}
	if _, ok := MedianTime(nil); ok {
		t.Error("of nothing there is a median")
	}
	// No event happened: no difference.
	if got := CompareTimes([]float64{Never, Never}, []float64{Never, Never}); got.P != 1 || got.A12 != 0.5 {
		t.Errorf("got %+v", got)
	}
}

func TestOverlap(t *testing.T) {
	one := func(elements ...int) []Finds { return []Finds{elements} }
	pools := []Pools{{Sides: [][]Finds{one(0, 1, 2, 3), one(1, 2), one(2, 4, 5)}, Elements: 6, Draw: 1}}
	// none; only first: 0 3; only second; first and second: 1; only third: 4 5; first and third;
	// second and third; all: 2
	if got, want := Overlap(pools), []int{0, 2, 0, 1, 2, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := Overlap(append(pools, pools...)), []int{0, 4, 0, 2, 4, 0, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("two subjects: got %v, want %v", got, want)
	}
	if got := Overlap(nil); !slices.Equal(got, []int{0}) {
		t.Errorf("of nothing: %v", got)
	}
}

// TestOverlapEqual checks that a side with more trials has no advantage, and that the first side
// against itself shows chance.
func TestOverlapEqual(t *testing.T) {
	var few, many []Finds
	for i := range 6 { // all find 0, and something of their own
		few = append(few, Finds{0, 1 + i})
	}
	for i := range 60 {
		many = append(many, Finds{0, 7 + i})
	} // all find 0 and one element of their own
	pools := []Pools{{Sides: [][]Finds{few, many}, Elements: 67, Draw: 3}}
	if got, want := Overlap(pools), []int{0, 3, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := SplitHalf(pools), []int{0, 3, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("halves: got %v, want %v", got, want)
	}
	if few[0][1] != 1 || many[59][1] != 66 {
		t.Error("drawing has changed the order of the trials")
	}
	// Trial 0 of three finds an element. Two of three draws of two trials include it.
	rare := []Pools{{Sides: [][]Finds{{{0}, {}, {}}}, Elements: 1, Draw: 2}}
	if got := Overlap(rare); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("more often than not: got %v", got)
	}
	rare[0].Draw = 1
	if got := Overlap(rare); !slices.Equal(got, []int{0, 0}) {
		t.Errorf("less often than not: got %v", got)
	}
}

func BenchmarkMannWhitney(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	x, y := draw(r, 10, 1000), draw(r, 10, 1000)
	for range b.N {
		MannWhitney(x, y)
	}
}

func BenchmarkA12Interval(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	x, y := draw(r, 10, 1000), draw(r, 10, 1000)
	for range b.N {
		A12Interval(x, y)
	}
}

func draw(r *rand.Rand, n, kinds int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(r.Intn(kinds))
	}
	return v
}

func TestQuantileOracle(t *testing.T) {
	// R: quantile(c(2, 4, 4, 5, 7, 9, 30)), which is type 7.
	values := []float64{30, 2, 4, 9, 4, 7, 5}
	for p, want := range map[float64]float64{0: 2, 0.25: 4, 0.5: 5, 0.75: 8, 1: 30, 0.1: 3.2} {
		if got := Quantile(values, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v: %v, want %v", p, got, want)
		}
	}
}
