package engine

import (
	"parallax/internal/feature"
	"parallax/internal/source"
)

// corpus holds the kept inputs in memory, in the order in which they joined. An input never changes
// and never leaves, so that its index identifies it.
type corpus struct {
	inputs source.Corpus
	valid  []bool // by input: a program accepts it
	bytes  int    // of the inputs, and of the schedule's data about them
}

// perInput estimates the memory of engine and schedule per input, without its bytes and blocks.
const perInput = 512

// add adds a copy of an input and returns the copy.
func (c *corpus) add(flat []byte, traces []feature.Trace, accepted bool) []byte {
	flat = append(make([]byte, 0, len(flat)), flat...)
	c.inputs, c.valid = append(c.inputs, flat), append(c.valid, accepted)
	c.bytes += perInput + len(flat)
	for p := range traces {
		c.bytes += 8 * len(traces[p].Hits)
	}
	return flat
}

// parent returns the input at an index. An index below 0 means none.
func (c *corpus) parent(index int) []byte {
	if index < 0 {
		return nil
	}
	return c.inputs[index]
}
