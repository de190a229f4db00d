package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// changedLine is the first changed line, after those of branches.
const changedLine = 1000

// spaceOf returns a space of blocks with their successors. line returns the line of a block. If it
// is nil, each block has its own.
func spaceOf(succs map[int][]int, line func(block int) int) *flow.Space {
	table := &flow.Table{Package: "p", Funcs: []flow.Func{{Name: "F", Count: 64}}}
	for i := range table.Funcs[0].Count {
		b := flow.Block{ID: i, File: "f.go", Cond: i, Succs: succs[i]}
		if line != nil {
			b.Cond = line(i)
		}
		table.Blocks = append(table.Blocks, b)
	}
	space := &flow.Space{}
	space.Add(table)
	return space
}

func TestDecidingBlock(t *testing.T) {
	type look struct {
		of   relation
		hits []uint32
	}
	yes := func(hits ...uint32) look { return look{disagrees, hits} }
	no := func(hits ...uint32) look { return look{agrees, hits} }
	others := func(hits ...uint32) look { return look{other, hits} }
	tests := []struct {
		name  string
		base  []uint32
		looks []look
		own   []int
		want  int
	}{
		{"nothing but the input", []uint32{1, 2}, nil, nil, None},
		{"no block at all", nil, []look{no(1)}, nil, None},
		{"everything is executed always", []uint32{1, 2}, []look{no(1, 2), yes(1, 2)}, nil, None},
		{"one block separates", []uint32{1, 2, 3}, []look{no(1, 3), yes(1, 2, 3), no(1, 3)}, nil, 2},
		{"the lowest of equals", []uint32{1, 5, 7}, []look{no(1), yes(1, 5, 7)}, nil, 5},
		{"the better one", []uint32{1, 5, 7}, []look{no(1), no(1, 5), yes(1, 5, 7)}, nil, 7},
		{"in most disagreeing inputs is better than in few", []uint32{4, 6}, []look{no(), yes(6), yes(6)}, nil, 6},
		{"only what the input executed", []uint32{1}, []look{no(1), yes(1, 9), yes(1, 9)}, nil, None},
		{"of equals, what other disagreements do not execute", []uint32{1, 5, 7}, []look{no(1), yes(1, 5, 7), others(1, 5)}, nil, 7},
		{"other disagreements only choose among equals", []uint32{1, 5, 7}, []look{no(1, 7), yes(1, 5, 7), others(1, 5)}, nil, 5},
		{"worse than chance", []uint32{1, 2}, []look{no(1, 2), yes(1), yes(1)}, nil, None},
		{"an own one of equals", []uint32{1, 5, 7}, []look{no(1), yes(1, 5, 7)}, []int{7}, 7},
		{"the lowest of own ones", []uint32{1, 5, 7}, []look{no(1), yes(1, 5, 7)}, []int{5, 7}, 5},
		{"the better one, whoever's", []uint32{1, 5, 7}, []look{no(1), no(1, 5), yes(1, 5, 7)}, []int{5}, 7},
		{"what all execute says nothing, own or not", []uint32{1}, []look{no(1), yes(1)}, []int{1}, None},
	}
	for _, test := range tests {
		s := spectrum{base: wire.RunResult{Hits: test.base}}
		for _, l := range test.looks {
			s.add(l.of, l.hits, true)
		}
		space := spaceOf(nil, nil)
		if test.own != nil {
			space.Tested = func(place string) bool {
				return slices.ContainsFunc(test.own, func(b int) bool { return space.Place(b) == place })
			}
		}
		if got := s.rank(space).deciding; got != test.want {
			t.Errorf("%s: block %d, want %d", test.name, got, test.want)
		}
	}
}

