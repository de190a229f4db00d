package campaign

import (
	"fmt"
	"hash/fnv"
	"maps"
	"strings"
)

// seedLists is the prefix of counters of a list's executed seeds.
const seedLists = "seeds/"

// mostSeedLists bounds the lists of seeds, of other options or programs, that the totals count.
const mostSeedLists = 64

// unseen returns the seeds that no earlier run has executed. It drops those in the corpus, and as
// many of the same list as the totals count.
func (c *Campaign) unseen(flats [][]byte) [][]byte {
	list := fnv.New64a()
	fmt.Fprint(list, c.facts.CodeID) // seeds run again after an edit
	for _, flat := range flats {
		fmt.Fprintf(list, "%d:%s", len(flat), flat)
	}
	c.totals.seedList = fmt.Sprintf("%s%016x", seedLists, list.Sum64())
	done, ok := c.totals.counters[c.totals.seedList]
	isList := func(key string, _ uint64) bool { return strings.HasPrefix(key, seedLists) }
	others := maps.Clone(c.totals.counters)
	if maps.DeleteFunc(others, isList); !ok && len(c.totals.counters)-len(others) >= mostSeedLists {
		c.totals.counters = others
	}
	flats = flats[min(uint64(len(flats)), done):]
	var out [][]byte
	for _, flat := range flats {
		if !c.known.have[string(flat)] {
			out = append(out, flat)
		} else {
			c.totals.counters[c.totals.seedList]++
		}
	}
	return out
}
