// Package adapt shares the inputs of a campaign out among arms: the seeds that a domain of guidance keeps, say, or the mutation operators. An arm
// makes more of the next inputs if its inputs lately showed more that was new, for what they cost, than those of other arms. Each arm keeps a
// part of its usual share, the one that it has if nothing is known.
//
// The schedule "adaptive" chooses seeds by arms, the mutator operators, and the engine whether an input is made of nothing.
//
// What an arm yields is estimated by the discovery probability: the number of species that were seen exactly once so far, by the number of inputs
// (Good, "The population frequencies of species", Biometrika 1953; Böhme, "STADS: Software testing as species discovery", TOSEM 2018). Where many
// species were seen once, there are others that were not seen yet. A species is a way to disagree. An arm has it to its credit from the first
// input that shows it to the second. Blocks are counted when they are seen first, and stay counted: of most inputs it is not known whether they
// execute a block again.
//
// Invariants: shares depend on the calls so far, in their order, and on no clock. Pick and Ran allocate nothing.
package adapt

// Kind is a kind of yield.
type Kind int

// What inputs may show.
const (
	Disagreement Kind = iota // that looks like none before
	Block                    // that was not executed before, or so often
	kinds
)

// Yield is what an input showed, and what it cost.
type Yield struct {
	Found [kinds]float64
	Cost  float64
}

const (
	// floor is the part of its usual share that an arm keeps whatever it yields.
	floor = 0.25
	// prior is how many discoveries the yield of an arm is told from beside its own: two arms are not taken for different because of one.
	prior = 3
	// What is known is forgotten: every step, so much is left of it. Half of it is left after 8192 inputs.
	step = 512
	fade = 0.9576 // 2^(-step/8192)
	// slots is into how many parts all is shared out.
	slots = 1024
)

// Arms are the arms between which a choice is made. The zero Arms has none.
type Arms struct {
	arms  []arm
	table [slots]uint8 // the arm of each part
	ran   int          // inputs since shares were computed
	steps int          // how often the past was faded
	ready bool         // the table is up to date
}

type arm struct {
	usual float64 // its share where nothing is known, beside those of the others; 0: it has none
	cost  float64
	found [kinds]float64
	share float64
}

// Add adds an arm and returns its number. There are 255 at most. Usual is its share where nothing is known, beside those of the others: 0 for one
// that cannot be chosen yet.
func (a *Arms) Add(usual float64) int {
	a.arms = append(a.arms, arm{usual: usual})
	a.ready = false
	return len(a.arms) - 1
}

// Len returns the number of arms.
func (a *Arms) Len() int { return len(a.arms) }

// Usual changes the usual share of an arm.
func (a *Arms) Usual(arm int, usual float64) {
	if a.arms[arm].usual != usual {
		a.arms[arm].usual, a.ready = usual, false
	}
}

// Pick chooses an arm by 64 random bits. There is one that can be chosen.
func (a *Arms) Pick(random uint64) int {
	if !a.ready {
		a.shareOut()
	}
	return int(a.table[random>>54])
}

// Share is the share of an arm now.
func (a *Arms) Share(arm int) float64 {
	if !a.ready {
		a.shareOut()
	}
	return a.arms[arm].share
}

// Relative is how much of their usual share two arms have together, 1 where nothing is known.
func (a *Arms) Relative(arm, other int) float64 {
	if !a.ready {
		a.shareOut()
	}
	all := 0.0
	for i := range a.arms {
		all += a.arms[i].usual
	}
	x, y := &a.arms[arm], &a.arms[other]
	if x.usual+y.usual == 0 {
		return 1
	}
	return (x.share + y.share) * all / (x.usual + y.usual)
}

// Ran tells what an input of an arm showed.
func (a *Arms) Ran(arm int, y Yield) {
	x := &a.arms[arm]
	x.cost += y.Cost
	for k, n := range y.Found {
		x.found[k] += n
	}
}

// Tick ends an input: after some, the past fades and shares are computed anew.
func (a *Arms) Tick() {
	if a.ran++; a.ran < step {
		return
	}
	a.ran, a.ready = 0, false
	a.steps++
	for i := range a.arms {
		x := &a.arms[i]
		x.cost *= fade
		for k := range x.found {
			x.found[k] *= fade
		}
	}
}

// takeBack takes a discovery back that was told so many steps ago, since it was seen a second time.
func (a *Arms) takeBack(arm int, k Kind, faded float64) {
	x := &a.arms[arm]
	x.found[k] = max(0, x.found[k]-faded)
}

// shareOut computes the shares: the usual one of an arm, times a part that stays and a part that follows its yield beside that of all.
func (a *Arms) shareOut() {
	total, usual := arm{}, 0.0
	for i := range a.arms {
		x := &a.arms[i]
		if usual += x.usual; x.usual == 0 {
			continue
		}
		total.cost += x.cost
		for k, n := range x.found {
			total.found[k] += n
		}
	}
	sum := 0.0
	for i := range a.arms {
		x := &a.arms[i]
		x.share = x.usual * x.gain(&total)
		sum += x.share
	}
	at, reached := 0, 0.0
	for i := range a.arms {
		x := &a.arms[i]
		if sum > 0 {
			x.share = floor*x.usual/usual + (1-floor)*x.share/sum
		}
		reached += x.share
		for end := int(reached*slots + 0.5); at < end && at < slots; at++ {
			a.table[at] = uint8(i)
		}
	}
	for ; at < slots && at > 0; at++ {
		a.table[at] = a.table[at-1]
	}
	a.ready = true
}

// gain is how much more an arm yields for its cost than all together do: the mean over the kinds of which there is any yield, 1 if there is none.
func (x *arm) gain(total *arm) float64 {
	sum, n := 0.0, 0.0
	for k := range x.found {
		if total.found[k] <= 0 || total.cost <= 0 {
			continue
		}
		expected := x.cost * total.found[k] / total.cost
		sum += (x.found[k] + prior) / (expected + prior)
		n++
	}
	if n == 0 {
		return 1
	}
	return sum / n
}
