package text

import (
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/regress"
)

// TestPointsOfTargets checks that the change points that several targets executed are reported once
// for all of them.
func TestPointsOfTargets(t *testing.T) {
	summary := func(reached, not string) *finding.Summary {
		c := &finding.Change{}
		for _, at := range strings.Fields(reached) {
			at, start := strings.CutPrefix(at, "@")
			c.Reached = append(c.Reached, finding.Reached{Location: at, Start: start})
		}
		for _, at := range strings.Fields(not) {
			at, near, _ := strings.Cut(at, "~")
			c.NotReached = append(c.NotReached, finding.NotReached{Location: at, Nearest: near})
		}
		c.Points, c.Covered = len(c.Reached)+len(c.NotReached), len(c.Reached)
		return &finding.Summary{Target: "p.FuzzP", Programs: []string{"new", "old"}, Change: c}
	}
	a, b := summary("p.go:1 @p.go:2 @p.go:3", "p.go:4 p.go:5 p.go:4 p.go:6"), summary("p.go:2 @p.go:3 p.go:4", "p.go:1 p.go:4 p.go:5 p.go:6~p.go:7")
	together := finding.Together([]*finding.Summary{a, nil, b, {}})
	var out strings.Builder
	if err := TellTogether(&out, together, 100, false); err != nil {
		t.Fatal(err)
	}
	if want := `
All targets together: 4 of 7 change points executed
  executed at the start alone: p.go:3
  not executed: p.go:6 (executed nearest to it: p.go:7)
  not executed: p.go:4, p.go:5 (nothing near it was executed)
`; out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	a.Behavior = &finding.Behavior{}
	a.Behavior.Traces = 2
	for _, several := range []bool{true, false} { // the diversity of each of several targets is in the way there
		out.Reset()
		if err := End(&out, a, EndOptions{Verbose: true, Together: map[bool]*finding.Change{true: together}[several]}); err != nil || strings.Contains(out.String(), "evenness") == several {
			t.Errorf("together %v: %v\n%s", several, err, out.String())
		}
	}
	for _, list := range [][]*finding.Summary{nil, {a}, {a, {}}, {a, summary("p.go:1", "p.go:9")}} { // one target, or two changes
		if c := finding.Together(list); c != nil {
			t.Errorf("%+v", c)
		}
	}
	// All are executed by some target: the text below names none.
	out.Reset()
	if err := End(&out, a, EndOptions{Together: &finding.Change{}}); err != nil || !strings.Contains(out.String(), "not executed here: 4; other targets execute them\n") {
		t.Errorf("%v: %s", err, out.String())
	}
	for _, many := range []bool{false, true} {
		out.Reset()
		if err := End(&out, a, EndOptions{Together: map[bool]*finding.Change{true: together}[many]}); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(out.String(), "not executed: 4, see below"); told != many || strings.Contains(out.String(), "p.go:6") == many || !strings.Contains(out.String(), "executed at the start alone: p.go:2, p.go:3") {
			t.Errorf("several targets %t: %s", many, out.String())
		}
	}
}

// TestNotExecuted checks that each point that was not executed has the reason of the target that
// came nearest. Points with the same reason share a row, and -v names all.
func TestNotExecuted(t *testing.T) {
	of := func(reasons ...regress.Reason) *finding.Summary {
		c := &finding.Change{Points: len(reasons)}
		for i, r := range reasons {
			c.NotReached = append(c.NotReached, finding.NotReached{Location: fmt.Sprintf("p.go:%d", i+1), Reason: r})
		}
		return &finding.Summary{Target: "p.FuzzP", Change: c}
	}
	a := of(regress.OtherTarget, regress.NoCaller, regress.NotExecuted, regress.NoCall, "", regress.NoCaller, regress.TestsOnly, regress.NoCaller)
	b := of(regress.NotExecuted, regress.NoCaller, regress.OtherTarget, regress.NoCall, "", regress.NoCaller, regress.TestsOnly, regress.NoCaller)
	b.Change.NotReached[3].Nearest, b.Change.NotReached[3].Distance = "p.go:9", 12
	for verbose, want := range map[bool]string{
		false: `  not executed: p.go:4 (executed nearest to it: p.go:9, distance 12)
  not executed: p.go:1, p.go:3 (calls lead to it, and nothing near it was executed)
  not executed: p.go:2, p.go:6 (not exported, and nothing outside of tests calls it)
  not executed: p.go:5 (nothing near it was executed)
  and 2 more that were not executed (-v names them)
`,
		true: `  not executed: p.go:4 (executed nearest to it: p.go:9, distance 12)
  not executed: p.go:1, p.go:3 (calls lead to it, and nothing near it was executed)
  not executed: p.go:2, p.go:6, p.go:8 (not exported, and nothing outside of tests calls it)
  not executed: p.go:5 (nothing near it was executed)
  not executed: p.go:7 (only tests call it)
`,
	} {
		var out strings.Builder
		if err := TellTogether(&out, finding.Together([]*finding.Summary{a, b}), 120, verbose); err != nil || !strings.HasSuffix(out.String(), "executed\n"+want) {
			t.Errorf("%v:\n%s\nwant\n%s", err, out.String(), want)
		}
	}
	for _, r := range regress.Reasons {
		if r.Text() == "" {
			t.Errorf("%s has no text", r)
		}
	}
}
