package dynamic

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// Asked is a sampled call with the outcomes of both sides.
type Asked struct {
	Flat        []byte
	Right, Said extract.Said
}

// Versions compares another version of an engine's model, in the function base, with the version
// whose scope was found. It reports sampled calls on which only one version agrees with the
// original. The original is that of the version whose scope was found. Sampling depends only on the
// original and the arguments, so both versions have the same calls.
func Versions(ctx context.Context, head *Function, found *Sampled, base *Function, ask Asker) (finding.ModelChange, error) {
	c := finding.ModelChange{Function: head.Function}
	if !slices.EqualFunc(head.Parameters, base.Parameters, same) || head.Form != base.Form {
		c.Reason = "the versions have other arguments"
		return c, nil
	}
	list := make([]json.RawMessage, len(found.Asked))
	for i, a := range found.Asked {
		list[i] = head.Decode(a.Flat).JSON()
	}
	before, err := ask.Calls(ctx, head.Function, extract.OfModel, list)
	if err != nil {
		return c, err
	}
	for i, a := range found.Asked {
		was, is := Compare(a.Right, before[i]), Compare(a.Right, a.Said)
		if unsaid(was, before[i]) || unsaid(is, a.Said) {
			c.Unknown++
			continue
		}
		c.Calls++
		text := head.Quote(head.Decode(a.Flat)) + ": the original " + Text(a.Right)
		switch right, wasRight := is == scope.Agrees, was == scope.Agrees; {
		case right && !wasRight:
			if c.Better++; c.BetterOn == "" {
				c.BetterOn = text + "; before: " + said(was, before[i])
			}
		case wasRight && !right:
			if c.Worse++; c.WorseOn == "" {
				c.WorseOn = text + "; now: " + said(is, a.Said)
			}
		}
	}
	return c, nil
}

// unsaid reports whether a version gave no answer: the engine gave up or timed out, perhaps since
// the machine is busy.
func unsaid(kind scope.Kind, s extract.Said) bool {
	return kind == scope.Unknown || s.How == extract.Failed && strings.HasPrefix(s.Value, string(extract.Timeout)+":")
}

// said renders a version's deviating answer.
func said(kind scope.Kind, s extract.Said) string {
	if kind == scope.Wrong || kind == scope.Failed {
		return Text(s)
	}
	return string(kind)
}

func same(a, b extract.Parameter) bool {
	return a.Name == b.Name && a.Optional == b.Optional && a.Default == b.Default && slices.Equal(a.Kinds, b.Kinds)
}
