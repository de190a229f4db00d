package flow

import (
	"slices"
	"strings"
	"testing"

	"parallax/internal/oracle"
)

// space returns a function of a Go package and one of a C program.
func space() *Space {
	s := &Space{}
	s.Add(&Table{
		Package: "example.com/gopkg.in", Funcs: []Func{{Name: "F", Line: 10, Count: 4}, {Name: "must", Line: 30, First: 4, Count: 1}},
		Blocks: []Block{
			{ID: 0, Succs: []int{1, 2}}, {ID: 1, File: "f.go", Line: 12, Cond: 11, Succs: []int{3}}, {ID: 2, File: "f.go", Line: 14, Cond: 11}, {ID: 3}, {ID: 4, Func: 1},
		},
	}, 0, 1)
	s.Add(&Table{Package: "tool", Funcs: []Func{{Name: "parse", Symbol: "parse", Line: 3, Count: 5}}, Blocks: make([]Block, 5)}, 1)
	return s
}

// TestSpaceBlocks checks that ids count through all tables, and that a block's properties come from
// its own table.
func TestSpaceBlocks(t *testing.T) {
	s := space()
	if s.Len() != 10 {
		t.Errorf("%d blocks", s.Len())
	}
	for id, want := range map[int]string{0: "example.com/gopkg.in.F#0", 3: "example.com/gopkg.in.F#3", 4: "example.com/gopkg.in.must#0", 5: "tool.parse#0", 9: "tool.parse#4", 10: "", None: ""} {
		if got := s.Place(id); got != want {
			t.Errorf("block %d is %q, want %q", id, got, want)
		}
	}
	if s.Location(1) != "f.go:12" || s.At(1) != "f.go:11" || s.Location(None) != "" {
		t.Errorf("block 1 is at %q, on the branch at %q; none is at %q", s.Location(1), s.At(1), s.Location(None))
	}
	if s.Branch(2) != 1 || s.Branch(1) != 1 || s.Branch(3) != 3 || s.Branch(7) != 7 {
		t.Errorf("branches of 1, 2, 3, 7: %d, %d, %d, %d", s.Branch(1), s.Branch(2), s.Branch(3), s.Branch(7))
	}
	if !slices.Equal(s.Succs(0), []int{1, 2}) || len(s.Succs(9)) > 0 {
		t.Errorf("what follows on 0: %v, on 9: %v", s.Succs(0), s.Succs(9))
	}
}

func TestSpaceCovered(t *testing.T) {
	s := space()
	hits := []byte{1, 0, 0, 2, 0, 0, 4, 0, 0, 0}
	for program, want := range [][2]int{{5, 2}, {10, 3}, {0, 0}} {
		if blocks, covered := s.Covered(program, hits); blocks != want[0] || covered != want[1] {
			t.Errorf("program %d: %d of %d, want %v", program, covered, blocks, want)
		}
	}
}

// TestSpaceFunctions checks names on stacks: functions of Go have their package with escaped dots
// in the last element, those of C have none.
func TestSpaceFunctions(t *testing.T) {
	s := space()
	for _, test := range []struct {
		function string
		line     int
		known    bool
		helper   bool
	}{
		{"example.com/gopkg%2ein.F", 2, true, true}, {"example.com/gopkg.in.must", -18, true, true}, {"F", 0, false, false},
		{"parse", 9, true, false}, {"tool.parse", 9, true, false},
	} {
		line, ok := s.Line(0, oracle.Frame{Func: test.function, Line: 12})
		if ok != test.known || ok && line != test.line || s.Helper(0, test.function) != test.helper {
			t.Errorf("%s: line %d, %v, helper %v", test.function, line, ok, s.Helper(0, test.function))
		}
	}
}

