package triage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// versions returns two programs of two functions with eight blocks each. Blocks 0 to 15 are those
// of the first program. By default, they differ in hunks of functions that both have.
func versions(hunks ...flow.Hunk) *flow.Space {
	if len(hunks) == 0 {
		hunks = make([]flow.Hunk, 6)
	}
	space := &flow.Space{Align: func(*flow.Space) flow.Alignment { return flow.Alignment{Hunks: hunks} }}
	for p := range 2 {
		table := &flow.Table{Package: "p", Funcs: []flow.Func{{Name: "F", Count: 8}, {Name: "G", First: 8, Count: 8}}}
		for i := range 16 {
			table.Blocks = append(table.Blocks, flow.Block{ID: i, Func: i / 8})
		}
		space.Add(table, p)
	}
	return space
}

// was returns an executed changed block with its hunk and the order of execution.
func was(block, hunk, order int) changed {
	return changed{suspect: suspect{Direction: Direction{Block: block, Changed: true}, order: order}, program: block / 16, hunk: hunk}
}

// separating returns a change that separates, with a score.
func (c changed) separating(score float64) changed {
	c.separates, c.Score, c.lift = true, score, 1
	return c
}

// ran returns a ranking without a place, of a program that never left the common path.
func ran(list ...changed) ranking { return ranking{deciding: None, leaves: -1, changed: list} }

// left returns the ranking of a program that left the common path.
func (r ranking) left(order int) ranking {
	r.leaves = order
	return r
}

// decided returns the ranking of a program in which a block separates best.
func (r ranking) decided(block int) ranking {
	r.name = &Direction{Block: block, Score: 1}
	return r
}

