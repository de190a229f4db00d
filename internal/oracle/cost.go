package oracle

// Cost counts the resources of a run in units that are the same on every machine. Time is not one
// of them, and is never compared.
type Cost struct {
	Blocks uint64 // executed basic blocks, with repetitions
	Bytes  uint64 // allocated on the heap by Go code, freed or not; 0 if not counted
}

// Measures is the set of measures in which a run cost more than another.
type Measures uint8

// The measures, in order of precedence.
const (
	Blocks Measures = 1 << iota
	Bytes
)

// String returns the first measure, which names a finding. The empty set is "".
func (m Measures) String() string {
	switch {
	case m&Blocks != 0:
		return "blocks"
	case m&Bytes != 0:
		return "bytes"
	}
	return ""
}

// First returns the set of the first measure.
func (m Measures) First() Measures { return m & -m }

// Bounds for a costlier run. A factor alone would report every function that doubles its work for a
// short input. A number alone would report every slow function. The factor 8 is far above the
// effect of another order of the same work. The numbers correspond to some milliseconds.
const (
	dearerFactor = 8
	dearerBlocks = 100_000  // minimum, exclusive
	dearerBytes  = 16 << 20 // minimum, exclusive
)

// Dearer returns the measures in which run a is reported as costlier than the other. Blocks are
// compared only if the other run's blocks are known.
func Dearer(a, than Cost) (m Measures) {
	if a.Blocks > dearerBlocks && than.Blocks > 0 && than.Blocks <= a.Blocks/dearerFactor {
		m |= Blocks
	}
	if a.Bytes > dearerBytes && than.Bytes <= a.Bytes/dearerFactor {
		m |= Bytes
	}
	return m
}

// CostDisagree returns the measures in which the first of two programs, the new version, cost more
// than the second, the old one. It requires that l compares cost, that neither failed, and that the
// programs agree in all other layers of l. A cheaper new version is not a finding, since that may
// be the purpose of the change.
func CostDisagree(l Layers, obs []Observation, first, second Cost) Measures {
	if l&CostLayer == 0 || len(obs) != 2 || obs[0].Outcome != obs[1].Outcome || obs[0].Outcome == 0 || obs[0].Outcome >= Crashed || Disagree(l, obs) {
		return 0
	}
	return Dearer(first, second)
}
