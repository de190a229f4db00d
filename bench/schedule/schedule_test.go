package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
)

// trials makes a sample for each number of blocks.
func trials(subject, variant string, covered ...int) (all []sample) {
	for i, n := range covered {
		all = append(all, sample{
			Trial: i + 1, Subject: subject, Variant: variant, Covered: n, Of: 100, Inputs: int64(10 * n), Corpus: n / 2, Budget: 20,
			CPU: 20.5, Origin: origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"},
		})
	}
	return all
}

func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	all := slices.Concat(
		// All trials of rarity are above all of uniform: two of the choose(8, 4) = 70 orders are as
		// extreme.
		trials("s", baseline, 10, 11, 12, 13), trials("s", "rarity", 20, 21, 22, 23), trials("s", "cheap", 13, 12, 11, 10),
		trials("s", untrimmed, 4, 5, 6, 7),
		trials("t", baseline, 10, 10, 10, 10), trials("t", "rarity", 20, 20, 20, 20, 20), trials("t", "cheap", 10, 10, 10),
	)
	if err := samples.Append(file, all...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	// On t, two groups of equal values, 1 of the choose(9, 4) = 126 orders is as extreme. Over both, U
	// is 8 and 10 more than its mean: 8/9 + 10/10 against the root of 12/81 + 4*5/12*(10 -
	// (60+120)/72)/100, z = 3.614.
	want := []string{
		"| blocks | trials | uniform | cheap | rarity | uniform, untrimmed |",
		"| s | 4 | 11.5 (10 to 13) | 11.5; U 8, p 1.000, A12 0.50 | 21.5; U 16, p 0.029, A12 1.00, **better** | 5.5; U 0, p 0.029, A12 0.00, **worse** |",
		"| t | 0 to 5 | 10 (10 to 10) | 10; U 6, p 1.000, A12 0.50 | 20; U 20, p 0.008, A12 1.00, **better** | |",
		"| uniform | 2.5 of 3 | | | |",
		"| cheap | 2.5 of 3 | 0.50 | too few trials | 0, 0 of 2 |",
		"| rarity | 1.0 of 3 | 1.00 | 0.0003, **better** | 2, 0 of 2 |",
		"| uniform, untrimmed |  | 0.00 | too few trials | 0, 1 of 2 |",
		"| s | 115; 6; 20.5 | 115; 6; 20.5 | 215; 10; 20.5 | 55; 2; 20.5 |",
		"| t | 100; 5; 20.5 | 100; 5; 20.5 | 200; 10; 20.5 | |",
		"20 CPU seconds a trial. go1 on a machine, parallax p (revision r).",
	}
	for _, line := range want {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
}

func TestTableRefuses(t *testing.T) {
	for name, all := range map[string][]sample{"no samples": nil, "nothing to compare with": trials("s", "cheap", 1)} {
		file := filepath.Join(t.TempDir(), "samples.jsonl")
		if err := samples.Append(file, all...); err != nil {
			t.Fatal(err)
		}
		if err := table(&strings.Builder{}, file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestResume: nothing is measured twice, and nothing is mixed with what was measured in another
// way.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	one := trials("s", "cheap", 7)
	if err := samples.Append(file, one...); err != nil {
		t.Fatal(err)
	}
	m := measurement{Setting: setting.Setting{File: file, Here: one[0].Origin}, cpu: 20 * time.Second}
	if err := m.resume(); err != nil {
		t.Fatal(err)
	}
	if !m.done[key{"s", "cheap", 1}] || m.done[key{"s", "cheap", 2}] || m.done[key{"s", baseline, 1}] {
		t.Errorf("done: %v", m.done)
	}
	m.cpu = time.Second
	if m.resume() == nil {
		t.Error("another budget is taken for the same")
	}
	m.cpu, m.Here.Parallax = 20*time.Second, "q"
	if m.resume() == nil {
		t.Error("another build is taken for the same")
	}
}

func TestChoose(t *testing.T) {
	var all, two measurement
	if err := all.choose(variantNames()); err != nil || len(all.variants) != len(variants) {
		t.Errorf("all: %v, %v", all.variants, err)
	}
	if err := two.choose("afl;" + untrimmed); err != nil || len(two.variants) != 2 || two.variants[0].name != "afl" ||
		!slices.Contains(two.variants[1].flags, "--no-trim") {
		t.Errorf("two: %v, %v", two.variants, err)
	}
	for _, list := range []string{"", "afl,cheap", "afl;", "alf"} {
		var m measurement
		if m.choose(list) == nil {
			t.Errorf("%q: %v", list, m.variants)
		}
	}
}

// TestOrder: each variant comes first as often as the others.
func TestOrder(t *testing.T) {
	m := measurement{variants: variants}
	first := map[string]int{}
	for turn := range 3 * len(variants) {
		order := m.order(turn)
		if len(order) != len(variants) {
			t.Fatalf("%d of %d", len(order), len(variants))
		}
		first[order[0].name]++
	}
	for _, v := range variants {
		if first[v.name] != 3 {
			t.Errorf("%s comes first %d times, not 3", v.name, first[v.name])
		}
	}
}
