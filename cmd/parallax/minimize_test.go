package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestMinimizePuzzlesAgain checks that minimizing a result of minimizing does not change it.
// Programs and inputs are of all kinds: text, words, several arguments and numbers.
func TestMinimizePuzzlesAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, name := range []string{"arguments", "escape", "minority", "word"} {
		for _, p := range puzzles {
			if p.name != name {
				continue
			}
			t.Run(name, func(t *testing.T) { p.minimizeAll(t, tool) })
		}
	}
}

func (p *puzzle) minimizeAll(t *testing.T, tool *tool) {
	funcs := p.funcs
	if funcs == nil {
		funcs = []string{"A", "B"}
	}
	var args []string
	for _, f := range funcs {
		args = append(args, "./puzzles/"+p.name+"."+f)
	}
	r := tool.diff(t, args, append([]string{"--fuzztime", fmt.Sprint(p.budget, "x"), "--parallel", "1", "--seed", "2"}, p.flags...)...)
	r.exits(t, 1)
	s := r.summary(t)
	ids := []string{"minimize", "--campaign", r.out, "--fuzztime", "5000x"}
	for _, b := range s.Findings.Buckets {
		ids = append(ids, b.ID)
	}
	first, second := tool.run(t, ids...), tool.run(t, ids...)
	first.exits(t, 0)
	second.exits(t, 0)
	n := len(s.Findings.Buckets)
	if done := strings.Count(string(first.stdout), "nothing smaller is left to try"); done != n {
		t.Errorf("%d of %d are at the end:\n%s", done, n, first.stdout)
	}
	if stay := strings.Count(string(second.stdout), " stays at "); stay != n {
		t.Errorf("%d of %d stay as they are:\n%s\nafter\n%s", stay, n, second.stdout, first.stdout)
	}
}
