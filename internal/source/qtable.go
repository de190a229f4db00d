package source

import (
	"math/bits"

	"parallax/internal/feature"
)

// qTable is RLCheck's table of Q values: per state the tried actions and their mean rewards. There
// are more states than memory, since most inputs have new ones. So it forgets the states that were
// not visited for longest. It has two generations of states. The younger one has all states visited
// since it began. When it is full, the older one is cleared and becomes the younger one. A state
// moves to the younger generation with all its actions. The zero value is empty and ready.
type qTable struct {
	young, old generation
	limit      int // zero means maxStates
}

const (
	minStates = 1 << 10
	// maxStates is the size of a generation: its slots of states, five eighths of them used, and
	// its actions. It takes 80 MiB.
	maxStates = 1 << 21
	// maxActions bounds the actions of a state, and so the time of a choice. A new action replaces
	// the one with the least Q.
	maxActions = 1 << 8
)

// generation is a table of states with open addressing. The actions of a state are adjacent.
type generation struct {
	states []state
	n      int        // number of states
	pool   []action   // blocks of actions, each with a power of two
	free   [9][]int32 // per power: blocks that states have outgrown
}

type state struct {
	at   uint64 // site and state, well mixed
	from int32  // block of its actions
	n    int32  // number of actions, which fill more than half of the block; 0 means an empty slot
}

// action is an action tried in a state: how often, and its mean reward.
type action struct {
	value uint64
	c, q  float64
}

// actions returns the actions of a state in the order of their first try. They are valid until the
// next learn.
func (w *qTable) actions(at uint64) []action {
	if known := w.young.actions(at); known != nil {
		return known
	}
	return w.old.actions(at)
}

// learn records the reward of an action.
func (w *qTable) learn(at, value uint64, reward float64) {
	limit := w.limit
	if limit == 0 {
		limit = maxStates
	}
	s := w.young.find(at)
	if s == nil || s.n == 0 {
		s = w.young.add(at, w.old.actions(at), limit)
	}
	a := w.young.action(s, value, limit)
	a.c++
	a.q += (reward - a.q) / a.c
	if crowded(w.young.n, limit) || len(w.young.pool) >= limit {
		w.old.clear()
		w.old, w.young = w.young, w.old
	}
}

func crowded(n, slots int) bool { return 8*n > 5*slots }

// find returns the slot of a state, which is empty if the state is unknown. It returns nil if there
// are no slots.
func (g *generation) find(at uint64) *state {
	if len(g.states) == 0 {
		return nil
	}
	mask := uint64(len(g.states) - 1)
	i := at & mask
	for g.states[i].n > 0 && g.states[i].at != at {
		i = (i + 1) & mask
	}
	return &g.states[i]
}

// actions returns the actions of a state, or nil if it is unknown.
func (g *generation) actions(at uint64) []action {
	if s := g.find(at); s != nil && s.n > 0 {
		return g.pool[s.from:][:s.n]
	}
	return nil
}

// add adds a state with its known actions, perhaps none.
func (g *generation) add(at uint64, known []action, limit int) *state {
	if size := len(g.states); size == 0 || size < limit && crowded(g.n+1, size) {
		old := g.states
		g.states = make([]state, max(minStates, 2*size))
		for i := range old {
			if old[i].n > 0 {
				*g.find(old[i].at) = old[i]
			}
		}
	}
	g.n++
	s := g.find(at)
	s.at = at
	if n := len(known); n > 0 {
		s.from, s.n = g.block(bits.Len(uint(n-1)), limit), int32(n)
		copy(g.pool[s.from:], known)
	}
	return s
}

// action returns an action of a state, and adds it if necessary.
func (g *generation) action(s *state, value uint64, limit int) *action {
	known := g.pool[s.from:][:s.n]
	for i := range known {
		if known[i].value == value {
			return &known[i]
		}
	}
	if len(known) == maxActions {
		a := least(known)
		*a = action{value: value}
		return a
	}
	if s.n&(s.n-1) == 0 { // its block is full, or it has none
		power := bits.Len(uint(s.n))
		to := g.block(power, limit)
		if copy(g.pool[to:], g.pool[s.from:][:s.n]) > 0 {
			g.free[power-1] = append(g.free[power-1], s.from)
		}
		s.from = to
	}
	s.n++
	a := &g.pool[int(s.from)+int(s.n)-1]
	*a = action{value: value}
	return a
}

// least returns the action with the least Q, and among several the one tried least often.
func least(known []action) *action {
	least := &known[0]
	for i := range known {
		if a := &known[i]; a.q < least.q || a.q == least.q && a.c < least.c {
			least = a
		}
	}
	return least
}

// block returns the start of a free block with that power of two. The pool has room for the two
// blocks that a state may take beyond the limit.
func (g *generation) block(power, limit int) int32 {
	if free := g.free[power]; len(free) > 0 {
		g.free[power] = free[:len(free)-1]
		return free[len(free)-1]
	}
	from := len(g.pool)
	after := from + 1<<power
	if after > cap(g.pool) {
		pool := make([]action, from, min(max(minStates, 2*cap(g.pool)), limit+2*maxActions))
		copy(pool, g.pool)
		g.pool = pool
	}
	g.pool = g.pool[:after]
	return int32(from)
}

// clear empties the generation and keeps its memory.
func (g *generation) clear() {
	clear(g.states)
	g.n, g.pool = 0, g.pool[:0]
	for i := range g.free {
		g.free[i] = g.free[i][:0]
	}
}

// recentSet is a set of hashes that forgets those that were not added for longest. It keeps the
// last limit hashes, and at most as many before them. The zero value is empty and ready.
type recentSet struct {
	young, old feature.Set
	limit      int // hashes in the younger half; zero means maxRecent
}

// maxRecent fills a set of 2^21 slots, 16 MiB.
const maxRecent = 3 << 19

// Add adds a hash and reports whether it was unknown.
func (s *recentSet) Add(h uint64) bool {
	limit := s.limit
	if limit == 0 {
		limit = maxRecent
	}
	s.young.Limit = limit + 1 // never a sample
	if !s.young.Add(h) {
		return false
	}
	known := s.old.Has(h)
	if s.young.Len() >= limit {
		s.old, s.young = s.young, feature.Set{}
	}
	return !known
}
