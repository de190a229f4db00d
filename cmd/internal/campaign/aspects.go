package campaign

import (
	"slices"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
)

// counted are the aspects of an input that count, of those that it is a candidate for. Where a new version is tested beside the old one, and
// both fail, the old one's failure is no finding of its own: it belongs to the status of the new one's.
func counted(t *subject.Facts, list []triage.Aspect, seen []oracle.Observation) []triage.Aspect {
	fails := func(p int) bool { return seen[p].Outcome >= oracle.Crashed }
	if !t.Versions || len(seen) != 2 || !fails(0) || !fails(1) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(a triage.Aspect) bool { return a == triage.Fails(1) })
}
