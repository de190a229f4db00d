package schedule

import (
	"parallax/internal/adapt"
	"parallax/internal/mutate"
)

// Adaptive is the name of the adaptive schedule.
const Adaptive = "adaptive"

var adaptiveRow = Row{
	Name: Adaptive, Text: "domains, verdict sides, fresh inputs and operators have shares that follow what they lately yielded for their cost", Needs: Yields,
	New: func(e Environment) Schedule { return newAdaptive(e) },
}

// adaptive distributes mutants over arms (package adapt) before it chooses a seed. An arm holds the
// seeds that one guidance domain keeps, and that either a program accepts or all reject. The user's
// seeds, which no domain keeps, form two more arms. The usual shares are those of stratified. It
// draws two seeds of the arm, and mostly takes the one whose mutants were kept more often for their
// cost.
type adaptive struct {
	arms    *adapt.Arms
	domains []string  // see DomainArm; arms 0 and 1 belong to no domain
	members [][]int32 // seeds of each arm
	seeds   []tally
	chosen  int // arm of the last choice
}

// tally holds the costs and results of a seed.
type tally struct {
	cost  float64 // running mean of its mutants' costs, from its own cost on
	tried float64 // number of mutants
	kept  float64
}

const (
	// costOfInput is the fixed cost of executing an input, in blocks.
	costOfInput = 256
	// unknownYield and unknownTries are added to a seed's yield and mutants, as its assumed yield.
	// A seed's first mutants are kept more often than later ones.
	unknownYield = 1
	unknownTries = 16
)

func newAdaptive(e Environment) *adaptive {
	a := &adaptive{arms: e.Arms, domains: e.Domains, members: make([][]int32, 2*(len(e.Domains)+1))}
	if a.arms == nil {
		a.arms = &adapt.Arms{}
	}
	for range a.members {
		a.arms.Add(0)
	}
	return a
}

// ArmNames returns the names of a schedule's arms, except operators, indexed by NumberOf. It
// returns none unless the schedule needs Yields.
func ArmNames(row *Row, domains []string) (names []string) {
	if row.Needs&Yields == 0 {
		return nil
	}
	names = append(names, "fresh")
	for _, d := range append([]string{"seeds"}, domains...) {
		names = append(names, d+"/accepted", d+"/rejected")
	}
	return names
}

// DomainArm returns the arm of a domain's seeds that a program accepts. The next arm has those that
// all reject. domain is the index among the guiding domains.
func DomainArm(domain int) int { return 2 * (domain + 1) }

// NumberOf returns the number of the arm that made an input.
func NumberOf(c adapt.Choice) int {
	if c.Source == adapt.Fresh {
		return 0
	}
	return 1 + c.Seed
}

func (a *adaptive) Added(s Seed) {
	side := 1
	if s.Accepted {
		side = 0
	}
	joined := false
	for _, name := range s.New {
		for d, domain := range a.domains {
			if domain == name {
				a.join(DomainArm(d) + side)
				joined = true
			}
		}
	}
	if !joined { // the user's seeds, and seeds with unknown domains
		a.join(side)
	}
	a.seeds = append(a.seeds, tally{cost: float64(Cost(s.Traces))})
}

// join adds the next seed to an arm. Both sides have equal shares, and so have the arms with
// members of each side.
func (a *adaptive) join(arm int) {
	a.members[arm] = append(a.members[arm], int32(len(a.seeds)))
	if len(a.members[arm]) > 1 {
		return
	}
	for side := 0; side < 2; side++ { // Go 1.21 knows no other way
		n := 0
		for i := side; i < len(a.members); i += 2 {
			if len(a.members[i]) > 0 {
				n++
			}
		}
		for i := side; i < len(a.members); i += 2 {
			if len(a.members[i]) > 0 {
				a.arms.SetUsual(i, 1/float64(n))
			}
		}
	}
}

func (a *adaptive) Next(r *mutate.Rand) int {
	a.chosen = a.arms.Pick(r.Uint64())
	members := a.members[a.chosen]
	one, other := int(members[r.Intn(len(members))]), int(members[r.Intn(len(members))])
	if (a.seeds[other].worth() > a.seeds[one].worth()) == r.Chance(3, 4) {
		return other
	}
	return one
}

// Arm implements Armed.
func (a *adaptive) Arm() int { return a.chosen }

// worth returns how often mutants of a seed are kept per cost.
func (t *tally) worth() float64 { return (t.kept + unknownYield) / (t.tried + unknownTries) / t.cost }

func (a *adaptive) Ran(r Result) {
	if r.Seed < 0 || r.Seed >= len(a.seeds) {
		return
	}
	t := &a.seeds[r.Seed]
	t.tried++
	if r.Kept {
		t.kept++
	}
	// The mutants' costs may differ from the seed's.
	t.cost += (float64(Cost(r.Traces)) - t.cost) / 16
}