func TestHunkOf(t *testing.T) {
	others := func(c changed, n int) changed { c.others = n; return c }
	own := func(c changed) changed { c.own = true; return c }
	parts := func(c changed) changed { c.Parts = true; return c }
	hardly := func(c changed) changed { c.lift = 0.3; return c }
	for _, test := range []struct {
		name   string
		ranked []ranking
		want   int
	}{
		{"no programs", nil, None},
		{"nothing that was changed was executed", []ranking{ran(), ran()}, None},
		{"nor does it matter what else is known", []ranking{ran().left(4).decided(1), ran().left(4).decided(17)}, None},

		{"the only one", []ranking{ran(was(1, 3, 2)), ran()}, 3},
		{"the only one, in both versions", []ranking{ran(was(1, 3, 2), was(2, 3, 4)), ran(was(17, 3, 2))}, 3},
		{"the only one, though it was executed after the parting", []ranking{ran(was(1, 3, 8)).left(2), ran().left(2)}, 3},
		{"the only one, though another function decides", []ranking{ran(was(1, 3, 2)).decided(9), ran()}, 3},
		{"the number 0", []ranking{ran(was(1, 0, 2)), ran()}, 0},

		{"the one that separates, before the last", []ranking{ran(was(1, 3, 0).separating(0.9), was(2, 4, 2)).left(2), ran()}, 3},
		{"before the one in the function that decides", []ranking{ran(was(9, 4, 0), was(1, 3, 2).separating(0.9)).decided(10), ran()}, 3},
		{"also when it was executed after the parting", []ranking{ran(was(1, 4, 0), was(2, 3, 8).separating(0.9)).left(2), ran()}, 3},
		{"the one that separates best", []ranking{ran(was(1, 4, 0).separating(0.8), was(2, 3, 2).separating(0.9)), ran(was(17, 5, 0).separating(0.85))}, 3},
		{"the one that separates best, of another program", []ranking{ran(was(1, 4, 0).separating(0.8)), ran(was(17, 3, 9).separating(0.9))}, 3},
		{"scores that differ by the last bit only are equal", []ranking{ran(was(1, 4, 2).separating(0.9+1e-12), was(2, 3, 0).separating(0.9)), ran()}, 3},
		{"a score alone does not count", []ranking{ran(changed{suspect: suspect{Direction: Direction{Score: 1}}, hunk: 4}, was(2, 3, 0).separating(0.5)), ran()}, 3},
		{"of equals, what other disagreements do least", []ranking{ran(others(own(was(1, 4, 0)), 2).separating(0.9), others(was(2, 3, 2), 1).separating(0.9)), ran()}, 3},
		{"then what is tested", []ranking{ran(was(1, 4, 0).separating(0.9), own(was(2, 3, 2)).separating(0.9)), ran()}, 3},
		{"then what was executed first", []ranking{ran(was(1, 4, 4).separating(0.9)), ran(was(17, 3, 2).separating(0.9))}, 3},
		{"then that of the first program", []ranking{ran(was(1, 3, 2).separating(0.9)), ran(was(17, 4, 2).separating(0.9))}, 3},

		{"where versions part, though what follows separates better", []ranking{ran(parts(was(1, 3, 0).separating(0.6)), was(2, 4, 2).separating(0.9)), ran()}, 3},
		{"what separates better, and was executed before they part", []ranking{ran(was(1, 3, 0).separating(0.9), parts(was(2, 4, 2).separating(0.6))), ran()}, 3},
		{"that, in each program that executed both",
			[]ranking{ran(was(1, 4, 0).separating(0.9), parts(was(2, 3, 2).separating(0.6))), ran(was(17, 3, 2).separating(0.6), was(18, 4, 4).separating(0.9))}, 3},
		{"not what another program alone executed", []ranking{ran(parts(was(2, 3, 2).separating(0.6))), ran(was(17, 4, 0).separating(0.9))}, 3},
		{"what separates better than where versions part on nearly all inputs", []ranking{ran(hardly(parts(was(1, 4, 0).separating(0.6))), was(2, 3, 2).separating(0.9)), ran()}, 3},
		{"of partings the best", []ranking{ran(parts(was(1, 4, 0).separating(0.6)), parts(was(2, 3, 2).separating(0.7))), ran()}, 3},
		{"where versions part, of equals", []ranking{ran(was(1, 4, 0).separating(0.9), parts(was(2, 3, 2).separating(0.9))), ran()}, 3},

		{"the last before the parting", []ranking{ran(was(1, 4, 0), was(2, 3, 2), was(3, 5, 6)).left(4), ran(was(17, 4, 0)).left(4)}, 3},
		{"before the one in the function that decides", []ranking{ran(was(1, 3, 2), was(9, 4, 6)).left(4).decided(10), ran()}, 3},

		{"the first in the function that decides", []ranking{ran(was(1, 4, 0), was(9, 3, 2), was(10, 5, 4)).decided(11), ran()}, 3},
		{"of the first program in whose it is", []ranking{ran(was(1, 4, 0)).decided(9), ran(was(17, 3, 2), was(25, 5, 0)).decided(18)}, 3},
		{"not in a function of that name of another program", []ranking{ran(was(1, 4, 0)), ran(was(25, 3, 2)).decided(26)}, 3},
		{"where all were executed after the parting", []ranking{ran(was(1, 4, 6), was(9, 3, 8)).left(4).decided(11), ran().left(4)}, 3},

		{"else the first", []ranking{ran(was(1, 3, 4), was(2, 4, 6)), ran(was(17, 5, 0))}, 3},
		{"where a function decides in which none is", []ranking{ran(was(1, 3, 4), was(2, 4, 6)).decided(9), ran()}, 3},
	} {
		if got, _ := hunkOf(versions(), nil, test.ranked, nil); got != test.want {
			t.Errorf("%s: hunk %d, want %d", test.name, got, test.want)
		}
	}
}

