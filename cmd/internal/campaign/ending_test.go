package campaign

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestEnding checks that an invocation ends at most 30 seconds, or a quarter of its fuzzing time,
// after its fuzzing. A single target has all of that.
func TestEnding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		n := 1 + rng.IntN(12)
		e := &Ending{}
		var fuzzed, used time.Duration
		for i := range n {
			e.Targets = n - i
			fuzzing := time.Duration(rng.Int64N(int64(10 * time.Minute)))
			share := e.share(fuzzing)
			if share < 0 || n == 1 && share != max(leastEnding, fuzzing/endingShare) {
				t.Fatalf("%d targets: %v after %v", n, share, fuzzing)
			}
			took := share
			if rng.IntN(2) == 0 {
				took = time.Duration(rng.Int64N(int64(share) + 1))
			}
			e.use(fuzzing, took)
			fuzzed, used = fuzzed+fuzzing, used+took
			if used > max(leastEnding, fuzzed/endingShare)+time.Duration(n) { // rounding
				t.Fatalf("%v after %v of fuzzing", used, fuzzed)
			}
		}
	}
}

// TestEnds checks the order of the parts of the end. ^C only makes them earlier.
func TestEnds(t *testing.T) {
	now := time.Unix(1e9, 0)
	for _, o := range []Options{{}, {TriageTime: time.Second}, {TriageTime: time.Hour}, {TriageAll: true}, {NoFuzz: true}, {NoFuzz: true, TriageTime: time.Minute}} {
		c := &Campaign{opt: o, now: func() time.Time { return now }}
		c.opt.Ending = &Ending{}
		c.totals.stop(10 * time.Minute)
		c.phase.begun = now
		e := c.endAfter(now)
		if bounded := !o.TriageAll && (!o.NoFuzz || o.TriageTime > 0); bounded == e.all.IsZero() {
			t.Errorf("%+v: %v", o, e)
		}
		if !e.all.IsZero() && (!now.Before(e.hurry) || !e.hurry.Before(e.triage) || !e.triage.Before(e.all)) {
			t.Errorf("%+v: %v", o, e)
		}
		if o.TriageTime > 0 && e.triage != now.Add(o.TriageTime) {
			t.Errorf("%+v: %v", o, e)
		}
		i := e.interrupted(now)
		if i.all.IsZero() || i.triage.After(now.Add(interruptPatience)) || passed(i.hurry, now) || !e.hurry.IsZero() && i.hurry.After(e.hurry) {
			t.Errorf("%+v: %v, interrupted %v", o, e, i)
		}
	}
}
