package align

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

func TestBracketsOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"}": true, "{": true, ") ;": true, "} else {": true, "} ) , ]": true, "": true,
		"} else if x {": false, "else": false, "x": false, "} , 1": false, `""`: false, "' '": false, "``": false, "é": false, "default :": false, "} else { x": false,
	} {
		if bracketsOnly(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestHunkLines changes random lines of functions. Each changed line belongs to one hunk, and hunks
// agree with a plain comparison. All lines are different, so that only one comparison is correct.
func TestHunkLines(t *testing.T) {
	const functions, statements = 4, 12
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		var versions [2][][]string // lines of each function's body
		fresh := 0
		statement := func() string {
			fresh++
			return fmt.Sprintf("\tx = append(x, %d)", fresh)
		}
		for range functions {
			var body []string
			for range statements {
				body = append(body, statement())
			}
			changed := slices.Clone(body)
			for range random.IntN(4) {
				at := random.IntN(len(changed))
				switch random.IntN(3) {
				case 0:
					changed[at] = statement()
				case 1:
					changed = slices.Insert(changed, at, statement())
				case 2:
					changed = slices.Delete(changed, at, at+1)
				}
			}
			versions[0], versions[1] = append(versions[0], body), append(versions[1], changed)
		}
		var tables []*flow.Table
		var text [2][]string
		for side, bodies := range versions {
			lines := []string{"package p", "", "var x []int"}
			for f, body := range bodies {
				lines = append(lines, "", fmt.Sprintf("func f%d() {", f))
				for _, l := range body {
					if random.IntN(4) == 0 {
						lines = append(lines, "", "\t// a comment")
					}
					lines = append(lines, l)
				}
				lines = append(lines, "\tprintln()", "}")
			}
			text[side] = lines
			tables = append(tables, tableOf(t, "p", map[string]string{"parse.go": strings.Join(lines, "\n") + "\n"}))
		}
		hunks, inA, inB := changes(codeFiles{}, "", tables[0], tables[1], pairFunctions(sourceLines{}, tables[0], tables[1], false))
		wantA, wantB, runs := plainly(text[0], text[1])
		if len(hunks) != runs {
			t.Errorf("seed %d: %d hunks, want %d", seed, len(hunks), runs)
		}
		for side, in := range []map[string]lineSet{inA, inB} {
			got := in[tables[side].Funcs[0].File]
			if want := []map[int]bool{wantA, wantB}[side]; !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
				t.Errorf("seed %d: version %d has lines %v, want %v", seed, side, got, want)
			}
			for line, hunk := range got {
				code := strings.NewReplacer("append(x, ", "append ( x , ", ")", " )").Replace(strings.TrimSpace(text[side][line-1]))
				own := slices.Contains(strings.Split(hunks[hunk].Text, "\n"), "-+"[side:side+1]+code)
				if own != (side == 0 && !slices.Contains(text[1], text[0][line-1]) || side == 1 && !slices.Contains(text[0], text[1][line-1])) {
					t.Errorf("seed %d: %q of version %d is in the hunk %q", seed, code, side, hunks[hunk].Text)
				}
			}
		}
	}
}

// plainly compares texts whose lines of code are all different. It returns the changed lines of
// each, by number, and the number of runs. For an insertion, the preceding line of code counts in
// the other text.
func plainly(a, b []string) (inA, inB map[int]bool, runs int) {
	inA, inB = map[int]bool{}, map[int]bool{}
	code := func(l string) bool { return l != "" && !strings.HasPrefix(l, "\t//") }
	i, j, lastA, lastB := 0, 0, 0, 0
	for i < len(a) || j < len(b) {
		onlyA, onlyB := 0, 0
		for ; i < len(a) && (!code(a[i]) || a[i] != "}" && !slices.Contains(b, a[i])); i++ {
			if code(a[i]) {
				inA[i+1] = true
				onlyA++
			}
		}
		for ; j < len(b) && (!code(b[j]) || b[j] != "}" && !slices.Contains(a, b[j])); j++ {
			if code(b[j]) {
				inB[j+1] = true
				onlyB++
			}
		}
		if onlyA+onlyB > 0 {
			runs++
		}
		if onlyA == 0 && onlyB > 0 {
			inA[lastA] = true
		}
		if onlyB == 0 && onlyA > 0 {
			inB[lastB] = true
		}
		i, j = i+1, j+1
		lastA, lastB = i, j
	}
	return inA, inB, runs
}