// TestCaller checks that a function of only one version is attributed to the hunk that calls it.
func TestCaller(t *testing.T) {
	hunks := []flow.Hunk{
		0:  {Function: "F", Text: "-a\n+b\n"},
		1:  {Function: "F", Text: "-x = 1\n+x = more ( 2 )\n"},
		2:  {Function: "G", Text: "-x = 1\n+more ( 2 )\n"},
		3:  {Function: "more", Whole: true, Lone: true},
		4:  {Function: "less", Whole: true, Lone: true},
		5:  {Function: "anew", Whole: true},
		6:  {Function: "(*T).Read", Whole: true, Lone: true},
		7:  {Function: "F", Text: "+t . Read ( evermore , 7 )\n"},
		8:  {Function: "Map[...]", Whole: true, Lone: true},
		9:  {Function: "F", Text: "-y\n+Map [ int ] ( y )\n"},
		10: {Function: "(*T[...]).Next", Whole: true, Lone: true},
		11: {Function: "F", Text: "+t . Next ( )\n"},
		12: {Function: "more.func1", Whole: true, Lone: true},
	}
	for _, test := range []struct {
		name string
		at   changed
		with []changed
		want int
	}{
		{"a function that both have", was(1, 0, 4), []changed{was(0, 1, 2)}, 0},
		{"one that was written anew", was(9, 5, 4), []changed{was(0, 1, 2)}, 5},
		{"the hunk that names it", was(9, 3, 4), []changed{was(0, 1, 2)}, 1},
		{"that, though another one came later", was(9, 3, 6), []changed{was(0, 1, 2), was(1, 0, 4)}, 1},
		{"the last one that names it", was(9, 3, 6), []changed{was(0, 1, 2), was(8, 2, 4)}, 2},
		{"the last one, of whichever order they are told in", was(9, 3, 6), []changed{was(8, 2, 4), was(0, 1, 2)}, 2},
		{"else the last one", was(9, 3, 6), []changed{was(0, 5, 2), was(1, 0, 4)}, 0},
		{"not what came after it", was(9, 3, 2), []changed{was(1, 0, 0), was(0, 1, 4)}, 0},
		{"nor what came after the function was entered", was(9, 3, 8), []changed{was(1, 0, 0), was(8, 3, 2), was(0, 1, 4)}, 0},
		{"nor what another program did", was(9, 3, 6), []changed{was(1, 0, 2), was(17, 1, 4)}, 0},
		{"nothing before it", was(9, 3, 2), []changed{was(0, 1, 4)}, 3},
		{"nothing else", was(9, 3, 2), nil, 3},
		{"nothing but of another program", was(9, 3, 2), []changed{was(17, 1, 0)}, 3},
		{"a function that such a function calls", was(10, 4, 6), []changed{was(0, 1, 2), was(9, 3, 4)}, 1},
		{"with nothing before them", was(10, 4, 6), []changed{was(9, 3, 4)}, 4},
		{"the first block of all", was(9, 3, 2), []changed{was(0, 0, 0)}, 0},
		{"a method", was(9, 6, 6), []changed{was(0, 7, 2), was(1, 0, 4)}, 7},
		{"a function whose name is in that of another", was(9, 3, 6), []changed{was(0, 7, 2), was(1, 0, 4)}, 0},
		{"with type parameters", was(9, 8, 6), []changed{was(0, 9, 2), was(1, 0, 4)}, 9},
		{"a method with some", was(9, 10, 6), []changed{was(0, 11, 2), was(1, 0, 4)}, 11},
		{"a closure in such a function", was(9, 12, 6), []changed{was(0, 1, 2), was(8, 3, 4)}, 1},
	} {
		space := versions(hunks...)
		for _, all := range [][]changed{append(slices.Clone(test.with), test.at), append([]changed{test.at}, test.with...)} {
			if got := caller(space, all, test.at); got != test.want {
				t.Errorf("%s: hunk %d, want %d", test.name, got, test.want)
			}
		}
		// The same holds if the hunk separates.
		r := []ranking{ran(), ran()}
		for _, c := range test.with {
			r[c.program].changed = append(r[c.program].changed, c)
		}
		r[0].changed = append(r[0].changed, test.at.separating(0.9))
		if got, _ := hunkOf(space, nil, r, nil); got != test.want {
			t.Errorf("%s: a disagreement is put down to hunk %d, want %d", test.name, got, test.want)
		}
	}
	// It also holds for the last hunk before the versions part, or in the deciding function.
	space := versions(hunks...)
	if got, _ := hunkOf(space, nil, []ranking{ran(was(0, 1, 2), was(9, 3, 4)).left(6), ran()}, nil); got != 1 {
		t.Errorf("before the parting: hunk %d", got)
	}
	if got, _ := hunkOf(space, nil, []ranking{ran(was(0, 0, 0), was(1, 1, 2), was(9, 3, 4)).decided(10), ran()}, nil); got != 1 {
		t.Errorf("in the function that decides: hunk %d", got)
	}
	// A single hunk is attributed to no other.
	if got, _ := hunkOf(space, nil, []ranking{ran(was(9, 3, 2), was(10, 3, 4)), ran()}, nil); got != 3 {
		t.Errorf("the only one: hunk %d", got)
	}
}

