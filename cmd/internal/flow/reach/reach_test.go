package reach

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// program makes a space from a text with one line per function. A line has the name, then blocks
// with steps such as A B>C, first block first, and after a colon calls such as A>g. The map has the
// ids of blocks by their unique names.
func program(text string) (*flow.Space, map[string]int) {
	t, ids := &flow.Table{Package: "p"}, map[string]int{}
	steps, calls := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(text) {
		left, right, _ := strings.Cut(line, ":")
		words := strings.Fields(left)
		if len(words) == 0 {
			continue
		}
		f := flow.Func{Name: words[0], First: len(t.Blocks)}
		for _, w := range words[1:] {
			from, to, step := strings.Cut(w, ">")
			for _, name := range []string{from, to} {
				if _, known := ids[name]; name != "" && !known {
					ids[name] = len(t.Blocks)
					t.Blocks = append(t.Blocks, flow.Block{ID: len(t.Blocks), Func: len(t.Funcs), Kind: flow.Entry})
					f.Count++
				}
			}
			if step {
				steps[from] = append(steps[from], to)
			}
		}
		for _, w := range strings.Fields(right) {
			from, to, _ := strings.Cut(w, ">")
			calls[from] = append(calls[from], "p."+to)
		}
		t.Funcs = append(t.Funcs, f)
	}
	for name, id := range ids {
		for _, to := range steps[name] {
			t.Blocks[id].Succs = append(t.Blocks[id].Succs, ids[to])
		}
		slices.Sort(t.Blocks[id].Succs)
		t.Blocks[id].Calls = calls[name]
	}
	s := &flow.Space{}
	s.Add(t, 0)
	return s, ids
}

// named returns the names of marked blocks, in order.
func named(marks []bool, ids map[string]int) string {
	var names []string
	for name, id := range ids {
		if marks[id] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestImpacted(t *testing.T) {
	for _, test := range []struct {
		name, program, points           string
		both, forward, backward, upward string
	}{
		{ // the paper's Fig. 6
			"figure 6", "f A>B A>C B>D B>E C>F C>G E>H E>I", "H", "A B E H", "A B E H", "H", "H",
		},
		// small version of Fig. 3: a loop with an inner loop, which holds the change; early leaves
		// before it, and late is another path
		{
			"figure 3", "readBits A>early A>B B>C C>C2 C2>C C>D B>late D>E", "C2", "A B C C2 D E", "A B C C2", "C C2 D E", "C C2 D E",
		},
		{ // Fig. 4: callers are marked by their call sites
			"figure 4", "readBits R>S\nmatrix M>N M>O N>P: N>readBits\nfill F>G F>H: G>matrix\nother X>Y", "S", "F G M N P R S", "F G M N R S", "S", "G N P S",
		},
		{ // cycle of section 2.2: C calls A, A calls B, B calls C, and C calls the changed function
			"cycle", "c C>C2: C>a C2>f\na A>A2: A2>b\nb B>B2: B>c\nf F>G", "G", "A A2 B B2 C C2 F G", "A A2 B C C2 F G", "G", "A2 B B2 C C2 G",
		},
		{"recursion", "f F>G F>H G>I: G>f", "I", "F G I", "F G I", "I", "G I"},
		{"callees are never entered", "f F>G: F>g G>g\ng X>Y", "G", "F G", "F G", "G", "G"},
		{"two points", "f F>G F>H\ng X>Y: Y>f", "G H", "F G H X Y", "F G H X Y", "G H", "G H Y"},
		{"a block that cannot be reached", "f F>G H", "H", "H", "H", "H", "H"},
		{"nothing", "f F>G", "", "", "", "", ""},
	} {
		s, ids := program(test.program)
		var points []int
		for _, p := range strings.Fields(test.points) {
			points = append(points, ids[p])
		}
		for d, want := range map[Direction]string{Both: test.both, Forward: test.forward, Backward: test.backward, BackwardUp: test.upward} {
			if got := named(Impacted(s, s.Calls(), points, d), ids); got != want {
				t.Errorf("%s, direction %d: %q, want %q", test.name, d, got, want)
			}
		}
	}
}

// TestNamed: every direction has a name, and no other name is one.
func TestNamed(t *testing.T) {
	for _, d := range []Direction{Both, Forward, Backward, BackwardUp} {
		if got, ok := Named(Directions[d]); !ok || got != d || Directions[d] == "" {
			t.Errorf("%q: %d, %v", Directions[d], got, ok)
		}
	}
	if _, ok := Named("sideways"); ok {
		t.Error("sideways is a direction")
	}
}

// listing implements Algorithm 1 line by line, with reachability in a matrix.
func listing(s *flow.Space, calls *flow.Calls, points []int, d Direction) []bool {
	n := s.Len()
	can := make([][]bool, n)
	for b := range can {
		can[b] = make([]bool, n)
		can[b][b] = true
		for _, next := range s.Succs(b) {
			can[b][next] = true
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				can[i][j] = can[i][j] || can[i][k] && can[k][j]
			}
		}
	}
	susp, checked := make([]bool, n), make([]bool, n)
	for queue := slices.Clone(points); len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if checked[t] {
			continue
		}
		for b := range n {
			if s.Function(b) == s.Function(t) && (b == t || d != Backward && d != BackwardUp && can[b][t] || d != Forward && can[t][b]) {
				susp[b] = true
			}
		}
		if d != Backward {
			queue = append(queue, calls.Sites(s.Function(t))...)
		}
		checked[t] = true
	}
	return susp
}

// random returns a program of some functions with random steps and calls.
func random(r *rand.Rand) *flow.Space {
	t := &flow.Table{Package: "p"}
	functions := 1 + r.IntN(6)
	for f := range functions {
		first, count := len(t.Blocks), 1+r.IntN(6)
		t.Funcs = append(t.Funcs, flow.Func{Name: fmt.Sprint("f", f), First: first, Count: count})
		for b := range count {
			block := flow.Block{ID: first + b, Func: f, Kind: flow.Entry}
			for range r.IntN(3) {
				block.Succs = append(block.Succs, first+r.IntN(count))
			}
			slices.Sort(block.Succs)
			block.Succs = slices.Compact(block.Succs)
			if r.IntN(3) == 0 {
				block.Calls = []string{fmt.Sprint("p.f", r.IntN(functions))}
			}
			t.Blocks = append(t.Blocks, block)
		}
	}
	s := &flow.Space{}
	s.Add(t, 0)
	return s
}

func TestImpactedAgainstListing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		s := random(r)
		var points []int
		for range r.IntN(4) {
			points = append(points, r.IntN(s.Len()))
		}
		for _, d := range []Direction{Both, Forward, Backward, BackwardUp} {
			if got, want := Impacted(s, s.Calls(), points, d), listing(s, s.Calls(), points, d); !slices.Equal(got, want) {
				t.Fatalf("points %d, direction %d: %v, want %v", points, d, got, want)
			}
		}
	}
}
