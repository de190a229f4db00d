package engine

import (
	"bytes"

	"parallax/internal/mutate"
	"parallax/internal/operand"
)

// Operands tells what comparisons compare. It belongs to whoever runs the programs: a second build of them records it.
type Operands interface {
	// Ready reports whether Compare can be called. It is asked often.
	Ready() bool
	// Compare runs an input and returns what was compared, nil if that is not known.
	Compare(flat []byte) []operand.Op
}

// operands is the stage in which inputs of the corpus are solved: their comparisons are looked at once, and the mutants in
// which one comes out the other way are run. It takes turns with mutation: an eighth of the mutants, and half of them
// while its mutants are kept more often than the others.
type operands struct {
	from   Operands // nil: the stage is never entered
	solver *operand.Solver
	todo   []int // inputs of the corpus that were not looked at; the last one is next
	old    []int // the same, kept by an earlier process: they come when todo is empty
	of     int   // the input that patches belong to
	next   []operand.Patch
	rest   []rest // what is left of inputs whose best patches were run; it comes when todo is empty
	newest []byte // token that the mutator has

	avoid map[string]bool

	wait         int // mutants until the next turn
	often        bool
	tried, won   [2]int // by mutation, by operands; halved every period
	periodMutant int
}

// rest is patches of an input.
type rest struct {
	of      int
	patches []operand.Patch
}

const (
	// firstPatches of an input are run before those of another: the solver puts the best first, and of hundreds the later ones
	// are kept ten times more rarely.
	firstPatches = 256
	maxRest      = 256 // inputs with patches left; the oldest give way

	rarely     = 8  // one turn in so many mutants
	maxSetback = 10 // doublings of the wait for the first turn
	period     = 1024
)

var operandOps = []mutate.Op{mutate.OpOperand}

func newOperands(c *Config) *operands {
	o := &operands{from: c.Operands}
	if o.from != nil {
		o.solver = operand.NewSolver(c.Shape, c.MaxLen)
		o.avoid = map[string]bool{}
		for _, flat := range c.Avoid {
			o.avoid[string(flat)] = true
		}
		// A process that takes another's place looks at the same inputs again, and may meet the same end.
		o.wait = rarely << min(c.Setback, maxSetback)
	}
	return o
}

// added notes an input of the corpus. New ones are looked at first, what an earlier process kept last.
func (o *operands) added(index int, from origin) {
	if o.from == nil || from == imported { // the worker that found it looks at it
		return
	}
	if from == replayed {
		o.old = append(o.old, index)
		return
	}
	o.todo = append(o.todo, index)
}

// turn reports whether the next mutant is to be one of this stage.
func (o *operands) turn() bool {
	if o.from == nil || len(o.next) == 0 && len(o.todo)+len(o.rest)+len(o.old) == 0 || !o.from.Ready() {
		return false
	}
	if o.wait--; o.wait > 0 {
		return false
	}
	if o.wait = rarely; o.often {
		o.wait = 2
	}
	return true
}

// ran takes what became of a mutant.
func (o *operands) ran(patched, kept bool) {
	if o.from == nil {
		return
	}
	k := 0
	if patched {
		k = 1
	}
	o.tried[k]++
	if kept {
		o.won[k]++
	}
	if o.periodMutant++; o.periodMutant < period {
		return
	}
	o.periodMutant = 0
	// Both rates are pulled towards each other while little is known.
	o.often = (o.won[1]+1)*(o.tried[0]+period) >= (o.won[0]+1)*(o.tried[1]+period)
	for i := range o.tried {
		o.tried[i], o.won[i] = o.tried[i]/2, o.won[i]/2
	}
}

// replace makes the next mutant of the stage in e.flat and reports whether there is one.
func (e *Engine) replace() bool {
	o := e.solve
	for {
		if len(o.next) == 0 && !e.refill() {
			return false
		}
		if len(o.next) == 0 {
			continue // the input had no comparison to solve
		}
		e.flat = o.solver.Apply(e.flat, e.corpus[o.of], o.next[0])
		o.next = o.next[1:]
		if !o.avoid[string(e.flat)] {
			e.parent = o.of
			return true
		}
	}
}

// refill takes the patches of the next input and reports whether there is one.
func (e *Engine) refill() bool {
	o := e.solve
	switch {
	case len(o.todo) > 0:
		e.solveFor(pop(&o.todo))
	case len(o.rest) > 0:
		r := pop(&o.rest)
		o.of, o.next = r.of, r.patches
	case len(o.old) > 0:
		e.solveFor(pop(&o.old))
	default:
		return false
	}
	return true
}

// solveFor has an input of the corpus run by the operand build, and its comparisons solved.
func (e *Engine) solveFor(index int) {
	o := e.solve
	flat := e.corpus[index]
	patches := o.solver.Solve(flat, o.from.Compare(flat))
	if len(patches) > firstPatches {
		if len(o.rest) == maxRest {
			o.rest = append(o.rest[:0], o.rest[1:]...)
		}
		o.rest = append(o.rest, rest{index, patches[firstPatches:]})
		patches = patches[:firstPatches]
	}
	o.of, o.next = index, patches
	if tokens := o.solver.Tokens(); len(tokens) > 0 && !bytes.Equal(tokens[len(tokens)-1], o.newest) {
		o.newest = append(o.newest[:0], tokens[len(tokens)-1]...)
		e.mut.Learn(tokens)
	}
}

func pop[T any](list *[]T) T {
	last := len(*list) - 1
	v := (*list)[last]
	*list = (*list)[:last]
	return v
}