func TestBeforeParting(t *testing.T) {
	for _, test := range []struct {
		name   string
		ranked []ranking
		want   int
	}{
		{"no programs", nil, None},
		{"no parting", []ranking{ran(was(1, 4, 0)), ran(was(17, 5, 0))}, None},
		{"nothing before it", []ranking{ran(was(1, 4, 6)).left(4), ran(was(17, 5, 8)).left(4)}, None},
		{"nothing at all", []ranking{ran().left(4), ran().left(0)}, None},
		{"the last", []ranking{ran(was(1, 4, 0), was(2, 3, 2), was(3, 5, 6)).left(4)}, 3},
		{"the block with which it leaves", []ranking{ran(was(1, 4, 2), was(2, 3, 4)).left(4)}, 3},
		{"with the first block", []ranking{ran(was(1, 3, 0)).left(0)}, 3},
		{"of the program that executed one most lately", []ranking{ran(was(1, 4, 0)).left(4), ran(was(17, 3, 20)).left(22)}, 3},
		{"the other way round", []ranking{ran(was(1, 3, 20)).left(22), ran(was(17, 4, 0)).left(4)}, 3},
		{"of the first that did", []ranking{ran(was(1, 3, 2)).left(4), ran(was(17, 4, 8)).left(10)}, 3},
		{"not of one that never parts", []ranking{ran(was(1, 4, 4)), ran(was(17, 3, 0)).left(4)}, 3},
	} {
		got := None
		if c := beforeParting(test.ranked, nil); c != nil {
			got = c.hunk
		}
		if got != test.want {
			t.Errorf("%s: hunk %d, want %d", test.name, got, test.want)
		}
	}
}

// TestHunkOfIsExecuted checks that a disagreement is attributed to an executed hunk, the same one
// each time.
func TestHunkOfIsExecuted(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 3))
		var ranked []ranking
		var executed []int
		for p := range 2 {
			r := ran().left(random.IntN(12) - 1)
			for order := range random.IntN(4) {
				c := was(16*p+random.IntN(16), random.IntN(3), 2*order)
				if random.IntN(3) == 0 {
					c = c.separating(random.Float64())
				}
				r.changed = append(r.changed, c)
				executed = append(executed, c.hunk)
			}
			if random.IntN(2) == 0 {
				r = r.decided(16*p + random.IntN(16))
			}
			ranked = append(ranked, r)
		}
		got, sure := hunkOf(versions(), nil, ranked, nil)
		if (got == None) != (len(executed) == 0) || got != None && !slices.Contains(executed, got) {
			t.Errorf("seed %d: hunk %d of %v", seed, got, executed)
		}
		if again, also := hunkOf(versions(), nil, ranked, nil); again != got || also != sure {
			t.Errorf("seed %d: hunk %d, then %d", seed, got, again)
		}
	}
}

// TestRankedChanges checks that a ranking has the executed changed blocks in order, and the place
// where the program left the common path.
func TestRankedChanges(t *testing.T) {
	for _, test := range []struct {
		name        string
		first       []uint32 // executed blocks in order
		other       []uint32 // blocks of the other version, which are 32 higher
		unordered   bool
		agreeing    [][]uint32
		wantChanged string // blocks, hunks and order; separating ones have a mark
		wantLeaves  int
	}{
		{"nothing changed was executed", []uint32{1, 3}, []uint32{33, 35}, false, nil, "", -1},
		{"in the order of execution", []uint32{1, 4, 3, 2}, []uint32{33, 36, 35, 34}, false, [][]uint32{{1, 2, 3, 4}}, "4:1@2 2:0@6", -1},
		{"one that separates", []uint32{1, 2, 4}, []uint32{33, 34, 36}, false, [][]uint32{{1, 2}}, "2:0@2 4:1@4!", -1},
		{"one before the parting, one after it", []uint32{1, 2, 3, 4}, []uint32{33, 34, 37}, false, [][]uint32{{1, 2, 3, 4}}, "2:0@2 4:1@6", 4},
		{"the parting itself", []uint32{1, 2}, []uint32{33, 35}, false, [][]uint32{{1, 2}}, "2:0@2", 2},
		{"no order is recorded", []uint32{1, 4, 2}, []uint32{33, 37}, true, [][]uint32{{1, 2, 4}}, "2:0@2 4:1@4", -1},
	} {
		space := spaceOf(nil, nil)
		space.Align = func(*flow.Space) flow.Alignment {
			a := flow.Alignment{Changed: map[int]flow.Difference{2: {Line: 1}, 4: {Line: 2, Hunk: 1}, 9: {Line: 3, Hunk: 2}}}
			for b := range space.Len() {
				a.Numbers = append(a.Numbers, b%32)
			}
			return a
		}
		hits := slices.Sorted(slices.Values(test.first))
		base := []wire.RunResult{{Hits: hits, First: test.first}, {Hits: slices.Sorted(slices.Values(test.other)), First: test.other}}
		if test.unordered {
			base[0].First, base[1].First = nil, nil
		}
		s := spectrum{base: base[0], others: otherVisits(space, base, 0), parting: parting(space, base, 0)}
		s.add(disagrees, hits, true)
		for _, blocks := range test.agreeing {
			s.add(agrees, blocks, true)
		}
		r := s.rank(space)
		var got []string
		for _, c := range r.changed {
			mark := ""
			if c.separates {
				mark = "!"
			}
			got = append(got, fmt.Sprintf("%d:%d@%d%s", c.Block, c.hunk, c.order, mark))
		}
		if text := strings.Join(got, " "); text != test.wantChanged || r.leaves != test.wantLeaves {
			t.Errorf("%s: %q, left at %d, want %q, %d", test.name, text, r.leaves, test.wantChanged, test.wantLeaves)
		}
	}
}

