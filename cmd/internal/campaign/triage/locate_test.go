package triage

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/subject"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestNeighbors(t *testing.T) {
	shapes := []struct {
		shape  input.Shape
		values []any
	}{
		{input.Shape{input.Bytes}, []any{[]byte("12,b")}},
		{input.Shape{input.String}, []any{""}},
		{input.Shape{input.String}, []any{strings.Repeat("long ", 1000)}},
		{input.Shape{input.Int}, []any{0}},
		{input.Shape{input.Int64}, []any{int64(-1)}},
		{input.Shape{input.Uint8}, []any{uint8(255)}},
		{input.Shape{input.Bool}, []any{true}},
		{input.Shape{input.Float64, input.Bool}, []any{1.5, false}},
		{input.Shape{input.Bytes, input.Int32, input.String}, []any{[]byte("ab"), int32(256), "xyz"}},
		{input.Shape{input.String, input.String}, []any{strings.Repeat("a", 500), strings.Repeat("b", 500)}},
	}
	for _, test := range shapes {
		flat, err := test.shape.Pack(test.values...)
		if err != nil {
			t.Fatal(err)
		}
		before := bytes.Clone(flat)
		for _, limit := range []int{1, 7, neighborBudget} {
			got := slices.Collect(Neighbors(test.shape, flat, limit))
			if len(got) == 0 || len(got) > limit {
				t.Errorf("%v: %d neighbors, the limit is %d", test.shape, len(got), limit)
			}
			for _, n := range got {
				if err := test.shape.Check(n); err != nil {
					t.Errorf("%v: %q: %v", test.shape, n, err)
				}
				if bytes.Equal(n, flat) {
					t.Errorf("%v: %q is its own neighbor", test.shape, n)
				}
			}
			if again := slices.Collect(Neighbors(test.shape, flat, limit)); !reflect.DeepEqual(again, got) {
				t.Errorf("%v: other neighbors the second time", test.shape)
			}
			if !bytes.Equal(flat, before) {
				t.Fatalf("%v: the input has changed", test.shape)
			}
		}
	}
}

func TestNeighborsOf(t *testing.T) {
	tests := []struct {
		shape input.Shape
		value any
		want  []string
	}{
		{input.Shape{input.String}, "1x", []string{"x", "0x", "ax", " x", "2x", "\x11x", "1", "11", "1a", "1 ", "1y", "1X", "1x0", " 1x", "1", "x"}},
		{input.Shape{input.String}, "", []string{"0", " "}},
		{input.Shape{input.Int8}, int8(5), []string{"6", "4", "0"}},
		{input.Shape{input.Int8}, int8(0), []string{"1", "-1"}},
		{input.Shape{input.Uint16}, uint16(255), []string{"256", "254", "0"}},
		{input.Shape{input.Int16}, int16(-256), []string{"-255", "-257", "0"}},
		{input.Shape{input.Bool}, true, []string{"false"}},
		{input.Shape{input.Bool}, false, []string{"true"}},
	}
	for _, test := range tests {
		flat, err := test.shape.Pack(test.value)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for n := range Neighbors(test.shape, flat, neighborBudget) {
			values, err := test.shape.Unpack(n)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(values...))
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %q, want %q", test.value, got, test.want)
		}
	}
}

// TestNeighborsAreSpread checks that the places of a long input are spread over all of it.
func TestNeighborsAreSpread(t *testing.T) {
	flat := bytes.Repeat([]byte("x"), 10_000)
	var parts [10]int
	for n := range Neighbors(input.Shape{input.Bytes}, flat, neighborBudget) {
		if i := bytes.IndexFunc(n, func(r rune) bool { return r != 'x' }); i >= 0 {
			parts[i/1000]++
		}
	}
	for i, n := range parts {
		if n < 6 {
			t.Errorf("%d edits in tenth %d of the input", n, i)
		}
	}
}

