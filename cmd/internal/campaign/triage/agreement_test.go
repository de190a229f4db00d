package triage

import (
	"context"
	"testing"
	"time"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestCell checks that values of one kind are in one cell, and so are rejections.
func TestCell(t *testing.T) {
	accepted := func(v string) string {
		return cell(&wire.RunResult{Outcome: uint64(oracle.Accepted), Rendered: v})
	}
	for _, alike := range [][]string{
		{"1", "-20.5", "0"}, {"'a'", "'bc d'"}, {"''"}, {"[ 1 ]", "[ 'a', 'b' ]", `"[ 'a' ]"`}, {"[]", "[  ]"}, {"{ a: 1 }"}, {"true"}, {"undefined"}, {"Map(2) { 1 => 2 }"}, {""}, {"'"},
	} {
		for _, v := range alike[1:] {
			if accepted(v) != accepted(alike[0]) {
				t.Errorf("%s is %q, and %s is %q", v, accepted(v), alike[0], accepted(alike[0]))
			}
		}
	}
	seen := map[string]string{cell(&wire.RunResult{Outcome: uint64(oracle.Rejected), Rendered: "x"}): "a refusal"}
	for _, v := range []string{"1", "'a'", "''", "[ 1 ]", "[]", "{ a: 1 }", "{}", "true", "undefined", "Map(2) {}"} {
		if other, twice := seen[accepted(v)]; twice {
			t.Errorf("%s and %s are both %q", v, other, accepted(v))
		}
		seen[accepted(v)] = v
	}
	if cell(&wire.RunResult{Outcome: uint64(oracle.Rejected), Rendered: "a"}) != cell(&wire.RunResult{Outcome: uint64(oracle.Rejected), Rendered: "[ 1 ]"}) {
		t.Error("refusals are of two cells")
	}
}

// TestAgreement checks that inputs near one show whether the programs mostly agree on its path.
// There may be too few of them.
func TestAgreement(t *testing.T) {
	j := newTriager(t)
	for _, test := range []struct {
		input string
		cells bool
		fits  func(runs, agree int) bool
	}{
		{"12", false, func(runs, agree int) bool { return runs >= 8 && 10*agree >= 9*runs }},
		{"12", true, func(runs, agree int) bool { return runs >= 8 && 10*agree >= 9*runs }},
		{"30000000", false, func(runs, agree int) bool { return runs >= 8 && 10*agree < 4*runs }},
		{"30000000", true, func(runs, agree int) bool { return runs >= 8 && 10*agree < 4*runs }},
		{"", false, func(runs, agree int) bool { return runs < 8 }},
	} {
		like, err := j.Agreement(context.Background(), []byte(test.input), test.cells)
		if err != nil || like.Failed != NoProgram || !test.fits(like.Runs, like.Agree) {
			t.Errorf("%q, cells %v: %+v, %v", test.input, test.cells, like, err)
		}
	}
}

// TestAgreementFails checks that the program that crashes on the input is named, and that few
// processes end.
func TestAgreementFails(t *testing.T) {
	j := newTriager(t)
	for text, failed := range map[string]int{"a:panic 1": 0, "b:panic 1": 1, "ab:panic 1": 0, "b:exit 9": 1, "a:hang": 0, "7": NoProgram} {
		j.Spec.Timeout = time.Minute
		if text == "a:hang" {
			j.Spec.Timeout = 300 * time.Millisecond
		}
		like, err := j.Agreement(context.Background(), []byte(text), false)
		if err != nil || like.Failed != failed {
			t.Errorf("%q: %+v, %v", text, like, err)
		}
	}
}
