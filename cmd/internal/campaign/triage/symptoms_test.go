package triage

import (
	"slices"
	"testing"

	"parallax/cmd/internal/campaign/rejection"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/causes"
	"parallax/cmd/internal/flow"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestSymptoms(t *testing.T) {
	yes, no := wire.RunResult{Outcome: uint64(oracle.Accepted), Value: 1}, wire.RunResult{Outcome: uint64(oracle.Rejected), ErrorType: "T", Error: "bad digit"}
	other := yes
	other.Value = 2
	space := versions()
	space.Align = func(*flow.Space) flow.Alignment {
		return flow.Alignment{Hunks: []flow.Hunk{{Function: "F", Text: "-a\n"}, {Function: "F", Text: "-b\n"}}}
	}
	j := &Triager{Names: []string{"a@v1", "a@v2"}, Shape: input.Shape{input.String}, Space: space}
	type results = []wire.RunResult
	structs := results{{Outcome: uint64(oracle.Accepted), Value: 1, Rendered: "{A: 1, B: 2}"}, {Outcome: uint64(oracle.Accepted), Value: 2, Rendered: "{A: 1, B: 3}"}}
	at := func(first, second float64, edits ...string) *Located {
		l := &Located{Hunk: None, Best: make([]*Direction, 2), Edits: edits}
		for p, score := range []float64{first, second} {
			if score > 0 {
				l.Best[p] = &Direction{Block: 16*p + 9*p, Score: score}
			}
		}
		return l
	}
	for _, test := range []struct {
		name    string
		results results
		layer   oracle.Layers
		at      *Located
		want    *causes.Symptoms
	}{
		{"nothing is known", results{yes, no}, oracle.VerdictLayer, at(0, 0, "-"), nil},
		{"of one program", results{yes, no}, oracle.VerdictLayer, at(0, 0.5, "-", "9"), &causes.Symptoms{
			Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Functions: []string{"", "p.G"}, Classes: []string{"", "T\nbad digit"}, Edits: []string{"-", "9"}, Weak: true,
		}},
		{"of both", results{yes, no}, oracle.VerdictLayer, at(0.8, 1), &causes.Symptoms{
			Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Functions: []string{"p.F", "p.G"}, Classes: []string{"", "T\nbad digit"},
		}},
		{"less well than the other", results{yes, no}, oracle.VerdictLayer, at(1, 0.79), &causes.Symptoms{
			Layer: "verdict", Outcomes: []string{"accepted", "rejected"}, Functions: []string{"p.F", ""}, Classes: []string{"", "T\nbad digit"},
		}},
		{"values", results{yes, other}, oracle.ValueLayer, at(1, 0), &causes.Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"p.F", ""}, Classes: []string{"", ""},
		}},
		{"values of a field, badly", structs, oracle.ValueLayer, at(0.7, 0), &causes.Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"p.F", ""}, Classes: []string{"", ""}, Weak: true, Parts: []string{"0.B"},
		}},
		{"values of a field, without a place", structs, oracle.ValueLayer, at(0, 0), &causes.Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"", ""}, Classes: []string{"", ""}, Weak: true, Parts: []string{"0.B"},
		}},
		{"values of a field, well", structs, oracle.ValueLayer, at(1, 0), &causes.Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"p.F", ""}, Classes: []string{"", ""},
		}},
		{"values without parts", results{yes, other}, oracle.ValueLayer, at(0.7, 0), &causes.Symptoms{
			Layer: "value", Outcomes: []string{"accepted", "accepted"}, Equal: []int{0, 1}, Functions: []string{"p.F", ""}, Classes: []string{"", ""},
		}},
	} {
		got := j.symptoms(test.results, test.layer, test.at, []byte("12"))
		if (got == nil) != (test.want == nil) || got != nil && !sameSymptoms(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}

	// The change names the cause of a disagreement between versions, even if nothing else is known.
	named := func(hunk int, names ...string) *Result {
		l := at(0, 0)
		l.Hunk, l.sure = hunk, true
		f := &Result{Layer: oracle.VerdictLayer, Results: results{yes, no}, Minimized: []byte("12")}
		(&Triager{Names: names, Shape: j.Shape, Space: space}).attribute(f, l)
		return f
	}
	first, second, later, none := named(0, j.Names...), named(1, j.Names...), named(0, "a@v1", "a@v3"), named(None, j.Names...)
	if first.Symptoms == nil || first.Symptoms.Change == "" || first.Bucket == first.Variant || first.Bucket == second.Bucket || first.Variant != second.Variant {
		t.Errorf("two changes: %+v, %+v", first, second)
	}
	if later.Bucket != first.Bucket || !later.Symptoms.SameCause(first.Symptoms) || second.Symptoms.SameCause(first.Symptoms) {
		t.Errorf("the same change, of another version: %+v, %+v", first, later)
	}
	if none.Symptoms != nil || none.Bucket != none.Variant || none.Variant != first.Variant {
		t.Errorf("no change: %+v", none)
	}
}

