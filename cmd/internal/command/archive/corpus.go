package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
	"parallax/internal/feature"
	"parallax/internal/wire"
)

// This file changes the corpus of a campaign that does not run.

// Lists is the result of corpus list --json.
type Lists struct {
	Version int       `json:"version"`
	Corpora []*Inputs `json:"corpora"`
}

// Changes is the result of the other corpus commands with --json.
type Changes struct {
	Version int       `json:"version"`
	Changes []*Change `json:"changes"`
}

// Inputs lists the corpus of a campaign.
type Inputs struct {
	Target string  `json:"target"`
	Folder string  `json:"folder"`
	Bytes  int64   `json:"bytes"`  // of all inputs
	Inputs []Input `json:"corpus"` // in the order of their discovery
}

// Input is an input of the corpus.
type Input struct {
	Hash   string `json:"hash"` // the name of its file
	Bytes  int    `json:"bytes"`
	Quoted string `json:"quoted"` // as Go text, cut
	corpus.Meta
}

// quoted bounds the text of a listed input.
const quoted = 100

// entries returns the inputs of the corpus. problems describes damaged ones.
func (p *Campaign) entries() (list []corpus.Entry, problems []string, err error) {
	store, err := corpus.OpenExisting(p.folder.FS(), p.folder.CorpusDir(), p.Shape)
	if err == nil {
		list, problems, err = store.Load()
	}
	if err != nil {
		return nil, nil, exit.Infra("%w", err)
	}
	return list, problems, nil
}

// List lists the corpus. problems describes damaged inputs.
func (p *Campaign) List() (list *Inputs, problems []string, err error) {
	list = &Inputs{Target: p.Config.Target, Folder: p.Shown(), Inputs: []Input{}}
	entries, problems, err := p.entries()
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		n := len(p.Shape.Encode(e.Flat))
		list.Bytes += int64(n)
		list.Inputs = append(list.Inputs, Input{Hash: e.Hash, Bytes: n, Quoted: quote.Input(p.Shape, e.Flat, quoted), Meta: e.Meta})
	}
	return list, problems, nil
}

// Change is the result of a command on the corpus of a campaign.
type Change struct {
	Target   string   `json:"target"`
	Folder   string   `json:"folder"`
	Before   int      `json:"inputs_before"`
	Inputs   int      `json:"inputs_after"`
	Bytes    int64    `json:"bytes_before"`
	Left     int64    `json:"bytes_after"`
	Features int      `json:"features,omitempty"` // of minimize: blocks with hit-count buckets, cells and outcomes that stay
	Dry      bool     `json:"dry_run,omitempty"`  // nothing was changed
	Problems []string `json:"problems"`           // inputs that were left out
}

// change runs work on the folder and the corpus of a campaign, under the folder's lock.
func (p *Campaign) change(dry bool, work func(*state.Folder, *corpus.Store, []corpus.Entry, *Change) error) (*Change, error) {
	folder, err := state.Reopen(atomicfile.OS, p.folder.Dir())
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	store, err := corpus.Open(folder.FS(), folder.CorpusDir(), p.Shape)
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	entries, problems, err := store.Load()
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	c := &Change{Target: p.Config.Target, Folder: p.Shown(), Before: store.Len(), Bytes: store.Size(), Dry: dry, Problems: append([]string{}, problems...)}
	c.Inputs, c.Left = c.Before, c.Bytes
	if store.Lost() {
		if err := folder.Forget(); err != nil {
			return nil, err
		}
	}
	if err := work(folder, store, entries, c); err != nil {
		return nil, err
	}
	if !dry {
		c.Inputs, c.Left = store.Len(), store.Size()
	}
	return c, nil
}

