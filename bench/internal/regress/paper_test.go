package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
)

// TestDraw: the blocks to which the time is measured are those of the seed in README.md, whatever
// is measured.
func TestDraw(t *testing.T) {
	for _, test := range []struct {
		subject string
		blocks  int
		want    []int
	}{{"gjson", 212, []int{28, 139}}, {"gjson", 1, []int{0}}, {"gjson", 0, []int{}}} {
		if got := draw(test.subject, test.blocks); !slices.Equal(got, test.want) {
			t.Errorf("%s, %d: %v, not %v", test.subject, test.blocks, got, test.want)
		}
	}
	if slices.Equal(draw("gjson", 212), draw("godotenv", 212)) {
		t.Error("all pairs have the same blocks")
	}
}

// tool describes the trials of a configuration in a synthetic file.
type tool struct {
	inputs  int64
	crashes []string // places
	corpus  int
	second  float64 // at which it executes each block, and as many inputs by hundreds
	blocks  int     // that it executes, those that were drawn first
}

// synthetic makes four trials of each tool on a subject of four blocks.
func synthetic(subject string, tools map[string]tool) (all []sample) {
	order := draw(subject, 4)
	for b := range 4 {
		if !slices.Contains(order, b) {
			order = append(order, b)
		}
	}
	for name, one := range tools {
		for i := range 4 {
			s := sample{
				Subject: subject, Versions: "v1 v2", Configuration: name, Seed: i + 1, Kind: "crash", Budget: "20s", Inputs: one.inputs + int64(i), Executions: one.inputs + one.inputs/4, CPU: 20,
				Corpus: one.corpus + i, Crashes: len(one.crashes), Statuses: map[string]int{},
				Change: change{Points: 2, Covered: 1, Impacted: 30, ImpactedCovered: 20, Blocks: 4, BlocksCovered: one.blocks, All: 120, AllOld: 110},
				Origin: origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"},
			}
			for k, b := range order[:one.blocks] {
				at := one.second + float64(i)/100 + float64(k*5)
				r := reached{Block: b, Inputs: int64(100 * at), CPU: at}
				if i == 0 {
					r.Location = fmt.Sprintf("x.go:%d", b)
				}
				s.First = append(s.First, r)
			}
			for k, place := range one.crashes {
				s.Found = append(s.Found, bucket{ID: place, Kind: "crash", Status: "new", Location: place, FirstSeen: int64(100 * (k + 1)), CPU: 1})
				s.Statuses["new"]++
			}
			if len(s.Found) > 0 {
				s.New = &moment{int64(100 * one.second), one.second}
			}
			all = append(all, s)
		}
	}
	byName := func(a, b sample) int { return strings.Compare(a.Configuration, b.Configuration) }
	slices.SortStableFunc(all, byName)
	return all
}

