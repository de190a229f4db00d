package schedule

import (
	"slices"

	"parallax/internal/mutate"
)

var pointsRow = Row{Name: "points", Text: "a share for each change point, divided among the seeds that come nearest to it", Needs: Impact | Sets, New: func(e Environment) Schedule { return newPoints(e) }}

// points gives each change point its own share of mutants. So places that many inputs reach do not
// starve those that few reach. DeltaFuzz's fitness does not distinguish places, and saturates where
// most executed blocks are impacted.
//
// A point has a bucket of the seeds that came nearest to it. Nearest means the fewest missed gates,
// which are blocks on every path to the point, and then the shortest distance from an executed
// block. A seed of the bucket is drawn with halving probability, the nearest first. Among seeds
// that reach the point, one with a new path replaces the seed that was picked most.
//
// A point begins with the full share. The share halves after each pointTurns turns without
// progress, down to 1/16, and then starts again. Progress is a seed nearer than all before, or one
// that reaches the point by another path. One turn in four is left to the schedule rarity, which
// uses all seeds. It finds paths to a point that the graph lacks, and code next to the change.
// Turns have rareTurn children. No clock is used.
type points struct {
	environment Environment
	rest        *rarity
	buckets     []bucket

	at, left int
	others   bool // the turn is that of rest
}

// bucket holds the seeds that came nearest to a change point.
type bucket struct {
	seeds []bucketSeed // nearest first
	turns int          // since its last progress
}

type bucketSeed struct {
	seed            int
	gates, distance int
	set             uint64 // hash of its executed blocks, if known
	picks           int
}

const (
	bucketSeeds = 16
	pointTurns  = 64
	freshShare  = 16 // share of a point with progress; 1 is the least
	restTurns   = 4  // one turn in restTurns is left to rarity
)

func newPoints(e Environment) *points {
	return &points{environment: e, rest: newRarity(), buckets: make([]bucket, len(e.Impact.Points))}
}

// Added implements Schedule.
func (p *points) Added(s Seed) {
	seed := len(p.rest.seeds)
	p.rest.Added(s)
	for k := range p.buckets {
		if gates, distance, ok := p.environment.Impact.PointDistance(k, s.Traces); ok {
			p.buckets[k].add(bucketSeed{seed: seed, gates: gates, distance: distance, set: path(s.Traces)})
		}
	}
}

// before orders seeds by their nearness to the point.
func (n bucketSeed) before(m bucketSeed) bool {
	if n.gates != m.gates {
		return n.gates < m.gates
	}
	return n.distance < m.distance
}

func (n bucketSeed) reaches() bool { return n.gates == 0 && n.distance == 0 }

// add adds a seed to the bucket, if it is one of the nearest.
func (b *bucket) add(n bucketSeed) {
	at := len(b.seeds)
	for at > 0 && n.before(b.seeds[at-1]) {
		at--
	}
	other := !slices.ContainsFunc(b.seeds, func(m bucketSeed) bool { return m.set == n.set })
	switch {
	case at == 0, n.reaches() && other:
		b.turns = 0
	case !other:
		return
	}
	if len(b.seeds) == bucketSeeds {
		if at == bucketSeeds {
			if !n.reaches() {
				return
			}
			// All reach the point: the seed with the most turns is replaced.
			mostPicked := 0
			for k := range b.seeds {
				if b.seeds[k].picks > b.seeds[mostPicked].picks {
					mostPicked = k
				}
			}
			b.seeds = append(slices.Delete(b.seeds, mostPicked, mostPicked+1), n)
			return
		}
		b.seeds = b.seeds[:bucketSeeds-1]
	}
	b.seeds = slices.Insert(b.seeds, at, n)
}

// share returns the point's share of turns relative to others: 16 to 1, or 0 if no seed comes near.
func (b *bucket) share() int {
	if len(b.seeds) == 0 {
		return 0
	}
	return max(1, freshShare>>(b.turns/pointTurns))
}

// Next implements Schedule.
func (p *points) Next(r *mutate.Rand) int {
	if p.left == 0 {
		p.turn(r)
	}
	p.left--
	if p.others {
		return p.rest.Next(r)
	}
	return p.at
}

// turn chooses the next turn's seed or schedule.
func (p *points) turn(r *mutate.Rand) {
	p.others = false
	all := 0
	for k := range p.buckets {
		all += p.buckets[k].share()
	}
	if p.left = rareTurn; all == 0 || r.Intn(restTurns) == 0 {
		p.others = true
		return
	}
	at, k := r.Intn(all), 0
	for at >= p.buckets[k].share() {
		at -= p.buckets[k].share()
		k++
	}
	b := &p.buckets[k]
	n := &b.seeds[0]
	for k := range b.seeds {
		n = &b.seeds[k]
		if r.Intn(2) == 0 {
			break
		}
	}
	n.picks++
	if b.turns++; freshShare>>(b.turns/pointTurns) == 0 {
		b.turns = 0
	}
	p.at, p.left = n.seed, rareTurn
}

// Ran implements Schedule.
func (p *points) Ran(r Result) { p.rest.Ran(r) }