func TestRank(t *testing.T) {
	// 1 -> 2 or 3; 2 -> 4 or 5; 3 -> 6
	succs := map[int][]int{1: {2, 3}, 2: {4, 5}, 3: {6}}
	tests := []struct {
		name         string
		hits, first  []uint32
		others       [][]uint32 // blocks that the other programs executed
		yes, no      [][]uint32
		line         func(int) int
		changed      []int // blocks that differ from their versions
		want         string
		wantDeciding int
	}{
		{
			name: "what was executed first", hits: []uint32{1, 2, 4}, first: []uint32{1, 4, 2}, no: [][]uint32{{1}},
			want: "4 2", wantDeciding: 4,
		},
		{
			name: "without an order, as in the source", hits: []uint32{1, 2, 4}, no: [][]uint32{{1}},
			want: "2 4", wantDeciding: 2,
		},
		{
			name: "a branch that was not taken", hits: []uint32{1}, no: [][]uint32{{1, 3, 6}}, yes: [][]uint32{{1}},
			want: "!3", wantDeciding: None, // 6 follows on no executed block
		},
		{
			name: "one that was, before that which was not", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 2, 5}, {1, 3, 6}},
			want: "4 !5 2 !3", wantDeciding: 4,
		},
		{
			name: "a line once", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 2, 5}, {1, 3, 6}},
			line: func(b int) int { return b / 2 }, want: "4 2", wantDeciding: 4,
		},
		{
			name: "inputs that never came there do not count", hits: []uint32{1, 2}, no: [][]uint32{{}, {}, {}, {1, 2, 5}}, yes: [][]uint32{{1, 2}},
			want: "!5 1 2", wantDeciding: 1,
		},
		{
			name: "what another program does as well comes last", hits: []uint32{1, 2, 4}, no: [][]uint32{{1}}, others: [][]uint32{{1, 2, 7}},
			want: "4 2", wantDeciding: 4,
		},
		{
			name: "also what both leave out", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 3}}, others: [][]uint32{{1, 8}},
			want: "2 4 !3", wantDeciding: 2,
		},
		{
			name: "where versions part comes first", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 2, 5}, {1, 3}}, others: [][]uint32{{11, 13, 16}},
			want: "2 !3 4 !5", wantDeciding: 4,
		},
		{
			name: "where they leave the way in common, whatever they do later", hits: []uint32{1, 2, 3, 4, 6}, first: []uint32{1, 2, 4, 3, 6},
			no: [][]uint32{{1, 2, 5}, {1, 3, 6}}, others: [][]uint32{{11, 13, 16, 12, 15}},
			want: "2 4 !5 3 6", wantDeciding: 4,
		},
		{
			name: "the first of them", hits: []uint32{1, 2, 4}, no: [][]uint32{{1}}, others: [][]uint32{{11, 12, 15}},
			want: "4 2", wantDeciding: 4,
		},
		{
			name: "what was changed comes first", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 2, 5}, {1, 3, 6}}, changed: []int{2},
			want: "2 4 !5 !3", wantDeciding: 2,
		},
		{
			name: "but not if it hardly separates", hits: []uint32{1, 2, 4}, changed: []int{2},
			no:   [][]uint32{{1, 2, 5}, {1, 2, 5}, {1, 2, 5}, {1, 2, 5}, {1, 2, 5}, {1, 2, 5}, {1, 3, 6}},
			want: "4 !5 2 !3", wantDeciding: 4,
		},
		{
			name: "a change that all execute is told third", hits: []uint32{1, 2, 4}, no: [][]uint32{{1, 2, 5}, {1, 3, 6}}, changed: []int{1},
			want: "4 !5 1 2 !3", wantDeciding: 4,
		},
		{
			name: "and alone when nothing separates", hits: []uint32{1, 2}, no: [][]uint32{{1, 2}}, changed: []int{1},
			want: "1", wantDeciding: None,
		},
	}
	// Blocks 11 to 16 are a version of blocks 1 to 6.
	twin := func(b int) int {
		if b > 10 {
			return b - 10
		}
		return b
	}
	for _, test := range tests {
		s := spectrum{base: wire.RunResult{Hits: test.hits, First: test.first}}
		base := []wire.RunResult{s.base}
		for _, h := range test.others {
			v := visited{map[int]bool{}, map[int]bool{}}
			for _, id := range h {
				v.blocks[int(id)], v.versions[twin(int(id))] = true, true
			}
			s.others = append(s.others, v)
			base = append(base, wire.RunResult{First: h})
		}
		for _, h := range test.yes {
			s.add(disagrees, h, true)
		}
		for _, h := range test.no {
			s.add(agrees, h, true)
		}
		space := spaceOf(succs, test.line)
		space.Align = func(*flow.Space) flow.Alignment {
			a := flow.Alignment{Changed: map[int]flow.Difference{}}
			for b := range space.Len() {
				a.Numbers = append(a.Numbers, twin(b))
			}
			for _, b := range test.changed {
				a.Changed[b] = flow.Difference{Line: changedLine + b}
			}
			return a
		}
		s.parting = parting(space, base, 0)
		r := s.rank(space)
		var got []string
		for _, p := range r.places {
			mark := ""
			if p.Absent {
				mark = "!"
			}
			got = append(got, fmt.Sprint(mark, p.Block))
		}
		if text := strings.Join(got, " "); text != test.want || r.deciding != test.wantDeciding {
			t.Errorf("%s: %s, deciding %d; want %s, %d", test.name, text, r.deciding, test.want, test.wantDeciding)
		}
	}
}

// TestVerdict checks the marks of places. One is of a program that accepts. The other is of the end
// of a failed check.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		name    string
		outcome oracle.Outcome
		agree   int // agreeing neighbors that the program accepts, too
		rejects []int
		want    Direction
	}{
		{"no other accepted input agrees", oracle.Accepted, 0, nil, Direction{Verdict: true}},
		{"two do, and go elsewhere", oracle.Accepted, 2, nil, Direction{Verdict: true}},
		{"three do", oracle.Accepted, 3, nil, Direction{}},
		{"a program that rejects", oracle.Rejected, 0, nil, Direction{}},
		{"at this check", oracle.Rejected, 0, []int{2}, Direction{Rejects: true}},
	} {
		s := spectrum{base: wire.RunResult{Hits: []uint32{1, 2}, Outcome: uint64(test.outcome)}, rejects: test.rejects, check: None}
		if len(test.rejects) > 0 {
			s.check = test.rejects[0]
		}
		s.add(disagrees, []uint32{1, 2}, true)
		for i := range enoughAccepted {
			s.add(agrees, []uint32{1}, i < test.agree)
		}
		r := s.rank(spaceOf(nil, nil))
		if len(r.places) == 0 || r.places[0].Block != 2 || r.places[0].Verdict != test.want.Verdict || r.places[0].Rejects != test.want.Rejects {
			t.Errorf("%s: %+v", test.name, r.places)
		}
	}
}
