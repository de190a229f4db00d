// Package rejection finds the check at which a program rejects an input.
//
// Many checks of a parser return one error. But a program that rejects returns from the failed
// check, and then from its callers. Each of these functions ends in a block that no earlier part of
// the input reached. So the blocks that are executed for the first time end with such last blocks,
// and the first of them are of the failed check. Triage keeps them while it locates and minimizes.
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

// of returns the last blocks of the check at which a program rejects. It returns nil if the program
// does not reject, or if the order of the blocks is not recorded.
func of(space *flow.Space, r wire.RunResult) []int {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || len(r.First) != len(r.Hits) {
		return nil
	}
	begin := len(r.First)
	for begin > 0 && len(space.Succs(int(r.First[begin-1]))) == 0 {
		begin--
	}
	var blocks []int
	for _, id := range r.First[begin:min(len(r.First), begin+most)] {
		blocks = append(blocks, int(id))
	}
	return blocks
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