// TestNeighborsAreMadeOneByOne checks that neighbors of a large input are made on request.
func TestNeighborsAreMadeOneByOne(t *testing.T) {
	flat := bytes.Repeat([]byte("x"), 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range Neighbors(input.Shape{input.Bytes}, flat, neighborBudget) {
		break
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("the first neighbor took %d bytes", n)
	}
}

func TestSameDisagreement(t *testing.T) {
	const all = oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer
	yes := func(value uint64, hits ...uint32) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Accepted), Value: value, Hits: hits}
	}
	no := func(class uint64, hits ...uint32) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Rejected), Class: class, Hits: hits}
	}
	type results = []wire.RunResult
	tests := []struct {
		name     string
		layer    oracle.Layers
		deciding []int
		want     results
		got      results
		same     bool
	}{
		{"the same", oracle.VerdictLayer, nil, results{yes(1), no(2)}, results{yes(1), no(2)}, true},
		{"another value of who accepts", oracle.VerdictLayer, nil, results{yes(1), no(2)}, results{yes(9), no(2)}, true},
		{"another error class", oracle.VerdictLayer, nil, results{yes(1), no(2)}, results{yes(1), no(3)}, false},
		{"the other way round", oracle.VerdictLayer, nil, results{yes(1), no(2)}, results{no(2), yes(1)}, false},
		{"agreement", oracle.VerdictLayer, nil, results{yes(1), no(2)}, results{yes(1), yes(1)}, false},
		{"another layer", oracle.ValueLayer, nil, results{yes(1), yes(2), yes(2)}, results{yes(1), yes(2), no(2)}, false},
		{"other values, same groups", oracle.ValueLayer, nil, results{yes(1), yes(2), yes(2)}, results{yes(7), yes(8), yes(8)}, true},
		{"other groups", oracle.ValueLayer, nil, results{yes(1), yes(2), yes(2)}, results{yes(7), yes(7), yes(8)}, false},
		{"classes", oracle.ClassLayer, nil, results{no(1), no(2)}, results{no(1), no(2)}, true},
		{"other classes", oracle.ClassLayer, nil, results{no(1), no(2)}, results{no(1), no(3)}, false},
		{"the deciding block", oracle.VerdictLayer, []int{None, 7}, results{yes(1), no(2)}, results{yes(1), no(2, 3, 7)}, true},
		{"not the deciding block", oracle.VerdictLayer, []int{None, 7}, results{yes(1), no(2)}, results{yes(1, 7), no(2, 3, 8)}, false},
	}
	for _, test := range tests {
		j := &Triager{Layers: all}
		c := j.cause(test.want, test.layer, nil)
		c.deciding = test.deciding
		if got := c.shown(test.got); got != test.same {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestParts checks an input that no single edit makes valid, with three programs and more. It may
// hold several reasons, and each is kept by itself.
func TestParts(t *testing.T) {
	yes, declined := wire.RunResult{Outcome: uint64(oracle.Accepted), Hits: []uint32{4}}, wire.RunResult{Outcome: uint64(oracle.Declined)}
	no := func(class uint64, hits ...uint32) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Rejected), Class: class, Hits: hits}
	}
	type results = []wire.RunResult
	j := &Triager{Layers: oracle.VerdictLayer, Traits: subject.Traits{SeparateProcesses: true}}
	c := j.cause(results{yes, no(1, 5), no(2, 6), declined}, oracle.VerdictLayer, nil)
	at := &Located{Hunk: None, Agreed: 9, Deciding: []int{4, 5, 6, None}, Best: []*Direction{{Block: 4, Score: 1}, {Block: 5, Score: 0.9}, {Block: 6, Score: 0.9}, nil}}
	whole, parts := c.forMinimizing(at), c.parts(at)
	if len(parts) != 2 {
		t.Fatalf("%d parts", len(parts))
	}
	for _, test := range []struct {
		got   results
		shown [3]bool // by the common cause, and by each part
	}{
		{results{yes, no(1, 5), no(2, 6), declined}, [3]bool{true, true, true}},
		{results{yes, no(1, 5), no(2, 6), yes}, [3]bool{true, true, true}},
		{results{{Outcome: yes.Outcome}, no(1, 5), no(2, 6), no(1)}, [3]bool{true, true, true}},
		{results{yes, no(1, 5), no(9, 9), declined}, [3]bool{false, true, false}},
		{results{yes, no(1, 5), no(2, 9), declined}, [3]bool{false, true, false}},
		{results{yes, no(9, 9), no(2, 6), yes}, [3]bool{false, false, true}},
		{results{yes, no(1, 5), yes, declined}, [3]bool{}},
		{results{yes, no(1, 5), no(2, 6), {Outcome: uint64(oracle.Crashed)}}, [3]bool{}},
	} {
		for i, part := range append([]*cause{whole}, parts...) {
			if got := part.shown(test.got); got != test.shown[i] {
				t.Errorf("%v shows part %d: %v", test.got, i, got)
			}
		}
	}
	if w := parts[0].wanted(); w[1].Loose || !w[2].Loose || !w[3].Loose {
		t.Errorf("wanted: %+v", w)
	}
	valid, weak, single := *at, *at, *at
	valid.Accepted = 1
	weak.Best = []*Direction{nil, {Block: 5, Score: 0.9}, {Block: 6, Score: 0.4}, nil}
	if len(c.parts(&valid)) > 0 || len(c.parts(&weak)) != 1 {
		t.Error("parts of an input that an edit makes valid, or of a check at which all ends")
	}
	single.Best = single.Best[:3]
	if one := j.cause(results{yes, no(1, 5), yes}, oracle.VerdictLayer, nil); len(one.parts(&single)) > 0 {
		t.Error("parts of what one program rejects")
	}
	at = &Located{Hunk: None, Neighbors: 9, Deciding: make([]int, 4), Best: make([]*Direction, 4)}
	if parts := c.parts(at); len(parts) != 2 {
		t.Errorf("%d parts where no relative agrees", len(parts))
	}
	if parts := c.parts(&Located{Hunk: None, Deciding: at.Deciding, Best: at.Best}); len(parts) > 0 {
		t.Errorf("%d parts where no relative was looked at", len(parts))
	}
	// A check at which all inputs end does not name a bucket if the place of an accepting program
	// does.
	weak.Best = []*Direction{{Block: 4, Score: 1}, {Block: 5, Score: 0.4}, {Block: 6, Score: 0.3}, nil}
	if w := c.forMinimizing(&weak); w.deciding[0] != 4 {
		t.Errorf("places %v stay", w.deciding)
	}
	two := j.cause(results{yes, no(1, 5)}, oracle.VerdictLayer, nil)
	at = &Located{Hunk: None, Deciding: []int{4, 5}, Best: make([]*Direction, 2)}
	if len(two.parts(at)) > 0 || two.forMinimizing(at).deciding[0] != 4 {
		t.Error("of two programs, not all places stay")
	}
}

