package feature

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// structure returns the first cell, which distinguishes texts.
func structure(accepted bool, text, input string) uint16 {
	return AppendCells(nil, accepted, []byte(text), []byte(input))[0]
}

func TestStructures(t *testing.T) {
	tests := []struct {
		accepted bool
		texts    []string // "output" or "output < input"
		same     bool
	}{
		{true, []string{`{"a":1,"b":2}`, `{"a": 7, "b": 12}`}, true},
		{true, []string{`{"a":1,"b":2}`, `{"a":1,"b":-2}`, `{"a":1,"b":2.5}`, `{"a":1,"b":null}`, `{"a":1,"b":true}`, `{"a":1,"b":"x"}`, `{"a":1,"b":""}`}, false},
		{true, []string{`{"a":1}`, `{"c":1}`}, false},                     // the program's own names count
		{true, []string{`{"xx":1} < xx=1`, `{"yy":1} < yy=1`}, true},      // names from the input are data
		{true, []string{`{"k":"xx"} < xx`, `{"k":"yy"} < xx`}, false},     // a string from the input, and another
		{true, []string{`[1,2,3,4]`, `[1,2,3]`, `[1,2,3,4,5,6,7]`}, true}, // repetitions count once
		{true, []string{`[[1],[2]]`, `[[1],[2],[3],[4]]`}, true},          // also of several tokens
		{true, []string{`[1,"xxxxxx"]`, `["xxxxxx",1]`, `[[1]]`}, false},  // order and nesting
		{true, []string{`{"a":1`, `{"a":1}`, `{"a":1}}`}, false},          // text that is not JSON differs
		{true, []string{`true`, `false`, `null`, `-1`, `0`, `1`}, false},  // short outputs are their own structure
		{true, []string{`abc < abc`, `xy < xy`}, true},                    // an echo
		{true, []string{`some words`, `more words`}, true},                // the program's own words
		{true, []string{`abcdefg < abcdefg`, `ABCDEFG < abcdefg`}, false}, // not an echo
		{true, []string{`a.b.c.d.e.f < a.b.c.d.e.f`, `a.b < a.b..`}, true},
		{true, []string{`a/b < a/b`, `a:b < a:b`, `a%b < a%b`}, false},
		{false, []string{`line 3: no "x"`, `line 14: no "why not"`}, true}, // numbers and quoted parts
		{false, []string{`unknown name foo < foo`, `unknown name bar < bar`}, true},
		{false, []string{`no name`, `no value`}, false},
	}
	for _, test := range tests {
		seen := map[uint16]string{}
		for i, text := range test.texts {
			said, input, _ := strings.Cut(text, " < ")
			cell := structure(test.accepted, said, input)
			if before, ok := seen[cell]; i > 0 && ok != test.same {
				t.Errorf("%q: the same structure as one before (%q) is %v, want %v", text, before, ok, test.same)
			}
			seen[cell] = text
		}
	}
}

// TestCellsOfCharacters checks that lengths and characters have their own cells, by outcome.
func TestCellsOfCharacters(t *testing.T) {
	of := func(accepted bool, text string) []uint16 {
		cells := AppendCells(nil, accepted, []byte(text), nil)
		slices.Sort(cells)
		return cells
	}
	base := of(true, "some text here")
	for _, other := range []string{"some text here!", `some text "ere`, `some text \ere`, "some text hére", "some text her\x01", "some text her1", "Some text here", "some longer text here"} {
		if slices.Equal(of(true, other), base) {
			t.Errorf("%q has the cells of the text without it", other)
		}
	}
	for _, cell := range of(false, "some text here") {
		if slices.Contains(base, cell) {
			t.Errorf("cell %d is of outputs and of messages", cell)
		}
	}
}

func TestOutputDiff(t *testing.T) {
	apart := func(a, b string) uint64 { return OutputDiff([]byte(a), []byte(b), nil) }
	if apart(`{"host":"a","port":80}`, `{"host":"b","port":80}`) != apart(`{"host":"x","port":81}`, `{"host":"y","port":81}`) {
		t.Error("the same difference in another place")
	}
	if apart("a/b", "a:b") == apart("a/b", "a%b") || apart("a", "a:") == apart("a:", "a") || apart("", "a") == 0 {
		t.Error("other differences have one hash")
	}
}

