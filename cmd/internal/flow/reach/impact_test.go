package reach

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/impact"
)

// TestDistances compares distances with the relaxation of all steps to a fixed point.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		s := random(r)
		calls, to := s.Calls(), r.IntN(s.Len())
		want := make([]int, s.Len())
		for b := range want {
			want[b] = Unreachable
		}
		want[to] = 0
		for changed := true; changed; {
			changed = false
			relax := func(from, next, step int) {
				if want[next] != Unreachable && want[next]+step < want[from] {
					want[from], changed = want[next]+step, true
				}
			}
			for b := range want {
				for _, n := range s.Succs(b) {
					relax(b, n, 1)
				}
				for _, f := range calls.Callees(b) {
					relax(b, f, impact.CallDistance)
				}
			}
		}
		g := newGraph(s, calls)
		if got := g.distances([]int{to}, impact.CallDistance, make([]int, s.Len())); !slices.Equal(got, want) {
			t.Fatalf("to %d: %d, want %d", to, got, want)
		}
	}
}

// TestGates checks that a block is a gate if the target is unreachable without it.
func TestGates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		s := random(r)
		calls := s.Calls()
		g := newGraph(s, calls)
		root, target := 0, r.IntN(s.Len())
		reaches := func(without int) bool {
			seen := map[int]bool{without: true}
			for stack := []int{root}; len(stack) > 0; {
				b := stack[len(stack)-1]
				if stack = stack[:len(stack)-1]; seen[b] {
					continue
				}
				if seen[b] = true; b == target {
					return true
				}
				stack = append(stack, steps(s, calls, b)...)
			}
			return false
		}
		if !reaches(flow.None) {
			continue // paths to functions that the root does not reach begin elsewhere
		}
		// Functions that the root does not reach are beginnings too, and may lead to the target.
		if begins := outside(s, calls, root); slices.ContainsFunc(begins, func(b int) bool { return comesTo(s, calls, b, target) }) {
			continue
		}
		var want []int
		for b := range s.Len() {
			if !reaches(b) {
				want = append(want, b)
			}
		}
		got := newDominators(s, calls, g, []int{root}).gates([]int{target})
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("to %d: gates %d, want %d", target, got, want)
		}
	}
}

// outside returns the first blocks of functions that a root does not reach.
func outside(s *flow.Space, calls *flow.Calls, root int) (firsts []int) {
	s.Functions(func(_ *flow.Table, _ flow.Func, first int) {
		if !comesTo(s, calls, root, first) {
			firsts = append(firsts, first)
		}
	})
	return firsts
}

func comesTo(s *flow.Space, calls *flow.Calls, from, to int) bool {
	seen := map[int]bool{}
	for stack := []int{from}; len(stack) > 0; {
		b := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			stack = append(stack, steps(s, calls, b)...)
		}
	}
	return false
}

