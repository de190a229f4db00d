package dynamic

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
)

// Asked is a sampled call, and what both sides said of it.
type Asked struct {
	Flat        []byte
	Right, Said extract.Said
}

// Versions compares another version of an engine's model, of the function base, with the one whose scope was found, on the calls that were sampled for
// that: where one does what the original does and the other one does not. The original is that of the version whose scope was found: its sampling goes
// by the original and the arguments, and so makes the same calls for both.
func Versions(ctx context.Context, head *Function, found *Sampled, base *Function, ask Asker) (report.ModelChange, error) {
	c := report.ModelChange{Function: head.Function}
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

// unsaid reports whether a version says nothing of a call: the engine gives up, or its process takes too long, which may be since the machine is busy.
func unsaid(kind scope.Kind, s extract.Said) bool {
	return kind == scope.Unknown || s.How == extract.Failed && strings.HasPrefix(s.Value, string(extract.Timeout)+":")
}

// said is what a version says that is not what the original does.
func said(kind scope.Kind, s extract.Said) string {
	if kind == scope.Wrong || kind == scope.Failed {
		return Text(s)
	}
	return string(kind)
}

func same(a, b extract.Parameter) bool {
	return a.Name == b.Name && a.Optional == b.Optional && a.Default == b.Default && slices.Equal(a.Kinds, b.Kinds)
}
