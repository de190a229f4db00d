package schedule

import "parallax/internal/mutate"

// cull is AFL's choice of favored seeds (update_bitmap_score and cull_queue in afl-fuzz.c). Per
// block it finds the seed with the smallest product of cost and length. From these it takes seeds
// in the order of blocks until all blocks are covered. Cost is counted in blocks (Cost), the same
// on every machine. AFL takes the time.
//
// If only the last program counts, and it is a model, its blocks are the steps of the original's
// paths in scope. Seeds are then culled by model coverage, as in SEDiff (Li, Meng, Lu, ESEC/FSE
// 2022, section 4).
type cull struct {
	last  bool // only the last program counts
	best  map[int64]int32
	order []int64 // keys of best, ascending
	seeds []cullSeed
	stale bool
}

type cullSeed struct {
	blocks  []int64 // that count; nil if it is the best of none
	best    int     // number of blocks that it is the best of
	price   uint64
	favored bool
}

func newCull(last bool) *cull { return &cull{last: last, best: map[int64]int32{}} }

// added must be called once per seed, in order.
func (c *cull) added(s Seed) {
	from := 0
	if c.last {
		from = len(s.Traces) - 1
	}
	n := cullSeed{price: Cost(s.Traces) * uint64(max(s.Len, 1))}
	index := int32(len(c.seeds))
	for p := from; p < len(s.Traces); p++ {
		s.Traces[p].Need()
		for _, id := range s.Traces[p].Hits {
			key := int64(p)<<32 | int64(id)
			n.blocks = append(n.blocks, key)
			owner, known := c.best[key]
			if !known {
				c.insert(key)
			} else if c.seeds[owner].price <= n.price {
				continue
			} else if o := &c.seeds[owner]; o.best == 1 {
				o.best, o.blocks = 0, nil
			} else {
				o.best--
			}
			c.best[key], c.stale = index, true
			n.best++
		}
	}
	if n.best == 0 {
		n.blocks = nil
	}
	c.seeds = append(c.seeds, n)
}

// insert adds a new block to the order.
func (c *cull) insert(key int64) {
	at := len(c.order)
	c.order = append(c.order, key)
	for ; at > 0 && c.order[at-1] > key; at-- {
		c.order[at] = c.order[at-1]
	}
	c.order[at] = key
}

// favored reports whether a seed is among those that cover all blocks.
func (c *cull) favored(seed int) bool {
	if c.stale {
		c.choose()
	}
	return c.seeds[seed].favored
}

func (c *cull) choose() {
	c.stale = false
	for i := range c.seeds {
		c.seeds[i].favored = false
	}
	covered := make(map[int64]bool, len(c.order))
	for _, key := range c.order {
		if covered[key] {
			continue
		}
		s := &c.seeds[c.best[key]]
		s.favored = true
		for _, b := range s.blocks {
			covered[b] = true
		}
	}
}

// AFL's probabilities of skipping a seed (config.h), in percent.
const (
	skipToNew = 99 // SKIP_TO_NEW_PROB: while a favored seed waits for its first turn
	skipOld   = 95 // SKIP_NFAV_OLD_PROB: a seed that is not favored and has had a turn
	skipNew   = 75 // SKIP_NFAV_NEW_PROB: a seed that is not favored and has had none, after the first cycle
	skipFew   = 10 // size up to which no seed is skipped, unless a favored one waits
)

// skips reports whether a seed is skipped (fuzz_one in afl-fuzz.c).
func (q *queue) skips(at int, r *mutate.Rand) bool {
	fresh, favored := q.seeds[at].picks == 0, q.favors(at)
	switch {
	case q.waiting > 0:
		return (!fresh || !favored) && r.Chance(skipToNew, 100)
	case favored || len(q.seeds) <= skipFew:
		return false
	case q.cycle > 0 && fresh:
		return r.Chance(skipNew, 100)
	}
	return r.Chance(skipOld, 100)
}

// countWaiting counts the favored seeds without a turn so far.
func (q *queue) countWaiting() {
	q.waiting = 0
	for i := range q.seeds {
		if q.seeds[i].picks == 0 && q.favors(i) {
			q.waiting++
		}
	}
}