// TestPaper prints all tables of the paper from a file of two pairs whose results are known.
func TestPaper(t *testing.T) {
	tools := map[string]tool{
		baseline:  {1000, []string{"a:1"}, 40, 3, 1},
		aflFast:   {800, []string{"a:1", "b:2"}, 70, 4, 2},
		aflGo:     {800, []string{"a:1"}, 60, 2, 2},
		deltaFuzz: {1000, []string{"a:1", "c:3"}, 60, 1, 2},
		ours:      {900, []string{"a:1"}, 60, 1, 4},
		forward:   {900, nil, 50, 1, 2},
		"delta-1": {1000, []string{"a:1", "c:3"}, 60, 1, 2},
	}
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	c := synthetic("c", tools)
	for i := range c {
		c[i].C = true
	}
	changed := slices.Clone(c[:1])
	changed[0].Found = append(changed[0].Found, bucket{ID: "d", Kind: "change", Status: "changed"})
	if err := samples.Append(file, slices.Concat(synthetic("g", tools), changed, c[1:])...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	first, second := draw("g", 4)[0], draw("g", 4)[1]
	for _, line := range []string{
		"| Table 1: the change | versions | change points | blocks with a change | impacted blocks | all blocks of the new version | of the old one |",
		"| g | v1 v2 | 2 | 4 | 30 (25 %) | 120 | 110 |",
		"| Table 2: inputs executed; crashes; paths | afl | aflfast-fast | aflgo | delta | points |",
		"| g | 1002; 1.0; 41.5 | 801.5; 2.0; 71.5 | 801.5; 1.0; 61.5 | 1002; 2.0; 61.5 | 901.5; 1.0; 61.5 |",
		"| total of 2 | 2003; 2.0; 83.0 | 1603; 4.0; 143.0 | 1603; 2.0; 123.0 | 2003; 4.0; 123.0 | 1803; 2.0; 123.0 |",
		"| Table 3: inputs executed; crashes; paths | delta | delta-forward |",
		"| g | 1002; 2.0; 61.5 | 901.5; 0.0; 51.5 |",
		"| Table 4: blocks with a change that were executed | all | afl | aflfast-fast | aflgo | delta | points |",
		"| total of 2 | 8 | 2.0 (25.0 %) | 4.0 (50.0 %) | 4.0 (50.0 %) | 4.0 (50.0 %) | 8.0 (100.0 %) |",
		"| Table 6: failures: found; by it alone | afl | aflfast-fast | aflgo | delta | points | by all | by any |",
		"| g | 1; 0 | 2; 1 | 1; 0 | 2; 1 | 1; 0 | 1 | 3 |",
		"| total of 2 | 2; 0 | 4; 2 | 2; 0 | 4; 2 | 2; 0 | 2 | 6 |",
		"| Table 6: changes of behavior: found; by it alone | afl | aflfast-fast | aflgo | delta | points | by all | by any |",
		"| c | 1; 1 | 0; 0 | 0; 0 | 0; 0 | 0; 0 | 0 | 1 |",
		"| Fig. 8: failures found on 2 pairs by | and by no other of delta, aflgo, aflfast-fast |",
		"| delta, aflgo, aflfast-fast | 2 |",
		"| delta | 2 |",
		"| aflfast-fast | 2 |",
		"| Fig. 7: blocks with a change at 1/4, 1/2, 3/4 and all of the budget | afl | aflfast-fast | aflgo | delta | points |",
		"| g | 1.0, 1.0, 1.0, 1.0 | 1.0, 2.0, 2.0, 2.0 | 1.0, 2.0, 2.0, 2.0 | 1.0, 2.0, 2.0, 2.0 | 1.0, 2.0, 3.0, 4.0 |",
		"| the paper's claims, on the held-out pairs | paper | here | p, A12 | verdict | sums |",
		"| the paper's claims, on the pairs of C | paper | here | p, A12 | verdict | sums |",
		"| the same of our default, on the held-out pairs | paper | here | p, A12 | verdict | sums |",
		"| the same of our default, on the pairs of C | paper | here | p, A12 | verdict | sums |",
		"| the constant c | paper | here | p, A12 | verdict | sums |",
	} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing", line)
		}
	}
	for _, text := range []string{
		fmt.Sprintf("\n| g, block %d of 4 (x.go:%d) | 3.01 (302), 4 of 4 | 4.01 (401), 4 of 4; U 0, ", first+1, first),
		fmt.Sprintf("\n| g, block %d of 4 (x.go:%d) | T/O, 0 of 4 | 9.02 (902), 4 of 4; U 16, ", second+1, second),
		// Four targets of 1.015 and 6.015 seconds, against 2.015 and 7.015.
		"\n| time to targets: 20.6 % less than AFLGo's | 0.79 | 0.78 | p 0.0000, A12 1.00 | **confirmed** | 14.1 and 18.1 CPU s, ",
		// Blocks that only one of both executes are left out of the sums, and count in the test.
		"\n| time to targets: 32.6 % less than AFL's | 0.67 | 0.34 | p 0.0000, A12 1.00 | **confirmed** | 2.0 and 6.0 CPU s, 203 and 603 inputs, over 2 targets; 2 left out (T/O) |",
		"\n| blocks with a change: 1.03 of AFLGo's | 1.03 | 1.00 | p 1.0000, A12 0.50 | no difference shown | 4.0 and 4.0, over 2 pairs |",
		"\n| crashes: 1.08 of AFLGo's | 1.08 | 2.00 | p 0.00",
		"\n| crashes: 1.21 of AFLFast's | 1.21 | 1.00 | p 1.0000, A12 0.50 | no difference shown |",
		"\n| executions: 0.89 of AFLGo's | 0.89 | 1.25 | p 0.0",
		"A12 1.00 | **refuted** | 2003 and 1603, over 2 pairs |",
		"\n| crashes by the forward half: 0.92 of both | 0.92 | 0.00 | p 0.0",
		"\n| blocks with a change: points of afl |  | 4.00 | p 0.0",
		"\n| time to targets: delta-1 of delta (c = 0.1) |  | 1.00 | p 1.0000, A12 0.50 |  |",
		"Inputs to the first new finding, points of afl, by medians: g 0.33, c 0.33. At the median of 2 held-out pairs: 0.33 (at most 0.50 is wanted: yes). Significantly worse on none.",
		"points against afl: 8 sooner, 0 later, median ratio of inputs 0.34.",
	} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("%q is missing", text)
		}
	}
	if t.Failed() {
		t.Log(b.String())
	}
}

