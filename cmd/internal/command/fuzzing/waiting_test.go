package fuzzing

import (
	"parallax/cmd/internal/finding"
	"testing"
)

func TestContinuing(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"diff", "a.A", "b.B", "--fuzztime", "30s"}, "parallax diff a.A b.B --no-fuzz"},
		{[]string{"diff", "-t", "30s", "a.A", "b.B"}, "parallax diff a.A b.B --no-fuzz"},
		{[]string{"diff", "a.A", "b.B", "-t30s", "-p", "2", "--cputime=1m", "--until-quiet", "5m"}, "parallax diff a.A b.B -p 2 --no-fuzz"},
		{[]string{"fuzz", "--fuzztime=5s", "--", "-t"}, "parallax fuzz --no-fuzz -- -t"},
		{[]string{"fuzz", "--no-triage", "--fuzz", "^Fuzz(A|B)$", "./..."}, "parallax fuzz --fuzz '^Fuzz(A|B)$' ./... --no-fuzz"},
		{[]string{"diff", "--no-fuzz", "--", "a.A", "b.B"}, "parallax diff --no-fuzz -- a.A b.B"},
		{[]string{"diff", "a.A", "b.B", "--no-triage=true"}, "parallax diff a.A b.B --no-fuzz"},
		{[]string{"diff", "a.A", "b.B", "--no-triage", "--triage-time", "1m"}, "parallax diff a.A b.B --no-fuzz"},
	} {
		if got := continuing(test.args); got != test.want {
			t.Errorf("%q: %s, want %s", test.args, got, test.want)
		}
	}
}

// TestWaiting checks that the command that completes triage is printed for candidates and for
// unverified findings.
func TestWaiting(t *testing.T) {
	summary := func(waiting int, unverified ...bool) *finding.Summary {
		s := &finding.Summary{Findings: finding.Findings{Unjudged: waiting}}
		for _, is := range unverified {
			s.Findings.Buckets = append(s.Findings.Buckets, finding.Row{Unverified: is})
		}
		return s
	}
	for _, tt := range []struct {
		list []*finding.Summary
		want string
	}{
		{[]*finding.Summary{summary(0, false)}, ""},
		{[]*finding.Summary{summary(1)}, "1 candidate waits in the folder: `%s` confirms and minimizes it"},
		{[]*finding.Summary{summary(2), summary(1)}, "3 candidates wait in the folder: `%s` confirms and minimizes them"},
		{[]*finding.Summary{summary(0, true)}, "1 finding is unverified: `%s` verifies it"},
		{[]*finding.Summary{summary(0, true, false), summary(0, true)}, "2 findings are unverified: `%s` verifies them"},
		{[]*finding.Summary{summary(1, true)}, "1 candidate waits in the folder, 1 finding is unverified: `%s` confirms and minimizes them"},
	} {
		if got := waiting(tt.list); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
