package campaign

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"parallax/cmd/internal/campaign/handout"
	"parallax/internal/feature"
)

// TestHandOut checks that the features of all domains go out whole, in messages of bounded size,
// also while more are added. Sending stops at the first error. The hashes of a sample make a set a
// sample.
func TestHandOut(t *testing.T) {
	sizes := []int{0, 1, handout.Most, 2*handout.Most + 5}
	k, others := newKnowledge(1, 1), newKnowledge(1, 1)
	had := map[int][]uint64{}
	for i, d := range feature.Stored() {
		if i%2 == 0 {
			k.tuples[d.Number].Limit = handout.Most
		}
		for n := range sizes[i%len(sizes)] {
			k.add(d.Number, feature.Mix(uint64(n)))
		}
		k.tuples[d.Number].All(func(h uint64) { had[d.Number] = append(had[d.Number], h) })
	}
	messages := 0
	err := k.handOut(func(domain int, level uint8, hashes []uint64) error {
		if messages++; len(hashes) == 0 || len(hashes) > handout.Most {
			t.Errorf("a message of %d tuples", len(hashes))
		}
		others.tuples[domain].Raise(level)
		for _, h := range hashes {
			if !k.tuples[domain].Has(h) && k.tuples[domain].Level() == level {
				t.Fatalf("domain %d: tuple %x is not its own", domain, h)
			}
			others.add(domain, h)
		}
		for n := range 1000 {
			k.add(domain, feature.Mix(uint64(messages*1000+n)<<32))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for domain, hashes := range had {
		for _, h := range hashes {
			if h>>(64-others.tuples[domain].Level()) == 0 && !others.tuples[domain].Has(h) {
				t.Fatalf("domain %d: tuple %x is missing", domain, h)
			}
		}
	}
	gone, calls := errors.New("gone"), 0
	if err := k.handOut(func(int, uint8, []uint64) error { calls++; return gone }); err != gone || calls != 1 {
		t.Errorf("after an error: %v, %d messages", err, calls)
	}
}

// TestHandOutWhileLearning checks that starting processes do not race with the loop, and need no
// copy.
func TestHandOutWhileLearning(t *testing.T) {
	k := newKnowledge(1, 1)
	for n := range 100_000 {
		k.add(0, feature.Mix(uint64(n)))
	}
	done := make(chan int)
	for range 4 {
		go func() {
			n := 0
			k.handOut(func(_ int, _ uint8, hashes []uint64) error { n += len(hashes); return nil })
			done <- n
		}()
	}
	event := make([]byte, 9)
	for n := range 200_000 {
		binary.LittleEndian.PutUint64(event[1:], feature.Mix(uint64(1<<32+n)))
		k.novel(event, func(uint8, uint64) {})
	}
	for range 4 {
		if n := <-done; n < 100_000 {
			t.Errorf("%d tuples", n)
		}
	}
	if k.features(0) != 300_000 {
		t.Errorf("%d features", k.features(0))
	}
}

// TestKnownAll checks that the features that replace a log are in a fixed order.
func TestKnownAll(t *testing.T) {
	forth, back := newKnowledge(1, 1), newKnowledge(1, 1)
	for _, k := range []*knowledge{&forth, &back} {
		k.tuples[1].Limit = 500
	}
	const n = 5000
	for i := range uint64(n) {
		forth.add(1, feature.Mix(i))
		back.add(1, feature.Mix(n-1-i))
	}
	a, b := forth.all(), back.all()
	if len(a) != 1 || len(b) != 1 || a[0].Level == 0 || a[0].Level != b[0].Level || !slices.Equal(a[0].Hashes, b[0].Hashes) || !slices.IsSorted(a[0].Hashes) {
		t.Fatalf("%d and %d domains differ", len(a), len(b))
	}
	next := newKnowledge(1, 1)
	for _, h := range a[0].Hashes {
		next.restore(a[0].Domain, a[0].Level, h)
	}
	if got := next.features(1); next.weight(1) != forth.weight(1) || got < n*9/10 || got > n*11/10 {
		t.Errorf("%d features of weight %d", got, next.weight(1))
	}
}
