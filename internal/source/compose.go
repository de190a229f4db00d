package source

// Order is sources by precedence: the first that has an input proposes it.
func Order(sources ...Source) Source { return order(sources) }

type order []Source

func (o order) Propose(s *Step) bool {
	for _, src := range o {
		if src.Propose(s) {
			return true
		}
	}
	return false
}

func (order) Done(*Step, Result) {}

// Callback is the source that choose names each time; nil proposes nothing.
func Callback(choose func() Source) Source { return callback(choose) }

type callback func() Source

func (c callback) Propose(s *Step) bool {
	src := c()
	return src != nil && src.Propose(s)
}

func (callback) Done(*Step, Result) {}

// Waiting is a source that has nothing to propose at times, and knows when.
type Waiting interface {
	Source
	Ready() bool
}

// Alternate gives a source turns between those of another: one in eight, and one in two as long as the share of its inputs that
// are new is at least the other's. An input that costs as much as several of usual cost counts as several (schedule.Usual), so that
// the wait after it is as many times as long. Turns are counted only while it is ready. The first comes after eight inputs, doubled
// as often as its inputs have ended a process (at most ten times): a process that starts anew begins with the other.
func Alternate(some Waiting, most Source, deaths int) Source {
	a := &alternate{some: some, most: most, wait: rarely << min(deaths, maxDeaths)}
	a.sides = [2]side{{a, 0}, {a, 1}}
	return a
}

type alternate struct {
	some  Waiting
	most  Source
	sides [2]side // most, some

	wait       int // inputs until the next turn of some
	often      bool
	tried, won [2]int // by side; halved every period
	inputs     int    // of the period
}

const (
	rarely    = 8 // one turn in so many inputs
	often     = 2
	maxDeaths = 10 // doublings of the wait for the first turn
	period    = 1024
)

func (a *alternate) Propose(s *Step) bool {
	if a.turn() && a.some.Propose(s) {
		s.By(&a.sides[1])
		return true
	}
	if !a.most.Propose(s) {
		return false
	}
	s.By(&a.sides[0])
	return true
}

func (*alternate) Done(*Step, Result) {}

// turn reports whether some has the next turn.
func (a *alternate) turn() bool {
	if !a.some.Ready() {
		return false
	}
	if a.wait--; a.wait > 0 {
		return false
	}
	a.wait = a.every()
	return true
}

// every is how many inputs there are to one of some.
func (a *alternate) every() int {
	if a.often {
		return often
	}
	return rarely
}

// side counts what comes of the inputs of one of the two.
type side struct {
	of *alternate
	k  int
}

func (*side) Propose(*Step) bool { return false }

func (s *side) Done(_ *Step, r Result) {
	a := s.of
	turns := max(r.Turns, 1)
	a.tried[s.k] += turns
	if s.k == 1 {
		a.wait += (turns - 1) * a.every()
	}
	if r.Found {
		a.won[s.k]++
	}
	if a.inputs++; a.inputs < period {
		return
	}
	a.inputs = 0
	// Both shares are pulled towards each other while little is known.
	a.often = (a.won[1]+1)*(a.tried[0]+period) >= (a.won[0]+1)*(a.tried[1]+period)
	for i := range a.tried {
		a.tried[i], a.won[i] = a.tried[i]/2, a.won[i]/2
	}
}
