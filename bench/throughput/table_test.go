package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

func TestTable(t *testing.T) {
	run := func(pair int, side string, executions int64, cpu float64) sample {
		return sample{
			Pair: pair, Subject: "s", Side: side, Seconds: 12, Executions: executions + 1, FixedExecutions: 1, CPU: cpu + 0.5, Fixed: 0.5,
			Packages: 2, Counters: 30, Origin: origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"},
		}
	}
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	// Rates 10, 20, 30 against 100, 400, 240: medians 20 and 240, ratios 10, 20 and 8.
	err := samples.Append(file,
		run(1, native, 100, 10), run(1, ours, 1000, 10),
		run(2, native, 200, 10), run(2, ours, 4000, 10),
		run(3, native, 300, 10), run(3, ours, 2400, 10))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| s | 3 | 20 | 240 | 12.0 | 8.0 to 20.0 | 2, 30 | 2, 30 |",
		"Runs of 12 s. go1 on a machine, parallax p (revision r).",
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
	if err := samples.Append(file, run(4, native, 100, 10)); err != nil {
		t.Fatal(err)
	}
	if err := table(&b, file); err == nil {
		t.Error("half a pair is no error")
	}
}
