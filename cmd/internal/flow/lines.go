package flow

import (
	"cmp"
	"slices"
)

// File maps the lines of a source file to the blocks that execute them. Paths are sorted in
// Table.Files, and lines in a file. Lines without code are left out.
type File struct {
	Path  string
	Lines []Line
}

// Line is a line with code. It is executed, at least in part, if one of its blocks is.
type Line struct {
	Line   int
	Blocks []int // ids, ascending
}

// Range is a range of lines, with its ends.
type Range struct{ First, Last int }

// Change holds the blocks of changed lines.
type Change struct {
	Blocks []int // of lines that have code, ascending
	// Near holds blocks for ranges without code, because the compiler removed it or only
	// declarations changed. They are those of the next line with code in the same function, or of
	// its entry.
	Near []int
	// Outside are ranges that have no code and are in no function: types, macros, comments,
	// functions that were not compiled.
	Outside []Range
}

// LinesToBlocks finds the blocks of changed lines of a file. It needs Table.Files.
func (t *Table) LinesToBlocks(file string, ranges []Range) Change {
	var c Change
	lines := t.lines(file)
	functions := t.extents(file, lines)
	for _, r := range ranges {
		i, _ := slices.BinarySearchFunc(lines, r.First, func(l Line, line int) int { return l.Line - line })
		found := false
		for ; i < len(lines) && lines[i].Line <= r.Last; i++ {
			c.Blocks = append(c.Blocks, lines[i].Blocks...)
			found = true
		}
		if found {
			continue
		}
		inside := false
		for _, f := range functions {
			if r.Last < f.First || r.First > f.Last {
				continue
			}
			inside = true
			if i < len(lines) && lines[i].Line <= f.Last {
				c.Near = append(c.Near, lines[i].Blocks...)
			} else {
				c.Near = append(c.Near, f.entry)
			}
		}
		if !inside {
			c.Outside = append(c.Outside, r)
		}
	}
	c.Blocks, c.Near = ascending(c.Blocks), ascending(c.Near)
	return c
}

func (t *Table) lines(file string) []Line {
	i, ok := slices.BinarySearchFunc(t.Files, file, func(f File, path string) int { return cmp.Compare(f.Path, path) })
	if !ok {
		return nil
	}
	return t.Files[i].Lines
}

// extent is the range of a function in a file.
type extent struct {
	Range
	entry int
}

// extents returns the functions of a file. A function ends with its last line that has code, before
// the next one begins.
func (t *Table) extents(file string, lines []Line) (all []extent) {
	for _, f := range t.Funcs {
		if f.File == file && f.Line > 0 {
			all = append(all, extent{Range{f.Line, f.Line}, f.First})
		}
	}
	slices.SortStableFunc(all, func(a, b extent) int { return a.First - b.First })
	for i := range all {
		next := int(^uint(0) >> 1)
		for _, later := range all[i+1:] {
			if later.First > all[i].First {
				next = later.First
				break
			}
		}
		from, _ := slices.BinarySearchFunc(lines, all[i].First, func(l Line, line int) int { return l.Line - line })
		for ; from < len(lines) && lines[from].Line < next; from++ {
			all[i].Last = lines[from].Line
		}
	}
	return all
}

func ascending(ids []int) []int {
	slices.Sort(ids)
	return slices.Compact(ids)
}
