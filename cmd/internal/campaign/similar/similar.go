// Package similar finds the buckets that may have the same cause as a given one. Their inputs are
// alike, or the same place decides them. Package findings calls it when a bucket is new or gets a
// smaller input, and when findings are listed.
//
// NEZHA (Petsios et al., S&P 2017, section III-B) "reports the file similarity of reported
// discrepancies using context-triggered piece-wise fuzzy hashing". Such hashes need files of some
// thousand bytes. The smallest inputs of buckets are mostly shorter, and are compared by their edit
// distance. See Score.
//
// The work is bounded. A query compares a few numbers of every item, and distances of at most
// maxCompared items.
package similar

import (
	"bytes"
	"cmp"
	"slices"

	"parallax/cmd/internal/base/myers"
)

const (
	// Threshold is the least score of similar inputs.
	Threshold = 60
	// Most is the largest number of links that a query returns.
	Most = 8

	// maxCompared bounds the distances per query, and maxSteps their steps of 64 cells. All steps
	// take about two milliseconds.
	maxCompared = 32
	maxSteps    = 1 << 20
)

// An Item represents a bucket in the index.
type Item struct {
	ID     string
	Places []string // the places that decide it, in any form; one in common links two buckets
	Parts  [][]byte // its smallest input: text or bytes of each argument, numbers as decimals
}

// A Link leads to another bucket.
type Link struct {
	ID    string
	Score int  // of the two inputs, 0 to 100
	Input bool // the inputs are similar
	Place bool // the same place decides both
}

// Why returns the reason of the link in words.
func (l Link) Why() string {
	switch {
	case l.Input && l.Place:
		return "input and place"
	case l.Place:
		return "place"
	}
	return "input"
}

// An Index holds buckets. The zero value is an empty index. It is not safe for concurrent use.
type Index struct {
	items []entry
	first []bag            // of the first part of each item, in one slice: every query reads all
	at    map[string]int   // positions by id
	place map[string][]int // positions by place, oldest first
	grams grams
}

type entry struct {
	Item
	bags   []bag
	hashes []hash // of the parts that are long enough
}

// Put adds a bucket, or replaces the one with its id.
func (x *Index) Put(it Item) {
	if x.at == nil {
		x.at, x.place = map[string]int{}, map[string][]int{}
	}
	e := newEntry(it)
	i, old := x.at[it.ID]
	if old {
		was := &x.items[i]
		for _, p := range was.Places {
			x.place[p] = slices.DeleteFunc(x.place[p], func(k int) bool { return k == i })
		}
		x.grams.remove(i, was.hashes)
		*was = e
		x.first[i] = e.first()
	} else {
		i = len(x.items)
		x.at[it.ID] = i
		x.items = append(x.items, e)
		x.first = append(x.first, e.first())
	}
	for _, p := range it.Places {
		x.place[p] = append(x.place[p], i)
	}
	x.grams.add(i, e.hashes)
}

func newEntry(it Item) entry {
	e := entry{Item: it}
	for _, p := range it.Parts {
		e.bags = append(e.bags, bagOf(p))
		e.hashes = append(e.hashes, hashOf(p))
	}
	return e
}

// Near returns the buckets that are similar to an item. The index may hold an older form of the
// item. Buckets with the same place and similar inputs come first, then those with the same place,
// then the others by score.
func (x *Index) Near(it Item) []Link {
	e := newEntry(it)
	var links []Link
	steps := 0
	for _, i := range x.candidates(&e) {
		other := &x.items[i]
		if steps += e.steps(other); steps > maxSteps {
			break
		}
		l := Link{ID: other.ID, Score: e.score(other), Place: meet(it.Places, other.Places)}
		l.Input = l.Score >= Threshold
		if l.Input || l.Place {
			links = append(links, l)
		}
	}
	return Best(links)
}

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(p string) bool { return slices.Contains(b, p) })
}

