package gen

import (
	"sort"

	"parallax/internal/tape"
)

// steps limits the actions of a Repeat.
const steps = 100

// Repeat tests code with state. It takes actions, chosen by name, one after another; their number
// and their names are structural choices. An action that skips (Assume, Skip) is not possible in
// the current state, and its draws do not count. The action with the empty name checks invariants:
// it runs before the first action and after each.
func (t *T) Repeat(actions map[string]func(*T)) {
	var names []string
	for name := range actions {
		if name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		panic("gen: Repeat has no actions")
	}
	sort.Strings(names)
	always := actions[""]
	if always == nil {
		always = func(*T) {}
	}
	around := t.src.Around()
	n := t.count(around, 0, steps)
	step := t.src.In(around, "step")
	always(t)
	for i := 0; i < n; i++ {
		t.src.Begin(step)
		name := names[t.src.Draw(t.src.In(step, "action"), tape.Structural, uint64(len(names)-1))]
		t.show("action", shownAs(name))
		depth := t.src.Depth()
		t.runAction(actions[name])
		t.src.EndTo(depth)
		t.src.End()
		always(t)
	}
}

// shownAs is a text that is printed without quotes.
type shownAs string

func (s shownAs) String() string { return string(s) }

// runAction runs an action and recovers its skip. Other panics continue with their stack.
func (t *T) runAction(action func(*T)) {
	before, channel, drawing, level, start := t.action, t.channel, t.drawing, t.level, t.start
	open := 0
	if t.shows != nil {
		open = len(t.shows.open)
	}
	t.action = acting
	defer func() {
		if t.action == skipping {
			recover()
			// it may have skipped within a generator
			t.channel, t.drawing, t.level, t.start = channel, drawing, level, start
			if t.shows != nil {
				t.shows.drop(open)
			}
		}
		t.action = before
	}()
	action(t)
}

// States of an action in progress.
const (
	acting = iota + 1
	skipping
)
