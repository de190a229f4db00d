package campaign

import (
	"fmt"
	"log/slog"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestFlakyFailuresGiveBack checks a program whose failures are chance if their number is a power
// of two, and certain otherwise. A certain one is triaged all the same. If all are chance, few are
// triaged.
func TestFlakyFailuresGiveBack(t *testing.T) {
	const failures = 140
	for _, test := range []struct {
		always   bool // a failure that is no candidate by its number is no chance
		repeats  bool
		from, to int // candidates
	}{
		{true, false, 3, 3}, // the first and the second by chance, and another one for the first
		{false, false, 9 + mostOwed/2, 8 + mostOwed},
		{true, true, 8, 8},
	} {
		folder := findingstest.OpenFolder(t, t.TempDir())
		q := newQueue(t, folder)
		c := live(t, &fakes{}, func(o *Options) {
			if !test.repeats {
				o.Budget.Inputs = 0
			}
		})
		c.triage, c.verdicts.Logger = q, slog.New(slog.DiscardHandler)
		c.stream = event.Stream{&folderWriter{folder: folder}}
		var err error
		if c.findings, _, err = findings.Load(folder, findingstest.Target(), &accept.File{}); err != nil {
			t.Fatal(err)
		}
		go q.Run(t.Context())
		w, err := c.fleet.start(execute.Spec{MaxFlat: 64})
		if err != nil {
			t.Fatal(err)
		}
		m := &instance{fuzz: true, worker: w, mail: make(chan struct{}, 1)}
		c.fleet.instances = append(c.fleet.instances, m)
		process := w.process.(*fake)
		fails := engine.NewCandidates(2, 0, oracle.VerdictLayer) // those of the worker
		candidates, found := 0, false
		for n := 1; n <= failures && !found; n++ {
			j := &feature.Joint{Obs: []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Timeout, Class: 7}}, Traces: make([]feature.Trace, 2)}
			failing := fails.Fail(j)
			if failing == 0 {
				continue
			}
			candidates++
			e := &wire.InputEvent{Flat: fmt.Append(nil, "input ", n), Failing: failing}
			for _, o := range j.Obs {
				e.Tuple = append(e.Tuple, wire.Observed{Outcome: uint64(o.Outcome), Class: o.Class})
			}
			c.handleCandidate(m, e)
			v := <-q.Verdicts()
			if found = test.always && n&(n-1) != 0; found {
				q.Leave()
				break
			}
			v.Err, v.Finding = nil, nil
			if err := c.handleVerdict(v); err != nil {
				t.Fatal(err)
			}
			c.collect()
			if !eventually(func() bool { return len(m.mail) == 0 }) {
				t.Fatal("the mail does not arrive")
			}
			process.mu.Lock()
			for _, class := range process.owed {
				fails.AllowAgain(class)
			}
			process.owed = nil
			process.mu.Unlock()
		}
		if candidates < test.from || candidates > test.to || found != (test.always && !test.repeats) {
			t.Errorf("%+v: %d candidates, found %v", test, candidates, found)
		}
	}
}
