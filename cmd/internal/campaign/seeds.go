package campaign

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// seedLists is the prefix of counters of a list's executed seeds.
const seedLists = "seeds/"

// mostSeedLists bounds the lists of seeds, of other options or programs, that the totals count.
const mostSeedLists = 64

// keysWith returns the names of counters with a prefix.
func keysWith(counters map[string]uint64, prefix string) (keys []string) {
	for key := range counters {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	return keys
}

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
	if lists := keysWith(c.totals.counters, seedLists); !ok && len(lists) >= mostSeedLists {
		for _, key := range lists {
			delete(c.totals.counters, key)
		}
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
