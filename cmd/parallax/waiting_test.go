package main

import "testing"

func TestContinuing(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"diff", "a.A", "b.B", "--fuzztime", "30s"}, "parallax diff a.A b.B --fuzztime 30s --no-fuzz"},
		{[]string{"fuzz", "--no-triage", "--fuzz", "^Fuzz(A|B)$", "./..."}, "parallax fuzz --fuzz '^Fuzz(A|B)$' ./... --no-fuzz"},
		{[]string{"diff", "--no-fuzz", "--", "a.A", "b.B"}, "parallax diff --no-fuzz -- a.A b.B"},
		{[]string{"diff", "a.A", "b.B", "--no-triage=true"}, "parallax diff a.A b.B --no-fuzz"},
		{[]string{"diff", "a.A", "b.B", "--no-triage", "--triage-time", "1m"}, "parallax diff a.A b.B --triage-time 1m --no-fuzz"},
	} {
		if got := continuing(test.args); got != test.want {
			t.Errorf("%q: %s, want %s", test.args, got, test.want)
		}
	}
}
