package llvmir

import (
	"fmt"
	"maps"
	"slices"
)

// Limits limits the listed paths. Zeros mean the defaults.
type Limits struct {
	Blocks    int // different blocks on a path; a function counts again for each call site
	Functions int // different places from which functions are called, the function itself included
	Unroll    int // how often a loop goes back to its header, each time it is entered
	Paths     int // paths that are listed; more are counted
	Work      int // blocks entered by the search; beyond, counts are at least
}

// The default limits. Blocks and functions are those of SEDiff, section 3.2.1.
const (
	DefaultBlocks    = 50
	DefaultFunctions = 32
	DefaultUnroll    = 2
	DefaultPaths     = 10_000
	DefaultWork      = 2_000_000
)

// Enumeration lists the paths of a function within limits, and counts those that the limits
// excluded.
type Enumeration struct {
	Paths []Path // by first differing branch, in the terminators' order
	// paths within the other limits; more than are listed where Limits.Paths is smaller
	Found int

	// How many beginnings of paths ended at a limit.
	CutUnroll, CutBlocks, CutFunctions int

	// Unfinished reports that Limits.Work ended the search, so that all counts are lower bounds.
	Unfinished bool
}

// Complete reports whether the paths are all that there are.
func (e *Enumeration) Complete() bool {
	return len(e.Paths) == e.Found && e.CutUnroll == 0 && e.CutBlocks == 0 && e.CutFunctions == 0 && !e.Unfinished
}

// String formats the number of paths and the exclusions.
func (e *Enumeration) String() string {
	text := fmt.Sprintf("%d paths", e.Found)
	if len(e.Paths) < e.Found {
		text += fmt.Sprintf(", %d of them listed", len(e.Paths))
	}
	for _, c := range []struct {
		n    int
		what string
	}{{e.CutUnroll, "more turns of a loop"}, {e.CutBlocks, "more blocks"}, {e.CutFunctions, "more functions"}} {
		if c.n > 0 {
			text += fmt.Sprintf("; %d beginnings need %s", c.n, c.what)
		}
	}
	if e.Unfinished {
		text += "; the search was ended"
	}
	return text
}

// Paths lists the paths through a function with inlined callees. Branches with a constant condition
// on the path are followed in that direction. Other paths may still be impossible. The error is the
// reason why the function is refused.
func (m *Module) Paths(f *Function, l Limits) (*Enumeration, error) {
	if err := m.Refused(f); err != nil {
		return nil, err
	}
	for _, d := range []struct {
		limit *int
		n     int
	}{{&l.Blocks, DefaultBlocks}, {&l.Functions, DefaultFunctions}, {&l.Unroll, DefaultUnroll}, {&l.Paths, DefaultPaths}, {&l.Work, DefaultWork}} {
		if *d.limit == 0 {
			*d.limit = d.n
		}
	}
	e := &explorer{m: m, l: l, out: &Enumeration{}, function: f, graphs: map[*Function]*Graph{}, contexts: map[contextKey]int{},
		entered: map[blockKey]int{}, called: map[int]int{}}
	e.call(nil, nil, f, facts{})
	return e.out, nil
}

type contextKey struct {
	parent int
	call   *Instr
}

type blockKey struct{ context, block int }

// explorer walks all paths depth first.
type explorer struct {
	m        *Module
	l        Limits
	out      *Enumeration
	function *Function
	graphs   map[*Function]*Graph
	contexts map[contextKey]int // places of calls, numbered

	blocks   []int
	branches []Branch
	entered  map[blockKey]int // how often the path is in each block
	called   map[int]int      // how often the path is in each context
	work     int
}

// activation is a call on the path. It is copied before paths diverge.
type activation struct {
	parent  *activation
	f       *Function
	context int
	block   int
	at      int // the next instruction
	step    int // index of the block in the path
	turns   map[int]int
	known   facts
}

func (a *activation) copy() *activation {
	c := *a
	c.turns, c.known = maps.Clone(a.turns), maps.Clone(a.known)
	return &c
}

func (e *explorer) graph(f *Function) *Graph {
	g := e.graphs[f]
	if g == nil {
		g = NewGraph(f)
		e.graphs[f] = g
	}
	return g
}

