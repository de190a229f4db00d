package align

import (
	"slices"
	"testing"

	"parallax/cmd/internal/flow"
)

// TestPackagesOfOnePath checks that packages of one import path in two programs are versions of
// each other, however different, and of no others. Equal changes of two packages have two names.
func TestPackagesOfOnePath(t *testing.T) {
	table := func(path, text string) *flow.Table {
		return tableOf(t, path, map[string]string{"parse.go": "package p\n\n" + text})
	}
	const one, two = "func Next(n int) int { return n + 1 }\n", "func Next(n int) int { return n + 2 }\n"
	names := func(add func(s *flow.Space)) (list []string) {
		s := &flow.Space{}
		add(s)
		s.Align = Versions
		for i := range Versions(s).Hunks {
			list = append(list, s.HunkName(i))
		}
		return list
	}
	const hunk = "Next\n-func Next ( n int ) int { return n + 2 }\n+func Next ( n int ) int { return n + 1 }\n"
	got := names(func(s *flow.Space) {
		s.Add(table("m/q", two), 0)
		s.Add(table("m/r", two), 0)
		s.Add(table("m/q", one), 1)
		s.Add(table("m/r", one), 1)
	})
	if !slices.Equal(got, []string{"m/q." + hunk, "m/r." + hunk}) {
		t.Errorf("hunks %q", got)
	}
	got = names(func(s *flow.Space) {
		s.Add(table("m/q", one), 0)
		s.Add(table("m/q", "func Other() {}\n"), 1)
	})
	if !slices.Equal(got, []string{"m/q.Next\n", "m/q.Other\n"}) {
		t.Errorf("of packages with nothing in common: hunks %q", got)
	}
	got = names(func(s *flow.Space) { // of one program
		s.Add(table("m/q", two), 0)
		s.Add(table("m/q", one), 0)
	})
	if got != nil {
		t.Errorf("of one program: hunks %q", got)
	}
}
