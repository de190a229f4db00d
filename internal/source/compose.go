package source

// Order combines sources by precedence: the first one with an input proposes it.
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

// Callback returns a source that asks choose for a source each time. Nil means nothing to propose.
func Callback(choose func() Source) Source { return callback(choose) }

type callback func() Source

func (c callback) Propose(s *Step) bool {
	src := c()
	return src != nil && src.Propose(s)
}

func (callback) Done(*Step, Result) {}

// Waiting is a source that may have nothing to propose, and reports when it has.
type Waiting interface {
	Source
	Ready() bool
}

// Alternate gives some turns between those of most. It has one turn in eight, and one in two while
// its share of new inputs is at least that of most. An expensive input counts as several
// (schedule.UsualCost), so that the next wait is as many times as long. Turns count only while some
// is ready. Its first turn comes after eight inputs, doubled for each process that its inputs have
// ended, up to ten times. So a new process starts with most.
func Alternate(some Waiting, most Source, deaths int) Source {
	a := &alternate{some: some, most: most, wait: rarely << min(deaths, maxDeaths)}
	a.sides = [2]side{{a, 0}, {a, 1}}
	return a
}

type alternate struct {
	some  Waiting
	most  Source
	sides [2]side // of most and of some

	wait       int // inputs until the next turn of some
	often      bool
	tried, won [2]int // by side; halved every period
	inputs     int    // in this period
}

const (
	rarely    = 8 // one turn in eight inputs
	often     = 2
	maxDeaths = 10 // doublings of the first wait
	period    = 1024
)

func (a *alternate) Propose(s *Step) bool {
	if a.turn() && a.some.Propose(s) {
		s.Notify(&a.sides[1])
		return true
	}
	if !a.most.Propose(s) {
		return false
	}
	s.Notify(&a.sides[0])
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

// every returns the number of inputs per input of some.
func (a *alternate) every() int {
	if a.often {
		return often
	}
	return rarely
}

// side counts the results of one of the two sources.
type side struct {
	alternate *alternate
	k         int
}

func (*side) Propose(*Step) bool { return false }

func (s *side) Done(_ *Step, r Result) {
	a := s.alternate
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
	// Both shares move towards each other while little is known.
	a.often = (a.won[1]+1)*(a.tried[0]+period) >= (a.won[0]+1)*(a.tried[1]+period)
	for i := range a.tried {
		a.tried[i], a.won[i] = a.tried[i]/2, a.won[i]/2
	}
}
