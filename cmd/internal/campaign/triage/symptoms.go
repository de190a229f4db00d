package triage

import (
	"cmp"
	"math"
	"slices"

	"parallax/cmd/internal/campaign/rejection"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// nearlyBest is the least share of the best score for a function that is a symptom.
const nearlyBest = 0.8

// weak is the score of a place that all disagreeing inputs reach, and as many agreeing ones.
const weak = math.Sqrt2 / 2

// symptoms returns the symptoms of a discrepancy on a minimized input, or nil if the programs'
// behavior is unknown.
func (j *Triager) symptoms(results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) *causes.Symptoms {
	s := &causes.Symptoms{Layer: layer.String(), Edits: at.Edits, Turns: at.Turns, Functions: make([]string, len(results))}
	if layer == oracle.CostLayer {
		s.Cost = Dear(j.Layers, results).String()
	}
	obs := Observations(results)
	for p, r := range results {
		class, _ := j.class(r, flat)
		s.Outcomes, s.Classes = append(s.Outcomes, outcome(&results[p])), append(s.Classes, class)
		if layer == oracle.ValueLayer {
			s.Equal = append(s.Equal, slices.IndexFunc(results, func(o wire.RunResult) bool { return o.Value == r.Value }))
			s.Failing = append(s.Failing, failedCalls(obs[p], obs[0]))
		}
	}
	if !slices.ContainsFunc(s.Failing, func(f int) bool { return f != 0 }) {
		s.Failing = nil
	}
	best := highestScore(at.Best)
	for p, place := range at.Best {
		if place == nil || place.Score < nearlyBest*best {
			continue
		}
		s.Functions[p] = j.Space.FunctionOf(place.Block)
	}
	badly := rounded(separation(at.Best)) <= rounded(weak)
	switch {
	case layer == oracle.VerdictLayer:
		if s.Weak = best > 0 && badly; rejection.Once(results) {
			s.Rejects = rejection.Names(j.Space, at.Rejects)
		}
		s.Checks = rejection.EndNames(j.Space, at.Checks)
	case layer == oracle.ValueLayer && at.Hunk == None:
		s.Ways = parts(results, causes.Ways)
		if all := parts(results, causes.Parts); badly && !slices.Equal(all, onlyPart) {
			s.Weak, s.Parts = len(all) > 0, all
		}
	}
	if at.Hunk != None {
		h := j.Space.HunkOf(at.Hunk)
		s.Change, s.Changed, s.Vague = HunkID(j.Space, at.Hunk), h.Where(), !at.sure || h.Large()
		if layer == oracle.ValueLayer && h.Package != "" { // results in other languages are texts
			s.Parts = parts(results, causes.Parts)
			if !slices.ContainsFunc(j.Shape, func(k input.Kind) bool { return input.Shape{k}.Raw() }) {
				s.Edits = nil // the bytes of numbers are no text
			}
		}
	}
	if s.Change == "" && best == 0 && !s.Weak {
		return nil
	}
	return s
}

// onlyPart holds the part of a single result without fields, which distinguishes nothing.
var onlyPart = []string{"0"}

// separation returns the best score of any program's place, without those that separate only
// because the program accepts.
func separation(best []*Direction) (highest float64) {
	for _, p := range best {
		if p != nil && !p.Verdict {
			highest = max(highest, p.Score)
		}
	}
	return highest
}

// parts returns what between lists for the values of the first program and the others, or none if a
// value is truncated.
func parts(results []wire.RunResult, between func(a, b string) []string) (list []string) {
	text := func(r wire.RunResult) string { return cmp.Or(r.Rendered, r.Error) } // a skipped test returns its results in the error
	for _, r := range results {
		if r.Truncated {
			return nil
		}
		list = append(list, between(text(results[0]), text(r))...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// HunkID returns the hash of a hunk in symptoms.
func HunkID(space *flow.Space, hunk int) string { return causes.BucketID("hunk", space.HunkName(hunk)) }

// Changed reports whether the hash in symptoms is that of a present change.
func (j *Triager) Changed(change string) bool {
	return slices.ContainsFunc(j.Space.Hunks(), func(hunk int) bool { return HunkID(j.Space, hunk) == change })
}
