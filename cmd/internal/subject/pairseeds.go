package subject

import (
	"context"
	"errors"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/wire"
)

// mostSeeds limits the seeds that Executed runs.
const mostSeeds = 256

// Executed returns the blocks that the start and the seeds of the new version execute, up to the
// first seed that ends the process.
func (t *Lockstep) Executed(ctx context.Context, o *Options) (map[uint32]bool, error) {
	blocks := map[uint32]bool{}
	for _, b := range t.Before() {
		blocks[b] = true
	}
	all, _, err := Seeds(o, &t.Facts)
	if err != nil {
		return nil, err
	}
	seeds := corpus.Flats(all)
	if more := len(seeds) - mostSeeds; more > 0 { // spread over the list: the first ones may come from one file and be similar
		every := make([][]byte, mostSeeds)
		for i := range every {
			every[i] = seeds[i*len(seeds)/mostSeeds]
		}
		seeds = every
	}
	err = t.runSeeds(ctx, o, seeds, wire.WantHits|wire.Plain, func(results []wire.RunResult) {
		for _, b := range results[0].Hits {
			blocks[b] = true
		}
	})
	return blocks, err
}

// runSeeds runs seeds in a new process, up to the first seed that ends it, and passes the results
// to use.
func (t *Lockstep) runSeeds(ctx context.Context, o *Options, seeds [][]byte, flags uint64, use func([]wire.RunResult)) error {
	w, err := execute.StartContext(ctx, t.Spec(o))
	if err != nil {
		return err
	}
	defer w.Close()
	for _, seed := range seeds {
		results, err := w.Run(seed, flags)
		var death *execute.Death
		if errors.As(err, &death) && ctx.Err() == nil {
			break
		}
		if err != nil {
			return err
		}
		use(results)
	}
	return ctx.Err()
}
