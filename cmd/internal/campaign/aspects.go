package campaign

import (
	"slices"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

// countedAspects returns the aspects of an input that count. If both versions fail, the failure of
// the old one is no finding: it only affects the status of the new one's.
func countedAspects(t *subject.Facts, list []triage.Aspect, seen []oracle.Observation) []triage.Aspect {
	fails := func(p int) bool { return seen[p].Outcome >= oracle.Crashed }
	if !t.Versions || len(seen) != 2 || !fails(0) || !fails(1) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(a triage.Aspect) bool { return a == triage.Fails(1) })
}
