package campaign

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"

	"parallax/cmd/internal/instrument/golang"
)

// changes are the lines, by file, in which files of one name of two packages differ: those that have no counterpart in the other
// file, and where the other one has lines more, the line before. Comments and blanks do not count.
func changes(a, b *golang.Table) (inA, inB map[string]map[int]bool) {
	inA, inB = map[string]map[int]bool{}, map[string]map[int]bool{}
	others := map[string]string{}
	for _, f := range b.Funcs {
		others[filepath.Base(f.File)] = f.File
	}
	seen := map[string]bool{}
	for _, f := range a.Funcs {
		other, ok := others[filepath.Base(f.File)]
		if !ok || seen[f.File] {
			continue
		}
		seen[f.File] = true
		inA[f.File], inB[other] = differences(codeLines(f.File), codeLines(other))
	}
	return inA, inB
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
