package lockstep

import (
	"bytes"
	"fmt"

	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// After has a program run only on inputs for which another one executed one of some blocks, or did not come to an end. An old version does
// what the new one does wherever no block is executed that a change impacts, so that running it there would show nothing.
//
// Most inputs of a campaign do what others have done before. Where both programs have agreed on some inputs that take one path through the first,
// the second runs on a part of the further ones: as the inputs say, so that who runs them again runs the same ones.
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
	agreed          map[uint64]uint32 // on how many inputs both did the same since they last did not, by path through the leader
	paths           []uint64          // of the chosen inputs
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
	f.chosen, f.flats, f.paths = f.chosen[:0], f.flats[:0], f.paths[:0]
	for i := range flats {
		lead := &l.answers[f.leader][i]
		if !f.touched(lead) {
			continue
		}
		path := pathOf(lead)
		if lead.Outcome >= oracle.Crashed || f.agreed[path] < followAlways || chosenOf(flats[i]) {
			f.chosen, f.flats, f.paths = append(f.chosen, i), append(f.flats, flats[i]), append(f.paths, path)
		}
	}
	answers := l.answers[f.program][:len(flats)]
	if len(f.flats) > 0 {
		if err := l.observe(f.program, f.flats, answers[:len(f.flats)]); err != nil {
			return err
		}
	}
	for k, i := range f.chosen {
		f.learn(f.paths[k], alike(&answers[k], &l.answers[f.leader][i]))
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

// touched reports whether a run executed one of the blocks, or did not come to an end: then nobody knows what it executed.
func (f *follower) touched(o *program.Observation) bool {
	if o.Outcome >= oracle.Crashed {
		return true
	}
	o.Trace.Need()
	for _, id := range o.Trace.Hits {
		if int(id/64) < len(f.blocks) && f.blocks[id/64]>>(id%64)&1 != 0 {
			return true
		}
	}
	return false
}

// A path on which both have agreed followAlways times, and that comes to an end, is followed by one input in followPart. The old version of a pair so costs a fifth of
// the executions where all inputs take few paths through the change, and what shows on one input in a thousand of a path is found after four times
// as many of these.
const (
	followAlways = 16
	followPart   = 4
	followPaths  = 1 << 18 // that are remembered
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

// chosenOf reports whether an input is one of those that are run anyway.
func chosenOf(flat []byte) bool {
	h := uint64(0)
	for _, b := range flat {
		h = h*0x100000001b3 ^ uint64(b)
	}
	return feature.Mix(h)%followPart == 0
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
