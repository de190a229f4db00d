package gen

import (
	"sort"

	"parallax/internal/tape"
)

// steps is how many actions Repeat takes at most.
const steps = 100

// Repeat tests what has state: it takes actions, chosen by name, one after another; how many, and which, are structural choices. An action that
// skips (Assume, Skip) cannot be taken now, and has drawn nothing that matters. The action with the empty name is none of them: it is called before the
// first and after each, to check what always holds.
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
		t.take(actions[name])
		t.src.EndTo(depth)
		t.src.End()
		always(t)
	}
}

// shownAs is a text that is printed as it is.
type shownAs string

func (s shownAs) String() string { return string(s) }

// take takes an action. Other panics than that of an action that skips go on as they are, with their stack.
func (t *T) take(action func(*T)) {
	before, channel, drawing, level, start := t.action, t.channel, t.drawing, t.level, t.start
	open := 0
	if t.shows != nil {
		open = len(t.shows.open)
	}
	t.action = acting
	defer func() {
		if t.action == skipping {
			recover()
			t.channel, t.drawing, t.level, t.start = channel, drawing, level, start // it may have skipped in a generator
			if t.shows != nil {
				t.shows.drop(open)
			}
		}
		t.action = before
	}()
	action(t)
}

// An action may be under way, and skip.
const (
	acting = iota + 1
	skipping
)
