package lockstep

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// After makes a program, an old version, run on a part of the inputs of another one, the new
// version. An input is touched if the new version executes one of some blocks on it, those with a
// change, or does not end. Touched inputs may show the change directly. Others show it only through
// earlier work: initializers, setup of a harness, or an earlier input.
//
// Most touched inputs repeat earlier behavior. So after both programs have agreed on followAlways
// inputs of a path through the new version, only some of that path are wanted. Inputs with a result
// that no followed input of the path had are, as a changed entry of a table gives one. So is one in
// followPart of the others. Among untouched inputs, the first untouchedAlways are wanted, and then
// one in untouchedPart. An input that comes again may be chosen then. All inputs count as touched
// if one of the blocks was executed before the first input, or once the programs disagree on an
// untouched input.
//
// Of the wanted inputs, the program runs as many as its share allows, new behavior first
// (share.go). These rules are for mutants. The program runs on every seed, and on every input of
// the corpus and of other campaigns.
//
// On other inputs the program is not observed: its outcome is none, and it takes no part in
// comparisons. Detail and Screen always run it, because triage needs its behavior.
type After struct {
	Program int      // index of the leader, which runs on every input
	Blocks  []uint32 // block numbers in the target
	// blocks whose new executions come first; empty means Blocks
	Impacted []uint32 `json:",omitempty"`
	All      bool     `json:",omitempty"` // all inputs are touched
}

// follower is a program that runs after another.
type follower struct {
	program, leader int
	blocks          bits
	impacted        bits
	everywhere      bool // all inputs count as touched
	untouched       int  // number of untouched inputs
	share           share
	// number of inputs that the program has run on since the last disagreement, by path through the
	// leader
	agreed  map[uint64]uint8
	results map[uint64]struct{} // results of the leader on these inputs, with their paths
	seen    []byte              // count buckets of inputs that it has run on, by block
	batch   map[uint64]bool     // inputs of the current batch, and whether they are chosen
	hash    maphash.Seed
	paths   []uint64 // of the chosen inputs
	touched []bool   // whether they are touched
	chosen  []int    // indices of the chosen inputs in the batch
	flats   [][]byte // the chosen inputs
}

// bits is a set of blocks.
type bits []uint64

func bitsOf(ids []uint32) (b bits) {
	for _, id := range ids {
		for int(id/64) >= len(b) {
			b = append(b, 0)
		}
		b[id/64] |= 1 << (id % 64)
	}
	return b
}

func (b bits) has(id uint32) bool { return int(id/64) < len(b) && b[id/64]>>(id%64)&1 != 0 }

// followAll sets up the programs that run after others.
func (l *lockstep) followAll() error {
	for p := range l.spec.Programs {
		after := l.spec.Programs[p].After
		if after == nil {
			continue
		}
		if after.Program < 0 || after.Program >= len(l.spec.Programs) || l.spec.Programs[after.Program].After != nil {
			return fmt.Errorf("program %s is to run after program %d, which does not run on every input", l.spec.Programs[p].Name, after.Program)
		}
		f := &follower{
			program: p, leader: after.Program, blocks: bitsOf(after.Blocks), impacted: bitsOf(after.Impacted),
			agreed: map[uint64]uint8{}, results: map[uint64]struct{}{}, batch: map[uint64]bool{}, hash: maphash.MakeSeed(),
		}
		if len(after.Impacted) == 0 {
			f.impacted = f.blocks
		}
		f.everywhere = after.All || slices.ContainsFunc(l.target.Before, f.blocks.has)
		l.followers = append(l.followers, f)
	}
	return nil
}

// follow runs a batch on the programs that run after others: given inputs, and some of the mutants.
func (l *lockstep) follow(flats [][]byte, given bool) (ok bool, err error) {
	return l.forEach(0, func(p int) error {
		for _, f := range l.followers {
			if f.program == p {
				return l.followOne(f, flats, given)
			}
		}
		return nil
	})
}

func (l *lockstep) followOne(f *follower, flats [][]byte, given bool) error {
	f.chosen, f.flats, f.paths, f.touched = f.chosen[:0], f.flats[:0], f.paths[:0], f.touched[:0]
	clear(f.batch)
	for i := range flats {
		if path, touched, ok := f.choose(&l.answers[f.leader][i], flats[i], given); ok {
			f.chosen, f.flats, f.paths, f.touched = append(f.chosen, i), append(f.flats, flats[i]), append(f.paths, path), append(f.touched, touched)
		}
	}
	answers := l.answers[f.program][:len(flats)]
	if len(f.flats) > 0 {
		if err := l.observe(f.program, f.flats, answers[:len(f.flats)]); err != nil {
			return err
		}
	}
	for k, i := range f.chosen {
		switch {
		case agree(&answers[k], &l.answers[f.leader][i]):
		case f.touched[k]:
			f.agreed[f.paths[k]] = 0
		default:
			f.everywhere = true
		}
	}
	// The answers are at the front. From the last on, each is swapped to its place.
	for k := len(f.chosen) - 1; k >= 0; k-- {
		answers[k], answers[f.chosen[k]] = answers[f.chosen[k]], answers[k]
	}
	next := 0
	for i := range answers {
		if next < len(f.chosen) && f.chosen[next] == i {
			next++
			continue
		}
		answers[i].Reset()
	}
	return nil
}