// TestSureHunk checks that a hunk is sure if it is the only one, or if versions part there.
func TestSureHunk(t *testing.T) {
	space := versions()
	with := func(r ranking, best float64) ranking {
		r.name = &Direction{Block: 40, Score: best}
		return r
	}
	separating := func(score float64, parts bool) ranking {
		r := ran(was(0, 1, 2), was(9, 3, 4))
		r.changed[0].separates, r.changed[0].Score, r.changed[0].Parts = true, score, parts
		return r
	}
	mostlyAgree := func(r ranking) ranking {
		r.changed[0].With, r.changed[0].Without = 4, 37
		return r
	}
	for name, test := range map[string]struct {
		ranked []ranking
		want   bool
	}{
		"the only one":                         {[]ranking{with(ran(was(9, 3, 2), was(10, 3, 4)), 1), ran()}, true},
		"separates best":                       {[]ranking{with(separating(1, false), 1), ran()}, false},
		"separates":                            {[]ranking{with(separating(0.7, false), 1), ran()}, false},
		"of the other, better":                 {[]ranking{separating(0.7, false), with(ran(), 1)}, false},
		"where versions part":                  {[]ranking{with(separating(0.6, true), 1), ran()}, true},
		"where versions part and mostly agree": {[]ranking{mostlyAgree(separating(0.6, true)), ran()}, false},
		"the same, and it is the only one":     {[]ranking{mostlyAgree(ran(was(0, 1, 2))), ran()}, true},
		"the last before the parting":          {[]ranking{ran(was(0, 1, 2), was(9, 3, 4)).left(6), ran()}, false},
		"none":                                 {[]ranking{ran(), ran()}, false},
	} {
		if _, sure := hunkOf(space, nil, test.ranked, nil); sure != test.want {
			t.Errorf("%s: %v", name, sure)
		}
	}
}

// TestMadeElsewhere checks which hunk counts if versions part at one on which they mostly agree. It
// is a hunk in the called function whose result differs.
func TestMadeElsewhere(t *testing.T) {
	for _, test := range []struct{ without, want int }{{3, 1}, {37, 3}} {
		c := was(0, 1, 2).separating(0.6)
		c.Parts, c.With, c.Without = true, 4, test.without
		makes := func(hunk int) int { return map[int]int{3: 1}[hunk] }
		if got, sure := hunkOf(versions(), nil, []ranking{ran(c, was(9, 3, 4)), ran()}, makes); got != test.want || sure != (got == 1) {
			t.Errorf("%d agree: hunk %d, sure %v", test.without, got, sure)
		}
	}
}

