package align

import (
	"go/scanner"
	"go/token"
	"os"

	"parallax/cmd/internal/flow"
)

// changes are the lines, by file, in which two packages that are versions of each other differ, in functions that both have and in
// those that only one has: lines without a counterpart, and where the other version has lines more, the line before. Comments
// and blanks do not count.
func changes(code codeFiles, a, b *flow.Table, pairs []pair) (inA, inB lineSet) {
	inA, inB = lineSet{}, lineSet{}
	both := [2]map[int]bool{{}, {}} // functions that are in both, by their first block
	for _, p := range pairs {
		both[0][p.a.First], both[1][p.b.First] = true, true
		x, y := differences(code.of(a, p.a), code.of(b, p.b))
		inA.add(p.a.File, x)
		inB.add(p.b.File, y)
	}
	for side, t := range []*flow.Table{a, b} {
		for _, f := range t.Funcs {
			if both[side][f.First] {
				continue
			}
			whole, _ := differences(code.of(t, f), nil)
			[]lineSet{inA, inB}[side].add(f.File, whole)
		}
	}
	return inA, inB
}

// lineSet is numbers of lines by file.
type lineSet map[string]map[int]bool

func (s lineSet) add(file string, lines map[int]bool) {
	if s[file] == nil {
		s[file] = map[int]bool{}
	}
	for n := range lines {
		s[file][n] = true
	}
}

// codeFiles holds the lines of files, each read once.
type codeFiles map[string][]codeLine

// of are the lines of a function.
func (c codeFiles) of(t *flow.Table, f flow.Func) (lines []codeLine) {
	all, ok := c[f.File]
	if !ok {
		all = codeLines(f.File)
		c[f.File] = all
	}
	end := f.Line
	for _, b := range t.Blocks[f.First : f.First+f.Count] {
		end = max(end, b.EndLine, b.Cond)
	}
	for _, l := range all {
		if f.Line <= l.number && l.number <= end {
			lines = append(lines, l)
		}
	}
	return lines
}

// codeLine is a line that holds code: its tokens, with one blank between them.
type codeLine struct {
	number int
	text   string
}

// codeLines reads the lines of a Go file that hold code.
func codeLines(path string) (lines []codeLine) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	files := token.NewFileSet()
	file := files.AddFile(path, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		if literal == "" {
			literal = tok.String()
		}
		number := file.Line(pos)
		if n := len(lines); n > 0 && lines[n-1].number == number {
			lines[n-1].text += " " + literal
			continue
		}
		lines = append(lines, codeLine{number, literal})
	}
}

// maxCompared bounds the work of comparing two files, which grows with the product of the lines between what they have in common
// at both ends.
const maxCompared = 4000

// differences are the numbers of lines that are not in a longest common subsequence of two files.
func differences(a, b []codeLine) (inA, inB map[int]bool) {
	inA, inB = map[int]bool{}, map[int]bool{}
	before := 0
	for before < min(len(a), len(b)) && a[before].text == b[before].text {
		before++
	}
	after := 0
	for after < min(len(a), len(b))-before && a[len(a)-1-after].text == b[len(b)-1-after].text {
		after++
	}
	middleA, middleB := a[before:len(a)-after], b[before:len(b)-after]
	if len(middleA) > maxCompared || len(middleB) > maxCompared {
		return inA, inB
	}
	texts := func(lines []codeLine) (list []string) {
		for _, l := range lines {
			list = append(list, l.text)
		}
		return list
	}
	pairs := common(texts(middleA), texts(middleB))
	pairs = append(pairs, [2]int{len(middleA), len(middleB)})
	i, j := 0, 0
	for _, p := range pairs {
		for k := i; k < p[0]; k++ {
			inA[middleA[k].number] = true
		}
		for k := j; k < p[1]; k++ {
			inB[middleB[k].number] = true
		}
		if p[0] == i && p[1] > j && before+i > 0 { // b has more: the line of a after which they stand
			inA[a[before+i-1].number] = true
		}
		if p[1] == j && p[0] > i && before+j > 0 {
			inB[b[before+j-1].number] = true
		}
		i, j = p[0]+1, p[1]+1
	}
	return inA, inB
}
