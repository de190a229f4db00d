// Package impact describes a change of one program for the engine. An Impact has the blocks that
// reach the change or are reached from it, and the segments of paths between them. It also has each
// block's distance from the change. The tool computes an Impact (flow/reach) and sends it to the
// workers. There, schedules and the change domain read it through an Index.
//
// The terms are DeltaFuzz's (Zhang et al., JCST 37(1), 2022, sections 2.2 and 2.3). A change point
// is a block that holds a change. A segment is a pair of consecutive blocks. Paths are not
// recorded. If two blocks are adjacent in their function's graph and both were executed, their
// segment counts as executed. That is exact if the first block has no other successor or the second
// no other predecessor, which holds nearly everywhere in these graphs. It overestimates for the
// other edges.
//
// Invariants: an Impact never changes. Blocks are the ids of a worker's traces.
package impact

// Impact describes a change. The zero Impact describes no change.
type Impact struct {
	Program  int             // index of the changed program
	Impacted []uint32        // blocks that reach a change point or are reached from one, also through calls; ascending
	Segments []Segment       // segments within and between functions with an impacted block
	Distance []BlockDistance // distances of the blocks from which a change point can be reached, ascending
	Points   []Point
}

// Segment holds two consecutive blocks of a function, or a block with a call of a function and the
// first block of that function.
type Segment struct {
	From, To   uint32
	Suspicious bool // both are impacted, as in definition (1) of the paper
	Call       bool
}

// BlockDistance holds a block's distance from the change points in thousandths. It is AFLGo's block
// distance (Böhme et al., CCS 2017, section 3.2).
type BlockDistance struct {
	Block uint32
	Milli uint64
}

// Point describes one changed place.
type Point struct {
	Blocks []uint32 // blocks that hold it, ascending; empty if it has no executable code
	Near   []Near   // blocks from which it can be reached, ascending
}

// Near describes a block from which a change point can be reached.
type Near struct {
	Block    uint32
	Distance uint32 // in blocks; a call counts as CallDistance
	Gate     bool   // every path to the point contains the block
}

// CallDistance is the weight of a call in blocks. AFLGo weighs a call ten times a block.
const CallDistance = 10

// Known reports whether i describes a change.
func (i *Impact) Known() bool { return i != nil && len(i.Points) > 0 }
