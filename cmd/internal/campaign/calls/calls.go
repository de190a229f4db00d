// Package calls finds the calls through pointers that inputs show. The plan of a comparison of two
// versions calls it before it computes distances.
package calls

import (
	"context"
	"iter"
	"slices"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
	"parallax/internal/wire"
)

// mostSeen bounds the inputs of See, which take some milliseconds.
const mostSeen = 1024

// See executes inputs, or the seeds if there are none. It adds the calls through pointers that
// they show to the calls of the target's Space (flow.Calls.Seen). The compiler's table has only
// their number. See must end before the calls are used.
func See(ctx context.Context, t subject.Target, o *subject.Options, inputs [][]byte) error {
	if len(inputs) == 0 {
		seeds, _, err := subject.Seeds(o, t.About())
		if err != nil {
			return err
		}
		inputs = corpus.Flats(seeds)
	}
	s := triage.New(t, t.Spec(o), o.Layers).Replayer()
	defer s.Close()
	s.Ctx = ctx
	space := t.About().Space
	calls := space.Calls()
	return s.RunAll(some(inputs), wire.WantHits|wire.Plain, func(_ []byte, results []wire.RunResult) bool {
		for _, r := range results {
			slices.Sort(r.Hits) // some builds report them in the order of execution
			calls.Seen(space, r.Hits)
		}
		return ctx.Err() == nil
	})
}

// some returns the first of many inputs.
func some(inputs [][]byte) iter.Seq[[]byte] {
	return slices.Values(inputs[:min(len(inputs), mostSeen)])
}
