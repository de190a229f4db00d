package regress

import (
	"errors"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/change/plan"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/finding"
)

// TestAnswer checks that the last line counts findings by their meaning. It never takes a target
// without a verdict for one without findings.
func TestAnswer(t *testing.T) {
	summary := func(inputs uint64, covered int, wavers bool, statuses ...string) *finding.Summary {
		s := &finding.Summary{Mode: "regress", Inputs: inputs, Change: &finding.Change{Points: 3, Covered: covered}}
		for _, status := range statuses {
			s.Findings.Buckets = append(s.Findings.Buckets, finding.Row{Status: strings.TrimPrefix(status, "unverified "), Unverified: strings.HasPrefix(status, "unverified ")})
		}
		if wavers {
			s.Wavering = []finding.Wavering{{Program: "new", Inputs: 5, Of: 5}}
		}
		return s
	}
	dropped := summary(9, 3, false)
	dropped.Target, dropped.Change.NotJudged = "p.FuzzP", 2
	dropped.Change.Reached = []finding.Reached{{Location: "p.go:1"}, {Location: "p.go:2", NotJudged: true}, {Location: "p.go:3", NotJudged: true}}
	shared := summary(9, 3, false, "new", "changed", "changed", "unverified changed")
	for _, i := range []int{1, 3} {
		shared.Findings.Buckets[i].Shower = &finding.Sharer{}
	}
	slow, fast := summary(490, 2, false), summary(5000, 1, false)
	slow.Change.Reached = []finding.Reached{{Location: "p.go:1"}, {Location: "p.go:2"}}
	slow.Change.NotReached = []finding.NotReached{{Location: "p.go:3"}}
	fast.Change.Reached = []finding.Reached{{Location: "p.go:2"}}
	fast.Change.NotReached = []finding.NotReached{{Location: "p.go:1"}, {Location: "p.go:3"}}
	minute := campaign.Options{Budget: campaign.Budget{Time: time.Minute}}
	for _, tt := range []struct {
		runs        []fuzzing.Run
		interrupted bool
		want        string
	}{
		{[]fuzzing.Run{{Summary: summary(9, 2, false)}}, false, "regress: 0 new failures, 0 behavior changes; 2 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: summary(9, 3, false, "new", "changed", "changed", "old", "fixed")}}, false, "regress: 1 new failure, 2 behavior changes; 3 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: summary(9, 3, false, "unverified new", "changed", "unverified changed", "changed")}}, false, "regress: 1 new failure, unverified, 3 behavior changes, 1 of them unverified; 3 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: shared}}, false, "regress: 1 new failure, 1 behavior change (3 findings, 1 of them unverified); 3 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: summary(9, 1, true)}}, false, "regress: 0 new failures, 0 behavior changes, 1 not judged; 1 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: summary(9, 1, true, "changed")}, {Err: errors.New("it does not build")}, {Skipped: true}}, false, "regress: 0 new failures, 1 behavior change, 2 not judged; 1 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: dropped}}, false, "regress: 0 new failures, 0 behavior changes; 3 of 3 change points executed, 1 judged (p.FuzzP drops the results of 2)"},
		{[]fuzzing.Run{{Summary: slow}, {Summary: fast}}, false, "regress: 0 new failures, 0 behavior changes; 2 of 3 change points executed"},
		{[]fuzzing.Run{{Summary: slow, Options: minute}, {Summary: fast, Options: minute}}, false, "regress: 0 new failures, 0 behavior changes; 2 of 3 change points executed, 1 hardly tested (their targets ran fewer than 1,000 inputs)"},
		{[]fuzzing.Run{{Summary: summary(0, 0, false)}, {}}, true, "regress: 0 new failures, 0 behavior changes, 1 not judged, 1 not fuzzed; 0 of 3 change points executed (interrupted)"},
	} {
		p := &plan.Plan{Points: make([]plan.Point, 3)}
		if got := answerOf(tt.runs, p, tt.interrupted).String(); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}
