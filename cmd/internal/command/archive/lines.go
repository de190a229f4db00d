package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/show/page"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

const (
	// LineInputs is the default limit of the inputs that Lines executes: a minute's work if an
	// input takes a millisecond or two.
	LineInputs = 20000

	maxLineDeaths = 50 // processes that inputs may end: each one costs a start, or a timeout
)

// Lines executes at most budget inputs of the corpus on the target of Build, and counts the inputs
// that execute each block. When ctx ends, it returns the current counts. It does not disturb a
// running campaign.
func (p *Campaign) Lines(ctx context.Context, budget int, progress func(string)) (*page.Coverage, error) {
	store, err := corpus.OpenExisting(p.folder.FS(), p.folder.CorpusDir(), p.Shape)
	if err != nil {
		return nil, exit.Infra("reading the corpus: %w", err)
	}
	entries, _, err := store.Load() // damaged inputs are omitted; the next campaign reports them
	if err != nil {
		return nil, exit.Infra("reading the corpus: %w", err)
	}
	c := newLineCount(p, chooseEntries(entries, budget))
	c.out.Of = len(entries)
	if err := c.run(ctx, progress); err != nil {
		return nil, err
	}
	if len(c.entries) < len(entries) && c.out.Stopped == "" {
		c.out.Stopped = fmt.Sprintf("The others exceed the limit of %s inputs (--inputs).", units.Thousands(uint64(budget)))
	}
	return c.finish()
}

// chooseEntries takes the entries that were new in coverage first, then the oldest ones, and
// returns them by length.
func chooseEntries(entries []corpus.Entry, budget int) []corpus.Entry {
	chosen := slices.Clone(entries)
	if len(chosen) > budget {
		slices.SortStableFunc(chosen, func(a, b corpus.Entry) int { return covers(b) - covers(a) })
		chosen = chosen[:budget]
	}
	slices.SortStableFunc(chosen, func(a, b corpus.Entry) int {
		return cmp.Or(len(a.Flat)-len(b.Flat), cmp.Compare(a.Hash, b.Hash))
	})
	return chosen
}

func covers(e corpus.Entry) int {
	for _, d := range feature.Resolve(e.Meta.New) {
		if d.Blocks {
			return 1
		}
	}
	return 0
}

// lineCount is the state of a count.
type lineCount struct {
	past    *Campaign
	entries []corpus.Entry
	out     *page.Coverage

	inputs   [][]uint32 // by program and block
	first    [][]int32  // by program and block: the shortest input that executes it
	outcomes [][]uint64 // by input
}

func newLineCount(p *Campaign, entries []corpus.Entry) *lineCount {
	c := &lineCount{past: p, entries: entries, out: &page.Coverage{}, outcomes: make([][]uint64, len(entries))}
	for range p.facts.Names {
		c.inputs = append(c.inputs, make([]uint32, p.facts.Space.Len()))
		c.first = append(c.first, make([]int32, p.facts.Space.Len()))
	}
	return c
}

func (c *lineCount) run(ctx context.Context, progress func(string)) error {
	t := c.past.target
	spec := t.Spec(&c.past.Options)
	for _, e := range c.entries {
		spec.MaxFlat = max(spec.MaxFlat, len(e.Flat))
	}
	s := triage.New(t, spec, c.past.Options.Layers).Replayer()
	defer s.Close()
	s.Ctx = ctx
	total := units.Thousands(uint64(len(c.entries)))
	for i, e := range c.entries {
		if i%2000 == 0 {
			progress(fmt.Sprintf("executing the corpus again, %s of %s inputs", units.Thousands(uint64(i)), total))
		}
		if s.Deaths >= maxLineDeaths {
			c.out.Stopped = fmt.Sprintf("Then the run gave up, because %d processes had ended.", s.Deaths)
			break
		}
		results, err := s.Run(e.Flat, wire.WantHits)
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			c.out.Stopped = "Then the run was interrupted."
			break
		}
		if err != nil {
			return exit.Infra("executing %s of the corpus: %w", e.Hash, err)
		}
		c.count(i, results)
	}
	return nil
}

