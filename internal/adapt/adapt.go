// Package adapt distributes a campaign's inputs over arms, as in a multi-armed bandit. Arms are,
// for example, the seeds of one guidance domain, or the mutation operators. An arm makes more of
// the next inputs if its recent inputs found more per cost than those of other arms. Each arm
// always keeps a part of its usual share, which is its share without any knowledge.
//
// The schedule "adaptive" chooses seeds by arms. The mutator chooses operators by arms. The engine
// chooses by arms between mutants and fresh inputs.
//
// An arm's yield is an estimate of its discovery probability. It is the number of species seen
// exactly once, divided by the number of inputs. The sources are Good, The population frequencies
// of species, Biometrika 1953, and Böhme, STADS: Software testing as species discovery, TOSEM 2018.
// Many species seen once mean that others are still unseen. A species is a kind of disagreement. It
// counts for an arm from the first input that shows it to the second. A block counts when it is
// first executed, and stays counted, since most inputs have no record of whether they execute a
// block again.
//
// Invariants: shares depend on the calls and their order, and on no clock. Pick and Ran do not
// allocate.
package adapt

// Kind is a kind of discovery.
type Kind int

// Discoveries of an input.
const (
	Disagreement Kind = iota // a disagreement unlike all before
	Block                    // a block not executed before, or not that often
	kinds
)

// Yield holds the discoveries of an input, and its cost.
type Yield struct {
	Found [kinds]float64
	Cost  float64
}

const (
	// floor is the part of its usual share that every arm keeps.
	floor = 0.25
	// prior is the number of expected discoveries added to an arm's yield and to its expectation,
	// so that one discovery does not separate two arms.
	prior = 3
	// After every step inputs, all counts are multiplied by fade. That halves them in 8192 inputs.
	step = 512
	fade = 0.9576 // 2^(-step/8192)
	// slots is the number of equal parts of the table of shares.
	slots = 1024
)

// Arms holds the arms of one choice. The zero Arms has none.
type Arms struct {
	arms  []arm
	table [slots]uint8 // arm per slot
	ran   int          // inputs since the last fading
	steps int          // number of fadings
	ready bool         // the table is up to date
}

type arm struct {
	usual float64 // share without any knowledge, relative to the other arms; 0 means it cannot be chosen
	cost  float64
	found [kinds]float64
	share float64
}

// Add adds an arm and returns its number. There are at most 255 arms. usual is its share without
// any knowledge, relative to the other arms. Zero means that it cannot be chosen yet.
func (a *Arms) Add(usual float64) int {
	a.arms = append(a.arms, arm{usual: usual})
	a.ready = false
	return len(a.arms) - 1
}

// Len returns the number of arms.
func (a *Arms) Len() int { return len(a.arms) }

// SetUsual changes the usual share of an arm.
func (a *Arms) SetUsual(arm int, usual float64) {
	if a.arms[arm].usual != usual {
		a.arms[arm].usual, a.ready = usual, false
	}
}

// Pick chooses an arm by 64 random bits. At least one arm must have a usual share.
func (a *Arms) Pick(random uint64) int {
	if !a.ready {
		a.shareOut()
	}
	return int(a.table[random>>54])
}

// Share returns the current share of an arm.
func (a *Arms) Share(arm int) float64 {
	if !a.ready {
		a.shareOut()
	}
	return a.arms[arm].share
}

// Relative returns the joint share of two arms divided by their usual joint share. It is 1 without
// any knowledge.
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

// Record records the yield of an input of an arm.
func (a *Arms) Record(arm int, y Yield) {
	x := &a.arms[arm]
	x.cost += y.Cost
	for k, n := range y.Found {
		x.found[k] += n
	}
}

// Tick counts an input. After step inputs, it fades all counts and makes the shares stale.
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

// takeBack removes a discovery that was seen a second time. faded is the weight that is left of it.
func (a *Arms) takeBack(arm int, k Kind, faded float64) {
	x := &a.arms[arm]
	x.found[k] = max(0, x.found[k]-faded)
}

// shareOut computes the shares. An arm gets a fixed part of its usual share, and a part weighted by
// its gain.
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

// gain returns the yield per cost of an arm relative to that of all arms. It is the mean over the
// kinds with any yield, and 1 without any.
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
