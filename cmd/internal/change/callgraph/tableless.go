package callgraph

import "slices"

// tableless caches, for functions without a table, the functions with a table that they call
// through others without one. Functions in a cycle of calls share the result (Tarjan, Depth-first
// search and linear graph algorithms, 1972).
type tableless struct {
	number []int // order of visits; 0 means not visited
	low    []int
	done   []*[]int
	stack  []int
	next   int
}

func newTableless(n int) tableless {
	return tableless{number: make([]int, n), low: make([]int, n), done: make([]*[]int, n)}
}

// beyondOf lists the functions with a table that a function without one calls, directly or through
// others without one.
func (f *filler) beyondOf(c int) []int {
	if f.tableless.done[c] == nil {
		f.visit(c)
	}
	return *f.tableless.done[c]
}

func (f *filler) visit(root int) {
	b := &f.tableless
	type frame struct{ fn, site, callee int }
	enter := func(fn int) {
		b.next++
		b.number[fn], b.low[fn] = b.next, b.next
		b.stack = append(b.stack, fn)
	}
	enter(root)
	frames := []frame{{fn: root}}
	for len(frames) > 0 {
		at := &frames[len(frames)-1]
		sites := f.functions[at.fn].sites
		if at.site < len(sites) && at.callee >= len(sites[at.site].callees) {
			at.site, at.callee = at.site+1, 0
			continue
		}
		if at.site < len(sites) {
			c := sites[at.site].callees[at.callee]
			at.callee++
			switch {
			case f.names[c] != "" || b.done[c] != nil:
			case b.number[c] == 0:
				enter(c)
				frames = append(frames, frame{fn: c})
			default: // on the stack
				b.low[at.fn] = min(b.low[at.fn], b.number[c])
			}
			continue
		}
		fn := at.fn
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			outer := frames[len(frames)-1].fn
			b.low[outer] = min(b.low[outer], b.low[fn])
		}
		if b.low[fn] == b.number[fn] {
			f.component(fn)
		}
	}
}

// component gives all functions of a cycle the same result: all that they call together. The cycle
// ends the stack, starting at fn.
func (f *filler) component(fn int) {
	b := &f.tableless
	from := len(b.stack) - 1
	for b.stack[from] != fn {
		from--
	}
	members := b.stack[from:]
	all := new([]int)
	seen := map[int]bool{}
	add := func(c int) {
		if !seen[c] {
			seen[c] = true
			*all = append(*all, c)
		}
	}
	for _, m := range members {
		b.done[m] = all
	}
	for _, m := range members {
		for _, s := range f.functions[m].sites {
			for _, c := range s.callees {
				if f.names[c] != "" {
					add(c)
				} else if d := b.done[c]; d != nil && d != all {
					for _, c := range *d {
						add(c)
					}
				}
			}
		}
	}
	slices.Sort(*all)
	b.stack = b.stack[:from]
}
