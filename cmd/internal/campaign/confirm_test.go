package campaign

import (
	"context"
	"errors"
	"log/slog"
	"parallax/cmd/internal/finding"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestUnconfirmed checks a finding that cannot be confirmed now, as after an interrupt. It is
// neither filed nor refused, and its candidate waits for the next run.
func TestUnconfirmed(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q, err := newQueueOf(f)
	if err != nil {
		t.Fatal(err)
	}
	answers := []struct {
		kind string
		err  error
	}{{"unconfirmed", nil}, {"", context.Canceled}, {"", errors.New("the engine is gone")}}
	asked := 0
	c := live(t, &fakes{}, func(o *Options) {
		o.Confirm = func(*triage.Result) (kind, why string, err error) {
			a := answers[asked]
			asked++
			return a.kind, "", a.err
		}
	})
	c.triage, c.verdicts.Logger = q, slog.New(slog.DiscardHandler)
	if c.findings, _, err = findings.Load(f, findingstest.Target(), &accept.File{}); err != nil {
		t.Fatal(err)
	}
	c.totals.refused = map[string]uint64{}
	for i := range answers {
		if err := push(q, finding.Candidate{Flat: []byte{byte(i)}, Layer: oracle.VerdictLayer}); err != nil {
			t.Fatal(err)
		}
	}
	go q.run(t.Context())
	for range answers {
		v := <-q.out
		v.err, v.finding = nil, &triage.Result{Results: []wire.RunResult{{}}}
		if err := c.handleVerdict(v); err != nil {
			t.Fatal(err)
		}
	}
	c.wait(q.pending())
	if names := pendingNames(t, f); len(names) != 2 || c.leftover.all != 2 || c.totals.refused["unconfirmed"] != 1 {
		t.Errorf("on disk %v, %d are left, refused %v", names, c.leftover.all, c.totals.refused)
	}
}
