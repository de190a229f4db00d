package source

import (
	"math/bits"

	"parallax/internal/feature"
)

// worths is what RLCheck knows: of each state the actions that were tried, and what they have brought. There are more states than there is room
// for: most inputs have new ones. So what was not visited for longest is forgotten. States are of two generations, the younger of which has all that
// were visited since it began. When it is full the older one is emptied and becomes the younger one. A state is known with all its actions or not at
// all: it moves into the younger generation as a whole. The zero value is empty and ready.
type worths struct {
	young, old generation
	limit      int // 0: maxStates
}

const (
	minStates = 1 << 10
	// maxStates is the room of a generation: so many slots of states, of which five in eight are used, and so many actions. It takes 80 MiB.
	maxStates = 1 << 21
	// maxActions bounds how long a choice takes: a state has no more actions. Where it is to have another one, it forgets the one that is worth least.
	maxActions = 1 << 8
)

// generation is a table of states with open addressing. The actions of a state lie side by side.
type generation struct {
	states []state
	n      int        // states that are known
	pool   []action   // blocks of actions, of a power of two each
	free   [9][]int32 // blocks of each power that states have outgrown
}

type state struct {
	at   uint64 // site and state, well mixed
	from int32  // the block of its actions
	n    int32  // how many they are, which fill more than half of it; 0: an empty slot
}

// action is one that was tried in a state: how often, and the mean of what it has brought.
type action struct {
	value uint64
	c, q  float64
}

// actions is those of a state, in the order in which they were tried. They are valid until something is learned.
func (w *worths) actions(at uint64) []action {
	if known := w.young.actions(at); known != nil {
		return known
	}
	return w.old.actions(at)
}

// learn counts what an action has brought.
func (w *worths) learn(at, value uint64, reward float64) {
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

// find returns the slot of a state, which is empty if it is not known; nil if there are none.
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

// actions is those of a state, nil if it is not known.
func (g *generation) actions(at uint64) []action {
	if s := g.find(at); s != nil && s.n > 0 {
		return g.pool[s.from:][:s.n]
	}
	return nil
}

// add adds a state that is known to have some actions, perhaps none.
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

// action is an action of a state, which has it from now on.
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

// least is the action that is worth least, of several the one that was tried least often.
func least(known []action) *action {
	least := &known[0]
	for i := range known {
		if a := &known[i]; a.q < least.q || a.q == least.q && a.c < least.c {
			least = a
		}
	}
	return least
}

// block returns where a block of that power of two begins. There is room for the two that a state may take beyond the limit.
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

// clear makes the generation empty, and keeps its room.
func (g *generation) clear() {
	clear(g.states)
	g.n, g.pool = 0, g.pool[:0]
	for i := range g.free {
		g.free[i] = g.free[i][:0]
	}
}

// sights is a set of hashes, of which it forgets those that were added, or added again, longest ago: it knows the last limit, and as many before them
// at most. The zero value is empty and ready.
type sights struct {
	young, old feature.Set
	limit      int // hashes in the younger half; 0: maxSights
}

// maxSights fills a set of 2^21 slots, 16 MiB.
const maxSights = 3 << 19

// Add adds a hash and reports whether it was not known.
func (s *sights) Add(h uint64) bool {
	limit := s.limit
	if limit == 0 {
		limit = maxSights
	}
	s.young.Limit = limit + 1 // it is never a sample
	if !s.young.Add(h) {
		return false
	}
	known := s.old.Has(h)
	if s.young.Len() >= limit {
		s.old, s.young = s.young, feature.Set{}
	}
	return !known
}
