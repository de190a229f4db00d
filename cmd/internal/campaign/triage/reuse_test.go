package triage

import (
	"context"
	"parallax/cmd/internal/finding"
	"testing"

	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
)

// lateSaturated saturates buckets from a given question on, and records the bucket of that
// question.
type lateSaturated struct {
	allSaturated
	from  int
	asked []string
}

func (k *lateSaturated) Saturated(bucket string) bool {
	k.asked = append(k.asked, bucket)
	return len(k.asked) > k.from
}

// TestTriageSaturated checks that a candidate of a saturated bucket is recognized in the kept
// processes, also if the first glance is too short. Places found in vain are used again: the
// finding and its cost stay the same.
func TestTriageSaturated(t *testing.T) {
	for _, text := range []string{"300", "0000000000000300"} {
		c := finding.Candidate{Flat: []byte(text), Parent: []byte("30"), Layer: oracle.VerdictLayer}
		separate := func(known Known) *Triager {
			j := newTriager(t)
			j.Traits.SeparateProcesses, j.Known = true, known
			spec := j.Spec
			j.Ordered = func(context.Context) (execute.Spec, error) { return spec, nil }
			t.Cleanup(j.Close)
			return j
		}
		full := triaged(t, separate(nil), c)
		if full == nil {
			t.Fatalf("%q is called flaky", text)
		}
		none := &lateSaturated{from: 100}
		same := triaged(t, separate(none), c)
		if same == nil || same.Runs > full.Runs+1 {
			t.Fatalf("%q: %+v, want %d runs", text, same, full.Runs)
		}
		if same.Runs = full.Runs; !sameFinding(full, same) {
			t.Errorf("%q: %+v, want %+v", text, same, full)
		}
		for glances := range 2 {
			j := separate(&lateSaturated{from: glances})
			j.Spec.Binary = "/nonexistent/worker" // new processes would fail
			more := triaged(t, j, c)
			if more == nil || more.Results != nil || more.Bucket == "" || more.Runs >= full.Runs || glances == 1 && more.Bucket != full.Before {
				t.Errorf("%q: %+v, want one of %s in less than %d runs", text, more, full.Before, full.Runs)
			}
		}
	}
}
