package lockstep

import (
	"bytes"
	"fmt"
	"slices"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// After has a program, an old version, run on part of the inputs of another one, the new version. Inputs on which that one executes one of some
// blocks, those that hold a change, or does not come to an end, are touched: these may show the change. The others show it only
// by what was made before, by initialisers, by a harness before it fuzzes or once on an earlier input.
//
// Most touched inputs do what others have done before. Where both programs have agreed on followAlways inputs that take one path through the new
// version, the old one runs on one further input of that path in followPart. Of inputs that are not touched it runs on the first untouchedAlways, among
// which are the seeds, and then on one in untouchedPart. Inputs count as touched from then on where one of the blocks was
// executed before the first input, or where the programs disagree on an input that was not. Which of the further ones are run follows from the inputs
// themselves, so that who runs them again runs the same ones.
//
// On other inputs the program is not observed: its outcome is none, and it takes no part in what is compared. Detail and Screen run it
// always, since triage asks what it does.
type After struct {
	Program int      // its place among the programs, which stands before and runs on every input
	Blocks  []uint32 // ids among all blocks of the target
}

// follower is a program that runs after another.
type follower struct {
	program, leader int
	blocks          []uint64          // a bit for each
	everywhere      bool              // all inputs count as touched
	untouched       int               // inputs that were not
	agreed          map[uint64]uint32 // on how many inputs both did the same since they last did not, by path through the leader
	paths           []uint64          // of the chosen inputs
	touched         []bool            // whether they are
	chosen          []int             // inputs of the batch under way
	flats           [][]byte          // theirs
}

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
		f := &follower{program: p, leader: after.Program}
		for _, id := range after.Blocks {
			for int(id/64) >= len(f.blocks) {
				f.blocks = append(f.blocks, 0)
			}
			f.blocks[id/64] |= 1 << (id % 64)
		}
		f.everywhere = slices.ContainsFunc(l.target.Before, f.holds)
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
	for i := range flats {
		lead := &l.answers[f.leader][i]
		touched, path := f.everywhere || f.touches(lead), uint64(0)
		switch {
		case !touched:
			if f.untouched++; f.untouched > untouchedAlways && !oneIn(untouchedPart, flats[i]) {
				continue
			}
		default:
			path = pathOf(lead)
			if lead.Outcome < oracle.Crashed && f.agreed[path] >= followAlways && !oneIn(followPart, flats[i]) {
				continue
			}
		}
		f.chosen, f.flats, f.paths, f.touched = append(f.chosen, i), append(f.flats, flats[i]), append(f.paths, path), append(f.touched, touched)
	}
	answers := l.answers[f.program][:len(flats)]
	if len(f.flats) > 0 {
		if err := l.observe(f.program, f.flats, answers[:len(f.flats)]); err != nil {
			return err
		}
	}
	for k, i := range f.chosen {
		if same := alike(&answers[k], &l.answers[f.leader][i]); f.touched[k] {
			f.learn(f.paths[k], same)
		} else if !same {
			f.everywhere = true
		}
	}
	// The answers stand at the beginning. From the last on, each changes places with what stands where it belongs.
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

// touches reports whether a run executed one of the blocks, or did not come to an end: then nobody knows what it executed.
func (f *follower) touches(o *program.Observation) bool {
	if o.Outcome >= oracle.Crashed {
		return true
	}
	o.Trace.Need()
	return slices.ContainsFunc(o.Trace.Hits, f.holds)
}

// holds reports whether a block is one of those that hold the change.
func (f *follower) holds(id uint32) bool {
	return int(id/64) < len(f.blocks) && f.blocks[id/64]>>(id%64)&1 != 0
}

// A path on which both have agreed followAlways times, and that comes to an end, is followed by one input in followPart. The old version of a pair so costs a fifth of
// the executions where all inputs take few paths through the change, and what shows on one input in a thousand of a path is found after four times
// as many of these. An input that is not touched shows a change only through what was made before, which most inputs that use it share.
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

// alike reports whether two runs did the same, as far as is known before normalisers.
func alike(a, b *program.Observation) bool {
	return a.Outcome == b.Outcome && a.Class == b.Class && a.Digest == b.Digest && bytes.Equal(a.Value, b.Value) && a.Message == b.Message
}

func (f *follower) learn(path uint64, same bool) {
	switch {
	case !same:
		delete(f.agreed, path)
	case f.agreed[path] < followAlways:
		if f.agreed == nil || len(f.agreed) >= followPaths {
			f.agreed = map[uint64]uint32{}
		}
		f.agreed[path]++
	}
}