// TestCrashLines checks the lines that identify a crash. Callers have one each if a helper or a
// dependency reports the failure.
func TestCrashLines(t *testing.T) {
	s := &Space{Tested: func(f string) bool { return strings.HasPrefix(f, "m.") }, Depends: func(f string) bool { return strings.HasPrefix(f, "dep.") }}
	for _, name := range []string{"m", "dep"} {
		s.Add(&Table{Package: name, Funcs: []Func{{Name: "F", Line: 10, Count: 9}, {Name: "must", Line: 40, First: 9, Count: 1}}, Blocks: make([]Block, 10)}, 0)
	}
	const index, refused, overflow = "runtime error: index out of range [5]", "negative", "fatal error: stack overflow"
	for _, test := range []struct {
		kind, message string
		frames        []oracle.Frame
		want          string
	}{
		{oracle.KindCrash, index, []oracle.Frame{{Func: "strings.Map", Line: 1}, {Func: "dep.F", Line: 12}, {Func: "dep.F", Line: 14}, {Func: "m.F", Line: 11}}, " +2"},
		{oracle.KindCrash, refused, []oracle.Frame{{Func: "dep.F", Line: 12}, {Func: "dep.F", Line: 14}, {Func: "m.must", Line: 41}, {Func: "m.F", Line: 11}}, " +2 +1"},
		{oracle.KindCrash, refused, []oracle.Frame{{Func: "dep.must", Line: 42}, {Func: "dep.F", Line: 14}, {Func: "m.F", Line: 11}}, " +2 +4 +1"},
		{oracle.KindCrash, refused, []oracle.Frame{{Func: "m.must", Line: 42}, {Func: "m.F", Line: 14}, {Func: "m.F", Line: 11}}, " +2 +4"},
		{oracle.KindFailure, refused, []oracle.Frame{{Func: "dep.F", Line: 12}, {Func: "m.F", Line: 11}}, " +1"},
		{oracle.KindCrash, overflow, []oracle.Frame{{Func: "dep.F", Line: 12}, {Func: "m.F", Line: 11}}, ""},
		{oracle.KindTimeout, "", []oracle.Frame{{Func: "dep.F", Line: 12}, {Func: "m.F", Line: 11}}, ""},
	} {
		c := oracle.Crash{Kind: test.kind, Message: test.message, Frames: test.frames}
		if got := s.Lines(0, c); got != test.want {
			t.Errorf("%s, %s, %v: %q, want %q", test.kind, test.message, test.frames, got, test.want)
		}
	}
}

// TestFrameLines checks lines in functions whose names the compiler made. They count from the
// top-level function around them, in the same package and file.
func TestFrameLines(t *testing.T) {
	s := &Space{}
	s.Add(&Table{Package: "m/p", Funcs: []Func{
		{Name: "F", File: "p/f.go", Line: 10}, {Name: "F.func1", File: "p/f.go", Line: 14}, {Name: "G", File: "p/f.go", Line: 30}, {Name: "H", File: "p/h.go", Line: 12},
	}}, 0)
	for _, test := range []struct {
		frame oracle.Frame
		line  int
		known bool
	}{
		{oracle.Frame{Func: "m/p.F.func1", File: "p/f.go", Line: 16}, 2, true},
		{oracle.Frame{Func: "m/p.F-range1", File: "p/f.go", Line: 16}, 6, true},
		{oracle.Frame{Func: "m/p.F-range1", File: "/elsewhere/p/f.go", Line: 17}, 7, true},
		{oracle.Frame{Func: "m/p.G.F.func2", File: "p/f.go", Line: 20}, 10, true},
		{oracle.Frame{Func: "m/p.G.F.func2", File: "p/f.go", Line: 30}, 0, true},
		{oracle.Frame{Func: "m/p.F-range1", File: "p/f.go", Line: 9}, 0, false},
		{oracle.Frame{Func: "m/p.F.SplitSeq.func1", File: "strings/iter.go", Line: 54}, 0, false},
		{oracle.Frame{Func: "m/q.F-range1", File: "p/f.go", Line: 16}, 0, false},
	} {
		if line, ok := s.Line(0, test.frame); ok != test.known || ok && line != test.line {
			t.Errorf("%+v: line %d, %v", test.frame, line, ok)
		}
	}
}

