package feature

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"parallax/internal/oracle"
)

// distinct fails if two different things have the same hash.
type distinct struct {
	t    *testing.T
	what string
	seen map[uint64]string
}

func newDistinct(t *testing.T, what string) *distinct {
	return &distinct{t, what, map[uint64]string{}}
}

func (d *distinct) add(hash uint64, thing any) {
	d.t.Helper()
	name := fmt.Sprint(thing)
	if other, ok := d.seen[hash]; ok && other != name {
		d.t.Fatalf("%s: %s and %s have the hash %x", d.what, other, name, hash)
	}
	d.seen[hash] = name
}

// small returns numbers whose hashes collide easily: low ones, and the highest.
func small(n int) (list []uint64) {
	for i := 0; i < n; i++ {
		list = append(list, uint64(i), ^uint64(i))
	}
	return list
}

// TestChainDistinct checks that small numbers, their pairs and their triples have distinct hashes.
func TestChainDistinct(t *testing.T) {
	d := newDistinct(t, "chains")
	for _, a := range small(200) {
		d.add(Mix(a), []uint64{a})
		for _, b := range small(200) {
			d.add(Chain(a, b), []uint64{a, b})
		}
	}
	for _, a := range small(20) {
		for _, b := range small(20) {
			for _, c := range small(20) {
				d.add(Chain(Chain(a, b), c), []uint64{a, b, c})
			}
		}
	}
}

// subset returns the positions of a mask's bits, times step, plus first.
func subset(mask, first, step uint32) (ids []uint32) {
	for m := mask; m != 0; m &= m - 1 {
		ids = append(ids, first+step*uint32(bits.TrailingZeros32(m)))
	}
	return ids
}

// TestSetDistinct checks that all sets of a few blocks have distinct hashes, wherever the blocks
// are. So have paths that execute them equally often.
func TestSetDistinct(t *testing.T) {
	sets, paths := newDistinct(t, "sets"), newDistinct(t, "paths")
	for _, place := range []struct{ first, step, blocks uint32 }{{0, 1, 14}, {14, 1, 10}, {1 << 20, 1, 10}, {1 << 16, 1 << 8, 10}, {1<<31 - 1, 1, 8}} {
		for mask := uint32(1); mask < 1<<place.blocks; mask++ {
			hits := subset(mask, place.first, place.step)
			tr := Trace{Hits: hits, Counts: bytes.Repeat([]byte{1}, len(hits)), Length: uint64(len(hits))}
			tr.Seal()
			if tr.Set == 0 {
				t.Errorf("%v has the hash of no block", hits)
			}
			sets.add(tr.Set, hits)
			paths.add(tr.Identity(), hits)
		}
	}
	if len(sets.seen) < 1<<14 {
		t.Errorf("%d sets", len(sets.seen))
	}
}

// TestReadDistinct checks the same hashes for a binary's counters.
func TestReadDistinct(t *testing.T) {
	d := newDistinct(t, "sets that were read")
	m := newModel(false, 5, 3, 4)
	tr := NewTrace(12)
	for mask := uint32(0); mask < 1<<12; mask++ {
		for _, id := range subset(mask, 0, 1) {
			m.execute(int(id))
		}
		m.counters.Read(&tr)
		d.add(tr.Set, slices.Clone(tr.Hits))
	}
}

// TestCountsDistinct checks that paths with the same blocks and different counts have distinct
// identities.
func TestCountsDistinct(t *testing.T) {
	d := newDistinct(t, "counts")
	for blocks := 1; blocks <= 7; blocks++ {
		hits := subset(1<<blocks-1, 3, 1)
		for n := 0; n < pow(3, blocks); n++ {
			counts, length := make([]byte, blocks), uint64(0)
			for i, k := 0, n; i < blocks; i, k = i+1, k/3 {
				counts[i] = []byte{1, 2, 255}[k%3]
				length += uint64(counts[i])
			}
			for _, l := range []uint64{length, length + 256} { // with a wrapped counter
				d.add((&Trace{Hits: hits, Counts: counts, Length: l}).Identity(), fmt.Sprint(hits, counts, l))
			}
		}
	}
}

func pow(a, n int) int {
	p := 1
	for ; n > 0; n-- {
		p *= a
	}
	return p
}

// TestOrderDistinct checks that different orders of the same blocks have distinct hashes.
func TestOrderDistinct(t *testing.T) {
	d := newDistinct(t, "orders")
	var extend func(path []int, used int)
	extend = func(path []int, used int) {
		m := newModel(true, 4, 2)
		m.execute(path...)
		tr := NewTrace(6)
		m.counters.Read(&tr)
		d.add(tr.Order, path)
		for id := 0; id < 6; id++ {
			if used&(1<<id) == 0 {
				extend(append(slices.Clone(path), id), used|1<<id)
			}
		}
	}
	extend(nil, 0)
}

// TestTuplesDistinct checks that small tuples of one, two and three programs have distinct hashes
// in each domain.
func TestTuplesDistinct(t *testing.T) {
	fine, coarse := newDistinct(t, "path-fine"), newDistinct(t, "path-coarse")
	output, unique := newDistinct(t, "output"), newDistinct(t, "discrepancy")
	relative, deviate := newDistinct(t, "reference"), newDistinct(t, "deviation")
	const layers = oracle.VerdictLayer | oracle.ValueLayer
	measure := deviation.Measure(Setting{Programs: 3, Layers: layers})
	var all []oracle.Observation
	for _, o := range []oracle.Outcome{oracle.Accepted, oracle.Rejected, oracle.Crashed, oracle.Timeout} {
		for class := uint64(0); class < 2; class++ {
			for value := uint64(0); value < 2; value++ {
				all = append(all, oracle.Observation{Outcome: o, Class: class, Value: value})
			}
		}
	}
	for programs := 1; programs <= 3; programs++ {
		few := []int{1, 32, 32, 10}[programs]
		for n := 0; n < pow(few, programs); n++ {
			var j Joint
			name := ""
			for p, k := 0, n; p < programs; p, k = p+1, k/few {
				hits := subset(uint32(k%few), 0, 1)
				tr := Trace{Hits: hits, Length: uint64(k % few)}
				tr.Seal()
				j.Traces = append(j.Traces, tr)
				name += fmt.Sprint(hits)
			}
			fine.add(FineTuple(&j), name)
			coarse.add(CoarseTuple(&j), name)
		}
		for n := 0; n < pow(len(all), programs); n++ {
			j := Joint{Traces: make([]Trace, programs)}
			outcomes, classes, others := "", "", ""
			for p, k := 0, n; p < programs; p, k = p+1, k/len(all) {
				o := all[k%len(all)]
				j.Obs = append(j.Obs, o)
				outcomes += fmt.Sprint(o.Outcome, " ")
				classes += fmt.Sprint(o.Outcome, o.Class, " ")
				if o == j.Obs[0] {
					others += "same "
				} else {
					others += fmt.Sprint(o.Outcome, o.Class, o.Value, " ")
				}
			}
			output.add(OutputTuple(&j), j.Obs)
			relative.add(ReferenceTuple(0)(&j), fmt.Sprint(j.Obs[0].Outcome, others))
			if h, ok := oracle.UniqueDiscrepancy(j.Obs); ok {
				unique.add(h, classes)
			}
			for _, h := range measure(&j, nil) {
				deviate.add(h, fmt.Sprint(oracle.DisagreeLayer(layers, j.Obs), outcomes))
			}
		}
	}
}
