package align

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/flow"
)

const (
	// alikeBlocks is a share of a function's blocks, in percent. At least so many must have
	// counterparts in a function of the same name for the two to be versions of one.
	alikeBlocks = 70
	// alikeSmaller and alikeLarger are shares of two packages' blocks, in percent. At least so many
	// must be at lines of the same text for the packages to be versions of one. Copies of a helper do
	// not suffice.
	alikeSmaller, alikeLarger = 60, 40
	// maxAligned bounds the work of aligning two functions, which grows with the product of their
	// blocks.
	maxAligned = 1500
)

// A pair is two functions that are versions of each other, with their corresponding blocks.
type pair struct {
	a, b   flow.Func
	blocks [][2]int // in their packages
}

// pairFunctions pairs the functions of two packages that are versions of one, or returns none if
// they are not. Unless known is set, it decides by their common parts.
func pairFunctions(text sourceLines, a, b *flow.Table, known bool) (pairs []pair) {
	if !known && min(len(a.Blocks), len(b.Blocks))*100 < alikeLarger*max(len(a.Blocks), len(b.Blocks)) {
		return nil
	}
	functions := byName(a)
	same := 0
	for _, f := range b.Funcs {
		of, ok := functions[f.Name]
		if !ok {
			continue
		}
		delete(functions, f.Name) // closures of init and the like may have one name
		list := pairBlocks(text, a.Blocks[of.First:of.First+of.Count], b.Blocks[f.First:f.First+f.Count])
		if 100*len(list) < alikeBlocks*max(of.Count, f.Count) {
			continue
		}
		p := pair{a: of, b: f}
		for _, k := range list {
			x, y := a.Blocks[of.First+k[0]], b.Blocks[f.First+k[1]]
			if text.line(x.File, x.Line) == text.line(y.File, y.Line) {
				same++
			}
			p.blocks = append(p.blocks, [2]int{of.First + k[0], f.First + k[1]})
		}
		pairs = append(pairs, p)
	}
	if known {
		return pairs
	}
	if 100*same < alikeSmaller*min(len(a.Blocks), len(b.Blocks)) || 100*same < alikeLarger*max(len(a.Blocks), len(b.Blocks)) {
		return nil
	}
	return pairs
}

// byName maps names to functions of a package. The first of several with one name counts.
func byName(t *flow.Table) map[string]flow.Func {
	functions := map[string]flow.Func{}
	for _, f := range t.Funcs {
		if _, ok := functions[f.Name]; !ok {
			functions[f.Name] = f
		}
	}
	return functions
}

// pairBlocks pairs the blocks of two functions. If their kinds are the same, it pairs them one by
// one. Otherwise it pairs them along a longest common subsequence of kinds and source lines.
func pairBlocks(text sourceLines, a, b []flow.Block) [][2]int {
	var pairs [][2]int
	if slices.EqualFunc(a, b, func(x, y flow.Block) bool { return x.Kind == y.Kind }) {
		for i := range a {
			pairs = append(pairs, [2]int{i, i})
		}
		return pairs
	}
	if len(a) > maxAligned || len(b) > maxAligned || min(len(a), len(b))*100 < alikeBlocks*max(len(a), len(b)) {
		return nil
	}
	words := func(blocks []flow.Block) []string {
		var list []string
		for _, k := range blocks {
			list = append(list, k.Kind.String()+" "+text.line(k.File, k.Line))
		}
		return list
	}
	return common(words(a), words(b))
}

// common returns the indices of a longest common subsequence.
func common(a, b []string) [][2]int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// sourceLines reads lines of source files, each file once.
type sourceLines map[string][]string

// line returns a line without surrounding blanks, or "" if it cannot be read.
func (s sourceLines) line(file string, number int) string {
	lines, ok := s[file]
	if !ok {
		data, _ := os.ReadFile(file)
		for l := range bytes.Lines(data) {
			lines = append(lines, strings.TrimSpace(string(l)))
		}
		s[file] = lines
	}
	if number < 1 || number > len(lines) {
		return ""
	}
	return lines[number-1]
}