func TestBucket(t *testing.T) {
	yes, no := wire.RunResult{Outcome: uint64(oracle.Accepted), Value: 1}, wire.RunResult{Outcome: uint64(oracle.Rejected)}
	other, reason := yes, no
	other.Value = 2
	reason.ErrorType, reason.Error = "T", "reason"
	// 9 -> 10 or 11; 49 -> 50 or 51
	j := &Triager{Names: []string{"a", "b", "c"}, Space: spaceOf(map[int][]int{9: {10, 11}, 49: {50, 51}}, nil)}
	at := func(blocks ...int) (best []*Direction) {
		for _, b := range blocks {
			if b == None {
				best = append(best, nil)
				continue
			}
			best = append(best, &Direction{Block: b, Score: 0.9})
		}
		return best
	}
	weak := at(None, 10, 50)
	weak[2].Score = 0.7
	base := j.bucket([]wire.RunResult{yes, no, no}, oracle.VerdictLayer, &Located{Best: at(None, 10, 20)}, nil)
	tests := []struct {
		name    string
		results []wire.RunResult
		layer   oracle.Layers
		best    []*Direction
		same    bool
	}{
		{"the same", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(None, 10, 20), true},
		{"the other way of a branch", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(None, 11, 20), true},
		{"another value", []wire.RunResult{other, no, no}, oracle.VerdictLayer, at(None, 10, 20), true},
		{"another error", []wire.RunResult{yes, no, reason}, oracle.VerdictLayer, at(None, 10, 20), true},
		{"a place of who accepts", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(50, 10, 20), true},
		{"another place", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(None, 30, 20), false},
		{"a place of another that rejects", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(None, 10, 30), true},
		{"no place", []wire.RunResult{yes, no, no}, oracle.VerdictLayer, at(None, None, 20), false},
		{"another outcome", []wire.RunResult{yes, no, yes}, oracle.VerdictLayer, at(None, 10, 20), false},
		{"another layer", []wire.RunResult{yes, no, no}, oracle.ClassLayer, at(None, 10, 20), false},
	}
	for _, test := range tests {
		if got := j.bucket(test.results, test.layer, &Located{Best: test.best}, nil) == base; got != test.same {
			t.Errorf("%s: same bucket is %v", test.name, got)
		}
	}
	rejecting := []wire.RunResult{yes, no, no}
	if j.bucket(rejecting, oracle.VerdictLayer, &Located{Best: weak}, nil) != j.bucket(rejecting, oracle.VerdictLayer, &Located{Best: at(None, 10, None)}, nil) {
		t.Error("a place that says less than others makes a difference")
	}
	if j.bucket([]wire.RunResult{yes, other, yes}, oracle.ValueLayer, &Located{Best: at(50, 10, 20)}, nil) == j.bucket([]wire.RunResult{yes, other, yes}, oracle.ValueLayer, &Located{Best: at(51, 10, 30)}, nil) {
		t.Error("of values, no place makes a difference")
	}
	nowhere := at(None, None, None)
	if j.bucket([]wire.RunResult{yes, other, other}, oracle.ValueLayer, &Located{Best: nowhere}, nil) == j.bucket([]wire.RunResult{yes, yes, other}, oracle.ValueLayer, &Located{Best: nowhere}, nil) {
		t.Error("who agrees with whom makes no difference")
	}
	if j.bucket([]wire.RunResult{no, no, reason}, oracle.ClassLayer, &Located{Best: nowhere}, nil) == j.bucket([]wire.RunResult{no, no, no}, oracle.ClassLayer, &Located{Best: nowhere}, nil) {
		t.Error("the errors make no difference where they are compared")
	}
	beside := &Triager{Names: j.Names, Space: j.Space, Traits: subject.Traits{NoCoverage: []bool{false, false, true}}}
	if beside.bucket(rejecting, oracle.VerdictLayer, &Located{Best: at(None, 10, None)}, nil) != beside.bucket([]wire.RunResult{yes, no, reason}, oracle.VerdictLayer, &Located{Best: at(None, 10, None)}, nil) {
		t.Error("what a program says makes a difference beside a place of another")
	}
	if beside.bucket(rejecting, oracle.VerdictLayer, &Located{Best: nowhere}, nil) == beside.bucket([]wire.RunResult{yes, no, reason}, oracle.VerdictLayer, &Located{Best: nowhere}, nil) {
		t.Error("what a program says makes no difference where no place is known")
	}
	renamed := &Triager{Names: []string{"a", "b", "d"}, Space: j.Space}
	if renamed.bucket([]wire.RunResult{yes, no, no}, oracle.VerdictLayer, &Located{Best: at(None, 10, 20)}, nil) == base {
		t.Error("the programs' names make no difference")
	}
}

