package triage

import (
	"slices"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A program that rejects an input returns from the check that failed, and then from its callers.
// Each of these functions ends in a block that no earlier part of the input reached. So the run ends
// with such last blocks, and the first of them are of the failed check.

// maxRejection is the number of blocks that identify a rejection: the last block of the failed
// check, and that of its caller. A check may end in a block that other inputs reach too. Further
// callers depend on what surrounds the rejected part.
const maxRejection = 2

// rejection returns the last blocks of the check at which a program rejects, or nil if it does not
// reject or the order of the blocks is not recorded.
func rejection(space *flow.Space, r wire.RunResult) []int {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || len(r.First) != len(r.Hits) {
		return nil
	}
	begin := len(r.First)
	for begin > 0 && len(space.Succs(int(r.First[begin-1]))) == 0 {
		begin--
	}
	var blocks []int
	for _, id := range r.First[begin:min(len(r.First), begin+maxRejection)] {
		blocks = append(blocks, int(id))
	}
	return blocks
}

// rejections returns the rejection of each program. Versions of one program have none: the change
// between them identifies the cause.
func rejections(space *flow.Space, base []wire.RunResult) [][]int {
	list := make([][]int, len(base))
	if space.AllVersions(len(base)) {
		return list
	}
	for p, r := range base {
		list[p] = rejection(space, r)
	}
	return list
}

// rejectsAlike reports whether programs execute the last blocks of the same checks.
func rejectsAlike(rejections [][]int, results []wire.RunResult) bool {
	for p, blocks := range rejections {
		for _, block := range blocks {
			if _, ok := slices.BinarySearch(results[p].Hits, uint32(block)); !ok {
				return false
			}
		}
	}
	return true
}