// TestPartly: configurations that were measured on some pairs only, with fewer trials, are compared
// where there are trials of both, and nowhere else.
func TestPartly(t *testing.T) {
	all := map[string]tool{baseline: {1000, []string{"a:1"}, 40, 3, 1}, ours: {900, []string{"a:1"}, 60, 1, 2}}
	whole := maps.Clone(all)
	whole[deltaFuzz], whole[aflGo] = tool{1000, []string{"a:1"}, 60, 1, 2}, tool{800, []string{"b:2"}, 60, 2, 2}
	c := synthetic("c", whole)
	for i := range c {
		c[i].C = true
	}
	some := maps.Clone(all)
	some[deltaFuzz] = whole[deltaFuzz]
	fewer := slices.DeleteFunc(synthetic("fewer", some), func(s sample) bool { return s.Configuration == deltaFuzz && s.Seed > 1 })
	for i := range fewer {
		if s := &fewer[i]; s.Configuration == baseline && s.Seed == 4 {
			s.Found = append(s.Found, bucket{ID: "late:9", Kind: "crash", Status: "new", Location: "late:9"})
		}
	}
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := samples.Append(file, slices.Concat(synthetic("g", all), fewer, c)...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"| 3 held out (van Elteren) |  | p ", ", on 1 pair |", ", on 2 pairs |",
		"| total of 1 | 1002; 1.0; 41.5 | 801.5; 1.0; 61.5 | 1002; 1.0; 61.5 | 901.5; 1.0; 61.5 |",
		// A finding of the fourth trial does not count where another configuration has one.
		"| fewer | 1; 0 |  | 1; 0 | 1; 0 | 1 | 1 |",
		"| total of 1 | 1; 0 | 1; 1 | 1; 0 | 1; 0 | 0 | 2 |",
		"| Fig. 8: failures found on 1 pair by | and by no other of delta, aflgo |",
		"points against aflgo: 2 sooner, 0 later, on 1 of 3 pairs, which have trials of both, ",
		"delta against afl: 4 sooner, 0 later, on 2 of 3 pairs, which have trials of both, ",
	} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("%q is missing", text)
		}
	}
	_, own, _ := strings.Cut(b.String(), "| the paper's claims, on the held-out pairs of Go |")
	own, _, _ = strings.Cut(own, "\n\n")
	for _, text := range []string{
		"\n| paths: 1.04 of AFLGo's | 1.04 | - |  | nothing to compare |  |",
		"\n| time to targets: 32.6 % less than AFL's | 0.67 | 0.33 | p ",
	} {
		if !strings.Contains(own, text) {
			t.Errorf("%q is missing in %s", text, own)
		}
	}
	for _, text := range []string{"NaN", "Inf", "1 pairs", "p 0.0000, A12 0.00", "total of 0"} {
		if strings.Contains(b.String(), text) {
			t.Errorf("there is %q", text)
		}
	}
	if t.Failed() {
		t.Log(b.String())
	}
}

// TestBar: a baseline that finds nothing bounds the ratio from above, and a default that finds
// nothing is never sooner.
func TestBar(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := samples.Append(file, slices.Concat(
		trials("late", ours, 100, 200, 300), trials("late", baseline, 0, 0, 900), trials("lost", ours, 0, 0), trials("lost", baseline, 5, 6), trials("none", ours, 0), trials("none", baseline, 0),
	)...); err != nil {
		t.Fatal(err)
	}
	m, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "Inputs to the first new finding, points of afl, by medians: late below 0.20, lost never. At the median of 2 held-out pairs: +Inf (at most 0.50 is wanted: no). Significantly worse on none."
	if got := m.bar(); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
