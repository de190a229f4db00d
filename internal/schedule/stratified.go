package schedule

import "parallax/internal/mutate"

var stratifiedRow = Row{
	Name: "stratified", Text: "accepted and rejected seeds, and the domains of guidance, have equal shares",
	New: func(Environment) Schedule { return &stratified{} },
}

// stratified distributes mutants before it chooses a seed. Half of them are of seeds that a program
// accepts, and half of those that all reject. On both sides each guidance domain has the same
// share, however many seeds it keeps.
//
// A uniform choice leaves both to numbers. Nine tenths of the seeds of a union of domains are new
// in path tuples only. Most of coverage's seeds are rejected by all programs, each at another
// check. Mutants of rejected seeds are nearly always rejected and show little about accepting
// programs. But the way to accepted inputs leads through them.
type stratified struct {
	seeds    int
	accepted []domainSeeds // seeds that a program accepts
	rejected []domainSeeds // the other seeds
}

// domainSeeds holds the seeds that one domain keeps.
type domainSeeds struct {
	domain string
	seeds  []int32
}

func (e *stratified) Added(s Seed) {
	side := &e.accepted
	if !s.Accepted {
		side = &e.rejected
	}
	if len(s.New) == 0 { // the user's seeds, and seeds with unknown domains
		join(side, "", e.seeds)
	}
	for _, domain := range s.New {
		join(side, domain, e.seeds)
	}
	e.seeds++
}

func join(side *[]domainSeeds, domain string, seed int) {
	for i := range *side {
		if s := &(*side)[i]; s.domain == domain {
			s.seeds = append(s.seeds, int32(seed))
			return
		}
	}
	*side = append(*side, domainSeeds{domain, []int32{int32(seed)}})
}

func (e *stratified) Next(r *mutate.Rand) int {
	side := e.accepted
	if len(side) == 0 || len(e.rejected) > 0 && r.Chance(1, 2) {
		side = e.rejected
	}
	seeds := side[r.Intn(len(side))].seeds
	return int(seeds[r.Intn(len(seeds))])
}

func (e *stratified) Ran(Result) {}
