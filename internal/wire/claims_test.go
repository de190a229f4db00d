package wire

import (
	"sync"
	"sync/atomic"
	"testing"

	"parallax/internal/feature"
)

// Of what several workers find, each thing is given to one of them, over several levels.
func TestClaims(t *testing.T) {
	const things, workers = 200_000, 4
	if NewClaims(make([]byte, ClaimsSize()-1)) != nil {
		t.Error("a table in too little memory")
	}
	memory := make([]byte, ClaimsSize())
	var given atomic.Int64
	var wait sync.WaitGroup
	for w := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			c := NewClaims(memory)
			for i := range uint64(things) {
				if c.Take(feature.Mix(i*31 + uint64(w)*17%things)) {
					given.Add(1)
				}
			}
		}()
	}
	wait.Wait()
	distinct := map[uint64]bool{}
	for w := range uint64(workers) {
		for i := range uint64(things) {
			distinct[i*31+w*17%things] = true
		}
	}
	// Where a level fills up, two workers may get the same.
	if n := given.Load(); n < int64(len(distinct)) || n > int64(len(distinct))+16 {
		t.Errorf("%d given of %d", n, len(distinct))
	}
	c := NewClaims(memory)
	if c.Take(feature.Mix(0)) || !c.Take(0) || c.Take(0) {
		t.Error("what was taken is given again, or zero is not")
	}
	// A table that programs have written over gives to everybody, and ends.
	for i := range memory {
		memory[i] = 0xff
	}
	if !c.Take(5) {
		t.Error("a full table gives nothing")
	}
}
