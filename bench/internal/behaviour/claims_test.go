package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines are the samples of a subject with eight trials each of some configurations, whose B(2) at
// the end, and half-way, are given.
func lines(subject string, b2 map[string]float64, buckets map[string]string) string {
	var out strings.Builder
	for _, c := range []string{"simple", "structure", "zest", "quickcheck", "rlcheck", "default"} {
		for trial := range 8 {
			v := b2[c] + float64(trial)/10
			fmt.Fprintf(&out, `{"subject":%q,"configuration":%q,"trial":%d,"inputs":1000,"cpu_seconds":10,"buckets":[%s],`+
				`"series":{"inputs":[500,1000],"cpu_seconds":[5,10],"behaviour":{"b0":[1,1],"b1":[1,1],"b2":[%g,%g],"valid_b2":[%g,%g],"valid_traces":[10,20]}}}`+"\n",
				subject, c, trial, buckets[c], v/2, v, 50-v/2, 100-v)
		}
	}
	return out.String()
}

func TestClaims(t *testing.T) {
	crash := func(at int) string {
		return fmt.Sprintf(`{"kind":"crash","classes":{"p":"index out of range [%d]\nmore"},"first_seen":%d}`, at, at)
	}
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	text := lines("a", map[string]float64{"simple": 20, "structure": 30, "zest": 10, "quickcheck": 10, "rlcheck": 10, "default": 40},
		map[string]string{"simple": crash(800), "structure": crash(400), "quickcheck": crash(100)}) +
		lines("b", map[string]float64{"simple": 10, "structure": 20, "zest": 15, "quickcheck": 10, "rlcheck": 10, "default": 12}, nil)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := read(file)
	if err != nil || len(all) != 96 {
		t.Fatal(len(all), err)
	}
	var out strings.Builder
	print(&out, all)
	for _, want := range []string{
		"96 trials on 2 subjects, at least 8 of each",
		"| subject | simple | structure | default | zest | rlcheck | quickcheck |",
		"| a | 20; 80 | 30; 70 | **40**; 60 | 10; **90** | 10; **90** | 10; **90** |", // B(2), of trials with 40.0 to 40.7, and of valid inputs the rest to 100
		"| a | +96.6 %; A12 1.00, p ",
		"| significantly ahead, and behind | 1 and 1 | 1 and 1 |",
		"| RQ2: B(2) of valid inputs above all others' on four subjects of six | 2 of 2 | 0 | 0 | 2 |",
		"| RQ2: B(2) above all others' on four subjects of six | 2 of 2 | 1 | 1 | 1 | a | **refuted** |", // Zest is above SIMPLE on b
		"| RQ2: STRUCTURE ahead of SIMPLE in the first twelfth (5 minutes of an hour), B(2) | 2 of 2 | 2 | 2 | 0 | a, b | **confirmed** |",
		"| RQ1: number of diverse valid inputs above Zest's | 2 of 2 | 0 | 0 | 0 |  | not shown |", // all alike
		"| a, crash: index out of range [N] | 8.0 (100 %) | 4.0 (100 %) | - | - | - | 1.0 (100 %) |",
		"STRUCTURE sooner than SIMPLE: A12 1.00",
		"| b | structure, zest | simple, rlcheck, quickcheck |",
		"Worse than none on 1 of 2 subjects, better than Zest on 1.",
		"| simple over zest | 1.141 | ", // the published data: 15.4 % on six subjects, 14.1 without the sixth
		"| simple over quickcheck | 1.2",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestBadSamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	os.WriteFile(file, []byte("{\"subject\":\"a\"}\n{\n"), 0o644)
	if _, err := read(file); err == nil || !strings.Contains(err.Error(), "samples.jsonl:2") {
		t.Error(err)
	}
}

func TestReadAll(t *testing.T) {
	dir := t.TempDir()
	first, second, none := filepath.Join(dir, "first"), filepath.Join(dir, "second"), filepath.Join(dir, "none")
	again := `{"subject":"a","configuration":"default","trial":0,"inputs":7}` + "\n"
	for file, text := range map[string]string{first: lines("a", nil, nil) + lines("b", nil, nil), second: again, none: ""} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := readAll([]string{first, second})
	if err != nil || len(all) != 96-8+1 || all[len(all)-1].Inputs != 7 {
		t.Errorf("%d samples, %v: want the last file's for the default on a", len(all), err)
	}
	if _, err := readAll([]string{first, none}); err == nil || !strings.Contains(err.Error(), "none has no samples") {
		t.Errorf("an empty file: %v", err)
	}
}

// TestTables checks that a table can be printed alone.
func TestTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := os.WriteFile(file, []byte(lines("a", map[string]float64{"simple": 20, "zest": 10}, nil)), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lead": "| subject | all traces: simple over zest | traces of valid inputs |\n",
		"b1":   "| subject | simple | structure |",
	} {
		var out strings.Builder
		if group(all).table(&out, name); !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s is\n%s", name, out.String())
		}
	}
}