// Merge adds inputs of other campaigns and folders to the corpus. Each place is the folder of a
// campaign, with its corpus and findings, or a folder of inputs as --seeds takes.
func (p *Campaign) Merge(places []string, dry bool) (*Change, error) {
	var seeds []corpus.Seed
	var problems []string
	for _, place := range places {
		more, notes, err := p.inputsOf(place)
		if err != nil {
			return nil, err
		}
		seeds, problems = append(seeds, more...), append(problems, notes...)
	}
	return p.change(dry, func(_ *state.Folder, store *corpus.Store, entries []corpus.Entry, c *Change) error {
		c.Problems = append(c.Problems, problems...)
		last := uint64(0) // later than all: the inputs that a campaign found itself come first
		have := map[string]bool{}
		for _, e := range entries {
			last, have[e.Hash] = max(last, e.Meta.Inputs), true
		}
		for _, seed := range seeds {
			file := p.Shape.Encode(seed.Flat)
			hash := corpus.Hash(file)
			if len(seed.Flat) > p.Config.Limits.MaxBytes*max(1, len(p.Shape)) && p.Config.Limits.MaxBytes > 0 {
				c.Problems = append(c.Problems, fmt.Sprintf("%s: larger than --max-bytes of the campaign", seed.From))
				continue
			}
			if have[hash] {
				continue
			}
			have[hash] = true
			if c.Inputs, c.Left = c.Inputs+1, c.Left+int64(len(file)); dry {
				continue
			}
			if _, _, err := store.Put(seed.Flat, corpus.Meta{From: seed.From, Inputs: last}); err != nil {
				return exit.Infra("%w", err)
			}
		}
		return nil
	})
}

// inputsOf returns the inputs in a place.
func (p *Campaign) inputsOf(place string) ([]corpus.Seed, []string, error) {
	if _, err := os.Stat(filepath.Join(place, "campaign.json")); err != nil {
		seeds, problems, err := corpus.Seeds(place, p.Shape)
		if err != nil {
			return nil, nil, exit.Usage("%s: %w", place, err)
		}
		return seeds, problems, nil
	}
	other, err := open(place)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case other.folder.Dir() == p.folder.Dir():
		return nil, nil, exit.Usage("%s is the campaign itself: name others", place)
	case other.Shape.String() != p.Shape.String():
		return nil, nil, exit.Usage("%s has inputs %s, and %s has %s: they cannot be merged", place, other.Shape, p.Shown(), p.Shape)
	}
	store, err := corpus.OpenExisting(other.folder.FS(), other.folder.CorpusDir(), other.Shape)
	var entries []corpus.Entry
	var problems []string
	if err == nil {
		entries, problems, err = store.Load()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, exit.Infra("%w", err)
	}
	var seeds []corpus.Seed
	for _, e := range entries {
		seeds = append(seeds, corpus.Seed{Flat: e.Flat, From: cmp.Or(e.Meta.From, "the corpus of "+other.Config.Target)})
	}
	other.findingFiles(func(bucket string, file []byte) {
		if flat, err := p.Shape.Decode(file); err == nil { // the values of a generator have another shape
			seeds = append(seeds, corpus.Seed{Flat: flat, From: "finding " + bucket + " of " + other.Config.Target})
		}
	})
	return seeds, problems, nil
}

// findingFiles calls use with each input of a finding that can be read, as found and minimized.
func (p *Campaign) findingFiles(use func(bucket string, file []byte)) {
	for _, b := range p.buckets {
		for _, hash := range b.Hashes {
			for _, name := range []string{findings.InputFile, findings.MinimizedFile} {
				if data, err := p.folder.ReadFinding(b.ID, hash, name); err == nil && data != nil {
					use(b.ID, data)
				}
			}
		}
	}
}

// Limit bounds a corpus. Zero values mean no limit.
type Limit struct {
	Bytes  int64
	Inputs int
}

// Prune removes inputs until the corpus is within the limit. It removes only inputs that no bounded
// domain kept, the largest first. So covered blocks stay, and so do seeds and inputs of findings.
func (p *Campaign) Prune(limit Limit, dry bool) (*Change, error) {
	return p.change(dry, func(folder *state.Folder, store *corpus.Store, entries []corpus.Entry, c *Change) error {
		kept := p.inputsOfFindings()
		var loose []corpus.Entry
		for _, e := range entries {
			if !kept[e.Hash] && e.Meta.Parent != "" && !bounded(e.Meta.New) {
				loose = append(loose, e)
			}
		}
		slices.SortStableFunc(loose, func(a, b corpus.Entry) int { return len(b.Flat) - len(a.Flat) })
		over := func() bool {
			return limit.Bytes > 0 && c.Left > limit.Bytes || limit.Inputs > 0 && c.Inputs > limit.Inputs
		}
		var out []corpus.Entry
		for ; over() && len(loose) > 0; loose = loose[1:] {
			out = append(out, loose[0])
			c.Inputs, c.Left = c.Inputs-1, c.Left-int64(len(p.Shape.Encode(loose[0].Flat)))
		}
		if over() {
			c.Problems = append(c.Problems, "the rest are seeds, and inputs with new blocks or findings: `parallax corpus minimize` removes those of them that others replace")
		}
		return remove(folder, store, out, dry)
	})
}