func (c *lineCount) count(input int, results []wire.RunResult) {
	c.out.Inputs++
	for p, r := range results {
		c.outcomes[input] = append(c.outcomes[input], r.Outcome)
		for _, id := range r.Hits {
			if int(id) >= len(c.inputs[p]) {
				continue
			}
			if c.inputs[p][id] == 0 {
				c.first[p][id] = int32(input)
			}
			c.inputs[p][id]++
		}
	}
}

// finish assigns the counts to the files of the blocks.
func (c *lineCount) finish() (*page.Coverage, error) {
	t := c.past.facts
	ever, err := c.campaignCoverage()
	if err != nil {
		return nil, err
	}
	examples := map[int32]int{}
	c.out.Files = files(t.Space, len(t.Names), func(p, id int, owned bool) page.Hit {
		h := page.Hit{Inputs: int(c.inputs[p][id]), Ever: ever[p] != nil && ever[p][id] != 0}
		if h.Inputs > 0 && owned {
			h.Example = c.example(examples, c.first[p][id])
		}
		return h
	})
	return c.out, nil
}

// files returns the source files of a space by folder and name. hit returns what is known of a
// block in a program.
func files(space *flow.Space, programs int, hit func(p, id int, owned bool) page.Hit) (list []page.File) {
	space.All(func(tab *flow.Table, first int, owners []int) {
		files := map[string]*page.File{}
		for i, b := range tab.Blocks {
			if !slices.ContainsFunc(owners, func(p int) bool { return space.Counts(p, &b) }) {
				continue
			}
			f := files[b.File]
			if f == nil {
				f = &page.File{Folder: tab.Package, Name: path.Base(filepath.ToSlash(b.File)), Path: b.File, Owners: make([]bool, programs)}
				for _, p := range owners {
					f.Owners[p] = true
				}
				files[b.File] = f
			}
			block := page.Block{Kind: b.Kind.String(), Line: b.Line, EndLine: b.EndLine}
			for p := range programs {
				block.Hits = append(block.Hits, hit(p, first+i, f.Owners[p]))
			}
			f.Blocks = append(f.Blocks, block)
		}
		for _, f := range files {
			list = append(list, *f)
		}
	})
	slices.SortFunc(list, func(a, b page.File) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
	})
	return list
}

// campaignCoverage returns the coverage of the campaign itself, by program. Nil means that it ran
// on another build.
func (c *lineCount) campaignCoverage() ([][]byte, error) {
	t := c.past.facts
	ever := make([][]byte, len(t.Names))
	snap, _, err := c.past.folder.Load()
	if err != nil {
		return nil, err
	}
	if snap.BuildID == t.BuildID {
		for p, name := range t.Names {
			if seen := snap.Seen[name]; len(seen) == t.Space.Len() {
				ever[p] = seen
			}
		}
	}
	return ever, nil
}

// example returns the number of an input among the shown ones.
func (c *lineCount) example(known map[int32]int, input int32) int {
	if n, ok := known[input]; ok {
		return n
	}
	e, p := c.entries[input], c.past
	x := page.Example{
		Hash: e.Hash, Quoted: quote.Input(p.Shape, e.Flat, 300), Size: len(e.Flat), Parent: e.Meta.Parent, Operators: e.Meta.Operators,
		Replay: fmt.Sprintf("parallax replay --campaign %s %s", shell.Word(p.Shown()), shell.Word(filepath.Join(p.Shown(), "corpus", e.Hash))),
	}
	if p.Shape.Raw() {
		x.Hex = escape.HexDump(e.Flat, 256)
	}
	for _, o := range c.outcomes[input] {
		x.Outcomes = append(x.Outcomes, oracle.Outcome(o).String())
	}
	n := len(c.out.Examples)
	known[input] = n
	c.out.Examples = append(c.out.Examples, x)
	return n
}