func TestErrorClassWithoutTheInput(t *testing.T) {
	j := &Triager{Shape: input.Shape{input.String}}
	rejected := func(message string) wire.RunResult {
		return wire.RunResult{Outcome: uint64(oracle.Rejected), Error: message, ErrorType: "*p.Error"}
	}
	for _, test := range []struct {
		a, inputA, b, inputB string
		same, echoes         bool
	}{
		{"malformed version: 1.0-", "1.0-", "malformed version: zz", "zz", true, true},
		{`parsing "ab": bad`, "ab", `parsing "cd": bad`, "cd", true, false},
		{"wrong number of fields", "0\n0,", "bare quote in field", "0\"", false, false},
		{"trimmed: ab", " ab ", "trimmed: cd", "cd\n", true, true},
		{"a is no number", "a", "b is no number", "b", false, false}, // too short for an echo
	} {
		a, echoes := j.class(rejected(test.a), []byte(test.inputA))
		b, _ := j.class(rejected(test.b), []byte(test.inputB))
		if (a == b) != test.same || echoes != test.echoes {
			t.Errorf("%q of %q and %q of %q: classes %q, %q, echoes %v", test.a, test.inputA, test.b, test.inputB, a, b, echoes)
		}
	}
	if class, _ := j.class(wire.RunResult{Outcome: uint64(oracle.Accepted)}, nil); class != "" {
		t.Errorf("an acceptance has the class %q", class)
	}
}

func TestLocate(t *testing.T) {
	j := newTriager(t)
	s := j.Replayer()
	defer s.Close()
	base, err := s.Run([]byte("300"), 0)
	if err != nil {
		t.Fatal(err)
	}
	same := j.cause(base, oracle.VerdictLayer, nil).shown
	at, err := Locate(s, j.Layers, j.Shape, []byte("300"), nil, neighborBudget, same)
	if err != nil {
		t.Fatal(err)
	}
	first := at.Deciding
	for p, function := range []string{".lenient#", ".strict#"} {
		if first[p] == None || !strings.Contains(j.Space.Place(first[p]), function) {
			t.Fatalf("deciding blocks %v, want one in %s", first, function)
		}
	}
	if at.Ranked[0][0].Verdict == at.Ranked[1][0].Verdict || at.Ranked[0][0].Verdict != (oracle.Outcome(base[0].Outcome) == oracle.Accepted) {
		t.Errorf("places %+v: only that of the program that rejects is sure", at.Ranked)
	}
	again, err := Locate(s, j.Layers, j.Shape, []byte("300"), nil, neighborBudget, same)
	if err != nil || !reflect.DeepEqual(at, again) {
		t.Errorf("the second time %v, %v, want %v", again, err, first)
	}
	// Inputs with deadly neighbors end only a few processes.
	deaths := s.Deaths
	if _, err := Locate(s, j.Layers, j.Shape, []byte("b:exit 5"), nil, neighborBudget, same); err != nil {
		t.Fatal(err)
	}
	if n := s.Deaths - deaths; n > maxDeaths+3 {
		t.Errorf("%d processes ended", n)
	}
}
