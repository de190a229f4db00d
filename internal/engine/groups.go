package engine

import "parallax/internal/oracle"

// Tuples of outcomes have hardly an end where many programs return values of their own: each way in which some of these are equal is
// a tuple. So many tuples count by themselves, and further ones of a layer count as one.
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
	g := &group{seen: make([]uint64, words)}
	c.groups[key] = g
	return g
}
