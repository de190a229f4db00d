package check

import (
	"context"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
)

// TestVersions checks that a version is worse where it is wrong and the other is right, but not
// where no solver answers.
func TestVersions(t *testing.T) {
	right, err := Prepare(t.Context(), &record.Record{Answer: *extracttest.Answer(t, "isdigit")}, Options{Dir: t.TempDir(), Target: "t", Program: "angr", Scope: scope.Options{Samples: 400}})
	if err != nil {
		t.Fatal(err)
	}
	defer right.Close()
	other := func(kind formula.Kind) *Model { // on all digits but 0
		m := *right
		m.Evaluate = func(ctx context.Context, c call.Call) (formula.Answer, error) {
			if n := c[0].Int; n > '0' && n <= '9' {
				return formula.Answer{Kind: kind}, nil
			}
			return right.Evaluate(ctx, c)
		}
		return &m
	}
	digits, all := 0, len(right.Scope.Sampled())
	for _, flat := range right.Scope.Sampled() {
		if n := right.Original.Signature.Decode(flat)[0].Int; n > '0' && n <= '9' {
			digits++
		}
	}
	if digits == 0 {
		t.Fatal("no digit was sampled")
	}
	for name, test := range map[string]struct {
		base, head *Model
		want       finding.ModelChange
		on         string
	}{
		"the same":        {right, right, finding.ModelChange{Calls: all}, ""},
		"worse":           {right, other(formula.Dropped), finding.ModelChange{Calls: all, Worse: digits}, "; now: dropped"},
		"better":          {other(formula.Dropped), right, finding.ModelChange{Calls: all, Better: digits}, "; before: dropped"},
		"unknown now":     {right, other(formula.Unknown), finding.ModelChange{Calls: all - digits, Unknown: digits}, ""},
		"unknown before":  {other(formula.Unknown), right, finding.ModelChange{Calls: all - digits, Unknown: digits}, ""},
		"dropped, unsaid": {other(formula.Dropped), other(formula.Unknown), finding.ModelChange{Calls: all - digits, Unknown: digits}, ""},
	} {
		got, err := Versions(t.Context(), test.base, test.head)
		on := got.WorseOn + got.BetterOn
		got.Function, got.WorseOn, got.BetterOn = "", "", ""
		if err != nil || got != test.want || !strings.HasSuffix(on, test.on) || (on == "") != (test.on == "") {
			t.Errorf("%s: %+v %q, %v; want %+v", name, got, on, err, test.want)
		}
	}
}
