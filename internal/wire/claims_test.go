package wire

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"testing"

	"parallax/internal/feature"
)

// TestClaims checks that each thing is granted to one of several workers, over several levels.
func TestClaims(t *testing.T) {
	const things, workers = 200_000, 4
	if NewClaims(make([]byte, ClaimsSize()-1)) != nil {
		t.Error("a table in too little memory")
	}
	memory := make([]byte, ClaimsSize())
	var given, asked atomic.Int64
	var wait sync.WaitGroup
	for w := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c := NewClaims(memory)
			for i := range uint64(things) {
				first, more := c.Claim(feature.Mix(i*31+uint64(w)*17%things)&^1|uint64(w)&1, 0)
				if first {
					given.Add(1)
				}
				if more {
					asked.Add(1)
				}
			}
		}()
	}
	wait.Wait()
	distinct := map[uint64]bool{} // and whether one claims more
	for w := range uint64(workers) {
		for i := range uint64(things) {
			key := i*31 + w*17%things
			distinct[key] = distinct[key] || w&1 != 0
		}
	}
	asks := 0
	for _, more := range distinct {
		if more {
			asks++
		}
	}
	// Where a level becomes full, two workers may get the same thing.
	if n := given.Load(); n < int64(len(distinct)) || n > int64(len(distinct))+16 {
		t.Errorf("%d given of %d", n, len(distinct))
	}
	if n := asked.Load(); n < int64(asks) || n > int64(asks)+16 {
		t.Errorf("more of %d given of %d", n, asks)
	}
	c := NewClaims(memory)
	take := func(key uint64, level uint8, first, more bool) {
		t.Helper()
		if a, b := c.Claim(key, level); a != first || b != more {
			t.Errorf("%x: %v %v, want %v %v", key, a, b, first, more)
		}
	}
	take(feature.Mix(0)&^1, 0, false, false)
	take(0, 0, true, false)
	take(1, 0, false, true)
	take(1, 0, false, false)
	take(0, 0, false, false)
	// A full table grants every claim. Forgotten things give up their slots, and no two things
	// share one.
	for i := 0; i < len(memory); i += 8 {
		binary.LittleEndian.PutUint64(memory[i:], 1<<63|uint64(i))
	}
	take(5, 0, true, true)
	take(5, 0, true, true)
	for i := range uint64(1000) {
		key := feature.Mix(i) >> 1 &^ 1
		take(key, 1, true, false)
		take(key|1, 1, false, true)
	}
	for i := range uint64(1000) {
		take(feature.Mix(i)>>1|1, 1, false, false)
	}
	// Claims in a table that programs have overwritten end, too.
	for i := range memory {
		memory[i] = 0xff
	}
	take(5, 0, true, true)
}
