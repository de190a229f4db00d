package flow

import (
	"slices"
	"strings"
)

// Covered counts the blocks that a program may run, and those that it has run, which are nonzero in
// hits. It leaves out those that Counts leaves out.
func (s *Space) Covered(program int, hits []byte) (blocks, covered int) {
	blocks, covered, _ = s.covered(program, hits, func(*Table, int, []int) bool { return true })
	return blocks, covered
}

// wrapperBlocks is the number of blocks below which code only wraps the library that it calls.
const wrapperBlocks = 16

// CoveredOwn counts like Covered, but only in packages of the program's tested code, since most
// blocks often belong to libraries. If that code, with its tests, only wraps a library, all blocks
// count. One of several programs may execute nothing of that code, but a dependency: an
// implementation of another module in a FuzzXxx. Then the dependency's packages that it executed
// count.
func (s *Space) CoveredOwn(program int, hits []byte) (blocks, covered int) {
	own := func(first int) bool {
		return s.OwnBlock(first) && (s.TestedOf == nil || s.TestedOf(program, s.Place(first)))
	}
	several := false
	blocks, covered, tests := s.covered(program, hits, func(_ *Table, first int, owners []int) bool {
		several = several || len(owners) > 1 && own(first)
		return own(first)
	})
	if blocks == 0 || blocks+tests < wrapperBlocks {
		return s.Covered(program, hits)
	}
	if covered == 0 && several && s.Depends != nil {
		executed, hit, _ := s.covered(program, hits, func(t *Table, first int, _ []int) bool {
			return s.Depends(s.Place(first)) && slices.Max(hits[first:first+len(t.Blocks)]) > 0
		})
		if hit > 0 {
			return executed, hit
		}
	}
	return blocks, covered
}

// covered counts in the tables whose first block counts. tests is the number of other blocks there.
func (s *Space) covered(program int, hits []byte, counts func(t *Table, first int, owners []int) bool) (blocks, covered, tests int) {
	s.All(func(t *Table, first int, owners []int) {
		if !slices.Contains(owners, program) || len(t.Blocks) == 0 || !counts(t, first, owners) {
			return
		}
		for i := range t.Blocks {
			switch {
			case !s.Counts(program, &t.Blocks[i]):
				tests++
			case hits[first+i] != 0:
				covered++
				fallthrough
			default:
				blocks++
			}
		}
	})
	return blocks, covered, tests
}

// Counts reports whether a block counts in figures of a program's coverage. Blocks of test files do
// not, as in go test -cover, unless the program has no others.
func (s *Space) Counts(program int, b *Block) bool {
	if !b.test() {
		return true
	}
	s.counting.Do(func() {
		s.code = map[int]bool{}
		s.All(func(t *Table, _ int, owners []int) {
			if slices.ContainsFunc(t.Blocks, func(b Block) bool { return !b.test() }) {
				for _, p := range owners {
					s.code[p] = true
				}
			}
		})
	})
	return !s.code[program]
}

// test reports whether a block is in a test file.
func (b *Block) test() bool { return strings.HasSuffix(b.File, "_test.go") }