// Best sorts links, nearest first, and drops those beyond Most.
func Best(links []Link) []Link {
	slices.SortFunc(links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return links[:min(len(links), Most)]
}

func (l Link) rank() int {
	switch {
	case l.Input && l.Place:
		return 2
	case l.Place:
		return 1
	}
	return 0
}

// candidates returns the items that are worth a distance. These are the latest of the same place,
// items whose hashes share a piece, and those with the most similar bytes. Each kind has a share of
// maxCompared, so that no kind crowds out another.
func (x *Index) candidates(e *entry) []int {
	const share = maxCompared / 4
	var list []int
	seen := map[int]bool{}
	take := func(i int) {
		if !seen[i] && x.items[i].ID != e.ID {
			seen[i] = true
			list = append(list, i)
		}
	}
	for k, p := range e.Places {
		same := x.place[p]
		for n := len(same) - 1; n >= 0 && len(list) < (k+1)*share/len(e.Places); n-- {
			take(same[n])
		}
	}
	for _, i := range x.grams.share(e.hashes, share) {
		take(i)
	}
	var bounds [101][]int32
	first := e.first()
	for i := range x.first {
		bound := 0
		if b := &x.first[i]; !first.alone || !b.alone {
			bound = e.bound(&x.items[i])
		} else if most, least := max(first.n, b.n), min(first.n, b.n); 100*least >= Threshold*most { // few items pass
			bound = first.bound(b)
		}
		if bound >= Threshold {
			bounds[bound] = append(bounds[bound], int32(i))
		}
	}
	for bound := 100; bound >= Threshold; bound-- {
		for _, i := range bounds[bound] {
			if len(list) >= maxCompared {
				return list
			}
			take(int(i))
		}
	}
	return list
}

// Score returns the similarity of two inputs, 0 to 100: the mean over their arguments. The score of
// equal arguments is 100. If the shorter one has at most 4096 bytes, the score is 100 (1 - d / n).
// Here d is the edit distance, and n the length of the longer one. For longer arguments it is
// ssdeep's score of their piecewise hashes, or the share of their common beginning and end, if that
// is larger.
func Score(a, b [][]byte) int {
	x, y := newEntry(Item{Parts: a}), newEntry(Item{Parts: b})
	return x.score(&y)
}

func (e *entry) score(other *entry) int {
	if len(e.Parts) != len(other.Parts) {
		return 0
	}
	sum := 0
	for i, a := range e.Parts {
		sum += score(a, other.Parts[i], e.hashes[i], other.hashes[i])
	}
	return sum / max(1, len(e.Parts))
}

// steps returns the cost of score, in steps of distance.
func (e *entry) steps(other *entry) int {
	if len(e.Parts) != len(other.Parts) {
		return 0
	}
	n := 0
	for i, a := range e.Parts {
		if b := other.Parts[i]; min(len(a), len(b)) <= hashFrom && max(len(a), len(b)) <= 4*hashFrom {
			n += max(len(a), len(b)) * (1 + min(len(a), len(b))/64)
		}
	}
	return n
}

func (e *entry) first() bag {
	if len(e.bags) == 0 {
		return bag{}
	}
	b := e.bags[0]
	b.alone = len(e.bags) == 1 && e.hashes[0].text == ""
	return b
}

// bound returns an upper bound of the score of two short inputs, in a fraction of its time.
func (e *entry) bound(other *entry) int {
	if len(e.Parts) != len(other.Parts) {
		return 0
	}
	sum := 0
	for i := range e.bags {
		if e.hashes[i].text != "" && other.hashes[i].text != "" {
			return 0 // candidates finds them by grams
		}
		sum += e.bags[i].bound(&other.bags[i])
	}
	return sum / max(1, len(e.Parts))
}

func score(a, b []byte, ha, hb hash) int {
	n, short := max(len(a), len(b)), min(len(a), len(b))
	switch {
	case bytes.Equal(a, b):
		return 100
	case short == 0:
		return 0
	case short > hashFrom:
		return max(piecewise(ha, hb), 100*ends(a, b)/n)
	case n > 4*hashFrom:
		return 100 * ends(a, b) / n // the edit distance gives at most 25, too
	}
	return 100 - (100*myers.Distance(a, b)+n-1)/n
}

// ends counts the bytes of the common beginning and of the common end.
func ends(a, b []byte) int {
	head, tail := myers.Ends(a, b)
	return head + tail
}
