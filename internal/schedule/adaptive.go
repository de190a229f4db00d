package schedule

import (
	"parallax/internal/adapt"
	"parallax/internal/mutate"
)

// Adaptive is the name of the schedule.
const Adaptive = "adaptive"

var adaptiveRow = Row{
	Name: Adaptive, Text: "domains, verdict sides, fresh inputs and operators have shares that follow what they lately yielded for their cost", Needs: Yields,
	New: func(e Environment) Schedule { return newAdaptive(e) },
}

// adaptive shares mutants out by arms (package adapt) before it chooses a seed. An arm is the seeds that one domain of guidance keeps and that a program
// accepts, or that all reject; the seeds of the user, which no domain keeps, are two arms more. The usual shares are those of stratified. Of
// two seeds of an arm, drawn at random, it mostly takes the one whose mutants were kept more often for what they cost.
type adaptive struct {
	arms    *adapt.Arms
	domains []string  // see DomainArm; the arms of no domain are 0 and 1
	members [][]int32 // seeds of each arm
	seeds   []tally
	chosen  int // the arm of the last choice
}

// tally is what is known of a seed.
type tally struct {
	cost  float64 // of its run
	tried float64 // mutants
	kept  float64
}

const (
	// costOfInput is what executing an input costs beside the blocks that programs enter, in blocks.
	costOfInput = 256
	// unknownYield and unknownTries are the yield that a seed is taken to have before it is known: the first mutants of a seed are kept more
	// often than later ones.
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

// ArmNames are the names of the arms of a schedule, beside the operators, by the numbers that NumberOf gives. There are none unless it needs
// Yields.
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

// DomainArm is the first of the two arms of a domain, by its place among those that guide: of the seeds that a program accepts. That of those
// which all reject follows.
func DomainArm(domain int) int { return 2 * (domain + 1) }

// NumberOf is the number of the arm that made an input.
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
	if !joined { // the user's, and those of which it is not known
		a.join(side)
	}
	a.seeds = append(a.seeds, tally{cost: float64(Cost(s.Traces))})
}

// join makes the next seed a member of an arm. The sides have equal shares, and of each side the arms with members.
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

// worth is how often mutants of a seed are kept for what they cost.
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
	// What mutants cost may be another thing than what the seed did.
	t.cost += (float64(Cost(r.Traces)) - t.cost) / 16
}
