// Package coverage writes the lines that corpora execute in the formats of other tools: a profile
// for go tool cover, and a tracefile of lcov.
//
// Both count the inputs that execute a line, of the program with the most. A line has the count of
// the innermost block around it.
package coverage

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/show/page"
)

// file holds the counts of a source file.
type file struct {
	page.File
	blocks []block // by place
}

// block is a block of a file, with the number of inputs that execute it.
type block struct {
	line, end int
	inputs    int
}

// span is a run of lines with one innermost block.
type span struct {
	block
	last   int // line
	blocks int // that begin in the run
}

// merge returns the files of all campaigns, each once, with the sums of their counts.
func merge(list []*page.Coverage) (files []*file) {
	known := map[string]*file{}
	for _, c := range list {
		for _, f := range c.Files {
			all := known[f.Path]
			if all == nil {
				all = &file{File: f}
				known[f.Path] = all
				files = append(files, all)
			}
			all.add(f.Blocks)
		}
	}
	slices.SortFunc(files, func(a, b *file) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// add adds the counts of blocks. Blocks at one place are one.
func (f *file) add(blocks []page.Block) {
	for _, b := range blocks {
		inputs := 0
		for _, h := range b.Hits {
			inputs = max(inputs, h.Inputs)
		}
		at, known := slices.BinarySearchFunc(f.blocks, block{line: b.Line, end: max(b.Line, b.EndLine)}, func(a, b block) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(b.end, a.end)) // the outer one first
		})
		if !known {
			f.blocks = slices.Insert(f.blocks, at, block{line: b.Line, end: max(b.Line, b.EndLine)})
		}
		f.blocks[at].inputs += inputs
	}
}

// spans divides the lines of a file by their innermost block.
func (f *file) spans() (spans []span) {
	var around []block // of the line, the innermost last
	next := 0
	for line := 1; next < len(f.blocks) || len(around) > 0; line++ {
		begin := 0
		for ; next < len(f.blocks) && f.blocks[next].line <= line; next++ {
			around = append(around, f.blocks[next])
			begin++
		}
		around = slices.DeleteFunc(around, func(b block) bool { return b.end < line })
		if len(around) == 0 {
			if next < len(f.blocks) {
				line = f.blocks[next].line - 1
			}
			continue
		}
		in := around[len(around)-1]
		if n := len(spans); n > 0 && spans[n-1].last == line-1 && spans[n-1].block == in && begin == 0 {
			spans[n-1].last = line
			continue
		}
		spans = append(spans, span{in, line, begin})
		spans[len(spans)-1].line = line
	}
	return spans
}

// lastColumn is a column beyond the end of any line.
const lastColumn = 9999

// Profile returns the profile of go tool cover. It names Go files by their import path, and others
// by their path. The user's module may not require that of a file in the module cache, so such a
// file has its path, too. So has a second version of a file.
func Profile(list []*page.Coverage) []byte {
	files := merge(list)
	names := importNames(files)
	var b bytes.Buffer
	b.WriteString("mode: count\n")
	for i, f := range files {
		for _, s := range f.spans() {
			fmt.Fprintf(&b, "%s:%d.1,%d.%d %d %d\n", names[i], s.line, s.last, lastColumn, max(1, s.blocks), s.inputs)
		}
	}
	return b.Bytes()
}

// importNames returns the names of files in a profile. Of two versions of a file, the one of the
// first program has the import path.
func importNames(files []*file) []string {
	names, taken := make([]string, len(files)), map[string]bool{}
	for _, first := range []bool{true, false} {
		for i, f := range files {
			if names[i] != "" || first && !(len(f.Owners) > 0 && f.Owners[0]) {
				continue
			}
			names[i] = filepath.ToSlash(f.Path)
			if by := f.Folder + "/" + f.Name; f.Folder != "" && filepath.Ext(f.Path) == ".go" && !strings.Contains(names[i], "@") && !taken[by] {
				names[i], taken[by] = by, true
			}
		}
	}
	return names
}

// LCOV returns the tracefile of lcov, which genhtml and many services read.
func LCOV(list []*page.Coverage) []byte {
	var b bytes.Buffer
	b.WriteString("TN:parallax\n")
	for _, f := range merge(list) {
		fmt.Fprintf(&b, "SF:%s\n", f.Path)
		lines, covered := 0, 0
		for _, s := range f.spans() {
			for line := s.line; line <= s.last; line++ {
				fmt.Fprintf(&b, "DA:%d,%d\n", line, s.inputs)
				if lines++; s.inputs > 0 {
					covered++
				}
			}
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", lines, covered)
	}
	return b.Bytes()
}
