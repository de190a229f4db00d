package align

import (
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"parallax/cmd/internal/base/myers"
	"parallax/cmd/internal/flow"
)

// further returns pairs of functions with one name that have much in common but no corresponding
// blocks.
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
		x, y := texts(code.function(a, of)), texts(code.function(b, f))
		if len(x) <= maxCompared && len(y) <= maxCompared && 100*len(common(x, y)) >= alikeLines*min(len(x), len(y)) {
			more = append(more, pair{a: of, b: f})
		}
	}
	return more
}

// alikeLines is the share of lines, in percent, that the shorter of two functions with one name
// must have in common with the other. With fewer, the function was rewritten.
const alikeLines = 50

func texts(lines []codeLine) (list []string) {
	for _, l := range lines {
		list = append(list, l.text)
	}
	return list
}

// lineSet maps changed lines to the indices of their hunks.
type lineSet map[int]int

// changes returns the hunks between two packages that are versions of each other, and their lines
// by file. For functions of both versions, these are the lines without a counterpart, or the
// neighboring line of an insertion in the other version. They include functions of one version
// only. For changes outside of functions, they are the lines that name the declaration. Comments
// and blanks do not count. of is the package's name in hunks.
func changes(code codeFiles, of string, a, b *flow.Table, pairs []pair) (hunks []flow.Hunk, inA, inB map[string]lineSet) {
	inA, inB = map[string]lineSet{}, map[string]lineSet{}
	add := func(to map[string]lineSet, file string, lines []int, hunk int) {
		if to[file] == nil {
			to[file] = lineSet{}
		}
		for _, n := range lines {
			// where one hunk ends and the next begins, the first has the line
			if _, ok := to[file][n]; !ok {
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
		for _, d := range differences(code.function(a, p.a), code.function(b, p.b)) {
			add(inA, p.a.File, d.inA, len(hunks))
			add(inB, p.b.File, d.inB, len(hunks))
			hunks = append(hunks, flow.Hunk{Package: of, Function: p.b.Name, Text: d.text})
		}
	}
	// A function that has little in common with the other version's function of its name was
	// rewritten. That is one change.
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
			if both[side][f.First] || initializers(f) || code.contains(other, f.Name, code.function(t, f)) {
				continue
			}
			hunk, ok := alone[f.Name]
			if !ok {
				hunk = len(hunks)
				alone[f.Name] = hunk
				hunks = append(hunks, flow.Hunk{Package: of, Function: f.Name, Whole: true, Lone: sides[f.Name] != 3})
			}
			var lines []int
			for _, l := range code.function(t, f) {
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
				at := naming(code.function(t, f), names)
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

// initializers reports whether a function is the pseudo function of a Go file's variables. It has
// no lines of its own: other functions are between its first and last line. Changed variables are
// hunks where they are named.
func initializers(f flow.Func) bool { return f.Name == "init" && strings.HasSuffix(f.File, ".go") }

// codeFiles caches the code lines of files.
type codeFiles map[string][]codeLine

// function returns the lines of a function.
func (c codeFiles) function(t *flow.Table, f flow.Func) (lines []codeLine) {
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

// contains reports whether a package has a function of that name and code. Several functions may
// have one name, such as static functions of C.
func (c codeFiles) contains(t *flow.Table, name string, lines []codeLine) bool {
	return slices.ContainsFunc(t.Funcs, func(f flow.Func) bool {
		return f.Name == name && slices.EqualFunc(c.function(t, f), lines, func(x, y codeLine) bool { return x.text == y.text })
	})
}

// codeLine is a line with code: its tokens, separated by single blanks.
type codeLine struct {
	number int
	text   string
	names  []string // names in it, except those of fields, methods and other packages
}

// codeLines reads the lines of a Go file that hold code.
func codeLines(path string) []codeLine {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return linesIn(text)
}

// linesIn returns the lines of a text that hold code.
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
		// of one in backquotes, which is one line here
		literal = strings.ReplaceAll(literal, "\n", `\n`)
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

// maxCompared limits the work of a comparison of two files. The work grows with the product of
// their lines between the common prefix and suffix.
const maxCompared = 4000

// difference is a place where two functions differ.
type difference struct {
	// numbers of its lines, or of the neighboring line if one function has none there
	inA, inB []int
	text     string // lines of a after minus signs, and of b after plus signs
}

// differences returns the maximal runs of lines outside of a longest common subsequence of two
// functions. Runs with only brackets between them are joined. They stay apart if a brace ends a
// block there and both are whole statements. So a change in a branch and one behind it are two.
func differences(a, b []codeLine) (list []difference) {
	before, after := myers.Ends(texts(a), texts(b))
	middleA, middleB := a[before:len(a)-after], b[before:len(b)-after]
	if len(middleA) > maxCompared || len(middleB) > maxCompared {
		return nil
	}
	pairs := append(common(texts(middleA), texts(middleB)), [2]int{len(middleA), len(middleB)})
	i, j := 0, 0
	// since the last difference nothing but brackets, and a brace that ends something
	joined, closed := true, false
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
				d.inA = neighbor(a, before+i)
			}
			if len(d.inB) == 0 {
				d.inB = neighbor(b, before+j)
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

// closes reports whether a line only ends a statement or a block, so that the next line is
// separate.
func closes(text string) bool { return strings.Trim(text, " }") == "" }

// whole reports whether a difference removes and adds the same number of open braces. It then
// changes statements, not the begin of a block.
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

// neighbor returns the line that represents code which the other version has before line at. This
// is the line before, after which the code would run. A line of brackets need not have run. The
// line after is then chosen, unless it begins or ends another part.
func neighbor(lines []codeLine, at int) []int {
	switch {
	case at > 0 && (!bracketsOnly(lines[at-1].text) || at == len(lines) || bracketsOnly(lines[at].text) || endsOrBranches(lines[at].text)):
		return []int{lines[at-1].number}
	case at < len(lines):
		return []int{lines[at].number}
	}
	return nil
}

// endsOrBranches reports whether a line ends a block or begins another branch, so that code before
// it belongs to the lines above.
func endsOrBranches(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return word == "case" || word == "default" || strings.ContainsAny(text[:min(1, len(text))], "})]")
}

// bracketsOnly reports whether a line has no names and no literals, so that it does not separate
// two changes.
func bracketsOnly(text string) bool {
	return !strings.ContainsFunc(strings.TrimPrefix(strings.TrimSpace(text), "} else {"), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '"' || r == '\'' || r == '`'
	})
}
