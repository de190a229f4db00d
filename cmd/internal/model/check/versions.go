package check

import (
	"context"
	"slices"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// Versions compares two versions of a model on the calls that were sampled for either. It reports
// calls on which only one version agrees with the original. Scope plays no role: a version is meant
// to be right wherever it is. If no solver answers for one of the versions, perhaps since the
// machine is busy, neither counts as better.
func Versions(ctx context.Context, base, head *Model) (finding.ModelChange, error) {
	c := finding.ModelChange{Function: head.Record.Function}
	before, after := base.Original.Signature, head.Original.Signature
	if !alike(before, after) {
		c.Reason = "the versions have other arguments"
		return c, nil
	}
	seen := map[string]bool{}
	for _, m := range []*Model{base, head} {
		for _, flat := range m.Scope.Sampled() {
			call := m.Original.Signature.Decode(flat)
			if before.Size() != after.Size() { // only one version may take null pointers
				flat = after.Encode(call)
			}
			if seen[string(flat)] || !takes(before, call) || !takes(after, call) {
				continue
			}
			seen[string(flat)] = true
			before, _, err := base.kind(ctx, call)
			if err != nil {
				return c, err
			}
			after, text, err := head.kind(ctx, call)
			if err != nil {
				return c, err
			}
			if before == scope.Unknown || after == scope.Unknown {
				c.Unknown++
				continue
			}
			c.Calls++
			switch right, was := after == scope.Agrees, before == scope.Agrees; {
			case right && !was:
				if c.Better++; c.BetterOn == "" {
					c.BetterOn = text + "; before: " + string(before)
				}
			case was && !right:
				if c.Worse++; c.WorseOn == "" {
					c.WorseOn = text + "; now: " + string(after)
				}
			}
		}
	}
	return c, nil
}

// alike reports whether versions of a function take the same arguments, apart from null pointers.
func alike(a, b *call.Signature) bool {
	return slices.EqualFunc(a.Arguments, b.Arguments, func(x, y extract.Argument) bool {
		return x.Kind == y.Kind && x.Bits == y.Bits && x.Bytes == y.Bytes && x.Assumed == y.Assumed && x.Null == y.Null && x.Held == y.Held
	})
}

// takes reports whether a signature permits a call. It rejects null pointers that the model does
// not describe.
func takes(s *call.Signature, c call.Call) bool {
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind != "scalar" && c[i].Data == nil && !a.Nullable && !a.Null {
			return false
		}
	}
	return true
}

// kind returns how the model's answer to a call differs from the original's, and the call with the
// original's effect.
func (m *Model) kind(ctx context.Context, c call.Call) (scope.Kind, string, error) {
	sig := m.Original.Signature
	run, err := m.Original.Run(c)
	if err != nil {
		return "", "", err
	}
	if run.Undefined != "" {
		return scope.Unspecified, "", nil
	}
	answer, err := m.Evaluate(ctx, c)
	if err != nil {
		return "", "", err
	}
	by := m.Scope.Compare
	return scope.Compare(sig, by, c, &run, &answer), sig.Quote(c) + ": the original " + sig.Text(c, &run.Effect, by), nil
}
