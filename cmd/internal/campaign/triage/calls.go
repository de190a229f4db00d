package triage

import (
	"context"
	"iter"
	"slices"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/subject"
	"parallax/internal/wire"
)

// mostSeen is how many inputs SeeCalls executes: they take some milliseconds.
const mostSeen = 1024

// SeeCalls executes inputs, and enters the calls through pointers that they show into what the target's Space knows of calls (flow.Calls.Seen): the
// compiler's table says only that there are such. Without inputs it takes the seeds. It must have ended before the calls are used.
func SeeCalls(ctx context.Context, t subject.Target, o *subject.Options, inputs [][]byte) error {
	if len(inputs) == 0 {
		seeds, _, err := subject.Seeds(o, t.About())
		if err != nil {
			return err
		}
		inputs = corpus.Flats(seeds)
	}
	s := New(t, t.Spec(o), o.Layers).Replayer()
	defer s.Close()
	s.Ctx = ctx
	space := t.About().Space
	calls := space.Calls()
	return s.RunAll(some(inputs), wire.WantHits|wire.Plain, func(_ []byte, results []wire.RunResult) bool {
		for _, r := range results {
			slices.Sort(r.Hits) // some builds tell them in their order
			calls.Seen(space, r.Hits)
		}
		return ctx.Err() == nil
	})
}

// some are the first of many inputs.
func some(inputs [][]byte) iter.Seq[[]byte] {
	return slices.Values(inputs[:min(len(inputs), mostSeen)])
}