// choose decides whether the program runs on an input of the leader. Given inputs have no part in
// the share.
func (f *follower) choose(lead *program.Observation, flat []byte, given bool) (path uint64, touched, ok bool) {
	if given {
		path = pathOf(lead)
		if touched = f.everywhere || f.touches(lead); touched {
			f.note(lead, path)
		}
		return path, touched, true
	}
	f.share.next()
	// The engine runs an input twice to check whether a program repeats.
	key := maphash.Bytes(f.hash, flat)
	ran, again := f.batch[key]
	defer func() { f.batch[key] = ok || ran }()
	touched = f.everywhere || f.touches(lead)
	if !touched {
		f.untouched++
		switch {
		case again && ran:
			return 0, false, f.share.admits(fresh)
		case f.untouched <= untouchedAlways:
			return 0, false, f.share.admits(unsettled)
		}
		return 0, false, f.oneIn(untouchedPart, flat) && f.share.admits(sampled)
	}
	path = pathOf(lead)
	runs := f.agreed[path]
	failed := lead.Outcome >= oracle.Crashed
	var r rank
	switch {
	case again && ran, failed && runs < followAlways, !failed && f.isNew(lead):
		r = fresh
	case runs < followAlways:
		r = unsettled
	case !failed && f.isNewResult(lead, path):
		r = result
	case failed || f.oneIn(followPart, flat):
		r = sampled
	default:
		return path, true, false
	}
	if !f.share.admits(r) {
		return path, true, false
	}
	f.note(lead, path)
	return path, true, true
}

// isNew reports whether a run executed an impacted block that no followed run executed as often.
func (f *follower) isNew(o *program.Observation) bool {
	o.Trace.Need()
	for k, id := range o.Trace.Hits {
		if f.impacted.has(id) && (int(id) >= len(f.seen) || feature.Bucket[o.Trace.Counts[k]]&^f.seen[id] != 0) {
			return true
		}
	}
	return false
}

// isNewResult reports whether a run has a result that no followed run of its path had.
func (f *follower) isNewResult(o *program.Observation, path uint64) bool {
	_, ok := f.results[f.resultOf(o, path)]
	return !ok
}

// resultOf returns a hash of a run's path and result.
func (f *follower) resultOf(o *program.Observation, path uint64) uint64 {
	h := feature.Chain(path, o.Digest)
	if o.Digest == 0 {
		h = feature.Chain(feature.Chain(h, maphash.Bytes(f.hash, o.Value)), maphash.String(f.hash, o.Message))
	}
	return h
}

// note records an input that the program runs on.
func (f *follower) note(lead *program.Observation, path uint64) {
	if len(f.agreed) >= followPaths {
		clear(f.agreed)
	}
	f.agreed[path] = min(f.agreed[path]+1, followAlways)
	if lead.Outcome >= oracle.Crashed {
		return
	}
	if len(f.results) >= followResults {
		clear(f.results)
	}
	f.results[f.resultOf(lead, path)] = struct{}{}
	for k, id := range lead.Trace.Hits {
		if f.impacted.has(id) {
			for int(id) >= len(f.seen) {
				f.seen = append(f.seen, 0)
			}
			f.seen[id] |= feature.Bucket[lead.Trace.Counts[k]]
		}
	}
}

// touches reports whether a run executed one of the blocks. A run that did not end counts, because
// its blocks are unknown.
func (f *follower) touches(o *program.Observation) bool {
	if o.Outcome >= oracle.Crashed {
		return true
	}
	o.Trace.Need()
	return slices.ContainsFunc(o.Trace.Hits, f.blocks.has)
}

// After followAlways agreements on a path that ends, new results and one input in followPart of the
// others are followed. If all inputs take few paths through the change and have few results, the
// old version costs a fifth of the executions. An untouched input shows a change only through
// earlier work, which most inputs that use it share.
const (
	followAlways    = 16
	followPart      = 4
	followPaths     = 1 << 18 // maximum number of paths in agreed
	followResults   = 1 << 18 // maximum number of results
	untouchedAlways = 256
	untouchedPart   = 16
	oneInPeriod     = 1024
)

// pathOf returns a hash of a run's path: its set of blocks and its end.
func pathOf(o *program.Observation) uint64 {
	h := o.Trace.Set
	if h == 0 {
		for _, id := range o.Trace.Hits {
			h = feature.Chain(h, uint64(id))
		}
	}
	return feature.Chain(feature.Chain(h, uint64(o.Outcome)), o.Class)
}

// oneIn chooses one input in part, by its bytes and by the time. The time is counted in periods of
// oneInPeriod inputs, so that an input that was not chosen may be chosen later.
func (f *follower) oneIn(part uint64, flat []byte) bool {
	h := uint64(f.share.inputs / oneInPeriod)
	for _, b := range flat {
		h = h*0x100000001b3 ^ uint64(b)
	}
	return feature.Mix(h)%part == 0
}

// agree reports whether two runs agree, as far as known before normalization.
func agree(a, b *program.Observation) bool {
	return a.Outcome == b.Outcome && a.Class == b.Class && a.Digest == b.Digest && bytes.Equal(a.Value, b.Value) && a.Message == b.Message
}
