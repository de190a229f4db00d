package triage

import (
	"fmt"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// crowded puts messages without a stack into the second shared bucket of their place.
type crowded struct {
	allSaturated
	place, own string
}

func (k *crowded) Shared(place, own string, _ bool) int { k.place, k.own = place, own; return 2 }

// TestNameWithoutStack checks the place of a crash without a stack: the program and the way in
// which its process ends. Shared buckets depend on nothing else.
func TestNameWithoutStack(t *testing.T) {
	buckets := map[string]string{}
	for _, test := range []struct {
		message, place string
	}{
		{"exit status 3: no such key", "crash | program %d | exit status 3"},
		{"the program ended its process: exit status 3: no such name", "crash | program %d | exit status 3"},
		{"exit status 4: no such key", "crash | program %d | exit status 4"},
		{"exit status 33", "crash | program %d | exit status 33"},
		{"signal: aborted: no such key", "crash | program %d | signal: aborted"},
		{"no such key", "crash | program %d | "},
	} {
		for program := range 2 {
			known := &crowded{}
			j := &Triager{Names: []string{"a", "b"}, Known: known, Computed: places{}}
			results := make([]wire.RunResult, 2)
			results[program] = wire.RunResult{Outcome: uint64(oracle.Crashed), Panic: test.message, Ended: true}
			f := &Result{Kind: oracle.KindCrash, Program: program}
			j.name(&Replayer{Space: &flow.Space{}}, f, results, nil)
			place := fmt.Sprintf(test.place, program)
			if f.Place != place || known.place != place || f.Shared != 2 || f.Own != known.own || f.Bucket == f.Own {
				t.Errorf("%s of %d: %+v, asked for %+v", test.message, program, f, known)
			}
			if was := buckets[place]; was != "" && was != f.Bucket {
				t.Errorf("%s of %d: another bucket of the same place", test.message, program)
			}
			buckets[place] = f.Bucket
		}
	}
	distinct := map[string]bool{}
	for _, id := range buckets {
		distinct[id] = true
	}
	if len(distinct) != len(buckets) {
		t.Errorf("%d places share %d buckets", len(buckets), len(distinct))
	}
}
