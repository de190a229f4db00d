package check

import (
	"context"
	"slices"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// Versions compares two versions of one model on the calls that were sampled for either: where one does what the original does and the other one
// does not. Scope has no part in it: what one version gets right, it is meant to get right. Where no solver says what one of them does, which may be
// since the machine is busy, neither is better.
func Versions(ctx context.Context, base, head *Model) (report.ModelChange, error) {
	c := report.ModelChange{Function: head.Record.Function}
	before, after := base.Original.Signature, head.Original.Signature
	if !alike(before, after) {
		c.Reason = "the versions have other arguments"
		return c, nil
	}
	seen := map[string]bool{}
	for _, m := range []*Model{base, head} {
		for _, flat := range m.Scope.Sampled() {
			call := m.Original.Signature.Decode(flat)
			if before.Size() != after.Size() { // in one version a pointer may be null
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

// alike reports whether versions of a function take the same arguments, but for null pointers.
func alike(a, b *call.Signature) bool {
	return slices.EqualFunc(a.Arguments, b.Arguments, func(x, y extract.Argument) bool {
		return x.Kind == y.Kind && x.Bits == y.Bits && x.Bytes == y.Bytes && x.Assumed == y.Assumed && x.Null == y.Null && x.Held == y.Held
	})
}

// takes reports whether the calls of a function are such: one with a null pointer is none if there is no model of it.
func takes(s *call.Signature, c call.Call) bool {
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind != "scalar" && c[i].Data == nil && !a.Nullable && !a.Null {
			return false
		}
	}
	return true
}

// kind is how a call of the model differs from the original's, and the call with what the original does.
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