// TestAFLGo checks AFLGo's distances, computed by hand: main calls g in B and h in C, g calls h in
// E, and h holds the target H.
func TestAFLGo(t *testing.T) {
	s, ids := program("main A>B A>C C>D: B>g C>h\ng E>F: E>h\nh G>H G>I\nalone X>Y")
	distance := AFLGo(s, s.Calls(), []int{ids["H"]})
	// Functions: h 1 (no call), g 2 (one call), main 2 (one call to h).
	harmonic := func(terms ...float64) float64 {
		sum := 0.0
		for _, x := range terms {
			sum += 1 / x
		}
		return float64(len(terms)) / sum
	}
	for name, want := range map[string]float64{
		"H": 1,  // no step: 1 + 0 + 0
		"G": 2,  // one step
		"I": 0,  // nothing can be reached
		"E": 11, // calls h at once: 1 + 10*1
		"F": 0,
		"B": 21, // calls g: 1 + 10*2
		"C": 11,
		"D": 0,
		"A": harmonic(22, 12), // by B and by C, a step each
		"X": 0,
	} {
		if got := distance[ids[name]]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestAnalyze checks the analysis of the paper's Fig. 6 with a caller, and of a point without
// executable code.
func TestAnalyze(t *testing.T) {
	s, ids := program("f A>B A>C B>D B>E C>F C>G E>H E>I\nmain M>N: N>f")
	got := Analyze(Request{Space: s, Points: [][]int{{ids["H"]}, nil}, Program: 1})
	names := make([]string, s.Len())
	for name, id := range ids {
		names[id] = name
	}
	var text strings.Builder
	for _, b := range got.Impacted {
		fmt.Fprint(&text, names[b])
	}
	for _, g := range got.Segments {
		fmt.Fprintf(&text, " %s%s", names[g.From], names[g.To])
		if g.Suspicious {
			text.WriteByte('!')
		}
	}
	for _, n := range got.Points[0].Near {
		fmt.Fprintf(&text, " %s%d", names[n.Block], n.Distance)
		if n.Gate {
			text.WriteByte('!')
		}
	}
	const want = "ABEHMN AB! AC BD BE! CF CG EH! EI MN! NA! A3! B2! E1! H0! M14! N13!"
	if text.String() != want || got.Program != 1 || len(got.Points) != 2 || len(got.Points[1].Near) > 0 {
		t.Errorf("%s\nwant\n%s\n%+v", &text, want, got)
	}
	if f := impact.NewIndex(got, s.Len()); f == nil || !got.Known() {
		t.Error("no index")
	}
}

// TestRoots checks that paths begin at harnesses, if there are any. Another caller is no path then,
// unless a harness reaches it.
func TestRoots(t *testing.T) {
	s, ids := program("f A>B A>C\ng D>E: D>f\nh F>G: G>f\nfuzz X>Y: Y>g")
	d := newDominators(s, s.Calls(), newGraph(s, s.Calls()), []int{ids["X"]})
	if got := fmt.Sprint(d.gates([]int{ids["B"]})); got != fmt.Sprint([]int{ids["B"], ids["A"]}) {
		t.Errorf("with h, which nobody is seen to call: %s", got)
	}
	s, ids = program("f A>B A>C\ng D>E: D>f\nfuzz X>Y: Y>g")
	d = newDominators(s, s.Calls(), newGraph(s, s.Calls()), []int{ids["X"]})
	if got := fmt.Sprint(d.gates([]int{ids["B"]})); got != fmt.Sprint([]int{ids["B"], ids["A"], ids["D"], ids["Y"], ids["X"]}) {
		t.Errorf("%s", got)
	}
	if got := fmt.Sprint(d.gates([]int{ids["B"], ids["C"]})); got != fmt.Sprint([]int{ids["A"], ids["D"], ids["Y"], ids["X"]}) {
		t.Errorf("of two blocks: %s", got)
	}
}

// BenchmarkAnalyze analyzes a module of the size of goja: 17,000 blocks in 2,000 functions, and 200
// change points.
func BenchmarkAnalyze(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	t := &flow.Table{Package: "p"}
	for f := range 2000 {
		first, count := len(t.Blocks), 1+r.IntN(16)
		t.Funcs = append(t.Funcs, flow.Func{Name: fmt.Sprint("f", f), First: first, Count: count})
		for k := range count {
			block := flow.Block{ID: first + k, Func: f, Kind: flow.Entry}
			for n := k + 1; n < min(count, k+3); n++ {
				block.Succs = append(block.Succs, first+n)
			}
			if r.IntN(2) == 0 {
				block.Calls = []string{fmt.Sprint("p.f", r.IntN(2000))}
			}
			t.Blocks = append(t.Blocks, block)
		}
	}
	s := &flow.Space{}
	s.Add(t, 0)
	var points [][]int
	for range 200 {
		points = append(points, []int{r.IntN(s.Len())})
	}
	b.ReportMetric(float64(s.Len()), "blocks")
	b.ResetTimer()
	for range b.N {
		Analyze(Request{Space: s, Points: points})
	}
}
