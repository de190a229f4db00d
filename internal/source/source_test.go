package source

import (
	"strings"
	"testing"
)

// named proposes its name so many times, and counts results.
type named struct {
	name string
	left int
	done int
}

func (n *named) Ready() bool { return n.left > 0 }

func (n *named) Propose(s *Step) bool {
	if n.left == 0 {
		return false
	}
	n.left--
	s.Flat = append(s.Flat[:0], n.name...)
	s.Notify(n)
	return true
}

func (n *named) Done(*Step, Result) { n.done++ }

// play asks a source for inputs. An input is new if found reports so for its name.
func play(src Source, n int, found func(string) bool) string {
	var out strings.Builder
	s := &Step{}
	for range n {
		s.Reset()
		if !src.Propose(s) {
			out.WriteByte('.')
			continue
		}
		out.Write(s.Flat)
		s.Done(Result{Found: found != nil && found(string(s.Flat))})
	}
	return out.String()
}

func TestOrder(t *testing.T) {
	a, b := &named{name: "a", left: 2}, &named{name: "b", left: 3}
	if got := play(Order(a, Order(b)), 6, nil); got != "aabbb." {
		t.Errorf("order %s", got)
	}
	if a.done != 2 || b.done != 3 {
		t.Errorf("told of %d and %d", a.done, b.done)
	}
	if got := play(Order(), 1, nil); got != "." {
		t.Errorf("no source proposes %s", got)
	}
}

func TestCallback(t *testing.T) {
	a, b := &named{name: "a", left: 9}, &named{name: "b", left: 9}
	n := 0
	src := Callback(func() Source {
		n++
		return []Source{a, b, nil}[n%3]
	})
	if got := play(src, 6, nil); got != "b.ab.a" {
		t.Errorf("callback %s", got)
	}
}

// TestAlternate checks that turns come once in eight inputs, and once in two while they are worth
// it. They do not count while there is nothing to propose.
func TestAlternate(t *testing.T) {
	const many = 1 << 30
	some, most := &named{name: "s", left: many}, &named{name: "m", left: many}
	src := Alternate(some, most, 0)
	if got := play(src, 24, nil); got != strings.Repeat("mmmmmmms", 3) {
		t.Errorf("turns %s", got)
	}
	play(src, 2*period, func(name string) bool { return name == "s" })
	if got := play(src, 8, nil); got != "msmsmsms" && got != "smsmsmsm" {
		t.Errorf("turns that are worth it %s", got)
	}
	play(src, 4*period, func(name string) bool { return name == "m" })
	if got := play(src, 64, nil); strings.Count(got, "s") != 8 {
		t.Errorf("turns that are not worth it %s", got)
	}

	some = &named{name: "s"}
	src = Alternate(some, most, 0)
	if got := play(src, 100, nil); strings.Contains(got, "s") {
		t.Errorf("turns of nothing %s", got)
	}
	some.left = 1
	if got := play(src, 9, nil); got != "mmmmmmmsm" {
		t.Errorf("turns after a pause %s", got)
	}
	for deaths, first := range map[int]int{0: 8, 1: 16, 3: 64, 99: 8 << 10} {
		got := play(Alternate(&named{name: "s", left: 1}, most, deaths), 9<<10, nil)
		if i := strings.Index(got, "s") + 1; i != first {
			t.Errorf("after %d deaths the first turn is input %d, want %d", deaths, i, first)
		}
	}
}

// TestAlternateDone checks that each side's results reach the proposing source.
func TestAlternateDone(t *testing.T) {
	some, most := &named{name: "s", left: 10}, &named{name: "m", left: 1000}
	play(Alternate(some, Order(most), 0), 80, nil)
	if some.done != 10 || most.done != 70 {
		t.Errorf("told of %d and %d", some.done, most.done)
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	src := Alternate(&named{name: "s", left: 1 << 30}, Order(&named{name: "m", left: 1 << 30}), 0)
	s := &Step{}
	if n := testing.AllocsPerRun(1000, func() {
		s.Reset()
		src.Propose(s)
		s.Done(Result{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