// TestSpaceAligns checks that versions are aligned once, on first use.
func TestSpaceAligns(t *testing.T) {
	s, asked := space(), 0
	s.Align = func(of *Space) Alignment {
		asked++
		return Alignment{Numbers: []int{0, 1, 2, 3, 0, 1, 6, 7, 8, 9}, Changed: map[int]Difference{1: {Line: 13}}}
	}
	s.Place(1)
	if asked != 0 {
		t.Error("versions are aligned before anybody asks")
	}
	if s.Counterpart(5) != 1 || s.Counterpart(9) != 9 || s.Change(1) != "f.go:13" || s.Change(2) != "" || asked != 1 {
		t.Errorf("counterparts %d, %d; changes %q, %q; aligned %d times", s.Counterpart(5), s.Counterpart(9), s.Change(1), s.Change(2), asked)
	}
}

// TestAllVersions checks that programs are versions of one if their own packages are, directly or
// through others.
func TestAllVersions(t *testing.T) {
	pair := func(a, b []int) [2][]int { return [2][]int{a, b} }
	for _, test := range []struct {
		name     string
		programs int
		related  [][2][]int
		want     bool
	}{
		{"nothing is related", 2, nil, false},
		{"two versions", 2, [][2][]int{pair([]int{0}, []int{1})}, true},
		{"three, all related", 3, [][2][]int{pair([]int{0}, []int{1}), pair([]int{0}, []int{2}), pair([]int{1}, []int{2})}, true},
		{"three, one through another", 3, [][2][]int{pair([]int{1}, []int{2}), pair([]int{0}, []int{1})}, true},
		{"four, through each other, backwards", 4, [][2][]int{pair([]int{3}, []int{2}), pair([]int{2}, []int{1}), pair([]int{1}, []int{0})}, true},
		{"two of three", 3, [][2][]int{pair([]int{0}, []int{1})}, false},
		{"the other two of three", 3, [][2][]int{pair([]int{1}, []int{2})}, false},
		{"two and two", 4, [][2][]int{pair([]int{0}, []int{1}), pair([]int{2}, []int{3})}, false},
		{"one version that two programs run", 3, [][2][]int{pair([]int{0, 1}, []int{2})}, true},
		{"versions that both run", 2, [][2][]int{pair([]int{0, 1}, []int{0, 1})}, false},
		{"a version that both run, beside one of their own", 2, [][2][]int{pair([]int{0, 1}, []int{1})}, false},
		{"that, and versions of their own", 2, [][2][]int{pair([]int{0, 1}, []int{1}), pair([]int{0}, []int{1})}, true},
		{"a package that one runs in two versions", 2, [][2][]int{pair([]int{1}, []int{1})}, false},
		{"nobody runs it", 2, [][2][]int{pair(nil, []int{0, 1})}, false},
		{"one program", 1, nil, false},
		{"none", 0, nil, false},
	} {
		s := space()
		s.Align = func(*Space) Alignment { return Alignment{Related: test.related} }
		if got := s.AllVersions(test.programs); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		// The order of two packages, and of pairs of them, does not matter.
		turned := &Space{Align: func(*Space) (a Alignment) {
			for _, r := range slices.Backward(test.related) {
				a.Related = append(a.Related, pair(r[1], r[0]))
			}
			return a
		}}
		if got := turned.AllVersions(test.programs); got != test.want {
			t.Errorf("%s, turned round: %v", test.name, got)
		}
	}
	if space().AllVersions(2) {
		t.Error("nothing is aligned, and programs are versions")
	}
}

func TestSameFunction(t *testing.T) {
	s := space()
	s.Add(&Table{Package: "tool", Funcs: []Func{{Name: "parse", Symbol: "parse", Line: 3, Count: 5}}, Blocks: make([]Block, 5)}, 0)
	function := []int{0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3} // of each block
	for a := -1; a <= s.Len(); a++ {
		for b := -1; b <= s.Len(); b++ {
			known := a >= 0 && b >= 0 && a < s.Len() && b < s.Len()
			if got := s.SameFunction(a, b); got != (known && function[a] == function[b]) {
				t.Errorf("blocks %d and %d: %v", a, b, got)
			}
		}
	}
}

