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

// After has a program, an old version, run on part of the inputs of another one, the new version.
// Inputs on which that one executes one of some blocks, those that hold a change, or does not come
// to an end, are touched: these may show the change. The others show it only by what was made
// before, by initializers, by a harness before it fuzzes or once on an earlier input.
//
// Most touched inputs do what others have done before. Where both programs have agreed on
// followAlways inputs that take one path through the new version, one further input of that path in
// followPart is wanted. Of inputs that are not touched the first untouchedAlways are wanted, among
// which are the seeds, and then one in untouchedPart. Inputs count as touched from then on where
// one of the blocks was executed before the first input, or where the programs disagree on an input
// that was not.
//
// Of what is wanted the program runs on as much as its share allows, what is new first (share.go).
//
// On other inputs the program is not observed: its outcome is none, and it takes no part in what is
// compared. Detail and Screen run it always, since triage asks what it does.
type After struct {
	Program  int      // its place among the programs, which stands before and runs on every input
	Blocks   []uint32 // ids among all blocks of the target
	Impacted []uint32 `json:",omitempty"` // blocks of which new executions come first; none: Blocks
	All      bool     `json:",omitempty"` // all inputs are touched
}

// follower is a program that runs after another.
type follower struct {
	program, leader int
	blocks          bits
	impacted        bits
	everywhere      bool // all inputs count as touched
	untouched       int  // inputs that were not
	share           share
	agreed          map[uint64]uint8 // for how many inputs the program has run since both did not do the same, by path through the leader
	seen            []byte           // buckets of counts that it has run for, by block
	here            map[uint64]bool  // inputs of the batch under way, and whether they are chosen
	hash            maphash.Seed
	paths           []uint64 // of the chosen inputs
	touched         []bool   // whether they are
	chosen          []int    // inputs of the batch under way
	flats           [][]byte // theirs
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

// followAll prepares the programs that run after others.
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
			agreed: map[uint64]uint8{}, here: map[uint64]bool{}, hash: maphash.MakeSeed(),
		}
		if len(after.Impacted) == 0 {
			f.impacted = f.blocks
		}
		f.everywhere = after.All || slices.ContainsFunc(l.target.Before, f.blocks.has)
		l.followers = append(l.followers, f)
	}
	return nil
}

// follow runs a batch on the programs that run after others, which have run.
func (l *lockstep) follow(flats [][]byte) (ok bool, err error) {
	return l.each(0, func(p int) error {
		for _, f := range l.followers {
			if f.program == p {
				return l.followOne(f, flats)
			}
		}
		return nil
	})
}

func (l *lockstep) followOne(f *follower, flats [][]byte) error {
	f.chosen, f.flats, f.paths, f.touched = f.chosen[:0], f.flats[:0], f.paths[:0], f.touched[:0]
	clear(f.here)
	for i := range flats {
		if path, touched, ok := f.choose(&l.answers[f.leader][i], flats[i]); ok {
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
		case alike(&answers[k], &l.answers[f.leader][i]):
		case f.touched[k]:
			f.agreed[f.paths[k]] = 0
		default:
			f.everywhere = true
		}
	}
	// The answers stand at the beginning. From the last on, each changes places with what stands
	// where it belongs.
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

// choose decides whether the program runs on an input that the leader has run on.
func (f *follower) choose(lead *program.Observation, flat []byte) (path uint64, touched, ok bool) {
	f.share.next()
	// The engine has an input run twice to see whether a program does the same again.
	key := maphash.Bytes(f.hash, flat)
	ran, again := f.here[key]
	defer func() { f.here[key] = ok || ran }()
	touched = f.everywhere || f.touches(lead)
	if !touched {
		f.untouched++
		switch {
		case again && ran:
			return 0, false, f.share.admits(fresh)
		case f.untouched <= untouchedAlways:
			return 0, false, f.share.admits(unsettled)
		}
		return 0, false, oneIn(untouchedPart, flat) && f.share.admits(sampled)
	}
	path = pathOf(lead)
	runs := f.agreed[path]
	failed := lead.Outcome >= oracle.Crashed
	var r rank
	switch {
	case again && ran, failed && runs < followAlways, !failed && f.news(lead):
		r = fresh
	case runs < followAlways:
		r = unsettled
	case failed || oneIn(followPart, flat):
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

// news reports whether a run executed an impacted block that was not executed, or not as often, in
// a run that the program has run for.
func (f *follower) news(o *program.Observation) bool {
	o.Trace.Need()
	for k, id := range o.Trace.Hits {
		if f.impacted.has(id) && (int(id) >= len(f.seen) || feature.Bucket[o.Trace.Counts[k]]&^f.seen[id] != 0) {
			return true
		}
	}
	return false
}

// note remembers what the program is run for.
func (f *follower) note(lead *program.Observation, path uint64) {
	if len(f.agreed) >= followPaths {
		clear(f.agreed)
	}
	f.agreed[path] = min(f.agreed[path]+1, followAlways)
	if lead.Outcome >= oracle.Crashed {
		return
	}
	for k, id := range lead.Trace.Hits {
		if f.impacted.has(id) {
			for int(id) >= len(f.seen) {
				f.seen = append(f.seen, 0)
			}
			f.seen[id] |= feature.Bucket[lead.Trace.Counts[k]]
		}
	}
}

// touches reports whether a run executed one of the blocks, or did not come to an end: then nobody
// knows what it executed.
func (f *follower) touches(o *program.Observation) bool {
	if o.Outcome >= oracle.Crashed {
		return true
	}
	o.Trace.Need()
	return slices.ContainsFunc(o.Trace.Hits, f.blocks.has)
}

// A path on which both have agreed followAlways times, and that comes to an end, is followed by one
// input in followPart. The old version of a pair so costs a fifth of the executions where all
// inputs take few paths through the change, and what shows on one input in a thousand of a path is
// found after four times as many of these. An input that is not touched shows a change only through
// what was made before, which most inputs that use it share.
const (
	followAlways    = 16
	followPart      = 4
	followPaths     = 1 << 18 // that are remembered
	untouchedAlways = 256
	untouchedPart   = 16
)

// pathOf is the way that a run took: the set of blocks that it executed, and how it ended.
func pathOf(o *program.Observation) uint64 {
	h := o.Trace.Set
	if h == 0 {
		for _, id := range o.Trace.Hits {
			h = feature.Chain(h, uint64(id))
		}
	}
	return feature.Chain(feature.Chain(h, uint64(o.Outcome)), o.Class)
}

// oneIn chooses inputs, one of so many.
func oneIn(part uint64, flat []byte) bool {
	h := uint64(0)
	for _, b := range flat {
		h = h*0x100000001b3 ^ uint64(b)
	}
	return feature.Mix(h)%part == 0
}

// alike reports whether two runs did the same, as far as is known before normalizers.
func alike(a, b *program.Observation) bool {
	return a.Outcome == b.Outcome && a.Class == b.Class && a.Digest == b.Digest && bytes.Equal(a.Value, b.Value) && a.Message == b.Message
}
