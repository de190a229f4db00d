package findings

import (
	"slices"

	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// hunkKey is the key of Extra with the hash of the change that has the line of a failure. Such a
// failure has no symptoms.
const hunkKey = "hunk"

// hunk returns the hash of the change that has the line of a failure. Empty means that the line was
// not changed, or that the finding is no failure.
func (f *Buckets) hunk(found *triage.Result) string {
	if triage.Disagrees(found.Kind) {
		return ""
	}
	space := f.facts.Space
	at := slices.IndexFunc(found.Crash.Frames, func(frame oracle.Frame) bool { return space.Own(frame.Func) })
	if at < 0 {
		return ""
	}
	frame := found.Crash.Frames[at]
	if hunk, changed := space.HunkAt(found.Program, frame.Func, frame.Line); changed {
		return triage.HunkID(space, hunk)
	}
	return ""
}

// evidence describes the best input of a bucket, for the row. The change of a
// disagreement is that of the input's own variant: other variants may come from others.
func (b *Group) evidence(row *finding.Row) *causes.Evidence {
	e := &causes.Evidence{
		ID: b.ID, Kind: row.Kind, Status: row.Status, Outcomes: row.Outcomes, Layer: row.Layer,
		Place: row.Location, Texts: texts(b.Best.Shape, b.Best.Minimized),
	}
	if at := b.Best.Failing(); at >= 0 {
		e.Change, e.Class = b.Extra[hunkKey], oracle.MessageClass(b.Best.Programs[at].Message)
		return e
	}
	for _, v := range b.Variants {
		if v.ID == b.Best.Variant && v.Symptoms.Changes() {
			e.Change, e.Symptoms = v.Symptoms.Change, v.Symptoms
		}
	}
	if len(b.Best.Programs) == 2 {
		e.Form = causes.DifferenceForm(b.Best.Programs[1].Value, b.Best.Programs[0].Value)
	}
	return e
}

// texts returns the arguments of an input that are texts, or all if there is none. Functions that
// call each other often have further arguments.
func texts(shape input.Shape, flat []byte) (list [][]byte) {
	all := parts(shape, flat)
	if len(all) != len(shape) {
		return all
	}
	for i, k := range shape {
		if (input.Shape{k}).Raw() {
			list = append(list, all[i])
		}
	}
	if list == nil {
		return all
	}
	return list
}
