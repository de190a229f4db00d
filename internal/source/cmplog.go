package source

import (
	"bytes"
	"slices"

	"parallax/internal/cmplog"
	"parallax/internal/grammar"
	"parallax/internal/input"
	"parallax/internal/mutate"
)

// Comparisons records the comparisons of the programs. The runner of the programs implements it
// with a second build of them, the cmplog build.
type Comparisons interface {
	// Ready reports whether Compare can be called. It is called often.
	Ready() bool
	// Compare runs an input and returns its comparisons with their operands, or nil if they are
	// unknown.
	Compare(flat []byte) []cmplog.Comparison
}

// CmpLog solves inputs of the corpus. It records an input's comparisons once, and makes inputs that
// flip the outcome of one comparison (AFL++'s cmplog, REDQUEEN's input-to-state correspondence).
type CmpLog struct {
	from   Comparisons
	corpus *Corpus
	learn  func(tokens [][]byte) // receives the constants that inputs are compared with
	solver *cmplog.Solver

	todo      []int // corpus inputs with unrecorded comparisons; the last one is next
	old       []int // such inputs kept by an earlier process; used when todo is empty
	current   int   // input that next belongs to
	spent     int   // turns (schedule.UsualCost) of its patches beyond one each
	next      []cmplog.Patch
	remainder []remainder // other inputs' remaining patches; used when todo is empty
	newest    []byte      // newest learned token

	deadly map[string]bool

	// For texts of a grammar:
	language *grammar.Form // nil means that inputs are arbitrary bytes
	parts    *grammar.Parts
	partsOf  int
}

// remainder holds the remaining patches of an input.
type remainder struct {
	index   int
	patches []cmplog.Patch
}

const (
	// firstPatches is the number of an input's patches that run before another input's. The solver
	// returns the best first. Of hundreds, the later ones are kept ten times more rarely.
	firstPatches = 256
	maxRest      = 256 // inputs with remaining patches; the oldest are dropped
)

// NewCmpLog returns the source with nothing to solve. deadly holds inputs that have ended
// processes, which it never proposes. It calls learn with all tokens whenever comparisons have
// shown a new one.
func NewCmpLog(from Comparisons, corpus *Corpus, shape input.Shape, maxLen int, deadly [][]byte, learn func(tokens [][]byte)) *CmpLog {
	c := &CmpLog{from: from, corpus: corpus, learn: learn, solver: cmplog.NewSolver(shape, maxLen), deadly: map[string]bool{}}
	for _, flat := range deadly {
		c.deadly[string(flat)] = true
	}
	return c
}

// SetGrammar restricts the source to texts of a grammar. The form then belongs to the source.
func (c *CmpLog) SetGrammar(form *grammar.Form) { c.language, c.partsOf = form, -1 }

// fits reports whether a mutant of the current input may be proposed.
func (c *CmpLog) fits(flat []byte) bool {
	if c.Deadly(flat) {
		return false
	}
	if c.language == nil {
		return true
	}
	if c.partsOf != c.current {
		c.partsOf = c.current
		c.parts, _ = c.language.Parts((*c.corpus)[c.current]) // nil for an input outside the language, whose mutants are not proposed
	}
	return c.parts != nil && c.parts.Fit(flat)
}

// Added adds an input of the corpus to solve. Replayed inputs, which an earlier process kept, come
// last, since that process has solved most of them. Inputs of another worker need not be added,
// since that worker solves them.
func (c *CmpLog) Added(index int, replayed bool) {
	if replayed {
		c.old = append(c.old, index)
		return
	}
	c.todo = append(c.todo, index)
}

// Deadly reports whether the input has ended a process.
func (c *CmpLog) Deadly(flat []byte) bool { return c.deadly[string(flat)] }

// Ready implements Waiting.
func (c *CmpLog) Ready() bool {
	return (len(c.next) > 0 || len(c.todo)+len(c.remainder)+len(c.old) > 0) && c.from.Ready()
}

// Propose implements Source.
func (c *CmpLog) Propose(s *Step) bool {
	for {
		if len(c.next) == 0 && !c.refill() {
			return false
		}
		if len(c.next) == 0 {
			continue // the input had no comparison to solve
		}
		s.Flat = c.solver.Apply(s.Flat, (*c.corpus)[c.current], c.next[0])
		c.next = c.next[1:]
		if c.fits(s.Flat) {
			s.Parent, s.Determined = c.current, true
			s.Ops = append(s.Ops, mutate.OpCmpLog)
			s.Notify(c)
			return true
		}
	}
}

// Done implements Source. If an input's patches cost too much, the rest of them is postponed.
func (c *CmpLog) Done(s *Step, r Result) {
	if s.Parent != c.current {
		return
	}
	if c.spent += max(r.Turns, 1) - 1; c.spent >= patience && len(c.next) > 0 {
		if len(c.remainder) < maxRest {
			c.remainder = slices.Insert(c.remainder, 0, remainder{c.current, c.next})
		}
		c.next = nil
	}
}

// refill loads the patches of the next input and reports whether there is one.
func (c *CmpLog) refill() bool {
	switch {
	case len(c.todo) > 0:
		c.solve(pop(&c.todo))
	case len(c.remainder) > 0:
		r := pop(&c.remainder)
		c.current, c.next, c.spent = r.index, r.patches, 0
	case len(c.old) > 0:
		c.solve(pop(&c.old))
	default:
		return false
	}
	return true
}

// solve records the comparisons of an input and solves them.
func (c *CmpLog) solve(index int) {
	flat := (*c.corpus)[index]
	patches := c.solver.Solve(flat, c.from.Compare(flat))
	if len(patches) > firstPatches {
		if len(c.remainder) == maxRest {
			c.remainder = append(c.remainder[:0], c.remainder[1:]...)
		}
		c.remainder = append(c.remainder, remainder{index, patches[firstPatches:]})
		patches = patches[:firstPatches]
	}
	c.current, c.next, c.spent = index, patches, 0
	if tokens := c.solver.Tokens(); len(tokens) > 0 && !bytes.Equal(tokens[len(tokens)-1], c.newest) {
		c.newest = append(c.newest[:0], tokens[len(tokens)-1]...)
		c.learn(tokens)
	}
}

func pop[T any](list *[]T) T {
	last := len(*list) - 1
	v := (*list)[last]
	*list = (*list)[:last]
	return v
}
