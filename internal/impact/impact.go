// Package impact is what an engine knows of a change of one of its programs: which blocks reach the change or are reached from it, which
// segments of paths these make up, and how far it is to each place of the change. The tool computes it (flow/reach), sends it to workers as
// it is, and schedules and the domain of changes read it there, by an Index.
//
// The terms are DeltaFuzz's (Zhang et al., JCST 37(1), 2022, sections 2.2 and 2.3): a change point is a block that holds a change, and a
// segment is a pair of consecutive blocks. A path is not recorded here. Two blocks of a function that follow on each other in its graph, both
// executed, are taken for an executed segment. That is exact where the first block has no other successor or the second no other
// predecessor, as it is nearly everywhere in these graphs, and is too much for an edge of which neither holds.
//
// Invariants: an Impact never changes; blocks are the ids that a worker's traces have.
package impact

// Impact is what is known of a change. The zero Impact knows of none.
type Impact struct {
	Program  int       // its place among the programs: whose blocks these are
	Impacted []uint32  // blocks that reach a change point in their function or by calls, or are reached from one; ascending
	Segments []Segment // of functions that hold an impacted block, ascending
	Distance []Far     // of blocks from which a change point can be reached, ascending
	Points   []Point
}

// Segment is two consecutive blocks of a function.
type Segment struct {
	From, To   uint32
	Suspicious bool // both are impacted: (1) of the paper
}

// Far is how far a block is from the change points: AFLGo's distance of blocks (Böhme et al., CCS 2017, section 3.2), in thousandths.
type Far struct {
	Block uint32
	Milli uint64
}

// Point is a place of the change.
type Point struct {
	Blocks []uint32 // that hold it, ascending; none: it has no code that runs
	Near   []Near   // blocks from which it can be reached, ascending
}

// Near is a block from which a change point can be reached.
type Near struct {
	Block    uint32
	Distance uint32 // in blocks, calls as CallDistance
	Gate     bool   // every way to the point leads through it
}

// CallDistance is how many blocks a call counts for: AFLGo weighs a level of calls ten times a block.
const CallDistance = 10

// Known reports whether a change is known.
func (i *Impact) Known() bool { return i != nil && len(i.Points) > 0 }
