package schedule

import "parallax/internal/mutate"

var stratifiedRow = Row{
	Name: "stratified", Text: "accepted and rejected seeds, and the domains of guidance, have equal shares",
	New: func(Environment) Schedule { return &stratified{} },
}

// stratified shares mutants out before it chooses a seed: half of them are of seeds that a program accepts and half of those that all
// reject, and of either each domain of guidance has the same share, however many seeds it keeps.
//
// A uniform choice leaves both to numbers: nine tenths of what a union of domains keeps is new in path tuples only, and most
// of what coverage keeps is rejected by all, each at another check. Mutants of the rejected are nearly always rejected too, and
// show nothing about those who would accept; but the way to inputs that are accepted leads through them.
type stratified struct {
	seeds    int
	accepted []kept // of seeds that a program accepts
	rejected []kept // of the others
}

// kept are the seeds that one domain keeps.
type kept struct {
	domain string
	seeds  []int32
}

func (e *stratified) Added(s Seed) {
	side := &e.accepted
	if !s.Accepted {
		side = &e.rejected
	}
	if len(s.New) == 0 { // the user's, and those of which it is not known
		join(side, "", e.seeds)
	}
	for _, domain := range s.New {
		join(side, domain, e.seeds)
	}
	e.seeds++
}

func join(side *[]kept, domain string, seed int) {
	for i := range *side {
		if s := &(*side)[i]; s.domain == domain {
			s.seeds = append(s.seeds, int32(seed))
			return
		}
	}
	*side = append(*side, kept{domain, []int32{int32(seed)}})
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