// TestBucketBefore checks that the bucket before minimizing depends on a known change, and is no
// variant then.
func TestBucketBefore(t *testing.T) {
	results := []wire.RunResult{{Outcome: uint64(oracle.Accepted), Value: 1}, {Outcome: uint64(oracle.Rejected), ErrorType: "T", Error: "bad digit"}}
	j := &Triager{Names: []string{"a@v1", "a@v2"}, Shape: input.Shape{input.String}, Space: versions(
		flow.Hunk{Function: "F", Text: "-a\n"}, flow.Hunk{Function: "F", Text: "-b\n"}, flow.Hunk{Function: "G", Text: "-a\n"},
		flow.Hunk{Function: "F", Text: "-a\n"}, flow.Hunk{Function: "F", Whole: true},
	)}
	before := func(hunk, block int) string {
		at := &Located{Hunk: hunk, Best: []*Direction{nil, {Block: block, Score: 1}}}
		return j.bucketBefore(results, oracle.VerdictLayer, at, []byte("12"))
	}
	variant := func(block int) string {
		return j.bucket(results, oracle.VerdictLayer, &Located{Best: []*Direction{nil, {Block: block, Score: 1}}}, nil)
	}
	if before(None, 17) != variant(17) {
		t.Error("without a change, it is not the variant")
	}
	seen := map[string][2]int{}
	for _, hunk := range []int{None, 0, 1, 2, 4} {
		for _, block := range []int{17, 18} {
			id := before(hunk, block)
			if of, ok := seen[id]; ok {
				t.Errorf("hunk %d at block %d looks like hunk %d at block %d", hunk, block, of[0], of[1])
			}
			if seen[id] = [2]int{hunk, block}; hunk != None && (id == variant(block) || len(id) != len(variant(block))) {
				t.Errorf("hunk %d at block %d: %q", hunk, block, id)
			}
		}
	}
	if before(0, 17) != before(3, 17) {
		t.Error("it depends on the number of the hunk")
	}
}

func sameSymptoms(a, b *causes.Symptoms) bool {
	return a.Layer == b.Layer && a.Change == b.Change && slices.Equal(a.Outcomes, b.Outcomes) && slices.Equal(a.Equal, b.Equal) &&
		slices.Equal(a.Functions, b.Functions) && slices.Equal(a.Classes, b.Classes) && slices.Equal(a.Edits, b.Edits) && a.Weak == b.Weak && slices.Equal(a.Parts, b.Parts)
}

// TestSeparation checks that a place of a program that accepts counts only if accepting separates
// less well.
func TestSeparation(t *testing.T) {
	badly := Direction{Score: 0.5}
	for _, test := range []struct {
		name     string
		accepted Direction
		want     float64
	}{
		{"accepting separates as well", Direction{Score: 1, Verdict: true}, 0.5},
		{"the place separates better", Direction{Score: 1}, 1},
	} {
		if got := separation([]*Direction{&badly, nil, &test.accepted}); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestTurns checks three and more programs: only one accepts, and the others go on rejecting for
// the same reason.
func TestTurns(t *testing.T) {
	for _, test := range []struct {
		base, neighbor string
		class          uint64 // of the neighbor's errors
		turns          bool
	}{
		{"rar", "rrr", 0, true},
		{"rarr", "rrrr", 0, true},
		{"rar", "rrr", 1, false}, // all reject for another reason
		{"rar", "aaa", 0, false},
		{"raa", "rrr", 0, false},
		{"ra", "rr", 0, false},
		{"rad", "rrd", 0, false},
	} {
		neighbor := verdicts(test.neighbor)
		for p := range neighbor {
			neighbor[p].Class = test.class
		}
		if got := rejection.Turns(verdicts(test.base), neighbor); got != test.turns {
			t.Errorf("%s after %s, class %d: %v", test.neighbor, test.base, test.class, got)
		}
	}
}

// TestNameUnfinished checks that findings which were not located have another bucket in each target
// between versions: they may look alike and have other causes.
func TestNameUnfinished(t *testing.T) {
	names := []string{"new", "old"}
	result := func(before string) *Result {
		return &Result{Kind: finding.KindDiscrepancy, Layer: oracle.ValueLayer, Before: before, Raw: []wire.RunResult{{Outcome: uint64(oracle.Accepted), Value: 1}, {Outcome: uint64(oracle.Accepted), Value: 2}}}
	}
	for _, before := range []string{"", "before"} {
		seen := map[string]bool{}
		for _, target := range []string{"p.F", "p.G"} {
			j := &Triager{Names: names, Target: target, Versions: true, Layers: oracle.ValueLayer}
			a, b := result(before), result(before)
			j.nameUnfinished(nil, a)
			j.nameUnfinished(nil, b)
			if a.Bucket != b.Bucket || a.Variant != a.Bucket || seen[a.Bucket] {
				t.Errorf("%s after %q: bucket %s, then %s", target, before, a.Bucket, b.Bucket)
			}
			seen[a.Bucket] = true
		}
	}
}

// TestVariantOf checks that functions distinguish variants, and that an alien byte is a variant.
func TestVariantOf(t *testing.T) {
	j := &Triager{Names: []string{"a", "b"}}
	results := []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Rejected)}}
	of := func(look string, at *Located) string { return j.variantOf(look, results, oracle.VerdictLayer, at, nil) }
	if a, b := of("look", &Located{Hunk: None, Entered: []string{"p.f", "p.g"}}), of("look", &Located{Hunk: None, Entered: []string{"p.f"}}); a == b || a == "look" {
		t.Errorf("variants %s and %s of other functions", a, b)
	}
	if v := of("look", &Located{}); v != "look" {
		t.Errorf("variant %s without functions", v)
	}
	if a, b := of("one", &Located{Hunk: None, alien: "^", Entered: []string{"p.f"}}), of("two", &Located{Hunk: None, alien: "^"}); a != b || a == of("one", &Located{Hunk: None, alien: "u"}) {
		t.Errorf("variants %s and %s of one kind of byte", a, b)
	}
	before := of("look", &Located{Hunk: None, alien: "^"})
	if results[1].Error, results[1].ErrorClass = "in a string", "in a string"; of("look", &Located{Hunk: None, alien: "^"}) == before {
		t.Error("another error, and the variant is the same")
	}
}