// bounded reports whether a domain whose features the programs bound kept an input.
func bounded(domains []string) bool {
	for _, d := range feature.Resolve(domains) {
		if d.Bounded || d.Blocks {
			return true
		}
	}
	return false
}

// inputsOfFindings returns the hashes of inputs that show findings.
func (p *Campaign) inputsOfFindings() map[string]bool {
	kept := map[string]bool{}
	p.findingFiles(func(_ string, file []byte) { kept[corpus.Hash(file)] = true })
	return kept
}

// remove removes inputs. The features are forgotten first, so that a kill leaves none without its
// input.
func remove(folder *state.Folder, store *corpus.Store, out []corpus.Entry, dry bool) error {
	if dry || len(out) == 0 {
		return nil
	}
	if err := folder.Forget(); err != nil {
		return err
	}
	for _, e := range out {
		if err := store.Remove(e.Hash); err != nil {
			return exit.Infra("%w", err)
		}
	}
	return nil
}

// Distill removes inputs that others replace. The rest covers all blocks with their hit-count
// buckets, all outcomes with their error classes, and the inputs of findings. It executes the
// corpus on the target of Build. If ctx ends before that, nothing is removed.
func (p *Campaign) Distill(ctx context.Context, dry bool, progress func(string)) (*Change, error) {
	return p.change(dry, func(folder *state.Folder, store *corpus.Store, entries []corpus.Entry, c *Change) error {
		features, err := p.features(ctx, entries, progress)
		if err != nil {
			return err
		}
		kept := p.inputsOfFindings()
		items := make([]item, len(entries))
		for i, e := range entries {
			items[i] = item{bytes: len(p.Shape.Encode(e.Flat)), features: features[i], fixed: kept[e.Hash]}
		}
		chosen, n := cover(items)
		c.Features = n
		var out []corpus.Entry
		for i, e := range entries {
			if !chosen[i] {
				out = append(out, e)
				c.Inputs, c.Left = c.Inputs-1, c.Left-int64(items[i].bytes)
			}
		}
		return remove(folder, store, out, dry)
	})
}

// features executes inputs and returns the features of each. Programs without blocks have those of
// their outcomes.
func (p *Campaign) features(ctx context.Context, entries []corpus.Entry, progress func(string)) ([][]uint64, error) {
	spec := p.target.Spec(&p.Options)
	for _, e := range entries {
		spec.MaxFlat = max(spec.MaxFlat, len(e.Flat))
	}
	s := triage.New(p.target, spec, p.Options.Layers).Replayer()
	defer s.Close()
	s.Ctx = ctx
	list, total := make([][]uint64, len(entries)), units.Thousands(uint64(len(entries)))
	for i, e := range entries {
		if i%1000 == 0 {
			progress(fmt.Sprintf("executing the corpus, %s of %s inputs", units.Thousands(uint64(i)), total))
		}
		results, err := s.Run(e.Flat, wire.WantHits|wire.WantCounts)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, exit.Infra("executing %s of the corpus: %w", e.Hash, err)
		}
		list[i] = featuresOf(results)
	}
	return list, nil
}

// featuresOf returns the features of an input: the blocks of each program with their hit-count
// buckets, and the tuple of outcomes and error classes.
func featuresOf(results []wire.RunResult) []uint64 {
	var list []uint64
	tuple := uint64(0)
	for program, r := range results {
		for i, id := range r.Hits {
			count := byte(1)
			if i < len(r.Counts) {
				count = r.Counts[i]
			}
			list = append(list, feature.Chain(uint64(program+1), uint64(id)<<8|uint64(feature.Bucket[count])))
		}
		tuple = feature.Chain(feature.Chain(tuple, r.Outcome), r.Class)
	}
	return append(list, tuple)
}
