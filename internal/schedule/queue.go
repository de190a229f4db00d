package schedule

import "parallax/internal/mutate"

// queue is AFL's: seeds have their turns in the order in which they were found, again and again, and a turn has as many
// children as the seed's score says, times a power of AFLFast's. What is found during a turn joins the end of the queue and is
// visited in the same cycle.
//
// Nothing of AFL but the score is here: no deterministic stages, no stage of splicing (the mutator splices), and, unless favors is
// set, no favored seeds, which AFL prefers by skipping others with probabilities of 75 to 99 % (cull.go). Corpora here are bounded by domain
// pools and turns are short, so that a cycle ends without them.
type queue struct {
	power power
	scale scale // nil: nothing comes after the power's factor
	seeds []queued
	freq  frequency

	favors  func(seed int) bool // which seeds are favored; nil: none is skipped
	waiting int                 // favored seeds that had no turn yet

	nanos  int64 // sum over all seeds
	blocks int   // sum over all seeds

	at      int // the seed whose turn it is
	cycle   int // completed
	left    int // children of the turn to come
	length  int // children of the turn, all in all
	score   int // of the seed whose turn it is
	started bool
	known   bool // the newest seed was known to an earlier process
	starved bool // no seed has energy and none will ever have
}

type queued struct {
	nanos    int64
	blocks   int
	depth    int     // generations; 1 for first inputs
	handicap int     // cycles missed, less what was made up for
	picks    int     // visits before
	trace    int     // place in freq
	near     float64 // what scale knows of it
}

// scale is what a schedule of changes multiplies a seed's score by, last of all.
type scale interface {
	// near is what is to be known of a seed, when it joins.
	near(Seed) float64
	// factor is for a seed that was picked so often before.
	factor(near float64, picks int) float64
}

func newQueue(p power) *queue {
	return &queue{power: p, freq: frequency{index: map[uint64]int{}}}
}

func (q *queue) Added(s Seed) {
	n := queued{nanos: s.Nanos, depth: 1, handicap: q.cycle}
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

// start goes to the head of the queue or, when the campaign goes on where another process ended, anywhere: with programs
// that end their processes often, nothing but the head would ever be visited. (AFL's file fuzzer_stats says where it was.)
func (q *queue) start(r *mutate.Rand) {
	q.started = true
	q.at = -1
	if q.known {
		q.at = r.Intn(len(q.seeds)) - 1
	}
}

// visit gives the next seed that has energy its turn.
func (q *queue) visit(r *mutate.Rand) {
	q.await()
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

// energy is the seed's score on this visit.
func (q *queue) energy(s *queued) int {
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
	if q.scale != nil { // a seed that has energy keeps some
		score = max(1, int(min(float64(score)*q.scale.factor(s.near, s.picks), maxScore)))
	}
	return min(score, maxScore)
}

// idle is called when a whole cycle has passed without a turn. AFLFast then spins until the number of visits, which the factors
// grow with, has caught up with the number of executions: idle skips those cycles. Under the exponential
// schedule it may never catch up, and AFLFast spins for ever. Here every seed then has the shortest turn there is,
// until something new is found.
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

// Ran counts the trace and, if the mutant was kept, doubles the score and the turn as a whole, up to once beyond the limit: what
// AFL's havoc stage does.
func (q *queue) Ran(r Result) {
	if !r.Kept {
		if q.power.counts() {
			q.freq.ran(path(r.Traces))
		}
		return
	}
	if q.score <= maxScore {
		q.left += q.length
		q.length *= 2
		q.score *= 2
	}
}