// TestSpaceHunks checks that a hunk is named by its function and its lines, and found by its
// blocks.
func TestSpaceHunks(t *testing.T) {
	s := space()
	s.Align = func(*Space) Alignment {
		return Alignment{
			Changed: map[int]Difference{1: {Line: 13, Hunk: 1}, 2: {Line: 14}},
			Hunks:   []Hunk{{Function: "F", Text: "-a\n+b\n"}, {Function: "must", Whole: true}},
		}
	}
	for id, want := range map[int]int{1: 1, 2: 0} {
		if hunk, ok := s.Hunk(id); !ok || hunk != want {
			t.Errorf("block %d is in hunk %d, %v", id, hunk, ok)
		}
	}
	for _, id := range []int{None, 0, 3, 99} {
		if _, ok := s.Hunk(id); ok {
			t.Errorf("block %d is in a hunk", id)
		}
	}
	if s.HunkName(0) != "F\n-a\n+b\n" || s.HunkName(1) != "must\n" {
		t.Errorf("hunks %q and %q", s.HunkName(0), s.HunkName(1))
	}
}

// TestSpaceOfVersions checks that a function of two versions has a place in each, and changed lines
// of each.
func TestSpaceOfVersions(t *testing.T) {
	s := &Space{}
	for p, line := range []int{10, 40} {
		s.Add(&Table{
			Package: "m", Funcs: []Func{{Name: "F", Line: line, Count: 2}, {Name: "G", Line: line + 20, First: 2, Count: 1}},
			Blocks: []Block{{Line: line, EndLine: line + 2}, {ID: 1, Line: line + 3, EndLine: line + 6}, {ID: 2, Func: 1, Line: line + 20, EndLine: line + 29}},
		}, p)
	}
	s.Align = func(*Space) Alignment {
		return Alignment{Changed: map[int]Difference{1: {Line: 14}, 4: {Line: 44}, 5: {Line: 61, Hunk: 1}}, Hunks: []Hunk{{}, {Whole: true}}}
	}
	if s.Begins("m.G") != 30 || s.Begins("m.H") != 0 || (*Space)(nil).Begins("m.F") != 0 {
		t.Error("a function begins elsewhere")
	}
	for _, test := range []struct {
		program  int
		function string
		line     int
		want     int
		changed  bool
	}{
		{0, "m.F", 11, 1, false}, {0, "m.F", 13, 3, false}, {0, "m.F", 14, 4, true}, {0, "m.F", 16, 6, true}, {0, "m.F", 17, 7, false},
		{1, "m.F", 44, 4, true}, {1, "m.F", 41, 1, false}, {0, "m.G", 35, 5, false}, {1, "m.G", 60, 0, true}, {1, "m.G", 65, 5, true},
	} {
		line, _ := s.Line(test.program, oracle.Frame{Func: test.function, Line: test.line})
		if got := s.ChangedAt(test.program, test.function, test.line); line != test.want || got != test.changed {
			t.Errorf("%s:%d of program %d is line %d, changed %v", test.function, test.line, test.program, line, got)
		}
	}
}

// TestNoSpace checks that a nil space is empty, and that all functions are tested in it.
func TestNoSpace(t *testing.T) {
	var s *Space
	_, ok := s.Line(0, oracle.Frame{Func: "F", Line: 1})
	if _, hunk := s.Hunk(1); hunk || s.AllVersions(2) || s.SameFunction(1, 1) || s.ChangedAt(0, "F", 1) {
		t.Error("something is known of versions of no space")
	}
	if s.Len() != 0 || s.Place(1) != "" || s.At(1) != "" || s.Branch(1) != 1 || s.Counterpart(1) != 1 || s.Change(1) != "" || s.Succs(1) != nil || !s.Own("F") || !s.OwnBlock(1) || ok {
		t.Error("something is known of no space")
	}
}

