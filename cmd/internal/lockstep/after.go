package lockstep

import (
	"fmt"

	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// After has a program run only on inputs for which another one executed one of some blocks, or did not come to an end. An old version does
// what the new one does wherever no block is executed that a change impacts, so that running it there would show nothing.
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
	blocks          []uint64 // a bit for each
	chosen          []int    // inputs of the batch under way
	flats           [][]byte // theirs
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
	f.chosen, f.flats = f.chosen[:0], f.flats[:0]
	for i := range flats {
		if f.touched(&l.answers[f.leader][i]) {
			f.chosen, f.flats = append(f.chosen, i), append(f.flats, flats[i])
		}
	}
	answers := l.answers[f.program][:len(flats)]
	if len(f.flats) > 0 {
		if err := l.observe(f.program, f.flats, answers[:len(f.flats)]); err != nil {
			return err
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
