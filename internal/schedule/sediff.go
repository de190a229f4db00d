package schedule

import (
	"math"

	"parallax/internal/mutate"
)

// Schedules for a model and its original (docs/guides/model.md). If the last program is a model,
// its executed blocks represent model coverage.
var (
	sediffRow = Row{
		Name: "sediff", Text: "SEDiff: afl-noclock on the blocks of the last program, twice the energy where the programs disagree", Needs: Sets,
		New: func(Environment) Schedule { return newFavored(feedback{}) },
	}
	sediffNFRow = Row{
		Name: "sediff-nf", Text: "SEDiff without its feedback where the programs disagree",
		New: func(Environment) Schedule { return newFavored(nil) },
	}
	checkedRow = Row{
		Name: "checked", Text: "few seeds that cover all blocks of the last program, and those on which the programs disagree, less for each repeat", Needs: Sets,
		New: func(Environment) Schedule {
			return &checked{cull: newCull(true), freq: frequency{index: map[uint64]int{}}}
		},
	}
)

// favored is AFL's queue with favored seeds.
type favored struct {
	*queue
	checker  bool   // seeds on which the programs disagree are favored
	deviates []bool // per seed: the programs disagree
}

func newFavored(checker scoreFactor) *favored {
	f := &favored{queue: newQueue(constant), checker: checker != nil}
	f.queue.favor(newCull(true))
	f.queue.scale = checker
	f.queue.favors = func(i int) bool { return f.checker && f.deviates[i] || f.cull.favored(i) }
	return f
}

// Added implements Schedule.
func (f *favored) Added(s Seed) {
	f.deviates = append(f.deviates, s.Deviation != 0)
	f.queue.Added(s)
}

// feedback is SEDiff's checker feedback (section 3.3.1). An input on which model and original
// differ in scope gets "more energy", however often they have differed so before. The paper has no
// number. Here it is twice AFL's score, and the seed is favored.
type feedback struct{}

func (feedback) near(s Seed) float64 {
	if s.Deviation != 0 {
		return 1
	}
	return 0
}

func (feedback) factor(near float64, _ int) float64 { return 1 + near }

// checked is this engine's own schedule. A seed's energy is 1 if it is among the few that cover all
// blocks of the last program, and a quarter otherwise. If the programs disagree on it, the energy
// is multiplied by 4/sqrt(n), a quarter at least. n is the number of inputs, seeds and mutants,
// with the same deviation on the same path. Without the decrease, a model's error on every input
// would take all energy.
//
// Turns are short, and each goes to a seed drawn by energy.
type checked struct {
	cull   *cull
	freq   frequency // counts inputs by deviation
	at     []int     // per seed: index of its deviation in freq, -1 for none
	energy []float64 // per seed, at the last draw
	seed   int
	left   int
}

const (
	checkedTurn  = 16
	checkedMost  = 4
	checkedLeast = 0.25
	unfavored    = 0.25
)

// Added implements Schedule.
func (c *checked) Added(s Seed) {
	c.cull.added(s)
	at := -1
	if s.Deviation != 0 {
		at = c.freq.join(s.Deviation)
	}
	c.at, c.energy = append(c.at, at), append(c.energy, 0)
}

// Next implements Schedule.
func (c *checked) Next(r *mutate.Rand) int {
	if c.left == 0 {
		c.draw(r)
		c.left = checkedTurn
	}
	c.left--
	return c.seed
}

func (c *checked) draw(r *mutate.Rand) {
	all := 0.0
	for i, at := range c.at {
		e := unfavored
		if c.cull.favored(i) {
			e = 1
		}
		if at >= 0 {
			e *= max(checkedLeast, checkedMost/math.Sqrt(float64(c.freq.count[at])))
		}
		c.energy[i] = e
		all += e
	}
	part := float64(r.Uint64()>>11) / (1 << 53) * all
	for c.seed = 0; c.seed < len(c.energy)-1; c.seed++ {
		if part -= c.energy[c.seed]; part < 0 {
			return
		}
	}
}

// Ran implements Schedule.
func (c *checked) Ran(r Result) {
	if r.Deviation != 0 && !r.Kept { // Added has counted kept inputs
		c.freq.countMutant(r.Deviation)
	}
}