// TestDifferences checks that the differences of two functions, with equal lines and brackets,
// convert one into the other and are minimal. They are ordered in both functions. Between two
// differences are common lines, and not only brackets. Within one, common lines are brackets only.
func TestDifferences(t *testing.T) {
	alphabet := []string{"}", "} else {", ") ;", "a", "b", "c = 1", "} else { d"}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 2))
		var sides [2][]codeLine
		for side := range sides {
			for range random.IntN(10) {
				sides[side] = append(sides[side], codeLine{number: 1 + len(sides[side]), text: alphabet[random.IntN(len(alphabet))]})
			}
		}
		list := differences(sides[0], sides[1])
		var left [2][]rest
		for side, lines := range sides {
			var text []string
			var in [][]int
			for k, d := range list {
				in = append(in, [][]int{d.inA, d.inB}[side])
				for l := range strings.Lines(d.text) {
					if l[0] == "-+"[side] {
						text = append(text, fmt.Sprint(k, l[1:len(l)-1]))
					}
				}
			}
			left[side] = without(lines, in, text)
		}
		if !slices.ContainsFunc(left[0], func(a rest) bool {
			return len(a.kept) == longest(sides[0], sides[1]) && slices.ContainsFunc(left[1], func(b rest) bool {
				return slices.Equal(a.kept, b.kept) && apart(a, b, len(list))
			})
		}) {
			t.Errorf("seed %d: %+v does not make %v of %v", seed, list, sides[1], sides[0])
		}
		for k := 1; k < len(list); k++ {
			a, b := list[k-1], list[k]
			if slices.Max(append(a.inA, 0)) > slices.Min(append(b.inA, 99)) || slices.Max(append(a.inB, 0)) > slices.Min(append(b.inB, 99)) {
				t.Errorf("seed %d: %+v and %+v are not one after the other", seed, a, b)
			}
		}
	}
}

// rest is a possible remainder of lines without those of differences.
type rest struct {
	kept []string
	at   [][]int // by difference: number of remaining lines before each of its lines
}

// apart reports whether between any two differences there is code that both functions have, and
// within each nothing but brackets.
func apart(a, b rest, differences int) bool {
	brackets := func(from, to int) bool {
		return !slices.ContainsFunc(a.kept[from:to], func(l string) bool { return !bracketsOnly(l) })
	}
	last := -1
	for k := range differences {
		at := append(slices.Clone(a.at[k]), b.at[k]...)
		from, to := slices.Min(at), slices.Max(at)
		if last > from || last >= 0 && brackets(last, from) && !slices.ContainsFunc(a.kept[last:from], closes) || !brackets(from, to) {
			return false
		}
		last = to
	}
	return true
}

// without returns the possible remainders of lines without those of differences. text has their
// numbers before their text. A neighboring line of an insertion may remain, and it is not recorded
// which lines are neighbors.
func without(lines []codeLine, in [][]int, text []string) (left []rest) {
	var try func(lines []codeLine, text []string, r rest)
	try = func(lines []codeLine, text []string, r rest) {
		if len(lines) == 0 {
			if len(text) == 0 {
				left = append(left, r)
			}
			return
		}
		l := lines[0]
		for k, numbers := range in {
			if len(text) > 0 && slices.Contains(numbers, l.number) && text[0] == fmt.Sprint(k, l.text) {
				at := slices.Clone(r.at)
				at[k] = append(slices.Clone(at[k]), len(r.kept))
				try(lines[1:], text[1:], rest{r.kept, at})
			}
		}
		try(lines[1:], text, rest{append(slices.Clone(r.kept), l.text), r.at})
	}
	try(lines, text, rest{at: make([][]int, len(in))})
	return left
}

// longest returns the length of a longest common subsequence.
func longest(a, b []codeLine) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i].text == b[j].text {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
