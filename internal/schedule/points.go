package schedule

import (
	"slices"

	"parallax/internal/mutate"
)

var pointsRow = Row{Name: "points", Text: "a share for each change point, divided among the seeds that come nearest to it", Needs: Impact | Sets, New: func(e Environment) Schedule { return newPoints(e) }}

// points gives each change point a share of its own, so that no place that many inputs reach swallows those that few do. DeltaFuzz's fitness
// cannot tell places apart, and saturates where most of what inputs execute is impacted.
//
// A point has a bucket of the seeds that came nearest to it: those with the fewest gates left, which are blocks that every way to the
// point leads through, and then with the shortest way from an executed block. One of them is drawn, the nearest as often as all others, the
// next as often as those behind it, and so on. Among seeds that reach the point, those with paths that the bucket has not yet take the place of
// the one that was picked most.
//
// A point begins with the share 1. It halves after each pointTurns turns in which no seed joined its bucket that was nearer than all before,
// or reached it by another path, down to 1/16; then it is 1 again. One turn in four is left to the schedule rarity, which looks at all seeds:
// ways to a point that the graph does not show, and what lies beside the change, are found so. Turns have rareTurn children. No clock is read.
type points struct {
	environment Environment
	rest        *rarity
	buckets     []bucket

	at, left int
	others   bool // the turn is that of rest
}

// bucket is the seeds that came nearest to a change point.
type bucket struct {
	seeds []nearest // best first
	turns int       // since it last made progress
}

type nearest struct {
	seed            int
	gates, distance int
	set             uint64 // of the blocks that it executed, as far as it is known
	picks           int
}

const (
	bucketSeeds = 16
	pointTurns  = 64
	freshShare  = 16 // of a point that made progress; 1 is the least
	restTurns   = 4  // one turn in so many is left to rarity
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
			p.buckets[k].add(nearest{seed: seed, gates: gates, distance: distance, set: path(s.Traces)})
		}
	}
}

// before orders seeds by how near they came.
func (n nearest) before(m nearest) bool {
	if n.gates != m.gates {
		return n.gates < m.gates
	}
	return n.distance < m.distance
}

func (n nearest) reaches() bool { return n.gates == 0 && n.distance == 0 }

// add lets a seed into the bucket, if it is one of the nearest.
func (b *bucket) add(n nearest) {
	at := len(b.seeds)
	for at > 0 && n.before(b.seeds[at-1]) {
		at--
	}
	other := !slices.ContainsFunc(b.seeds, func(m nearest) bool { return m.set == n.set })
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
			// All reach the point: the one that had the most turns makes room.
			worn := 0
			for k := range b.seeds {
				if b.seeds[k].picks > b.seeds[worn].picks {
					worn = k
				}
			}
			b.seeds = append(slices.Delete(b.seeds, worn, worn+1), n)
			return
		}
		b.seeds = b.seeds[:bucketSeeds-1]
	}
	b.seeds = slices.Insert(b.seeds, at, n)
}

// share is what a point has of the turns, beside others: 16 to 1, 0 if no seed comes near.
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

// turn decides whose turn it is.
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
