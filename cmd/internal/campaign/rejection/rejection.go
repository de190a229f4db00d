// Package rejection finds the check at which a program rejects an input.
//
// Many checks of a parser return one error. But a program that rejects returns from the failed
// check, and then from its callers. Each of these functions ends in blocks without a choice that no
// earlier part of the input reached. So the blocks that are executed for the first time end with
// such last blocks, and the first of them are of the failed check. Triage keeps them while it
// locates and minimizes.
//
// A function may try an alternative after another one has failed, as a parser of tags and digests
// does. Then both failures reject the input, and the earlier one often has the cause.
package rejection

import (
	"math/bits"
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// most is the number of blocks that identify a rejection: the last block of the failed check, and
// that of its caller. A check may end in a block that other inputs reach too. Further callers
// depend on the context of the rejected part.
const most = 2

// mostAlternatives is the number of failed alternatives that identify a rejection.
const mostAlternatives = 3

// of returns the last blocks of the check at which a program rejects, those of failed alternatives
// first. It returns nil if the program does not reject, or if the order of the blocks is not
// recorded.
func of(space *flow.Space, r wire.RunResult) []int {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || len(r.First) != len(r.Hits) {
		return nil
	}
	begin := len(r.First)
	for begin > 0 && last(space, int(r.First[begin-1])) {
		begin--
	}
	blocks := alternatives(space, r.First, begin)
	for _, id := range r.First[begin:min(len(r.First), begin+most)] {
		blocks = append(blocks, int(id))
	}
	return blocks
}

// alternatives returns the last blocks of failed checks from which a caller of the last failed
// check went on, by calling that one. first has the executed blocks in their order, and the last
// blocks of the last check begin at begin.
func alternatives(space *flow.Space, first []uint32, begin int) (blocks []int) {
	callers := map[int]bool{}
	for _, id := range first[min(begin+1, len(first)):] {
		callers[space.Function(int(id))] = true
	}
	found, start := 0, 0 // of the current run of last blocks
	for i := 0; i+1 < begin && found < mostAlternatives; i++ {
		if !last(space, int(first[i])) {
			start = i + 1
			continue
		}
		_, b := space.Block(int(first[i]))
		next := space.Function(int(first[i+1]))
		if !b.Fails || !callers[next] || next == space.Function(int(first[i])) {
			continue
		}
		found++
		for _, id := range first[start:min(i+1, start+most)] {
			blocks = append(blocks, int(id))
		}
		start = i + 1
	}
	return blocks
}

// longest bounds the number of blocks without a choice at the end of a function.
const longest = 8

// last reports whether a function ends after a block without another choice.
func last(space *flow.Space, block int) bool {
	for range longest {
		succs := space.Succs(block)
		if len(succs) != 1 {
			return len(succs) == 0
		}
		block = succs[0]
	}
	return false
}

// Blocks returns the last blocks of the checks at which programs reject, by program. Versions of
// one program have none: the change between them identifies the cause.
func Blocks(space *flow.Space, base []wire.RunResult) [][]int {
	list := make([][]int, len(base))
	if space.AllVersions(len(base)) {
		return list
	}
	for p, r := range base {
		list[p] = of(space, r)
	}
	return list
}

// Alike reports whether programs execute the last blocks of the same checks.
func Alike(blocks [][]int, results []wire.RunResult) bool {
	for p := range blocks {
		for _, block := range blocks[p] {
			if _, ok := slices.BinarySearch(results[p].Hits, uint32(block)); !ok {
				return false
			}
		}
	}
	return true
}

// Set returns the set of programs that reject, if the others accept.
func Set(results []wire.RunResult) (set uint64, ok bool) {
	for p, r := range results {
		switch oracle.Outcome(r.Outcome) {
		case oracle.Rejected:
			set |= 1 << p
		case oracle.Accepted, 0: // 0 means left out
		default:
			return 0, false
		}
	}
	return set, true
}

// Once reports whether exactly one program rejects.
func Once(results []wire.RunResult) bool {
	set, _ := Set(results)
	return bits.OnesCount64(set) == 1
}

// Turns reports whether the only accepting program rejects a neighbor, and the others reject it as
// before. Then the program accepts the deleted bytes for its own reason. Two programs do not show
// this, nor do replaced bytes, as all programs reject some bytes.
func Turns(base, results []wire.RunResult) bool {
	set, ok := Set(base)
	after, also := Set(results)
	every := uint64(1)<<len(base) - 1
	return ok && also && len(base) > 2 && bits.OnesCount64(every&^set) == 1 && after == every && sameErrors(base, results)
}

// sameErrors reports whether the rejecting programs return errors of the same classes.
func sameErrors(base, results []wire.RunResult) bool {
	for p, r := range base {
		if oracle.Outcome(r.Outcome) == oracle.Rejected && results[p].Class != r.Class {
			return false
		}
	}
	return true
}