// TestSmallerShowsTheSameChange checks that a smaller input shows the attributed change, and none
// that the input does not execute. A value that differs for another reason is another finding.
func TestSmallerShowsTheSameChange(t *testing.T) {
	space := versions()
	space.Align = func(*flow.Space) flow.Alignment {
		return flow.Alignment{Related: [][2][]int{{{0}, {1}}}, Hunks: make([]flow.Hunk, 3), Changed: map[int]flow.Difference{2: {Hunk: 0}, 18: {Hunk: 0}, 5: {Hunk: 1}, 9: {Hunk: 2}, 25: {Hunk: 2}}}
	}
	j := &Triager{Layers: oracle.ValueLayer | oracle.VerdictLayer, Space: space}
	accepted := uint64(oracle.Accepted)
	values := func(hits ...uint32) []wire.RunResult {
		var other []uint32
		for _, id := range hits {
			other = append(other, id+16)
		}
		return []wire.RunResult{{Outcome: accepted, Value: 1, Hits: hits}, {Outcome: accepted, Value: 2, Hits: other}}
	}
	at := func(hunk int, executed ...int) *Located {
		l := &Located{Hunk: hunk, Deciding: []int{None, None}, executed: map[int]bool{}}
		for _, h := range executed {
			l.executed[h] = true
		}
		return l
	}
	base := values(0, 2, 5)
	for _, test := range []struct {
		name string
		at   *Located
		got  []wire.RunResult
		want bool
	}{
		{"the same", at(0, 0, 1), values(0, 2, 5), true},
		{"less, with the hunk", at(0, 0, 1), values(2), true},
		{"the hunk in the old version alone", at(0, 0, 1), []wire.RunResult{{Outcome: accepted, Value: 1, Hits: []uint32{0}}, {Outcome: accepted, Value: 2, Hits: []uint32{18}}}, true},
		{"not the hunk", at(0, 0, 1), values(0, 5), false},
		{"the hunk, and one that the input does not execute", at(0, 0, 1), values(2, 9), false},
		{"that one in the old version alone", at(0, 0, 1), []wire.RunResult{{Outcome: accepted, Value: 1, Hits: []uint32{2}}, {Outcome: accepted, Value: 2, Hits: []uint32{18, 25}}}, false},
		{"the other hunk is the one", at(1, 0, 1), values(5), true},
		{"no hunk is known", at(None, 2), values(9), true},
		{"no hunk is known, and one that the input does not execute", at(None, 2), values(2, 9), false},
	} {
		if got := j.cause(base, oracle.ValueLayer, nil).forMinimizing(test.at).shown(test.got); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestLead checks that the line of the only possible change is shown first.
func TestLead(t *testing.T) {
	space := versions()
	space.Align = func(*flow.Space) flow.Alignment {
		return flow.Alignment{Hunks: make([]flow.Hunk, 2), Changed: map[int]flow.Difference{2: {Hunk: 0}, 3: {Hunk: 0}, 5: {Hunk: 1}}}
	}
	places := func(blocks ...int) (list []Direction) {
		for _, b := range blocks {
			list = append(list, Direction{Block: b})
		}
		return list
	}
	for _, test := range []struct {
		name         string
		places, want []Direction
		changed      []changed
	}{
		{"it is told first", places(2, 1), places(2, 1), []changed{was(2, 0, 4)}},
		{"it is told later", places(1, 5, 3, 4), places(3, 1, 5, 4), []changed{was(2, 0, 4), was(3, 0, 6), was(5, 1, 8)}},
		{"the hunk is unknown", places(1, 4), []Direction{{Block: 2, Changed: true}, {Block: 1}, {Block: 4}}, []changed{was(5, 1, 2), was(2, 0, 4), was(3, 0, 6)}},
		{"nor is there room", places(1, 4, 6, 7, 8), []Direction{{Block: 2, Changed: true}, {Block: 1}, {Block: 4}, {Block: 6}, {Block: 7}}, []changed{was(2, 0, 4)}},
		{"this program did not execute it", places(1, 4), places(1, 4), []changed{was(5, 1, 2)}},
		{"what was not executed is not it", []Direction{{Block: 1}, {Block: 2, Absent: true}}, []Direction{{Block: 1}, {Block: 2, Absent: true}}, nil},
	} {
		if got := lead(space, slices.Clone(test.places), test.changed, 0); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestCrashInTheChange checks that a crash in changed code is one bucket for all callers.
// Elsewhere, callers separate causes.
func TestCrashInTheChange(t *testing.T) {
	space := versions()
	space.Align = func(*flow.Space) flow.Alignment {
		return flow.Alignment{Hunks: make([]flow.Hunk, 1), Changed: map[int]flow.Difference{2: {Line: 3}}}
	}
	for i := range 16 {
		_, b := space.Block(i)
		b.Line, b.EndLine = i+1, i+1
	}
	s := &Replayer{Space: space}
	at := func(program, line int, caller string) string {
		return s.key(program, oracle.Crash{Kind: oracle.KindCrash, Class: "index out of range", Frames: []oracle.Frame{{Func: "p.F", Line: line}, {Func: caller, Line: 1}}})
	}
	if at(0, 3, "p.G") != at(0, 3, "p.H") {
		t.Error("two buckets of a crash in a line that was changed")
	}
	if at(0, 5, "p.G") == at(0, 5, "p.H") || at(1, 3, "p.G") == at(1, 3, "p.H") {
		t.Error("one bucket of crashes with two callers, in a line that is the same in both versions")
	}
}

// TestFailureOfOneVersion checks that minimizing a failure of one version does not make it a
// failure of both.
func TestFailureOfOneVersion(t *testing.T) {
	failed, passed := wire.RunResult{Outcome: uint64(oracle.Crashed), Failure: true}, wire.RunResult{Outcome: uint64(oracle.Accepted)}
	type results = []wire.RunResult
	j := &Triager{Names: []string{"new", "old"}, Versions: true}
	one, both := &Result{Kind: oracle.KindFailure, Raw: results{failed, passed}}, &Result{Kind: oracle.KindFailure, Raw: results{failed, failed}}
	if j.crashBucket(one, "place", one.Raw) == j.crashBucket(both, "place", both.Raw) {
		t.Error("one bucket of what one version fails in and what both do")
	}
	if !j.sameOther(one, results{failed, passed}) || j.sameOther(one, results{failed, failed}) || !j.sameOther(both, results{failed, failed}) || j.sameOther(both, results{failed, passed}) {
		t.Error("a failure of one version becomes one of both, or the reverse")
	}
	j.Versions = false
	if j.crashBucket(one, "place", one.Raw) != j.crashBucket(both, "place", both.Raw) || !j.sameOther(one, results{failed, failed}) {
		t.Error("the other program counts where programs are no versions")
	}
}

// TestDeclaredCalls checks the changes that call functions of only one version. Unexecuted code is
// one, a constant or a tag is not. A method that a type gained is the same change as that of the
// type's methods, and two such methods are two.
func TestDeclaredCalls(t *testing.T) {
	space := versions(
		flow.Hunk{Function: "T", Declared: "1", Text: "+method T.String\n+method T.Text\n"},
		flow.Hunk{Function: "T.String", Whole: true, Lone: true},
		flow.Hunk{Function: "T.Text", Whole: true, Lone: true},
		flow.Hunk{Function: "U", Declared: "2", Text: "-field A\n+field B\n"},
		flow.Hunk{Function: "N", Declared: "3", Fixed: true},
		flow.Hunk{Function: "F", Text: "+x = T . String ( )\n"},
	)
	for _, test := range []struct {
		name   string
		ranked []ranking
		want   int
		sure   bool
	}{
		{"a method that is asked for", []ranking{ran(was(0, 0, 0), was(9, 1, 2)), ran(was(16, 0, 0))}, 1, true},
		{"another one of that type", []ranking{ran(was(0, 0, 0), was(9, 2, 2)), ran(was(16, 0, 0))}, 2, true},
		{"one that is gone", []ranking{ran(was(0, 0, 0)), ran(was(16, 0, 0), was(25, 1, 2))}, 1, true},
		{"one whose absence is asked for", []ranking{ran(was(0, 0, 0)), ran(was(16, 0, 0))}, 0, true},
		{"behind another change", []ranking{ran(was(1, 3, 0), was(0, 0, 2), was(9, 1, 4).separating(1)), ran(was(17, 3, 0), was(16, 0, 2))}, 1, false},
		{"one that is called", []ranking{ran(was(2, 5, 0), was(0, 0, 2), was(9, 1, 4).separating(1)), ran()}, 5, false},
		{"of another type that is embedded", []ranking{ran(was(1, 3, 0), was(9, 1, 2).separating(1)), ran(was(17, 3, 0))}, 3, false},
		{"behind a constant", []ranking{ran(was(1, 4, 0), was(9, 1, 2).separating(1)), ran(was(17, 4, 0))}, 1, false},
	} {
		if got, sure := hunkOf(space, nil, test.ranked, nil); got != test.want || sure != test.sure {
			t.Errorf("%s: hunk %d, sure %v, want %d, %v", test.name, got, sure, test.want, test.sure)
		}
	}
}

// TestWithoutConditions checks that a changed condition counts only if versions leave it in
// different ways, or one version in both.
func TestWithoutConditions(t *testing.T) {
	table := func() *flow.Table {
		table := &flow.Table{Package: "p", Funcs: []flow.Func{{Name: "F", Count: 8}}}
		for i := range 8 {
			table.Blocks = append(table.Blocks, flow.Block{ID: i})
		}
		table.Blocks[0].Succs = []int{1, 2}
		return table
	}
	space := &flow.Space{Align: func(*flow.Space) flow.Alignment {
		a := flow.Alignment{Hunks: []flow.Hunk{{Text: "-if a {\n+if b {\n"}, {Text: "-x = 1\n+x = 2\n"}}}
		for b := range 16 {
			a.Numbers = append(a.Numbers, b%8)
		}
		return a
	}}
	for p := range 2 {
		space.Add(table(), p)
	}
	at := func(block, hunk int) changed {
		return changed{suspect: suspect{Direction: Direction{Block: block}}, program: block / 8, hunk: hunk}
	}
	every := []changed{at(0, 0), at(2, 1), at(8, 0), at(10, 1)}
	for _, test := range []struct {
		name     string
		old, new []uint32
		want     int
	}{
		{"the same way", []uint32{0, 2}, []uint32{8, 10}, 2},
		{"two ways", []uint32{0, 1}, []uint32{8, 10}, 4},
		{"one version in both", []uint32{0, 1, 2}, []uint32{8, 10}, 4},
	} {
		base := []wire.RunResult{{Hits: test.old}, {Hits: test.new}}
		if got := withoutConditions(space, base, every); len(got) != test.want {
			t.Errorf("%s: %d changes, want %d", test.name, len(got), test.want)
		}
	}
	if got := withoutConditions(space, make([]wire.RunResult, 2), every[:2]); len(got) != 2 {
		t.Error("only one version executed the condition, and it does not count")
	}
}

// TestWithoutConsequences checks that a change in a function that only one version entered does not
// count. The versions parted before, and the function separates as well as the cause.
func TestWithoutConsequences(t *testing.T) {
	space := versions() // blocks 8 to 15 of each program are of G
	cause, consequence := []changed{was(1, 0, 2).separating(1), was(17, 0, 2).separating(1)}, was(24, 1, 8).separating(1)
	one := func(c changed, others int) changed { c.others = others; return c }
	every := []changed{one(cause[0], 9), one(cause[1], 9), one(consequence, 3)}
	for _, test := range []struct {
		name       string
		first, all []uint32
		every      []changed
		hunk       int
	}{
		{"only one entered it", []uint32{0, 1}, []uint32{16, 17, 24}, every, 0},
		{"both did", []uint32{0, 1, 9}, []uint32{16, 17, 24}, every, 1},
		{"it is all that separates", []uint32{0, 1}, []uint32{16, 17, 24}, []changed{was(1, 0, 2), was(17, 0, 2), consequence}, 1},
		{"there is no other", []uint32{0, 1}, []uint32{16, 17, 24}, []changed{consequence}, 1},
		{"nothing is known of the other", nil, []uint32{16, 17, 24}, every, 1},
	} {
		base := []wire.RunResult{{Hits: test.first}, {Hits: test.all}}
		ranked := make([]ranking, 2)
		for _, c := range test.every {
			ranked[c.program].changed = append(ranked[c.program].changed, c)
		}
		if hunk, _ := hunkOf(space, base, ranked, nil); hunk != test.hunk {
			t.Errorf("%s: hunk %d, want %d", test.name, hunk, test.hunk)
		}
	}
}

// TestWithoutOthers checks that a program's first place is not of another hunk than the attributed
// one.
func TestWithoutOthers(t *testing.T) {
	space := &flow.Space{Align: func(*flow.Space) flow.Alignment {
		return flow.Alignment{Hunks: make([]flow.Hunk, 2), Changed: map[int]flow.Difference{1: {Hunk: 0}, 2: {Hunk: 1}}}
	}}
	space.Add(&flow.Table{Package: "p", Funcs: []flow.Func{{Name: "F", Count: 8}}, Blocks: make([]flow.Block, 8)}, 0)
	own, other, plain := Direction{Block: 1, Changed: true}, Direction{Block: 2, Changed: true}, Direction{Block: 3}
	for _, test := range []struct {
		name     string
		in, want []Direction
		hunk     int
	}{
		{"its own", []Direction{own, other}, []Direction{own, other}, 0},
		{"another first", []Direction{other, plain, own}, []Direction{plain, own}, 0},
		{"only others", []Direction{other}, nil, 0},
		{"not attributed", []Direction{other, plain}, []Direction{other, plain}, None},
	} {
		if got := withoutOthers(space, test.in, test.hunk); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
