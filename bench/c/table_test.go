package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

var somewhere = origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"}

func TestTable(t *testing.T) {
	dir := t.TempDir()
	file, puzzles := filepath.Join(dir, "samples.jsonl"), filepath.Join(dir, "puzzles.jsonl")
	runs := []sample{{Subject: "expat", Side: seedsAlone, Inputs: 3, Blocks: 10, Of: 90, Clang: "clang", Origin: somewhere}}
	run := func(round int, side string, executions int64, blocks int) {
		runs = append(runs, sample{
			Round: round, Subject: "expat", Side: side, Budget: 2, Executions: executions, CPU: 2, Inputs: 7, Blocks: blocks, Of: 90, Origin: somewhere,
		})
	}
	for round := 1; round <= 4; round++ {
		run(round, ours, int64(1000+round), 40)
		run(round, libFuzzer, int64(500+round), 50+round)
	}
	run(1, fastOnly, 2005, 41)
	var trials []trial
	for n := 1; n <= 4; n++ {
		trials = append(trials,
			trial{Puzzle: "magic", Trial: n, Side: ours, Cap: 1000, Reached: true, Executions: int64(10 * n), Clang: "clang", Origin: somewhere},
			trial{Puzzle: "magic", Trial: n, Side: libFuzzer, Cap: 1000, Reached: n < 2, Executions: 900, Origin: somewhere})
	}
	if err := samples.Append(file, runs...); err != nil {
		t.Fatal(err)
	}
	if err := samples.Append(puzzles, trials...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file, puzzles); err != nil {
		t.Fatal(err)
	}
	// All of one side are more than all of the other: two of the choose(8, 4) = 70 orders are as
	// extreme.
	for _, line := range []string{
		"| expat | the seeds | | | | | | | | 10 of 90 | | | | 3 |",
		"| expat | parallax | 4 | 501 | 500 to 502 | | | | | 40 | 40 to 40 | | | 7 |",
		"| expat | parallax, PARALLAX_BUILDS=fast | 1 | 1002 | 1002 to 1002 | 0.50 | | | | 41 | 41 to 41 | | | 7 |",
		"| expat | libFuzzer | 4 | 251 | 250 to 252 | 2.00 (1.99 to 2.00) **+** | 16.0 | 0.0286 | 1.00 | 52.5 | 51 to 54 | 0.0286 | 0.00 **-** | 7 |",
		"Runs of 2 CPU seconds. go1 on a machine, parallax p (revision r); clang.",
		"| magic | 4, 4 | 4, 1 | 25 | 10 to 40 | never | 900 to never | 16.0 | 0.0286 | 1.00 | earlier |",
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
	if err := table(&b, filepath.Join(dir, "none"), filepath.Join(dir, "neither")); err == nil {
		t.Error("a table of nothing")
	}
}
