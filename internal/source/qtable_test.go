package source

import (
	"slices"
	"testing"
	"unsafe"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestLearnsOfManyStates checks that a learner with many states, such as those of unique inputs,
// learns new ones as well as the first. A state visited regularly stays known.
func TestLearnsOfManyStates(t *testing.T) {
	l := &RLCheck{Taped: taped(&Corpus{}, &ordered{})}
	const inputs, states = 600, 1000
	var s Step
	for input := range uint64(inputs) {
		s.Reset()
		l.Propose(&s)
		l.Chosen(1, 0, 2)
		for state := range uint64(states) {
			l.Chosen(2, feature.Mix(input*states+state), input%4)
		}
		l.Done(&s, Result{Validity: oracle.Valid})
	}
	l.learning = true
	for _, c := range []struct {
		site        uint32
		state, want uint64
	}{{1, 0, 2}, {2, feature.Mix(inputs*states - 1), (inputs - 1) % 4}, {2, feature.Mix(inputs * states / 2), inputs / 2 % 4}} {
		n := 0
		for range 1000 {
			if v, _ := l.Choose(c.site, c.state, 3); v == c.want {
				n++
			}
		}
		if n < 750 {
			t.Errorf("site %d, state %d: what was valid is chosen %d times in 1000", c.site, c.state, n)
		}
	}
	if a := l.table.actions(place(1, 0)); len(a) != 1 || a[0] != (action{2, inputs, 20}) {
		t.Errorf("of the state that was always visited %+v is known", a)
	}
	if bytes := 2*maxStates*(unsafe.Sizeof(state{})+unsafe.Sizeof(action{})) + 2*8*(maxRecent*4/3); bytes > 256<<20 {
		t.Errorf("%d bytes", bytes)
	}
}

// TestQTableForgets checks that a state's actions stay known in their order until the state was not
// visited for a generation.
func TestQTableForgets(t *testing.T) {
	const limit = 1 << 12
	w := qTable{limit: limit}
	want := map[uint64][]action{}
	visited := map[uint64]int{} // time of the last visit
	learn := func(now int, at, value uint64, g float64) {
		if len(w.actions(at)) == 0 {
			want[at] = nil
		}
		w.learn(at, value, g)
		visited[at] = now
		i := slices.IndexFunc(want[at], func(a action) bool { return a.value == value })
		if i < 0 {
			i = len(want[at])
			want[at] = append(want[at], action{value: value})
		}
		a := &want[at][i]
		a.c++
		a.q += (g - a.q) / a.c
	}
	chance := uint64(1)
	forgotten := 0
	for now := range 40000 {
		chance = feature.Mix(chance)
		at := feature.Mix(chance % 64) // a state visited often
		if chance>>8%2 == 0 {
			at = feature.Mix(chance >> 9 % 20000)
		}
		learn(now, at, chance>>32%5, float64(chance>>40%3))
		for _, g := range []*generation{&w.young, &w.old} {
			if len(g.states) > limit || cap(g.pool) > limit+2*maxActions {
				t.Fatalf("room for %d states and %d actions", len(g.states), cap(g.pool))
			}
		}
		if now%997 != 0 {
			continue
		}
		for at, actions := range want {
			got := w.actions(at)
			if len(got) == 0 && now-visited[at] > limit*5/8/5 { // each visit adds at most five actions to the generation
				forgotten++
				continue
			}
			if !slices.Equal(got, actions) {
				t.Fatalf("after %d visits, the last of a state %d ago: %v, want %v", now, now-visited[at], got, actions)
			}
		}
	}
	if forgotten == 0 {
		t.Error("nothing was forgotten")
	}
}

// TestManyActions checks that a state has a bounded number of actions. Those with the largest Q
// stay, and new ones are learned.
func TestManyActions(t *testing.T) {
	var w qTable
	for v := range uint64(10 * maxActions) {
		w.learn(7, v, float64(v%10))
	}
	got := w.actions(7)
	best, last := 0, false
	for _, a := range got {
		if a.q == 9 {
			best++
		}
		last = last || a.value == 10*maxActions-1
	}
	if len(got) != maxActions || best < maxActions*9/10 || !last {
		t.Errorf("%d actions, %d of them are the best, the last one: %v", len(got), best, last)
	}
}

func TestRecentSet(t *testing.T) {
	s := recentSet{limit: 100}
	for i := range uint64(10000) {
		if !s.Add(feature.Mix(i)) {
			t.Fatalf("hash %d was seen", i)
		}
		if s.Add(feature.Mix(0)) && i > 0 || i >= 20 && s.Add(feature.Mix(i-20)) {
			t.Fatalf("after %d: a hash that was added lately is new", i)
		}
		if n := s.young.Len() + s.old.Len(); n > 200 {
			t.Fatalf("%d hashes", n)
		}
	}
	if !s.Add(feature.Mix(5000)) {
		t.Error("nothing is forgotten")
	}
}