// TestTestsCountForNoCoverage checks that blocks of test files count for a program without other
// blocks only.
func TestTestsCountForNoCoverage(t *testing.T) {
	s := &Space{}
	code, test := Block{File: "/m/f.go"}, Block{File: "/m/f_test.go"}
	s.Add(&Table{Package: "m", Blocks: []Block{code, code, code, test, test}}, 0)
	s.Add(&Table{Package: "m_test", Blocks: []Block{test, test}}, 0, 1)
	hits := []byte{1, 0, 1, 1, 1, 1, 0}
	for program, want := range [][2]int{{3, 2}, {2, 1}} {
		if blocks, covered := s.Covered(program, hits); blocks != want[0] || covered != want[1] {
			t.Errorf("program %d: %d of %d, want %v", program, covered, blocks, want)
		}
	}

	// A small package with tests does not only wrap the library that it calls.
	s = &Space{Tested: func(function string) bool { return strings.HasPrefix(function, "m.") }}
	s.Add(&Table{Package: "m", Funcs: []Func{{Name: "F"}}, Blocks: append(slices.Repeat([]Block{code}, 4), slices.Repeat([]Block{test}, wrapperBlocks-4)...)}, 0)
	s.Add(&Table{Package: "library", Funcs: []Func{{Name: "F"}}, Blocks: slices.Repeat([]Block{code}, 100)}, 0)
	if blocks, covered := s.CoveredOwn(0, make([]byte, s.Len())); blocks != 4 || covered != 0 {
		t.Errorf("%d of %d", covered, blocks)
	}
}

// TestCoveredOwn checks which blocks count for two implementations in one test binary. They are
// those of the module, or of the dependency that one executes instead.
func TestCoveredOwn(t *testing.T) {
	in := func(path string) func(string) bool {
		return func(function string) bool { return strings.HasPrefix(function, path+".") }
	}
	s := &Space{Tested: in("m"), Depends: in("dep")}
	for _, table := range []struct {
		path   string
		blocks int
	}{{"m", 20}, {"dep", 30}, {"strconv", 40}} {
		s.Add(&Table{Package: table.path, Funcs: []Func{{Name: "F"}}, Blocks: slices.Repeat([]Block{{File: "/f.go"}}, table.blocks)}, 0, 1)
	}
	hits := func(at ...int) []byte {
		b := make([]byte, s.Len())
		for _, i := range at {
			b[i] = 1
		}
		return b
	}
	for _, test := range []struct {
		hits            []byte
		blocks, covered int
	}{
		{hits(0, 1, 50), 20, 2}, {hits(0, 20, 21, 22), 20, 1}, {hits(20, 21, 50), 30, 2}, {hits(50), 20, 0}, {hits(), 20, 0},
	} {
		if blocks, covered := s.CoveredOwn(1, test.hits); blocks != test.blocks || covered != test.covered {
			t.Errorf("%d of %d, want %d of %d", covered, blocks, test.covered, test.blocks)
		}
	}
}

// TestCondition checks which hunks change the condition of an if statement and nothing else.
func TestCondition(t *testing.T) {
	for _, test := range []struct {
		hunk Hunk
		want bool
	}{
		{Hunk{Text: "-if d < time . Second {\n+if d <= 0 {\n"}, true},
		{Hunk{Text: "-if len ( s ) > 3 {\n+if len ( s ) > 4 {\n"}, true},
		{Hunk{Text: "-if f ( s ) {\n+if s == \"\" {\n"}, false},
		{Hunk{Text: "-if n := 3 ; n > x {\n+if x < 4 {\n"}, false},
		{Hunk{Text: "-for i < n {\n+for i <= n {\n"}, false},
		{Hunk{Text: "-if a {\n+if b {\n+x = 3\n"}, false},
		{Hunk{Text: "+if b {\n"}, false},
		{Hunk{Text: "-if a {\n+if b {\n", Whole: true}, false},
		{Hunk{}, false},
	} {
		if got := test.hunk.Condition(); got != test.want {
			t.Errorf("%q: %v", test.hunk.Text, got)
		}
	}
}
