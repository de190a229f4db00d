package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plot returns the output of a published tool. B(2) grows to b2 in 1,000 inputs, and is computed
// for every second line.
func plot(b2 float64) string {
	text := "# unix_time, unique_crashes, total_cov, valid_cov, total_inputs, valid_inputs, valid_paths, valid_branch_sets, unique_valid_inputs, b0, b1, b2\n" +
		"1, 0, 9, 9, 0, 0, 0, 0, 0, 0.000, 0.000, 0.000\n"
	for n := 1.0; n <= 2; n++ {
		line := fmt.Sprintf(", 80, 70, 0, 0, 50.000, 40.000, %.3f\n", b2*n/2)
		text += fmt.Sprintf("%.0f, 0, 9, 9, %.0f", n, 500*n) + line + fmt.Sprintf("%.0f, 0, 9, 9, %.0f", n, 500*n+3) + line
	}
	return text
}

func TestTables(t *testing.T) {
	folder := t.TempDir()
	var ours strings.Builder
	for i := 1; i <= 5; i++ {
		for c, b2 := range map[string]float64{"zest": 100, "simple": 200, "structure": 300, "simple-published": 400} {
			dir := filepath.Join(folder, fmt.Sprintf("%s-%d", c, i))
			if c != "simple-published" { // ours alone
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "plot_data"), []byte(plot(b2+float64(i))), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if c == "structure" {
				b2 = 50 // behind Zest
			}
			fmt.Fprintf(&ours, `{"subject":"goja","configuration":%q,"trial":%d,"series":{"inputs":[2000],"behaviour":`+
				`{"valid":[160],"valid_traces":[140],"b0":[100],"b1":[80],"b2":[%g]}}}`+"\n", c, i-1, 2*b2)
		}
	}
	var converted bytes.Buffer
	if err := convert(&converted, folder); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "published.jsonl")
	if err := os.WriteFile(file, converted.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	published, err := read(file)
	if err != nil || len(published) != 15 || len(published[0].Series.Inputs) != 2 {
		t.Fatal(len(published), err)
	}
	if err := os.WriteFile(file, []byte(ours.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	own, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	tables(&out, own, published)
	for _, want := range []string{
		"| 1000 | 103 | 203 | 303 | 100 | 200 | 50 | 400 |", // medians; ours half of what they are after 2,000
		"| 2000 | - | - | - | 200 | 400 | 100 | 800 |",
		"| B(2) | simple over zest | +97.1 % (1.00) | +100.0 % (1.00) | the same |",
		"| B(2) | structure over zest | +194.2 % (1.00) | -50.0 % (0.00) | **the other** |",
		"| valid inputs | simple over zest | +0.0 % (0.50) | +0.0 % (0.50) | unclear |",
		"The same sign: 1; the other one: 2; unclear on one side at least: 12.",
		"5 trials of each configuration of the published tools, 5 trials of each configuration of ours.",
		"| after 1000 inputs | | published | ours, as published | sign |",
		"ours zest | ours simple | ours structure | ours simple-published |",
		"| B(2) | simple over zest | +97.1 % (1.00) | +300.0 % (1.00) | the same |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestBadTrials(t *testing.T) {
	folder := t.TempDir()
	if err := convert(&bytes.Buffer{}, folder); err == nil {
		t.Error("an empty folder has trials")
	}
	for _, text := range []string{"1, 2\n", "1, 0, 9, 9, x, 80, 70, 0, 0, 1, 1, 1\n", "# columns\n"} {
		if err := new(trial).plot(text); err == nil {
			t.Errorf("%q is plot_data", text)
		}
	}
	file := filepath.Join(folder, "bad.jsonl")
	for _, text := range []string{"{", `{"configuration":"zest","series":{"inputs":[1]}}`} {
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := read(file); err == nil {
			t.Errorf("%s is a trial", text)
		}
	}
}
