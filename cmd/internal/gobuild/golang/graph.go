package golang

import (
	"go/ast"
	"go/token"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/errsyntax"
)

// A node is a point of a function's control-flow graph: a counted block, or a virtual point (loop
// header, end of a statement, label). Elimination replaces virtual points by edges from their
// predecessors to their successors.
type node struct {
	kind flow.Kind
	// virtual: the end of a control statement; a statement that follows gets a Join
	join   bool
	at     token.Pos // counted: where it is reported
	end    token.Pos // counted: end of the last statement it covers
	cond   token.Pos // counted: the condition that leads here, where that is not at the same place
	offset int       // counted: where its counter is inserted; orders the ids of a function
	owner  int       // virtual: the counted node whose straight line it continues; counted: itself
	succs  []int     // indices into function.nodes

	id   int // counted: id in the package
	next []int
	exit bool
	// counted: ends in a return of an error
	fails bool
	// counted: begins where an error of a call is not nil, or returns one
	passes bool
	// virtual: ids of the counted nodes from which control arrives without passing another one,
	// ascending
	before []int
}

// A site is a place of a call.
type site struct {
	pos  token.Pos
	node int // where control is then
	name string
}

// virtual is the kind of points that are not counted.
const virtual flow.Kind = 0

// exitNode is the index of the virtual node for the return.
const exitNode = 0

// A function is the graph of a function, a closure, or of a file's package-level initializers.
type function struct {
	name   string
	nested bool // a closure
	// number of results if the last one is of type error, else 0
	results int

	initializer bool // not a function: package-level initializers
	pos         token.Pos
	nodes       []node
	sites       []site

	order []int // indices of counted nodes in the order of their ids
	first int
}

// resultsOf returns the number of a function's results if the last one is of type error, else 0.
func resultsOf(t *ast.FuncType) int {
	if t.Results == nil {
		return 0
	}
	list := t.Results.List
	if id, ok := list[len(list)-1].Type.(*ast.Ident); !ok || id.Name != "error" {
		return 0
	}
	return t.Results.NumFields()
}

// fail marks the block that covers node n if it returns an error. The error that a single call
// returns may be nil, unless the call makes it, and so may a named result. The error of a variable
// err, or of a call that does not make one, comes from elsewhere.
func (f *function) fail(n int, results []ast.Expr) {
	if f.results == 0 || len(results) != f.results {
		return
	}
	passes := false
	switch last := ast.Unparen(results[f.results-1]).(type) {
	case *ast.Ident:
		if last.Name == "nil" {
			return
		}
		passes = last.Name == "err"
	case *ast.CallExpr:
		made := errsyntax.Makes(last)
		if f.results == 1 && !made {
			return
		}
		passes = !made
	}
	if o := &f.nodes[f.nodes[n].owner]; o.kind != virtual {
		o.fails, o.passes = true, o.passes || passes
	}
}

func (f *function) add(n node) int {
	f.nodes = append(f.nodes, n)
	i := len(f.nodes) - 1
	if n.kind != virtual {
		f.nodes[i].owner = i
		f.order = append(f.order, i)
	}
	return i
}

func (f *function) edge(from, to int) {
	if !slices.Contains(f.nodes[from].succs, to) {
		f.nodes[from].succs = append(f.nodes[from].succs, to)
	}
}

// extend makes the block that covers node n reach to end.
func (f *function) extend(n int, end token.Pos) {
	if o := &f.nodes[f.nodes[n].owner]; o.kind != virtual && o.end < end {
		o.end = end
	}
}

// number sorts the counted nodes by position and assigns ids from first on.
func (f *function) number(first int) {
	f.first = first
	slices.SortStableFunc(f.order, func(a, b int) int { return f.nodes[a].offset - f.nodes[b].offset })
	for i, n := range f.order {
		f.nodes[n].id = first + i
	}
}

// eliminate computes the successors of counted nodes among counted nodes, by passing through
// virtual ones.
func (f *function) eliminate() {
	// the last counted node, plus one, from which a virtual node was passed
	seen := make([]int, len(f.nodes))
	var stack []int
	for _, n := range f.order {
		from := &f.nodes[n]
		stack = append(stack[:0], from.succs...)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[i] == n+1 {
				continue
			}
			seen[i] = n + 1
			switch to := &f.nodes[i]; {
			case i == exitNode:
				from.exit = true
			case to.kind == virtual:
				to.before = append(to.before, from.id)
				stack = append(stack, to.succs...)
			default:
				from.next = append(from.next, to.id)
			}
		}
		slices.Sort(from.next)
	}
}

// before lists the ids of the blocks that a site belongs to: those after which the call comes
// before another block. There are none if control never arrives, and in package-level initializers
// outside of their short-circuit operands. It needs eliminate.
func (f *function) before(s site) []int {
	if n := &f.nodes[s.node]; n.kind == virtual {
		return n.before
	}
	return []int{f.nodes[s.node].id}
}
