package engine

import "parallax/internal/oracle"

// Tuples of outcomes are almost unlimited if many programs return values: each pattern of equal
// values is a tuple. So a bounded number of tuples count by themselves, and further ones of a layer
// count as one.
const (
	maxGroups     = 1 << 10
	maxGroupBytes = 64 << 20 // of the blocks that their inputs executed
)

// group returns the record of a tuple of outcomes.
func (c *Candidates) group(key uint64, layer oracle.Layers) *group {
	if g := c.groups[key]; g != nil {
		return g
	}
	words := (c.programs*c.blocks + 63) / 64
	if len(c.groups) >= maxGroups || 8*words*len(c.groups) >= maxGroupBytes {
		key = uint64(layer)
		if g := c.groups[key]; g != nil {
			return g
		}
	}
	g := &group{seen: make([]uint64, words), parts: map[uint64]int{}}
	c.groups[key] = g
	return g
}
