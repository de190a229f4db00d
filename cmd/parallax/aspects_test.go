package main_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/puzzles/aspects"
)

// planted are functions of the puzzle, as diff is given them.
func planted(names ...string) (funcs []string) {
	for _, name := range names {
		funcs = append(funcs, "./puzzles/aspects."+name)
	}
	return funcs
}

// aspectsOf returns the aspects of a campaign's buckets. It is "A: message" for a failure, "A<B" if
// A rejects an input that B accepts, and "A|B" if values differ.
func aspectsOf(t *testing.T, s *finding.Summary) map[string]bool {
	t.Helper()
	list := map[string]bool{}
	for _, b := range s.Findings.Buckets {
		if b.Flaky {
			t.Errorf("%s is flaky: %+v", b.ID, b)
		}
		if b.Kind != "discrepancy" {
			if m := endedWith.FindStringSubmatch(b.Results[b.Program]); m != nil {
				list[short(b.Program)+": "+m[1]] = true
			}
			list[short(b.Program)+": "+oracle.MessageClass(beforeWords.ReplaceAllString(b.Results[b.Program], ""))] = true
			continue
		}
		for p, did := range b.Outcomes {
			for q, other := range b.Outcomes {
				if b.Layer == "value" {
					if p < q && did == "accepted" && other == "accepted" && b.Results[p] != b.Results[q] {
						list[short(p)+"|"+short(q)] = true
					}
				} else if did == "rejected" && other == "accepted" {
					list[short(p)+"<"+short(q)] = true
				}
			}
		}
	}
	return list
}

// endedWith finds how a program ended its process.
var endedWith = regexp.MustCompile(`^the program ended its process: (exit status \d)`)

// beforeWords matches the text before the last line that a program printed, with the time of
// package log.
var beforeWords = regexp.MustCompile(`^the program ended its process: exit status \d: ([\d/]+ [\d:]+ )?`)

func short(program string) string { return strings.TrimPrefix(program, "aspects.") }

// TestCrashHidesNothing checks that a crash hides no other crash on the same inputs, and no
// disagreement of other programs. The crash may end the process or not. The status and the last
// message distinguish causes for which a program ends its process, whatever it printed before.
func TestCrashHidesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, c := range []struct {
		programs []string
		inputs   int
		want     []string
	}{
		{[]string{"Long", "Zed", "Calm"}, 20_000, []string{"Long: too long for Long", "Zed: Zed knows no z"}},
		{[]string{"Long", "Calm", "Odd"}, 5_000, []string{"Long: too long for Long", "Odd<Calm", "Odd<Long"}},
		{[]string{"Long", "Gate", "Strict"}, 5_000, []string{"Long: too long for Long", "Strict<Gate"}},
		{[]string{"Exits", "Gate", "Strict", "Zed"}, 300, []string{"Exits: aspects, version <n>", "Strict<Gate"}},
		{[]string{"Codes", "Calm"}, 300, []string{"Codes: exit status 3", "Codes: exit status 4"}},
		{[]string{"Prints", "Calm"}, 300, []string{"Prints: error: no text", "Prints: error: too long"}},
		{[]string{"Logs", "Calm"}, 300, []string{"Logs: no text: byte <n>", "Logs: too long: <q>"}},
	} {
		t.Run(strings.Join(c.programs, " "), func(t *testing.T) {
			t.Parallel()
			r := tool.diff(t, planted(c.programs...), "--fuzztime", fmt.Sprint(c.inputs, "x"), "--parallel", "1", "--seed", "1", "--no-cmplog")
			r.exits(t, 1)
			got := aspectsOf(t, r.summary(t))
			for _, want := range c.want {
				if !got[want] {
					t.Errorf("%q is missing in %v", want, got)
				}
			}
		})
	}
}

// TestAllFindWhatPairsFind checks that a campaign of several programs finds every failure and
// disagreement that campaigns of each pair find.
func TestAllFindWhatPairsFind(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	names := []string{"First", "Second", "Third"}
	for _, seed := range []int64{1, 2} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			chosen := *tool
			chosen.env = append(slices.Clone(tool.env), fmt.Sprintf("%s=%d", aspects.Choice, seed))
			find := func(names ...string) map[string]bool {
				r := chosen.diff(t, planted(names...), "--fuzztime", "200x", "--parallel", "1", "--seed", "1", "--no-cmplog")
				return aspectsOf(t, r.summary(t))
			}
			all := find(names...)
			pairs := map[string]bool{}
			for i := range names {
				for k := range names[:i] {
					for of := range find(names[k], names[i]) {
						pairs[of] = true
					}
				}
			}
			for of := range pairs {
				if !all[of] {
					t.Errorf("%q is found by a pair, and not by all: %v", of, all)
				}
			}
			for of := range all {
				if !pairs[of] {
					t.Errorf("%q is found by all, and by no pair", of)
				}
			}
			t.Logf("%d aspects of %v", len(all), aspects.Table(seed))
		})
	}
}
