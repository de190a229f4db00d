package source

import (
	"bytes"
	"strings"
	"testing"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
	"parallax/internal/input"
)

// costly runs a source whose inputs have the given costs, by name.
func costly(src Source, n int, turns func(string) int) string {
	var out strings.Builder
	s := &Step{}
	for range n {
		s.Reset()
		src.Propose(s)
		out.Write(s.Flat)
		s.Done(Result{Turns: turns(string(s.Flat))})
	}
	return out.String()
}

// TestAlternateExpensive checks that an input that costs as much as five takes the turns of five,
// on either side.
func TestAlternateExpensive(t *testing.T) {
	const many = 1 << 30
	some, most := &named{name: "s", left: many}, &named{name: "m", left: many}
	got := costly(Alternate(some, most, 0), 8*5*20, func(name string) int {
		if name == "s" {
			return 5
		}
		return 1
	})
	if n := strings.Count(got, "s"); n != 20 {
		t.Errorf("%d turns of inputs of five, want 20", n)
	}
	// They are new as often as the others, for five times the cost.
	src, s, last := Alternate(some, most, 0), &Step{}, 0
	for i := range 8 * period {
		s.Reset()
		src.Propose(s)
		r := Result{Found: i%2 == 0}
		if string(s.Flat) == "s" {
			r.Turns, r.Found = 64, true
			last++
		}
		s.Done(r)
	}
	if last > 8*period/(64*rarely)+1 {
		t.Errorf("%d turns of inputs of 64", last)
	}
}

// trimmed trims an input whose executions have the given cost, and returns the number of executions
// and the result.
func trimmed(turns int) (int, []byte) {
	t := NewTrim(input.Shape{input.String})
	flat := append(bytes.Repeat([]byte("a"), 300), "KEY"...)
	trace := feature.Trace{Hits: []uint32{7}, Counts: []byte{1}}
	s := &Step{Flat: flat}
	t.Begin(s, 0, nil, []Pair{{7, feature.Bucket[1]}})
	n := 0
	for t.Active() {
		s.Reset()
		t.Propose(s)
		r := Result{Traces: []feature.Trace{{}}, Turns: turns}
		if bytes.Contains(s.Flat, []byte("KEY")) {
			r.Traces[0] = trace
		}
		s.Done(r)
		n++
	}
	small, _ := t.Result()
	return n, small.Flat
}

// TestTrimExpensive checks that trimming ends when it has cost patience beyond usual executions,
// and keeps its progress.
func TestTrimExpensive(t *testing.T) {
	usual, least := trimmed(1)
	if again, same := trimmed(0); usual < 10 || again != usual || !bytes.Equal(same, least) {
		t.Errorf("%d executions, %d if their cost is not known", usual, again)
	}
	if n, small := trimmed(patience / 4); n != 6 || len(small) >= 303 || len(small) <= len(least) {
		t.Errorf("%d executions of a quarter of the patience each, %d bytes left of 303, %d at least", n, len(small), len(least))
	}
	if n, small := trimmed(1000 * patience); n != 2 || !bytes.Contains(small, []byte("KEY")) {
		t.Errorf("%d executions of far too much, left %q", n, small)
	}
}

// manyWords compares every input with words that it has.
type manyWords struct{ n int }

func (manyWords) Ready() bool { return true }

func (m manyWords) Compare([]byte) []cmplog.Comparison {
	var out []cmplog.Comparison
	for i := range m.n {
		out = append(out, cmplog.Comparison{Kind: cmplog.StringEqual, Site: uint64(i), S: "name", T: strings.Repeat("x", i+5)})
	}
	return out
}

// TestCmpLogExpensive checks that the patches of an expensive input wait until those of others have
// run, and that none is lost.
func TestCmpLogExpensive(t *testing.T) {
	corpus := Corpus{[]byte("a name"), []byte("dear name")}
	c := NewCmpLog(manyWords{20}, &corpus, input.Shape{input.String}, 64, nil, func([][]byte) {})
	c.Added(0, false)
	c.Added(1, false) // comes first
	var order []int
	seen := map[string]bool{}
	for s := new(Step); c.Ready() && len(order) < 1000; {
		if s.Reset(); !c.Propose(s) {
			break
		}
		order = append(order, s.Parent)
		seen[string(s.Flat)] = true
		s.Done(Result{Turns: 1 + s.Parent*patience/4})
	}
	if len(order) != len(seen) || len(order) < 40 {
		t.Fatalf("%d inputs, %d different", len(order), len(seen))
	}
	first := len(order)
	for i, parent := range order {
		if parent == 0 {
			first = i
			break
		}
	}
	if first != 4 {
		t.Errorf("%d patches of the dear input come before those of the other: %v", first, order)
	}
	if order[len(order)-1] != 1 {
		t.Errorf("the rest does not come last: %v", order)
	}
}
