package schedule

import "parallax/internal/mutate"

// queue is AFL's queue. Seeds have turns in the order of discovery, cycle after cycle. The seed's
// score times a power of AFLFast's gives the number of children of a turn. An input found during a
// turn joins the end of the queue and is visited in the same cycle.
//
// As in AFL, few seeds that cover all blocks are favored, and others are skipped with probabilities
// of 75 to 99 % (cull.go). There are no deterministic stages and no splicing stage (the mutator
// splices).
type queue struct {
	power power
	scale scoreFactor // last factor; nil means none
	seeds []queueSeed
	freq  frequency

	cull    *cull
	favors  func(seed int) bool // which seeds are favored
	waiting int                 // favored seeds without a turn so far

	nanos  int64 // sum over all seeds
	blocks int   // sum over all seeds

	at      int // seed of the current turn
	cycle   int // completed cycles
	left    int // remaining children of the turn
	length  int // all children of the turn
	score   int // score of the current seed
	started bool
	known   bool // the newest seed was kept by an earlier process
	starved bool // no seed has energy, or ever will
}

type queueSeed struct {
	nanos    int64
	blocks   int
	depth    int     // generations; 1 for first inputs
	handicap int     // cycles missed, less those made up for
	picks    int     // earlier visits
	trace    int     // index in freq
	near     float64 // scale's value of the seed
}

// scoreFactor is the last factor of a seed's score, for schedules about a change.
type scoreFactor interface {
	// near returns a value of a seed when it joins.
	near(Seed) float64
	// factor returns the factor of a seed with that value that was picked so often before.
	factor(near float64, picks int) float64
}

func newQueue(p power) *queue {
	q := &queue{power: p, freq: frequency{index: map[uint64]int{}}}
	q.favor(newCull(false))
	return q
}

// favor makes a choice of favored seeds the queue's.
func (q *queue) favor(c *cull) { q.cull, q.favors = c, c.favored }

func (q *queue) Added(s Seed) {
	q.cull.added(s)
	n := queueSeed{nanos: s.Nanos, depth: 1, handicap: q.cycle}
	if s.Parent >= 0 {
		n.depth = q.seeds[s.Parent].depth + 1
	}
	for i := range s.Traces {
		n.blocks += len(s.Traces[i].Hits)
	}
	if q.power.counts() {
		n.trace = q.freq.join(path(s.Traces))
	}
	if q.scale != nil {
		n.near = q.scale.near(s)
	}
	q.nanos += n.nanos
	q.blocks += n.blocks
	q.seeds = append(q.seeds, n)
	q.known = s.Known
	q.starved = false
}

func (q *queue) Next(r *mutate.Rand) int {
	if q.left == 0 {
		if !q.started {
			q.start(r)
		}
		q.visit(r)
	}
	q.left--
	return q.at
}

// start goes to the head of the queue. If the campaign continues that of an earlier process, it
// goes anywhere. Otherwise, with programs that often end their processes, only the head would ever
// be visited. (AFL reads its position from the file fuzzer_stats.)
func (q *queue) start(r *mutate.Rand) {
	q.started = true
	q.at = -1
	if q.known {
		q.at = r.Intn(len(q.seeds)) - 1
	}
}

// visit starts the turn of the next seed with energy.
func (q *queue) visit(r *mutate.Rand) {
	q.countWaiting()
	for idle := 0; ; idle++ {
		if idle == len(q.seeds) {
			q.idle()
		}
		if q.at++; q.at == len(q.seeds) {
			q.at = 0
			q.cycle++
		}
		if q.skips(q.at, r) {
			idle--
			continue
		}
		s := &q.seeds[q.at]
		if s.picks == 0 && q.waiting > 0 && q.favors(q.at) {
			q.waiting--
		}
		q.score = q.energy(s)
		s.picks++
		if q.starved {
			q.score = minTurn * 100 / baseTurn
		}
		if q.score > 0 {
			q.length = turn(q.score)
			q.left = q.length
			return
		}
	}
}

// energy returns the seed's score on this visit.
func (q *queue) energy(s *queueSeed) int {
	n := len(q.seeds)
	score := speedScore(s.nanos, q.nanos/int64(n))
	score = scaleBySize(score, s.blocks, q.blocks/n)
	score, s.handicap = scaleByHandicap(score, s.handicap)
	score = scaleByDepth(score, s.depth)
	f, mean := uint64(1), uint64(1)
	if q.power.counts() {
		f, mean = q.freq.count[s.trace], q.freq.mean()
	}
	score *= q.power.factor(s.picks, f, mean)
	if q.scale != nil { // a seed with energy keeps some
		score = max(1, int(min(float64(score)*q.scale.factor(s.near, s.picks), maxScore)))
	}
	return min(score, maxScore)
}

// idle handles a whole cycle without a turn. AFLFast then spins until visits, which the factors
// grow with, have caught up with executions. idle skips those cycles. Under the exponential
// schedule visits may never catch up, and AFLFast spins forever. Here every seed then has the
// shortest turn, until something new is found.
func (q *queue) idle() {
	skip, ever := 0, false
	for i := range q.seeds {
		s := &q.seeds[i]
		if visits, ok := q.power.wait(s.picks, q.freq.count[s.trace]); ok && (!ever || visits < skip) {
			skip, ever = visits, true
		}
	}
	q.starved = !ever
	q.cycle += skip
	for i := range q.seeds {
		s := &q.seeds[i]
		s.picks += skip
		s.handicap = pastHandicap(s.handicap, skip)
	}
}

// Ran counts the trace. If the mutant was kept, it doubles the score and the whole turn, up to once
// beyond the limit, as AFL's havoc stage does.
func (q *queue) Ran(r Result) {
	if !r.Kept {
		if q.power.counts() {
			q.freq.countMutant(path(r.Traces))
		}
		return
	}
	if q.score <= maxScore {
		q.left += q.length
		q.length *= 2
		q.score *= 2
	}
}
