package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
)

// trial makes a sample of a subject with eight blocks; reached has an x for each that is covered.
func trial(side string, n int, reached string) sample {
	covered := make([]bool, len(reached))
	for i := range covered {
		covered[i] = reached[i] == 'x'
	}
	s := sample{
		Trial: n, Subject: "s", Side: side, Of: len(reached), Names: "n", Budget: 60, Executions: int64(100 * n), CPU: 60 + float64(n),
		Origin: origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"},
	}
	if s.Reached, s.Blocks = pack(covered); side == seeds {
		s.Budget = 0
	}
	return s
}

func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	all := []sample{
		trial(seeds, 0, "x........"),
		trial(native, 1, "xx......."), trial(native, 2, "xxx......"), trial(native, 3, "xx......."), trial(native, 4, "x.x......"),
		trial(ours, 1, "xx.xxxx.."), trial(ours, 2, "xx.x...x."), trial(ours, 3, "xx.xxx..."), trial(ours, 4, "xx.xx...."),
	}
	if err := samples.Append(file, all...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	// All of ours are more than all of theirs: two of the choose(8, 4) = 70 orders are as extreme.
	want := []string{
		"| s | 4, 4 | 1 of 9 | 2 (2 to 3) | 4.5 (4 to 6) | 16.0 | 0.0286 | 1.00 | better | 2, 1, 5 | 250, 250 | 62.5, 62.5 |",
		"Against go test: better on 1 of 1, worse on 0.",
		"60 CPU seconds a trial. go1 on a machine, parallax p (revision r).",
	}
	for _, line := range want {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
	if strings.Contains(b.String(), minimizing) {
		t.Errorf("a side that was not measured:\n%s", b.String())
	}
}

func TestTableRefuses(t *testing.T) {
	other := trial(ours, 1, "xx")
	other.Names = "m"
	short := trial(ours, 1, "xxxxxxxxx")
	short.Reached = "AA=="
	for name, all := range map[string][]sample{
		"no samples": nil, "different blocks": {trial(native, 1, "xx"), other}, "half a list": {trial(native, 1, "xxxxxxxxx"), short},
	} {
		file := filepath.Join(t.TempDir(), "samples.jsonl")
		if err := samples.Append(file, all...); err != nil {
			t.Fatal(err)
		}
		if err := table(&strings.Builder{}, file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestResume: nothing is mixed with what was measured in another way.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := samples.Append(file, trial(seeds, 0, "x"), trial(native, 1, "x"), trial(ours, 1, "x")); err != nil {
		t.Fatal(err)
	}
	here := trial(ours, 1, "x").Origin
	m := measurement{Setting: setting.Setting{File: file, Here: here}, cpu: 60e9, trials: 1, sides: []string{native, ours}}
	if err := m.resume(); err != nil {
		t.Fatal(err)
	}
	s := subjects[0]
	if s.Name = "s"; !m.complete(s) {
		t.Error("all trials are there, and it is not complete")
	}
	if m.trials = 2; m.complete(s) {
		t.Error("a second trial is not there, and it is complete")
	}
	m.cpu = 30e9
	if m.resume() == nil {
		t.Error("another budget is taken for the same")
	}
	m.cpu, m.Here.Parallax = 60e9, "q"
	if m.resume() == nil {
		t.Error("another build is taken for the same")
	}
	m.Here = here
	if m.Here.Revision = "r2"; m.resume() != nil {
		t.Error("another revision with the same build is refused")
	}
}
