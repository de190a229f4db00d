package archive

import (
	"cmp"
	"container/heap"
	"slices"
)

// item is an input in the choice of a small corpus.
type item struct {
	bytes    int
	features []uint64
	fixed    bool // it stays whatever it covers
}

// cover chooses items that have all features with few bytes, and counts the features. It is the
// greedy algorithm for weighted set cover (Chvátal 1979): the item with the fewest bytes per new
// feature comes next. Then it leaves out what later choices have made needless, the largest first.
func cover(items []item) (chosen []bool, features int) {
	chosen = make([]bool, len(items))
	for i := range items { // each feature counts once
		slices.Sort(items[i].features)
		items[i].features = slices.Compact(items[i].features)
	}
	count := map[uint64]int{} // chosen items that have a feature
	take := func(i int) {
		chosen[i] = true
		for _, f := range items[i].features {
			count[f]++
		}
	}
	q := &offers{}
	for i := range items {
		if items[i].fixed {
			take(i)
		}
	}
	fresh := func(i int) (n int) {
		for _, f := range items[i].features {
			if count[f] == 0 {
				n++
			}
		}
		return n
	}
	for i := range items {
		if n := fresh(i); !chosen[i] && n > 0 {
			q.list = append(q.list, offer{i, items[i].bytes, n})
		}
	}
	heap.Init(q)
	var order []int
	for q.Len() > 0 {
		best := &q.list[0]
		n := fresh(best.item) // it only falls, so an offer that stays first is the best
		switch {
		case n == 0:
			heap.Pop(q)
		case n < best.fresh:
			best.fresh = n
			heap.Fix(q, 0)
		default:
			take(best.item)
			order = append(order, best.item)
			heap.Pop(q)
		}
	}
	for _, i := range largestFirst(order, items) {
		needed := false
		for _, f := range items[i].features {
			needed = needed || count[f] == 1
		}
		if !needed {
			chosen[i] = false
			for _, f := range items[i].features {
				count[f]--
			}
		}
	}
	return chosen, len(count)
}

// largestFirst returns indices of items, the largest first, and later ones first among equals.
func largestFirst(order []int, items []item) []int {
	list := slices.Clone(order)
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(items[b].bytes-items[a].bytes, b-a) })
	return list
}

// offer is an item with the number of features that it would add.
type offer struct{ item, bytes, fresh int }

// offers is a heap of offers, the one with the fewest bytes per new feature first.
type offers struct{ list []offer }

func (o *offers) Len() int { return len(o.list) }

func (o *offers) Less(i, j int) bool {
	a, b := o.list[i], o.list[j]
	if x, y := (a.bytes+1)*b.fresh, (b.bytes+1)*a.fresh; x != y {
		return x < y
	}
	return a.item < b.item
}

func (o *offers) Swap(i, j int) { o.list[i], o.list[j] = o.list[j], o.list[i] }

func (o *offers) Push(x any) { o.list = append(o.list, x.(offer)) }

func (o *offers) Pop() any {
	last := len(o.list) - 1
	x := o.list[last]
	o.list = o.list[:last]
	return x
}
