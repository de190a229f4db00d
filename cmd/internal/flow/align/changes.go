package align

import (
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"parallax/cmd/internal/flow"
)

// further are functions of one name that have much in common, though their blocks do not correspond.
func further(code codeFiles, a, b *flow.Table, pairs []pair) (more []pair) {
	functions := byName(a)
	paired := map[int]bool{}
	for _, p := range pairs {
		delete(functions, p.a.Name)
		paired[p.b.First] = true
	}
	for _, f := range b.Funcs {
		of, ok := functions[f.Name]
		if !ok || paired[f.First] {
			continue
		}
		delete(functions, f.Name)
		x, y := texts(code.of(a, of)), texts(code.of(b, f))
		if len(x) <= maxCompared && len(y) <= maxCompared && 100*len(common(x, y)) >= alikeLines*min(len(x), len(y)) {
			more = append(more, pair{a: of, b: f})
		}
	}
	return more
}

// alikeLines is how many percent of the shorter of two functions of one name must be in the other for these to be versions: else one was
// written anew.
const alikeLines = 50

func texts(lines []codeLine) (list []string) {
	for _, l := range lines {
		list = append(list, l.text)
	}
	return list
}

// lineSet is lines that were changed, with the numbers of their hunks.
type lineSet map[int]int

// changes are the hunks in which two packages that are versions of each other differ, and their lines, by file: in functions that both
// have, lines without a counterpart, and where the other version has lines more, the line beside them; functions that only one has; and, for
// what was changed outside of functions, the lines that name it. Comments and blanks do not count. of is the package as hunks have it.
func changes(code codeFiles, of string, a, b *flow.Table, pairs []pair) (hunks []flow.Hunk, inA, inB map[string]lineSet) {
	inA, inB = map[string]lineSet{}, map[string]lineSet{}
	add := func(to map[string]lineSet, file string, lines []int, hunk int) {
		if to[file] == nil {
			to[file] = lineSet{}
		}
		for _, n := range lines {
			if _, ok := to[file][n]; !ok { // where one hunk ends and the next begins, the first has the line
				to[file][n] = hunk
			}
		}
	}
	both := [2]map[int]bool{{}, {}} // functions that are in both, by their first block
	for _, p := range pairs {
		both[0][p.a.First], both[1][p.b.First] = true, true
		if initializers(p.b) {
			continue
		}
		for _, d := range differences(code.of(a, p.a), code.of(b, p.b)) {
			add(inA, p.a.File, d.inA, len(hunks))
			add(inB, p.b.File, d.inB, len(hunks))
			hunks = append(hunks, flow.Hunk{Package: of, Function: p.b.Name, Text: d.text})
		}
	}
	// A function that has little in common with the other version's function of its name was written anew: that is one change.
	alone := map[string]int{}
	sides := map[string]int{}
	for side, t := range []*flow.Table{a, b} {
		for _, f := range t.Funcs {
			sides[f.Name] |= 1 << side
		}
	}
	for side, t := range []*flow.Table{a, b} {
		other := []*flow.Table{b, a}[side]
		for _, f := range t.Funcs {
			if both[side][f.First] || initializers(f) || code.has(other, f.Name, code.of(t, f)) {
				continue
			}
			hunk, ok := alone[f.Name]
			if !ok {
				hunk = len(hunks)
				alone[f.Name] = hunk
				hunks = append(hunks, flow.Hunk{Package: of, Function: f.Name, Whole: true, Lone: sides[f.Name] != 3})
			}
			var lines []int
			for _, l := range code.of(t, f) {
				lines = append(lines, l.number)
			}
			add([]map[string]lineSet{inA, inB}[side], f.File, lines, hunk)
		}
	}
	if names := outside(a, b); len(names) > 0 {
		number := map[string]int{}
		for side, t := range []*flow.Table{a, b} {
			for _, f := range t.Funcs {
				if initializers(f) {
					continue
				}
				at := naming(code.of(t, f), names)
				for _, name := range slices.Sorted(maps.Keys(at)) {
					if _, ok := number[name]; !ok {
						number[name] = len(hunks)
						hunks = append(hunks, flow.Hunk{Package: of, Function: name, Whole: true, Outside: true})
					}
					add([]map[string]lineSet{inA, inB}[side], f.File, at[name], number[name])
				}
			}
		}
	}
	return hunks, inA, inB
}

// initializers reports whether a function is that which stands for the variables of a Go file. It has no lines of its own: other functions
// stand between the first and the last of them, and changed variables are hunks where they are named.
func initializers(f flow.Func) bool { return f.Name == "init" && strings.HasSuffix(f.File, ".go") }

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

// has reports whether a package has a function of that name and code: one is paired of several with one name, such as static functions of C.
func (c codeFiles) has(t *flow.Table, name string, lines []codeLine) bool {
	return slices.ContainsFunc(t.Funcs, func(f flow.Func) bool {
		return f.Name == name && slices.EqualFunc(c.of(t, f), lines, func(x, y codeLine) bool { return x.text == y.text })
	})
}

