package finding

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// sizes returns a function that looks up readings by id. Negative sizes are hidden readings.
func sizes(m map[string]int) func(string) Reading {
	return func(id string) Reading { return Reading{m[id] < 0, max(m[id], -m[id])} }
}

func ids(list []Row) string {
	var s []string
	for _, b := range list {
		s = append(s, b.ID)
	}
	return strings.Join(s, " ")
}

func disagree(id, layer, odd string, outcomes ...string) Row {
	b := Row{ID: id, Kind: "discrepancy", Layer: layer, Count: 1, Outcomes: map[string]string{}, Location: "x.go:1"}
	for i, o := range outcomes {
		b.Outcomes[string(rune('a'+i))] = o
	}
	if odd != "" {
		b.Odd = []string{odd}
	}
	return b
}

// TestOrder checks each rule of the order, with two buckets that differ in it alone or against the
// rules below it.
func TestOrder(t *testing.T) {
	acc, rej := "accepted", "rejected"
	similar := func(b Row, why string, ids ...string) Row {
		for _, id := range ids {
			b.Similar = append(b.Similar, Similar{ID: id, Score: 80, Why: why})
		}
		return b
	}
	returned := func(b Row, values ...string) Row {
		b.Results = map[string]string{}
		for i, v := range values {
			b.Results[string(rune('a'+i))] = v
		}
		return b
	}
	decided := func(b Row, lines ...string) Row {
		b.Deciding = map[string]string{}
		for i, l := range lines {
			b.Deciding[string(rune('a'+i))] = l
		}
		return b
	}
	crashed := func(id, message, line string) Row {
		b := decided(returned(disagree(id, "", "", "crashed", rej), message, "no"), line)
		if b.Kind, b.Program = "crash", "a"; line == "" {
			b.Deciding = nil
		}
		return b
	}
	called := func(b Row, line string) Row { b.Caller = line; return b }
	placeless := func(b Row) Row { b.Location = ""; return b }
	for _, test := range []struct {
		name string
		list []Row
		size map[string]int
		want string
	}{
		{"settled ones last", []Row{{ID: "1", Kind: "crash", Acceptance: Acceptance{Accepted: true}}, {ID: "2", Kind: "crash", Flaky: true}, {ID: "3", Kind: "discrepancy"}}, nil, "3 1 2"},
		{"failures before disagreements", []Row{disagree("1", "verdict", "", acc, rej), {ID: "2", Kind: "timeout"}, {ID: "3", Kind: "oom"}, {ID: "4", Kind: "crash"}}, nil, "4 3 2 1"},
		{"the smaller input", []Row{{ID: "1", Kind: "crash"}, {ID: "2", Kind: "crash"}}, map[string]int{"1": 9, "2": 3}, "2 1"},
		{"text before what is hidden", []Row{{ID: "1", Kind: "crash"}, {ID: "2", Kind: "crash"}, {ID: "3", Kind: "crash"}, {ID: "4", Kind: "crash"}}, map[string]int{"1": -2, "2": 30, "3": 20, "4": -1}, "3 2 4 1"},
		{"text leads", []Row{disagree("1", "verdict", "", acc, rej), similar(disagree("2", "verdict", "", acc, rej), "place", "1")}, map[string]int{"1": -2, "2": 30}, "2 1"},
		{"verdict before value", []Row{disagree("1", "value", "", acc, acc), disagree("2", "verdict", "", acc, rej)}, map[string]int{"2": 9}, "2 1"},
		{"three answers first", []Row{disagree("1", "verdict", "b", acc, rej, acc), returned(disagree("2", "value", "", acc, acc, acc), "x", "y", "z"),
			returned(disagree("3", "value", "c", acc, acc, acc), "x", "x", "z")}, nil, "2 1 3"},
		{"one against several first", []Row{disagree("1", "verdict", "", acc, rej, acc), disagree("2", "value", "b", acc, acc, acc)}, nil, "2 1"},
		{"in rounds", []Row{disagree("1", "verdict", "b", acc, rej, acc), disagree("2", "verdict", "b", acc, rej, acc),
			disagree("3", "verdict", "b", acc, rej, acc), disagree("4", "value", "c", acc, acc, acc)}, map[string]int{"4": 9}, "1 4 2 3"},
		{"costs behind all values", []Row{disagree("1", "cost", "", acc, acc), disagree("2", "value", "", acc, acc), disagree("3", "value", "", acc, acc)}, map[string]int{"2": 9, "3": 9}, "2 3 1"},
		{"other lines in one program", []Row{decided(disagree("1", "verdict", "", acc, rej), "x.go:1", "y.go:1"), disagree("2", "verdict", "", rej, acc), similar(decided(disagree("3", "verdict", "", acc, rej), "x.go:2", "y.go:1"), "input and place", "1")}, nil, "1 2 3"},
		{"the same lines", []Row{decided(disagree("1", "verdict", "", acc, rej), "x.go:1", "y.go:1"), disagree("2", "verdict", "", rej, acc), similar(decided(disagree("3", "verdict", "", acc, rej), "x.go:1", "y.go:1"), "input and place", "1")}, nil, "1 3 2"},
		{"more inputs", []Row{disagree("1", "verdict", "", acc, rej), {ID: "2", Kind: "discrepancy", Layer: "verdict", Count: 5, Outcomes: map[string]string{"a": acc, "b": rej}}}, nil, "2 1"},
		{"similar ones behind the first", []Row{disagree("1", "verdict", "", acc, rej), disagree("2", "verdict", "", rej, acc), similar(disagree("3", "verdict", "", acc, rej), "place", "1")}, nil, "1 3 2"},
		{"similar of another way", []Row{disagree("1", "verdict", "", acc, rej), similar(disagree("2", "verdict", "", rej, acc), "place", "1"), disagree("3", "verdict", "", acc, rej)}, nil, "1 2 3"},
		{"inputs alone where lines are known", []Row{disagree("1", "verdict", "", acc, rej), disagree("2", "verdict", "", rej, acc), similar(disagree("3", "verdict", "", acc, rej), "input", "1")}, nil, "1 2 3"},
		{"the same lines without a link", []Row{decided(disagree("1", "verdict", "", acc, rej), "x.go:1"), disagree("2", "verdict", "", rej, acc), decided(disagree("3", "verdict", "", acc, rej), "x.go:1")}, nil, "1 3 2"},
		{"crashes of one message and line", []Row{crashed("1", "index out of range [1]", "x.go:1"), crashed("2", "nil map", "x.go:1"), crashed("3", "index out of range [2]", "x.go:1"), crashed("4", "index out of range [1]", "x.go:2")}, nil, "1 3 2 4"},
		{"crashes called in two places", []Row{called(crashed("1", "negative", "x.go:1"), "m.go:1"), {ID: "2", Kind: "crash", Count: 1}, called(crashed("3", "negative", "x.go:1"), "m.go:2")}, nil, "1 2 3"},
		{"crashes without lines", []Row{similar(crashed("1", "exit status 1", ""), "input", "3"), {ID: "2", Kind: "crash", Count: 1}, crashed("3", "exit status 1", "")}, nil, "1 2 3"},
		{"inputs where none are", []Row{placeless(disagree("1", "verdict", "", acc, rej)), disagree("2", "verdict", "", rej, acc), similar(placeless(disagree("3", "verdict", "", acc, rej)), "input", "1")}, nil, "1 3 2"},
	} {
		if got := ids(Order(test.list, sizes(test.size))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestOrderLosesNothing checks Order on random records. No bucket is lost or appears twice, and the
// order of the argument does not matter. A bucket folds only under one of the same way to disagree.
// That one folds under none, and precedes it.
func TestOrderLosesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var list []Row
		size := map[string]int{}
		n := 1 + rng.IntN(12)
		for i := range n {
			id := fmt.Sprint("b", i)
			b := disagree(id, []string{"verdict", "value", ""}[rng.IntN(3)], []string{"", "a", "b"}[rng.IntN(3)], []string{"accepted", "rejected"}[rng.IntN(2)], "rejected", "accepted")
			b.Accepted, b.Flaky = rng.IntN(6) == 0, rng.IntN(6) == 0
			for range rng.IntN(3) {
				b.Similar = append(b.Similar, Similar{ID: fmt.Sprint("b", rng.IntN(n)), Why: []string{"place", "input", "input and place"}[rng.IntN(3)]})
			}
			list, size[id] = append(list, b), rng.IntN(3)
		}
		got := Order(list, sizes(size))
		seen := map[string]Row{}
		for _, b := range got {
			if _, twice := seen[b.ID]; twice {
				t.Fatalf("%s twice", b.ID)
			}
			seen[b.ID] = b
			if over := seen[b.Under]; b.Under != "" && (over.ID == "" || over.Under != "" || wayOf(over) != wayOf(b)) {
				t.Fatalf("%s folds under %q", b.ID, b.Under)
			}
		}
		if len(got) != n {
			t.Fatalf("%d of %d buckets", len(got), n)
		}
		rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		if again := Order(list, sizes(size)); !reflect.DeepEqual(again, got) {
			t.Fatalf("%s, and in another order %s", ids(got), ids(again))
		}
	}
}
