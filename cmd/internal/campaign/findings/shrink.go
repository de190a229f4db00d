package findings

import (
	"bytes"
	"parallax/cmd/internal/finding"
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/campaign/triage"
)

// Shrink writes a finding's smaller input and its new record to the folder. If the search for holes
// was incomplete, the recorded holes of the same input stay.
func (f *Buckets) Shrink(b *Group, m *triage.Smaller) error {
	found, best := m.Result, b.Best
	if !shows(found) {
		return errNotShown(b.ID, found)
	}
	if !m.Holed && bytes.Equal(found.Minimized, best.Minimized) {
		found.Holes = nil
		for _, h := range best.Holes {
			found.Holes = append(found.Holes, minimize.Hole(h))
		}
	}
	if !minimized(found).Smaller(best) && slices.Equal(Holes(found.Holes), best.Holes) {
		return nil
	}
	rep := f.renewed(b, found)
	rep.Count = b.Count
	next := *b
	return f.renew(&next, rep)
}

// renewed returns the record of a bucket's best input with a new result.
func (f *Buckets) renewed(b *Group, found *triage.Result) *finding.Finding {
	best := b.Best
	rep := f.report(b.ID, found, finding.Candidate{Parent: best.Parent, Operators: best.Operators, Inputs: best.FoundAt})
	rep.Variant, rep.Input, rep.Parent, rep.Operators, rep.Count = best.Variant, best.Input, best.Parent, best.Operators, best.Count
	if rep.Origin = best.Origin; bytes.Equal(rep.Minimized, best.Minimized) {
		rep.MinimizedOrigin = best.MinimizedOrigin
	}
	return rep
}

// renew replaces the record of a bucket's best input.
func (f *Buckets) renew(b *Group, rep *finding.Finding) error {
	b.Best = rep
	b.describe()
	b.settleLines()
	others := f.relate(b)
	files, err := f.filesOf(rep, b)
	if err != nil {
		return err
	}
	if err := f.folder.UpdateFinding(b.ID, b.BestHash, files); err != nil {
		return err
	}
	return f.store(b, others)
}
