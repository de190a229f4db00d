package schedule

import "parallax/internal/mutate"

// Zest is the name of Zest's schedule.
const Zest = "zest"

var zestRow = Row{
	Name: Zest, Text: "one after another, each as often as it executes many blocks, and 20 times as often if it owns one (Zest, BeDivFuzz)",
	New: func(e Environment) Schedule {
		z := &zest{blocks: e.Blocks}
		if e.HandsOver {
			z.handed = &responsibilities{blocks: e.Blocks, validOnly: e.ValidOnly, held: map[holding]bool{}}
		}
		return z
	},
}

// zest is Zest's queue (Padhye et al., ISSTA 2019), which BeDivFuzz keeps (ICSE 2022, section 3.3:
// NUMCHILDREN "as in Zest"). Seeds have turns in the order of discovery, cycle after cycle. The
// numbers are those of the public code (ZestGuidance.java, getTargetChildrenForParent). A turn has
// 50*cov/maxCov children in integers, where cov is the number of the seed's blocks and maxCov that
// of all seeds together. A favored seed has 20 times as many. The length of a turn is computed
// again for each child. A turn has one child at least, since the code does not check before the
// first.
//
// A seed is favored if it owns a block. The first seed to execute a block owns it. The first seed
// that a program accepts takes a block from an owner that none accepts (computeResponsibilities).
//
// The code begins with the first seed. A continued campaign begins anywhere, as AFL's queue does
// (queue.start).
type zest struct {
	blocks int // of one program
	owners []int32
	all    int // blocks that seeds execute
	seeds  []zestSeed
	handed *responsibilities // nil means that only seeds own blocks

	at, made int // seed of the current turn, and its children so far
	started  bool
	known    bool // the newest seed was kept by an earlier process
}

type zestSeed struct {
	blocks   int
	owns     int
	accepted bool
}

const (
	zestChildren = 50 // NUM_CHILDREN_BASELINE
	zestFavored  = 20 // NUM_CHILDREN_MULTIPLIER_FAVORED
)

func (z *zest) Added(s Seed) {
	n := zestSeed{accepted: s.Accepted}
	index := int32(len(z.seeds))
	z.known = s.Known
	if z.handed != nil {
		z.seeds = append(z.seeds, n)
		z.take(index, s)
		return
	}
	for p := range s.Traces {
		s.Traces[p].Need()
		n.blocks += len(s.Traces[p].Hits)
		for _, id := range s.Traces[p].Hits {
			i := p*z.blocks + int(id)
			for i >= len(z.owners) {
				z.owners = append(z.owners, make([]int32, 1+i-len(z.owners))...)
			}
			owner := z.owners[i] - 1
			switch {
			case owner < 0:
				z.all++
			case owner == index, !s.Accepted || z.seeds[owner].accepted:
				continue
			default:
				z.seeds[owner].owns--
			}
			z.owners[i] = index + 1
			n.owns++
		}
	}
	z.seeds = append(z.seeds, n)
}

// children returns the number of children of a seed's turn.
func (z *zest) children(seed int) int {
	s := &z.seeds[seed]
	n := zestChildren
	if all := z.covered(); all > 0 {
		n = n * s.blocks / all
	}
	if s.owns > 0 {
		n *= zestFavored
	}
	return n
}

func (z *zest) Next(r *mutate.Rand) int {
	if !z.started {
		if z.started = true; z.known {
			z.at = r.Intn(len(z.seeds))
		}
	} else if z.made >= z.children(z.at) {
		z.at, z.made = (z.at+1)%len(z.seeds), 0
	}
	z.made++
	return z.at
}

// Ran hands the blocks of an input that was not kept to its parent, if the schedule does so.
func (z *zest) Ran(r Result) {
	if z.handed != nil && !r.Kept && !r.Failed {
		z.handOver(r)
	}
}