// call enters a function. The path goes on in the caller when it returns.
func (e *explorer) call(parent *activation, in *Instr, f *Function, known facts) {
	key := contextKey{0, in}
	if parent != nil {
		key.parent = parent.context
	}
	context, ok := e.contexts[key]
	if !ok {
		context = len(e.contexts) + 1
		e.contexts[key] = context
	}
	if e.called[context] == 0 && len(e.called) >= e.l.Functions {
		e.out.CutFunctions++
		return
	}
	e.called[context]++
	e.enter(&activation{parent: parent, f: f, context: context, turns: map[int]int{}, known: known}, 0, -1)
	if e.called[context]--; e.called[context] == 0 {
		delete(e.called, context)
	}
}

// enter goes into a block of an activation, which is the caller's to change.
func (e *explorer) enter(a *activation, block, from int) {
	if e.work++; e.work > e.l.Work {
		e.out.Unfinished = true
		return
	}
	g := e.graph(a.f)
	switch {
	case from >= 0 && g.rank[block] <= g.rank[from]: // a back edge: each cycle has one
		if a.turns[block] >= e.l.Unroll {
			e.out.CutUnroll++
			return
		}
		a.turns[block]++
	case from >= 0 && !g.within(block, from):
		delete(a.turns, block)
	}
	key := blockKey{a.context, block}
	if e.entered[key] == 0 && len(e.entered) >= e.l.Blocks {
		e.out.CutBlocks++
		return
	}
	e.entered[key]++
	e.blocks = append(e.blocks, a.f.first+block)
	a.block, a.at, a.step = block, 0, len(e.blocks)-1
	a.known.phis(a.f.Blocks[block], from)
	e.run(a)
	e.blocks = e.blocks[:len(e.blocks)-1]
	if e.entered[key]--; e.entered[key] == 0 {
		delete(e.entered, key)
	}
}

// within reports whether a block is in the natural loop of a header.
func (g *Graph) within(header, block int) bool {
	for _, l := range g.Loops {
		if l.Header == header {
			_, found := slices.BinarySearch(l.Body, block)
			return found
		}
	}
	return false
}

// run goes on from the next instruction of an activation.
func (e *explorer) run(a *activation) {
	b := a.f.Blocks[a.block]
	for ; ; a.at++ {
		in := b.Instrs[a.at]
		switch in.Op {
		case OpPhi:
		case OpCall:
			if callee, _ := e.m.callee(a.f, in); callee != nil {
				known := facts{}
				for i, arg := range in.Args {
					if v, ok := a.known.value(arg); ok {
						known[i] = v
					}
				}
				e.call(a, in, callee, known)
				return
			}
			if in.Dest >= 0 {
				delete(a.known, in.Dest)
			}
		case OpBr, OpSwitch:
			targets := a.known.targets(in)
			decides := len(in.Args) > 0
			for i, to := range targets {
				next := a
				if i+1 < len(targets) {
					next = a.copy()
				}
				if decides {
					e.branches = append(e.branches, Branch{a.step, in, to})
				}
				e.enter(next, to, b.Index)
				if decides {
					e.branches = e.branches[:len(e.branches)-1]
				}
			}
			return
		case OpRet:
			e.leave(a, in)
			return
		case OpUnreachable:
			return
		default:
			a.known.compute(in)
		}
	}
}

// leave returns to the caller, or ends the path.
func (e *explorer) leave(a *activation, in *Instr) {
	if a.parent == nil {
		e.out.Found++
		if len(e.out.Paths) < e.l.Paths {
			e.out.Paths = append(e.out.Paths, Path{Function: e.function, Blocks: slices.Clone(e.blocks), Branches: slices.Clone(e.branches),
				Name: e.m.name(e.function, e.blocks)})
		}
		return
	}
	caller := a.parent.copy()
	call := caller.f.Blocks[caller.block].Instrs[caller.at]
	if call.Dest >= 0 {
		delete(caller.known, call.Dest)
		if len(in.Args) > 0 {
			if v, ok := a.known.value(in.Args[0]); ok {
				caller.known[call.Dest] = v
			}
		}
	}
	caller.at++
	e.run(caller)
}
