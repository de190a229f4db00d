package triage

import (
	"bytes"
	"context"
	"strconv"

	"parallax/cmd/internal/campaign/rejection"
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// This file names the bucket of a discrepancy.

// attribute names the cause of a minimized discrepancy: the change between versions, else its look.
func (j *Triager) attribute(f *Result, at *Located) {
	f.Bucket, f.Symptoms = j.look(f.Results, f.Layer, at, f.Minimized), j.symptoms(f.Results, f.Layer, at, f.Minimized)
	f.Variant = j.variantOf(f.Bucket, f.Results, f.Layer, at, f.Minimized)
	if f.Symptoms != nil && f.Symptoms.Change != "" {
		f.Bucket = f.Symptoms.ID(j.Names)
	}
}

// look returns the name that bucket gives, with the looks of symptoms. If a single program accepts,
// it has the place, unless others separate better: causes in the program may look alike in others.
func (j *Triager) look(results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) string {
	name := j.bucket(results, layer, at, flat)
	if p := rejection.AcceptsAlone(results); layer == oracle.VerdictLayer && p != None && at.Best[p] != nil && at.Best[p].Score >= tellingValue*highestScore(at.Best) {
		name = causes.BucketID("accepts", name, j.branch(*at.Best[p]))
	}
	if looks := at.looks(j.symptoms(results, layer, at, flat)); len(looks) > 0 {
		return causes.BucketID(append([]string{"looks", name}, looks...)...)
	}
	return name
}

// names returns the names of the programs' places, of the look, and of the variant.
func (j *Triager) names(results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) []string {
	look := j.look(results, layer, at, flat)
	return []string{j.bucket(results, layer, at, flat), look, j.variantOf(look, results, layer, at, flat)}
}

// variantOf adds what odd programs enter to a look. An alien byte and classes of errors replace it.
func (j *Triager) variantOf(look string, results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) string {
	if at.alien != "" && at.Hunk == None {
		blind := notLocated(len(results))
		return causes.BucketID("byte", at.alien, j.bucket(results, layer, blind, flat), j.bucket(results, oracle.ClassLayer, blind, flat))
	}
	if len(at.Entered) == 0 {
		return look
	}
	return causes.BucketID(append([]string{"entered", look}, at.Entered...)...)
}

// bucketBefore returns the bucket of an input before minimizing. Between versions, it includes the
// change: findings of different changes may look alike.
func (j *Triager) bucketBefore(results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) string {
	variant := j.variantOf(j.look(results, layer, at, flat), results, layer, at, flat)
	if at.Hunk == None {
		return variant
	}
	return causes.BucketID("before", variant, j.Space.HunkName(at.Hunk))
}

// looks returns what distinguishes variants of a vague change. If no place separates inputs, the
// bytes that must go belong to it: two causes may then be two variants of one bucket.
func (l *Located) looks(s *causes.Symptoms) []string {
	looks := s.Looks()
	if len(looks) > 0 && s.Blind() && len(s.Edits) > 0 {
		looks = append(append(looks, "bytes"), l.bytes...)
	}
	return looks
}

// Attribute names the cause of a recorded input without minimizing it. choose selects the aspect in
// its results. Attribute returns nil if the input does not show it.
func (j *Triager) Attribute(ctx context.Context, s *Replayer, flat []byte, choose func([]wire.RunResult) (Aspect, bool)) (*Result, error) {
	results, err := s.Run(flat, wire.WantDetail)
	if err != nil {
		return nil, err
	}
	want, shown := choose(results)
	if !shown {
		return nil, nil
	}
	f := j.classify(&Result{Flat: flat, Minimized: flat, Results: results}, results, want)
	switch {
	case f == nil:
		return nil, nil
	case !Disagrees(f.Kind):
		j.name(s, f, results, flat)
		f.Deciding = notLocated(len(results)).Deciding
		return f, nil
	}
	if err := j.recordOrder(ctx, s); err != nil {
		return nil, err
	}
	out := j.dispensable(f)
	defer s.leave(out)()
	at, err := Locate(s, j.Layers, j.Shape, flat, nil, j.budget(neighborBudget), j.cause(without(results, out), f.Layer, flat).shown)
	if err != nil {
		return nil, err
	}
	f.Deciding, f.Ranked = at.Deciding, at.Ranked
	f.Results = without(results, out)
	j.attribute(f, at)
	f.Results = results
	return f, nil
}

// Whole returns a finding with the original input in place of the minimized one, located again. It
// returns nil if that input shows another finding now.
func (j *Triager) Whole(ctx context.Context, f *Result) (*Result, error) {
	s := j.Replayer()
	s.Ctx = ctx
	defer s.Close()
	whole, err := j.Attribute(ctx, s, f.Flat, func(results []wire.RunResult) (Aspect, bool) { return f.Aspect(), true })
	if err != nil || whole == nil || whole.Kind != f.Kind {
		return nil, err
	}
	whole.Raw, whole.Before, whole.Combined, whole.Runs = f.Raw, f.Before, f.Combined, f.Runs+s.Runs
	return whole, nil
}

// Confirmed reports whether a finding is confirmed by at, which checks an input of a bucket.
// Otherwise it returns the kind and reason of the refusal. If at confirms only the original input,
// that one replaces the minimized one: the two may take different paths.
func (j *Triager) Confirmed(ctx context.Context, f *Result, at func(bucket string, flat []byte) (kind, why string, err error)) (kind, why string, err error) {
	if kind, why, err = at(f.Bucket, f.Minimized); kind == "" || err != nil || bytes.Equal(f.Minimized, f.Flat) {
		return kind, why, err
	}
	other, _, err := at(f.Bucket, f.Flat)
	if other != "" || err != nil {
		return kind, why, err
	}
	whole, err := j.Whole(ctx, f)
	if whole == nil || err != nil {
		return kind, why, err
	}
	*f = *whole
	return "", "", nil
}

// bucket returns the variant of a discrepancy: its layer, and the outcome and deciding branch of
// each program. If no place separates at which a single program rejects, the last blocks of its
// check are added. Disagreeing values add their equalities, disagreeing errors their classes, and
// costs the measure.
func (j *Triager) bucket(results []wire.RunResult, layer oracle.Layers, at *Located, flat []byte) string {
	parts := []string{disagreement(layer), layer.String()}
	if layer == oracle.CostLayer {
		parts = append(parts, Dear(j.Layers, results).String())
	}
	naming, checks := namingPrograms(results, layer, at.Best, j.noCoverage)
	if layer == oracle.VerdictLayer && !checks && rejection.Once(results) {
		parts = append(append(parts, "rejects"), rejection.Names(j.Space, at.Rejects)...)
	}
	obs := Observations(results)
	for p, r := range results {
		place := ""
		switch {
		case !naming[p]:
		case j.noCoverage(p):
			place, _ = j.class(r, flat)
		default:
			place = j.branch(*at.Best[p])
		}
		parts = append(parts, j.Names[p], outcome(&results[p]), place)
		if layer == oracle.ClassLayer {
			class, _ := j.class(r, flat)
			parts = append(parts, class)
		}
		for q := range results[:p] {
			if layer == oracle.ValueLayer {
				same := results[q].Value == r.Value
				parts = append(parts, strconv.FormatBool(same))
				if f := failedCalls(obs[p], obs[q]); f != 0 {
					parts = append(parts, "errors", strconv.Itoa(f))
				}
				if accepted := oracle.Accepted; !same && j.noCoverage(p) && j.noCoverage(q) && r.Outcome == uint64(accepted) && results[q].Outcome == uint64(accepted) {
					parts = append(parts, causes.DifferenceForm(results[q].Rendered, r.Rendered))
				}
			}
		}
	}
	return causes.BucketID(parts...)
}

// Least shares of the best score with which a program's place is part of a bucket's name. Places of
// lower scores are often only on the way to the place that matters.
const (
	tellingReject = 0.8 // of rejecting programs
	tellingValue  = 0.95
)

// namingPrograms returns the programs whose places name a bucket, and whether these are checks of
// rejecting programs. If one program accepts what another rejects, these are rejecting ones:
// everything after an acceptance separates as well. A check at which all kinds of inputs end has a
// low score, and then better places count, too.
func namingPrograms(results []wire.RunResult, layer oracle.Layers, best []*Direction, noCoverage func(program int) bool) (naming []bool, checks bool) {
	naming = make([]bool, len(results))
	score := func(p int) float64 {
		if p < len(best) && best[p] != nil {
			return best[p].Score
		}
		return 0
	}
	rejects := func(p int) bool {
		return layer == oracle.VerdictLayer && oracle.Outcome(results[p].Outcome) == oracle.Rejected
	}
	highest, rejecting := highestScore(best), 0.0
	for p := range naming {
		if rejects(p) {
			rejecting = max(rejecting, score(p))
		}
	}
	checks = rejecting > 0 && rejecting >= tellingReject*highest
	if checks && len(naming) > 2 {
		for p := range naming {
			if rejects(p) && score(p) >= tellingValue*rejecting {
				naming[p] = true
				return naming, checks
			}
		}
	}
	for p := range naming {
		checks = checks || rejects(p) && noCoverage(p) // its error names the bucket
	}
	for p := range naming {
		said := noCoverage(p) && oracle.Outcome(results[p].Outcome) == oracle.Rejected
		naming[p] = said || score(p) > 0 && (rejects(p) && score(p) >= tellingReject*rejecting || !checks && score(p) >= tellingValue*highest)
	}
	return naming, checks
}

// highestScore returns the best score of any program's place, or 0.
func highestScore(best []*Direction) (highest float64) {
	for _, p := range best {
		if p != nil {
			highest = max(highest, p.Score)
		}
	}
	return highest
}

// branch returns the name of the branch at a place, in either direction.
func (j *Triager) branch(p Direction) string {
	return j.Space.Place(j.Space.Branch(p.Block))
}