// TestCellsAreBounded checks that any output has few cells with bounded numbers, and that computing
// them does not allocate.
func TestCellsAreBounded(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	seen := map[uint16]bool{}
	buf := make([]uint16, 0, MaxCells)
	for i := 0; i < 50_000; i++ {
		text := make([]byte, r.Intn(100))
		for k := range text {
			text[k] = `{}[]:,"\ 0123abcXYZ.-/%é`[r.Intn(25)]
		}
		for _, accepted := range []bool{true, false} {
			buf = AppendCells(buf[:0], accepted, text, text[:len(text)/2])
			if len(buf) > MaxCells {
				t.Fatalf("%q has %d cells", text, len(buf))
			}
			for _, c := range buf {
				seen[c] = true
			}
		}
	}
	if len(seen) > CellSpace {
		t.Errorf("%d cells", len(seen))
	}
	text, input := []byte(`{"name":"value","list":[1,2.5,null],"more":"`+strings.Repeat("some text ", 50)+`"}`), []byte("name=value")
	j := &Joint{Cells: [][]uint16{nil, nil}}
	n := NewNovelty(Find(Cells), Setting{Programs: 2}, true, 0)
	rarity := NewRarity(2, 0)
	once := func() {
		for p := range j.Cells {
			j.Cells[p] = AppendCells(j.Cells[p][:0], p == 0, text, input)
		}
		n.Observe(j)
		rarity.Cell(j)
	}
	once()
	rarity.Add(j)
	if allocs := testing.AllocsPerRun(100, once); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	if allocs := testing.AllocsPerRun(100, func() { OutputDiff(text, input, input) }); allocs > 0 {
		t.Errorf("%v allocations to tell outputs apart", allocs)
	}
}

// TestFitting checks that a guidance for programs without blocks guides no others.
func TestFitting(t *testing.T) {
	all, err := Parse([]string{Ensemble})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(Fitting(all, false)); got != "[coverage path-coarse path-fine output]" {
		t.Errorf("with blocks: %v", got)
	}
	if got := fmt.Sprint(Fitting(all, true)); got != "[coverage path-coarse path-fine output cells]" {
		t.Errorf("without: %v", got)
	}
	if Fitting([]string{Cells}, false) != nil {
		t.Error("cells guide programs with blocks")
	}
}

// TestPlaceByCells checks that a pool admits by the rarest cells where there are no blocks.
func TestPlaceByCells(t *testing.T) {
	r := NewRarity(2, 4)
	at := func(cells ...uint16) *Joint { return &Joint{Traces: make([]Trace, 2), Cells: [][]uint16{cells, nil}} }
	for range [3]int{} {
		r.Add(at(1, 5))
	}
	r.Add(at(2, 5))
	if r.Cell(at(1, 5)) == r.Cell(at(2, 5)) || r.Cell(at(2, 5)) == r.Cell(at(3, 5)) || r.Cell(at(2, 5)) != r.Cell(at(5, 2)) {
		t.Error("places are not those of the rarest cells")
	}
	blocks := &Joint{Traces: []Trace{{Hits: []uint32{1}}, {Hits: []uint32{2}}}}
	if place := NewRarity(2, 4).Cell(blocks); place != Chain(Chain(0, 2), 3) {
		t.Errorf("the place of blocks is %x", place)
	}
}

func FuzzCells(f *testing.F) {
	for _, text := range []string{`{"a":[1,-2.5e3,"x\"y",null,{}],"b":""}`, `[[[["`, `{"a`, `{"a":"\`, "SyntaxError: no \"x\" at line 3", "a:b@c/d?e=f#g", "é\x01\\'"} {
		f.Add(true, []byte(text), []byte("a"))
		f.Add(false, []byte(text), []byte{})
	}
	f.Fuzz(func(t *testing.T, accepted bool, text, input []byte) {
		cells := AppendCells(nil, accepted, text, input)
		if len(cells) == 0 || len(cells) > MaxCells {
			t.Fatalf("%d cells", len(cells))
		}
		for i, c := range cells {
			if int(c) >= CellSpace {
				t.Fatalf("cell %d", c)
			}
			if isStructure := c < firstField; isStructure != (i == 0) {
				t.Fatalf("cell %d of the input is %d", i, c)
			}
		}
		if again := AppendCells(nil, accepted, text, input); !slices.Equal(again, cells) {
			t.Fatalf("%d, and then %d", cells, again)
		}
		if OutputDiff(text, input, input) == 0 {
			t.Fatal("no difference")
		}
	})
}
