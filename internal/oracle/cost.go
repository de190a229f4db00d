package oracle

// Cost is what a run of a program took, in numbers that are the same on every machine. Time is none of them: it is compared by nobody.
type Cost struct {
	Blocks uint64 // basic blocks executed, each as often as it was
	Bytes  uint64 // allocated on the heap by Go code, freed or not; 0 where that is not counted
}

// Measures is the set of ways in which a run cost more than another.
type Measures uint8

// The measures, in the order in which they name what was found.
const (
	Blocks Measures = 1 << iota
	Bytes
)

// String names the first of the measures, by which a finding is called; the empty set is "".
func (m Measures) String() string {
	switch {
	case m&Blocks != 0:
		return "blocks"
	case m&Bytes != 0:
		return "bytes"
	}
	return ""
}

// First is the first of the measures alone.
func (m Measures) First() Measures { return m & -m }

// Bounds of what counts as dearer. A factor alone would report every function that does twice what it did for a short input, and a number
// alone every slow one. 8 is far above what another order of the same work comes to, and the numbers are those of some milliseconds.
const (
	dearerFactor = 8
	dearerBlocks = 100_000  // more than
	dearerBytes  = 16 << 20 // more than
)

// Dearer are the measures in which one run cost so much more than another that it is told. Where nothing of the other one's blocks is known,
// nothing of them is compared.
func Dearer(a, than Cost) (m Measures) {
	if a.Blocks > dearerBlocks && than.Blocks > 0 && than.Blocks <= a.Blocks/dearerFactor {
		m |= Blocks
	}
	if a.Bytes > dearerBytes && than.Bytes <= a.Bytes/dearerFactor {
		m |= Bytes
	}
	return m
}

// CostDisagree are the measures in which the first of two programs, the new version, cost more than the second, the old one. That is told
// only where l compares cost, neither failed, and both did the same in all that l holds beside it. The reverse is no finding: it
// is what the change may have been for.
func CostDisagree(l Layers, obs []Observation, first, second Cost) Measures {
	if l&CostLayer == 0 || len(obs) != 2 || obs[0].Outcome != obs[1].Outcome || obs[0].Outcome == 0 || obs[0].Outcome >= Crashed || Disagree(l, obs) {
		return 0
	}
	return Dearer(first, second)
}
