package source

import (
	"bytes"
	"slices"

	"parallax/internal/cmplog"
	"parallax/internal/grammar"
	"parallax/internal/input"
	"parallax/internal/mutate"
)

// Comparisons are what the programs compare. They belong to whoever runs the programs: a second build of them, the cmplog build,
// records them.
type Comparisons interface {
	// Ready reports whether Compare can be called. It is asked often.
	Ready() bool
	// Compare runs an input and returns the comparisons with their operands, nil if they are not known.
	Compare(flat []byte) []cmplog.Comparison
}

// CmpLog solves inputs of the corpus: their comparisons are recorded once, and inputs are made in which one of them comes
// out the other way (AFL++'s cmplog, REDQUEEN's input-to-state correspondence).
type CmpLog struct {
	from   Comparisons
	corpus *Corpus
	learn  func(tokens [][]byte) // is given constants that inputs are compared with
	solver *cmplog.Solver

	todo   []int // inputs of the corpus whose comparisons were not recorded; the last one is next
	old    []int // the same, kept by an earlier process: they come when todo is empty
	of     int   // the input that patches belong to
	spent  int   // turns (schedule.Usual) that its patches took beyond one each
	next   []cmplog.Patch
	rest   []rest // what is left of inputs whose best patches were run; it comes when todo is empty
	newest []byte // token that was learnt

	deadly map[string]bool

	// Of texts of a grammar:
	language *grammar.Form // nil: inputs are any bytes
	parts    *grammar.Parts
	partsOf  int
}

// rest is patches of an input.
type rest struct {
	of      int
	patches []cmplog.Patch
}

const (
	// firstPatches of an input are run before those of another: the solver puts the best first, and of hundreds the later ones
	// are kept ten times more rarely.
	firstPatches = 256
	maxRest      = 256 // inputs with patches left; the oldest give way
)

// NewCmpLog returns the source, with nothing to solve. It never proposes a deadly input: one of those that have ended
// processes. Learn is given the tokens that comparisons have shown, whenever there is a new one.
func NewCmpLog(from Comparisons, corpus *Corpus, shape input.Shape, maxLen int, deadly [][]byte, learn func(tokens [][]byte)) *CmpLog {
	c := &CmpLog{from: from, corpus: corpus, learn: learn, solver: cmplog.NewSolver(shape, maxLen), deadly: map[string]bool{}}
	for _, flat := range deadly {
		c.deadly[string(flat)] = true
	}
	return c
}

// Within has the source propose texts of a grammar alone. The form belongs to the source from then on.
func (c *CmpLog) Within(form *grammar.Form) { c.language, c.partsOf = form, -1 }

// fits reports whether an input that is made of one of the corpus may be proposed.
func (c *CmpLog) fits(flat []byte) bool {
	if c.Deadly(flat) {
		return false
	}
	if c.language == nil {
		return true
	}
	if c.partsOf != c.of {
		c.partsOf = c.of
		c.parts, _ = c.language.Parts((*c.corpus)[c.of]) // nil: it is none of the language, and of those none are made
	}
	return c.parts != nil && c.parts.Fit(flat)
}

// Added notes an input that has joined the corpus, which is to be solved. Replayed ones, which an earlier process kept, come last:
// that process has solved most of them. Inputs that another worker found need not be added: that one solves them.
func (c *CmpLog) Added(index int, replayed bool) {
	if replayed {
		c.old = append(c.old, index)
		return
	}
	c.todo = append(c.todo, index)
}

// Deadly reports whether the input is one that has ended a process.
func (c *CmpLog) Deadly(flat []byte) bool { return c.deadly[string(flat)] }

// Ready implements Waiting.
func (c *CmpLog) Ready() bool {
	return (len(c.next) > 0 || len(c.todo)+len(c.rest)+len(c.old) > 0) && c.from.Ready()
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
		s.Flat = c.solver.Apply(s.Flat, (*c.corpus)[c.of], c.next[0])
		c.next = c.next[1:]
		if c.fits(s.Flat) {
			s.Parent, s.Determined = c.of, true
			s.Ops = append(s.Ops, mutate.OpCmpLog)
			s.By(c)
			return true
		}
	}
}

// Done implements Source. What is left of an input whose patches cost too much comes after all others.
func (c *CmpLog) Done(s *Step, r Result) {
	if s.Parent != c.of {
		return
	}
	if c.spent += max(r.Turns, 1) - 1; c.spent >= patience && len(c.next) > 0 {
		if len(c.rest) < maxRest {
			c.rest = slices.Insert(c.rest, 0, rest{c.of, c.next})
		}
		c.next = nil
	}
}

// refill takes the patches of the next input and reports whether there is one.
func (c *CmpLog) refill() bool {
	switch {
	case len(c.todo) > 0:
		c.solve(pop(&c.todo))
	case len(c.rest) > 0:
		r := pop(&c.rest)
		c.of, c.next, c.spent = r.of, r.patches, 0
	case len(c.old) > 0:
		c.solve(pop(&c.old))
	default:
		return false
	}
	return true
}

// solve has the comparisons of an input of the corpus recorded, and solves them.
func (c *CmpLog) solve(index int) {
	flat := (*c.corpus)[index]
	patches := c.solver.Solve(flat, c.from.Compare(flat))
	if len(patches) > firstPatches {
		if len(c.rest) == maxRest {
			c.rest = append(c.rest[:0], c.rest[1:]...)
		}
		c.rest = append(c.rest, rest{index, patches[firstPatches:]})
		patches = patches[:firstPatches]
	}
	c.of, c.next, c.spent = index, patches, 0
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
