package scope

import (
	"strings"
	"testing"
)

// TestExplainWays checks that a condition names its way, if a path has several.
func TestExplainWays(t *testing.T) {
	for _, test := range []struct {
		proof      Proof
		want, lack string
	}{
		{Proof{Condition: "always", Result: "returns 1", Ways: 1, Agrees: "sat", Match: true}, "a formula of the model is the path's", "ways to take it"},
		{Proof{Condition: "always", Result: "returns 1", Ways: 3, Agrees: "sat", Match: true}, "of one of 3 ways to take it, which differ in how often loops go round:\n            where        always\n", "is the path's"},
		{Proof{Condition: "a && b", Brief: "a ... and 1 more condition", Ways: 3, More: true}, "of one of at least 3 ways to take it, which differ in how often loops go round:\n            where        a ... and 1 more condition\n", "a && b"},
		{Proof{Condition: "always", Ways: 1, More: true}, "of one way to take it; others may", "at least"},
		{Proof{Ways: 3}, "in scope", "ways"},
	} {
		s := &Scope{Function: "f", Paths: []*Path{{Key: 1, InScope: true, Proof: &test.proof}}}
		if got := s.Explain(); !strings.Contains(got, test.want) || strings.Contains(got, test.lack) {
			t.Errorf("%+v: %s", test.proof, got)
		}
	}
}
