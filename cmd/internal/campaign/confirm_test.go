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
// neither filed nor refused, and its candidate waits for the next run. The queue learns the bucket
// of a filed one.
func TestUnconfirmed(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q := newQueue(t, f)
	answers := []struct {
		kind string
		err  error
	}{{"unconfirmed", nil}, {"", context.Canceled}, {"", errors.New("the engine is gone")}, {"", nil}}
	asked := 0
	c := live(t, &fakes{}, func(o *Options) {
		o.Confirm = func(*triage.Result) (kind, why string, err error) {
			a := answers[asked]
			asked++
			return a.kind, "", a.err
		}
	})
	c.triage, c.verdicts.Logger = q, slog.New(slog.DiscardHandler)
	var err error
	if c.findings, _, err = findings.Load(f, findingstest.Target(), &accept.File{}); err != nil {
		t.Fatal(err)
	}
	c.totals.refused = map[string]uint64{}
	for i := range answers {
		if !c.enqueue(finding.Candidate{Flat: []byte{byte(i)}, Layer: oracle.VerdictLayer}) {
			t.Fatal("it is no candidate")
		}
	}
	go q.Run(t.Context())
	for range answers {
		v := <-q.Verdicts()
		v.Err, v.Finding = nil, &triage.Result{Results: []wire.RunResult{{}}}
		filed := asked == len(answers)-1
		if filed {
			v.Finding = findingstest.Disagreement("before", "bucket", "long", "short")
		}
		if err := c.handleVerdict(v); err != nil {
			t.Fatal(err)
		}
		if (v.Bucket == "bucket") != filed {
			t.Errorf("filed %v, in bucket %q", filed, v.Bucket)
		}
	}
	c.wait(q.Pending())
	if left := findingstest.Pending(t, f); len(left) != 2 || c.leftover.all != 2 || c.totals.refused["unconfirmed"] != 1 {
		t.Errorf("on disk %v, %d are left, refused %v", left, c.leftover.all, c.totals.refused)
	}
}
