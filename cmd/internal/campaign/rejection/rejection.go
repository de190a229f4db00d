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
	"strings"

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
// first, and the end of the failed check. The list is nil if the program does not reject, or if the
// order of the blocks is not recorded. The end is None if it may be another one.
func of(space *flow.Space, r wire.RunResult) (blocks []int, end int) {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || len(r.First) != len(r.Hits) {
		return nil, flow.None
	}
	first := withoutText(space, r.First)
	run, begin, sure := lastRun(space, first)
	blocks = alternatives(space, first, begin)
	sure = sure && len(blocks) == 0
	blocks = append(blocks, run[:min(len(run), most)]...)
	if len(run) == 0 || !sure {
		return blocks, flow.None
	}
	if _, b := space.Block(run[0]); !b.Fails || b.Passes {
		return blocks, flow.None // its caller may have decided, or its callee
	}
	return blocks, run[0]
}

// withoutText cuts off the blocks that make the text of the returned error. They begin with the
// last call of a method Error, unless the program makes that call.
func withoutText(space *flow.Space, first []uint32) []uint32 {
	for i := len(first) - 1; i > 0; i-- {
		id := int(first[i])
		if space.Function(id) == id && shortName(space, id) == "Error" {
			if makes(space, int(first[i-1]), "Error") {
				return first
			}
			return first[:i]
		}
	}
	return first
}

// lastRun returns the last run of last blocks in a list of blocks in the order of their first
// execution, and where it begins. A function that a last block calls, such as one that makes an
// error, belongs to the run. So do the blocks of a caller before it passes an error on. If several
// last blocks of one function are in question, sure is false.
func lastRun(space *flow.Space, first []uint32) (run []int, begin int, sure bool) {
	begin, sure = len(first), true
	ends := map[int]int{} // by function: its earliest block in the run
	for begin > 0 {
		id := int(first[begin-1])
		fn := space.Function(id)
		if !last(space, id) {
			entry := slices.Index(first[:begin], uint32(fn))
			if entry > 0 && makes(space, int(first[entry-1]), shortName(space, fn)) {
				begin = entry
				continue
			}
			failed := -1
			if len(run) > 0 {
				failed = passed(space, first[:begin], run[0])
			}
			if failed < 0 {
				break
			}
			begin = failed + 1
			continue
		}
		if next, again := ends[fn]; again && !leads(space, id, next) {
			_, earlier := space.Block(id)
			_, later := space.Block(next)
			if later.Fails && !earlier.Fails {
				break // an earlier call, which succeeded
			}
			sure = false
		}
		ends[fn] = id
		run = slices.Insert(run, 0, id)
		begin--
	}
	return run, begin, sure
}

// passed returns the index of the last block of the callee whose error a block passes on, or -1.
// Before it does, the caller may execute other blocks for the first time.
func passed(space *flow.Space, before []uint32, block int) int {
	if _, b := space.Block(block); !b.Passes {
		return -1
	}
	caller := space.Function(block)
	for i, id := range slices.Backward(before) {
		own := space.Function(int(id)) == caller
		if last(space, int(id)) {
			if _, b := space.Block(int(id)); b.Fails && !own {
				return i
			}
			return -1
		}
		if !own {
			return -1
		}
	}
	return -1
}

// leads reports whether control goes from a last block to another one of its function.
func leads(space *flow.Space, from, to int) bool {
	for range longest {
		if from == to {
			return true
		}
		succs := space.Succs(from)
		if len(succs) != 1 {
			return false
		}
		from = succs[0]
	}
	return false
}

// makes reports whether a last block calls a function with that last name, and does not return its
// error. The function may make a new error.
func makes(space *flow.Space, block int, name string) bool {
	_, b := space.Block(block)
	_, ok := slices.BinarySearch(b.Named, name)
	return ok && name != "" && !b.Passes && last(space, block)
}

// shortName returns the last name of a block's function.
func shortName(space *flow.Space, block int) string {
	t, b := space.Block(block)
	name := t.Funcs[b.Func].Name
	name, _, _ = strings.Cut(name, "[")
	return name[strings.LastIndexByte(name, '.')+1:]
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

// Blocks returns the last blocks of the checks at which programs reject, by program. It also
// returns the end of each failed check, or None if that is not certain. Versions of one program
// have no blocks, only ends: a change between them identifies the cause.
func Blocks(space *flow.Space, base []wire.RunResult) (list [][]int, ends []int) {
	list, ends = make([][]int, len(base)), make([]int, len(base))
	versions := space.AllVersions(len(base))
	for p, r := range base {
		if list[p], ends[p] = of(space, r); versions {
			list[p] = nil
		}
	}
	return list, ends
}

// Names returns the names of last blocks. A name is that of the branch, so that both directions
// have it.
func Names(space *flow.Space, lists [][]int) (names []string) {
	for _, blocks := range lists {
		for _, block := range blocks {
			names = append(names, space.Place(space.Branch(block)))
		}
	}
	return names
}

// EndNames returns the names of the ends of failed checks, with "" for None. It returns nil if all
// are None.
func EndNames(space *flow.Space, ends []int) []string {
	names, some := make([]string, len(ends)), false
	for p, block := range ends {
		if block != flow.None {
			names[p], some = space.Place(space.Branch(block)), true
		}
	}
	if !some {
		return nil
	}
	return names
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