// codeLine is a line that holds code: its tokens, with one blank between them.
type codeLine struct {
	number int
	text   string
	names  []string // in it that are not those of fields, methods and other packages
}

// codeLines reads the lines of a Go file that hold code.
func codeLines(path string) []codeLine {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return linesIn(text)
}

// linesIn are the lines of a text that hold code.
func linesIn(text []byte) (lines []codeLine) {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(token.Position, string) {}, 0)
	last := token.ILLEGAL
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			for i := range lines { // two names of one type
				lines[i].text = strings.ReplaceAll(lines[i].text, "interface { }", "any")
			}
			return lines
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		if literal == "" {
			literal = tok.String()
		}
		literal = strings.ReplaceAll(literal, "\n", `\n`) // of one in backquotes, which is one line here
		number := file.Line(pos)
		if n := len(lines); n > 0 && lines[n-1].number == number {
			lines[n-1].text += " " + literal
		} else {
			lines = append(lines, codeLine{number: number, text: literal})
		}
		if tok == token.IDENT && last != token.PERIOD {
			line := &lines[len(lines)-1]
			line.names = append(line.names, literal)
		}
		last = tok
	}
}

// maxCompared bounds the work of comparing two files, which grows with the product of the lines between what they have in common
// at both ends.
const maxCompared = 4000

// difference is a place in which two functions differ.
type difference struct {
	inA, inB []int  // the numbers of its lines, or of the line beside it where one function has none there
	text     string // the lines of a after minus signs, and those of b after plus signs
}

// differences are the maximal runs of lines that are not in a longest common subsequence of two functions. Runs between which nothing but
// brackets stands are one, unless a brace ends something there, and both are about
// whole statements: a change in a branch and one behind it are two.
func differences(a, b []codeLine) (list []difference) {
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
		return nil
	}
	pairs := append(common(texts(middleA), texts(middleB)), [2]int{len(middleA), len(middleB)})
	i, j := 0, 0
	joined, closed := true, false // since the last difference nothing but brackets, and a brace that ends something
	for _, p := range pairs {
		if p[0] > i || p[1] > j {
			var d difference
			for _, l := range middleA[i:p[0]] {
				d.inA, d.text = append(d.inA, l.number), d.text+"-"+l.text+"\n"
			}
			for _, l := range middleB[j:p[1]] {
				d.inB, d.text = append(d.inB, l.number), d.text+"+"+l.text+"\n"
			}
			if len(d.inA) == 0 { // b has more
				d.inA = beside(a, before+i)
			}
			if len(d.inB) == 0 {
				d.inB = beside(b, before+j)
			}
			if n := len(list); n > 0 && joined && !(closed && whole(list[n-1].text) && whole(d.text)) {
				last := &list[n-1]
				last.inA, last.inB, last.text = append(last.inA, d.inA...), append(last.inB, d.inB...), last.text+d.text
			} else {
				list = append(list, d)
			}
			joined, closed = true, false
		}
		if p[0] < len(middleA) {
			joined = joined && bracketsOnly(middleA[p[0]].text)
			closed = closed || closes(middleA[p[0]].text)
		}
		i, j = p[0]+1, p[1]+1
	}
	return list
}

// closes reports whether a line does nothing but end a statement or a block: what stands behind it is another one.
func closes(text string) bool { return strings.Trim(text, " }") == "" }

// whole reports whether what a difference takes out opens as many braces as what it puts in: it is about statements, and not about where a block begins.
func whole(text string) bool {
	open := 0
	for line := range strings.Lines(text) {
		n := strings.Count(line, "{") - strings.Count(line, "}")
		if line[0] == '-' {
			n = -n
		}
		open += n
	}
	return open == 0
}

// beside is the line that stands for code which the other version has before line at: the one before, after which the code would run. What ends
// there with a bracket need not have run, so that then it is the one after, unless that begins or ends something else.
func beside(lines []codeLine, at int) []int {
	switch {
	case at > 0 && (!bracketsOnly(lines[at-1].text) || at == len(lines) || bracketsOnly(lines[at].text) || border(lines[at].text)):
		return []int{lines[at-1].number}
	case at < len(lines):
		return []int{lines[at].number}
	}
	return nil
}

// border reports whether a line ends something or begins another branch: what stands before it belongs to what is above.
func border(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "case" || word == "default" || strings.ContainsAny(text[:min(1, len(text))], "})]")
}

// bracketsOnly reports whether a line holds no name and no literal: what stands between two changes then says nothing of either.
func bracketsOnly(text string) bool {
	return !strings.ContainsFunc(strings.TrimPrefix(strings.TrimSpace(text), "} else {"), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '"' || r == '\'' || r == '`'
	})
}
