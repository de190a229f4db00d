package rejection

import (
	"reflect"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestBlocks checks the last blocks of a program that rejects. They are those of the failed check
// and of its callers, and two identify the rejection.
func TestBlocks(t *testing.T) {
	// Blocks 0 to 2: the entry, a condition, and a last block; 3: a loop; 4 to 6: last blocks.
	table := &flow.Table{Package: "p", Funcs: []flow.Func{{Name: "f", Count: 4}, {Name: "g", First: 4, Count: 1}, {Name: "h", First: 5, Count: 1}, {Name: "i", First: 6, Count: 1}}}
	for id, succs := range [][]int{{1}, {2, 3}, nil, {1}, nil, nil, nil} {
		table.Blocks = append(table.Blocks, flow.Block{ID: id, Func: max(0, id-3), Succs: succs})
	}
	space := &flow.Space{}
	space.Add(table, 0)
	for _, test := range []struct {
		name    string
		outcome oracle.Outcome
		first   []uint32
		want    []int
	}{
		{"a check and its callers", oracle.Rejected, []uint32{0, 1, 3, 4, 5, 6}, []int{4, 5}},
		{"a check alone", oracle.Rejected, []uint32{0, 1, 2}, []int{2}},
		{"earlier last blocks", oracle.Rejected, []uint32{0, 2, 1, 3, 4}, []int{4}},
		{"the error is formatted after it", oracle.Rejected, []uint32{0, 4, 1}, nil},
		{"an acceptance", oracle.Accepted, []uint32{0, 1, 2}, nil},
	} {
		r := wire.RunResult{First: test.first, Hits: make([]uint32, len(test.first))}
		r.Outcome = uint64(test.outcome)
		if got, _ := of(space, r); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	unordered := wire.RunResult{Hits: []uint32{0, 1, 2}}
	unordered.Outcome = uint64(oracle.Rejected)
	if got, _ := of(space, unordered); got != nil {
		t.Errorf("without an order: %v", got)
	}
	run := func(hits ...uint32) wire.RunResult { return wire.RunResult{Hits: hits} }
	for _, test := range []struct {
		results []wire.RunResult
		want    bool
	}{
		{[]wire.RunResult{run(0, 2, 4, 5), run()}, true},
		{[]wire.RunResult{run(0, 2, 4), run(5)}, false},
	} {
		if got := Alike([][]int{{4, 5}, nil}, test.results); got != test.want {
			t.Errorf("%v: alike %v", test.results, got)
		}
	}
}

// addBlock adds a block to the last function that begins before it.
func addBlock(table *flow.Table, id int, b flow.Block) {
	b.ID = id
	for f, of := range table.Funcs {
		if of.First <= id {
			b.Func = f
		}
	}
	table.Blocks = append(table.Blocks, b)
}

// TestAlternatives checks that failed alternatives belong to a rejection, and successful calls do
// not.
func TestAlternatives(t *testing.T) {
	// parse tries tag, which calls element, and then digest.
	table := &flow.Table{Package: "p", Funcs: []flow.Func{
		{Name: "parse", First: 0, Count: 6}, {Name: "tag", First: 6, Count: 3}, {Name: "element", First: 9, Count: 3}, {Name: "digest", First: 12, Count: 3},
	}}
	for id, b := range []flow.Block{
		{Succs: []int{1, 2}}, {}, {Succs: []int{3}}, {Succs: []int{4, 5}}, {}, {Fails: true}, // an implicit else and a join continue
		{Succs: []int{7, 8}}, {Fails: true}, {},
		{Succs: []int{10, 11}}, {Fails: true}, {},
		{Succs: []int{13, 14}}, {Fails: true}, {},
	} {
		addBlock(table, id, b)
	}
	space := &flow.Space{}
	space.Add(table, 0)
	for _, test := range []struct {
		name  string
		first []uint32
		want  []int
	}{
		{"both fail", []uint32{0, 6, 9, 10, 7, 2, 3, 12, 13, 5}, []int{10, 7, 13, 5}},
		{"the first succeeds", []uint32{0, 6, 9, 11, 8, 2, 3, 12, 13, 5}, []int{13, 5}},
		{"the failure is not of an alternative", []uint32{6, 9, 10, 7, 12, 13}, []int{13}},
	} {
		r := wire.RunResult{First: test.first, Hits: make([]uint32, len(test.first))}
		r.Outcome = uint64(oracle.Rejected)
		if got, _ := of(space, r); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestEnd checks which end of a check is certain.
func TestEnd(t *testing.T) {
	// parse fails at 2 or 3, or passes an error on at 4, and calls check, fail and quote. fail makes
	// an error and calls quote.
	table := &flow.Table{Package: "p", Funcs: []flow.Func{
		{Name: "(*P).parse", First: 0, Count: 6}, {Name: "check", First: 6, Count: 3}, {Name: "(*P).fail", First: 9, Count: 1}, {Name: "quote[...]", First: 10, Count: 4},
		{Name: "Err.Error", First: 14, Count: 3}, {Name: "run", First: 17, Count: 1}, {Name: "is", First: 18, Count: 1},
		{Name: "words", First: 19, Count: 3},
	}}
	for id, b := range []flow.Block{
		{Succs: []int{1, 2}}, {Succs: []int{3, 4, 5}}, {Fails: true, Named: []string{"fail"}}, {Fails: true}, {Fails: true, Passes: true, Named: []string{"check"}}, {},
		{Succs: []int{7, 8}}, {Fails: true}, {},
		{Fails: true, Named: []string{"Sprint", "quote"}},
		{Succs: []int{11, 12}}, {Succs: []int{13}}, {}, {},
		{Succs: []int{15, 16}}, {}, {},
		{Fails: true, Passes: true},
		{},
		{Succs: []int{20, 21}}, {Succs: []int{19, 21}}, {Fails: true, Passes: true},
	} {
		addBlock(table, id, b)
	}
	space := &flow.Space{}
	space.Add(table, 0)
	for _, test := range []struct {
		name  string
		first []uint32
		want  int
	}{
		{"a check", []uint32{17, 0, 1, 3}, 3},
		{"a check of a callee", []uint32{0, 1, 6, 7, 4}, 7},
		{"an error that a callee made", []uint32{0, 2, 9, 10, 11, 13}, 2},
		{"whose text is made later", []uint32{0, 2, 9, 14, 15}, 2},
		{"an error of uncounted code", []uint32{0, 1, 4}, flow.None},
		{"a function that decides by its result", []uint32{0, 1, 18, 3}, flow.None},
		{"an earlier call that succeeded", []uint32{0, 6, 8, 7, 4}, 7},
		{"an error of a callee that is returned", []uint32{0, 4, 6, 7}, 7},
		{"a caller that goes on to a join", []uint32{19, 0, 1, 3, 20, 21}, 3},
		{"a caller that goes on after a success", []uint32{19, 18, 20, 21}, flow.None},
		{"two calls that failed", []uint32{0, 1, 3, 2, 9}, flow.None},
	} {
		r := wire.RunResult{First: test.first, Hits: make([]uint32, len(test.first))}
		r.Outcome = uint64(oracle.Rejected)
		if blocks, got := of(space, r); got != test.want {
			t.Errorf("%s: %v, want %v, of %v", test.name, got, test.want, blocks)
		}
	}
}
