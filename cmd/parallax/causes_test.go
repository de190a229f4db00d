package main_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"parallax/internal/input"
	"parallax/puzzles/several"
)

// causesBudget is in inputs.
const causesBudget = 40_000

// rare lists causes that more frequent ones hide. They have the same outcomes, so few of their
// inputs are triaged. A campaign may miss them.
var rare = map[string]bool{"path.depth": true, "query.first": true, "ports.reversed": true}

// TestCauses checks that a campaign finds each of several causes in one target: the input of some
// finding shows it. It logs how many causes have several buckets, and how many share one.
// bench/causes measures it.
func TestCauses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	var found, split, merged, all int
	for i := range several.Puzzles {
		p := &several.Puzzles[i]
		t.Run(p.Name, func(t *testing.T) {
			c := findCauses(t, tool, p)
			for k, cause := range p.Causes {
				all++
				if c.seen[k] {
					found++
				} else if !rare[p.Name+"."+cause.Name] {
					t.Errorf("no finding shows cause %s: %s", cause.Name, cause.Kind)
				}
				if c.buckets[k] > 1 {
					split++
				}
				if c.shared[k] {
					merged++
				}
			}
		})
	}
	t.Logf("%d of %d causes found; %d have several buckets, %d share one with another cause", found, all, split, merged)
}

// causes says of each cause of a puzzle what became of it.
type causes struct {
	seen    []bool // an input of some finding shows it
	buckets []int  // whose minimized inputs all show it
	shared  []bool // it is in a bucket whose minimized inputs have no cause in common
}

func findCauses(t *testing.T, tool *tool, p *several.Puzzle) causes {
	t.Helper()
	args := []string{"./" + p.Folder() + "." + p.Func, "./" + p.FolderB() + "." + p.Func}
	r := tool.diff(t, args, "--fuzztime", fmt.Sprint(causesBudget, "x"), "--parallel", "1", "--seed", "1")
	r.exits(t, 1)
	shape, err := input.ParseShape(p.Shape())
	if err != nil {
		t.Fatal(err)
	}
	n := len(p.Causes)
	c := causes{make([]bool, n), make([]int, n), make([]bool, n)}
	for _, b := range r.summary(t).Findings.Buckets {
		if b.Kind != "discrepancy" {
			t.Errorf("a finding of kind %s", b.Kind)
			continue
		}
		folder := filepath.Dir(filepath.Dir(r.resolve(b.Minimized)))
		files, err := filepath.Glob(filepath.Join(folder, "*", "minimized"))
		if err != nil || len(files) == 0 {
			t.Fatalf("bucket %s: %v, %v", b.ID, files, err)
		}
		counts, inputs := make([]int, n), 0
		for _, file := range files {
			small := minimized(t, shape, file)
			if !p.Differ(small) {
				t.Errorf("bucket %s: the minimized input %q shows no difference", b.ID, small)
			}
			shown := p.Shown(small)
			for _, k := range shown {
				counts[k]++
				c.seen[k] = true
			}
			if len(shown) > 0 {
				inputs++
			}
			for _, k := range p.Shown(minimized(t, shape, filepath.Join(filepath.Dir(file), "input"))) {
				c.seen[k] = true
			}
		}
		common := slices.Index(counts, inputs)
		for k := range counts {
			switch {
			case inputs == 0:
			case k == common:
				c.buckets[k]++
			case common < 0 && counts[k] > 0:
				c.shared[k] = true
			}
		}
	}
	return c
}
