package review

import (
	"context"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/subject"
)

// TestNotLocated checks that a finding stays marked if the time is over before it is located again.
func TestNotLocated(t *testing.T) {
	target := findingstest.Target()
	f, _, err := findings.Load(findingstest.OpenFolder(t, t.TempDir()), target, &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in")
	if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat}); err != nil {
		t.Fatal(err)
	}
	target.CodeID = "edited"
	if err := f.MarkOlder(); err != nil {
		t.Fatal(err)
	}
	r := &Review{Options: &subject.Options{}, Facts: &target.Facts, Findings: f, Longest: 100}
	ended, end := context.WithCancel(t.Context())
	end()
	b := f.Find(findingstest.FirstID)
	if got := r.locate(ended, nil, nil, b); got != nil || !f.Outdated(b.ID) || !f.Row(b).Older {
		t.Errorf("located %+v, outdated %v", got, f.Outdated(b.ID))
	}
	for _, same := range []bool{true, false} { // an edit may turn the outcomes
		if !same {
			found.Results[0], found.Results[1] = found.Results[1], found.Results[0]
		}
		if got := r.continues(b, found); got != same {
			t.Errorf("it continues: %v, want %v", got, same)
		}
	}
}

// TestNotLocatedUnfinished checks that a finding whose triage was cut short gets no cause while its
// candidate waits. Its bucket would keep the provisional name, which several targets may have.
func TestNotLocatedUnfinished(t *testing.T) {
	target := findingstest.Target()
	f, _, err := findings.Load(findingstest.OpenFolder(t, t.TempDir()), target, &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "input", "in")
	cand := finding.Candidate{Flat: found.Flat}
	found.Unfinished = f.CandidateKey(&cand)
	if _, _, err := f.Add(found, cand); err != nil {
		t.Fatal(err)
	}
	r := &Review{Options: &subject.Options{}, Facts: &subject.Facts{Versions: true}, Findings: f, Longest: 100}
	if got := r.locate(t.Context(), nil, nil, f.Find(findingstest.FirstID)); got != nil { // without a triager
		t.Errorf("located %+v", got)
	}
}
