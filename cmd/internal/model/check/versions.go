package check

import (
	"context"

	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/report"
)

// Versions compares two versions of one model on the calls that were sampled for either: where one does what the original does and the other one
// does not. Scope has no part in it: what one version gets right, it is meant to get right. Where no solver says what one of them does, which may be
// since the machine is busy, neither is better.
func Versions(ctx context.Context, base, head *Model) (report.ModelChange, error) {
	c := report.ModelChange{Function: head.Record.Function}
	if base.Original.Signature.Size() != head.Original.Signature.Size() {
		c.Reason = "the versions have other arguments"
		return c, nil
	}
	seen := map[string]bool{}
	for _, flats := range [][][]byte{base.Scope.Sampled(), head.Scope.Sampled()} {
		for _, flat := range flats {
			if seen[string(flat)] {
				continue
			}
			seen[string(flat)] = true
			before, _, err := base.kind(ctx, flat)
			if err != nil {
				return c, err
			}
			after, text, err := head.kind(ctx, flat)
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

// kind is how a call of the model differs from the original's, and the call with what the original does.
func (m *Model) kind(ctx context.Context, flat []byte) (scope.Kind, string, error) {
	sig := m.Original.Signature
	c := sig.Decode(flat)
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
