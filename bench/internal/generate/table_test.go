package main

import (
	"path/filepath"
	"strings"
	"testing"

	"parallax/bench/internal/samples"
)

func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := print(&strings.Builder{}, file); err == nil {
		t.Error("a file without samples has a table")
	}
	for round := 1; round <= 3; round++ {
		for build, value := range map[string]float64{"base": 10, "present": 8} {
			for _, s := range []sample{
				{Round: round, Build: build, Benchmark: "Mutate", Value: value + float64(round)},
				{Round: round, Build: build, Benchmark: "Drawn/go", Value: 4 * value, Plain: 70},
			} {
				if err := samples.Append(file, s); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := samples.Append(file, sample{Round: 4, Build: "base", Benchmark: "Mutate", Value: 99}); err != nil {
		t.Fatal(err) // the round is not complete
	}
	var out strings.Builder
	if err := print(&out, file); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| Mutate: user CPU µs per KB | 12.0 (11.0 to 13.0) | 10.0 (9.0 to 11.0) | 0.83 (0.82 to 0.85) | 3 |",
		"| Drawn/go: throughput lost by CPU time, %; programs of 70 µs | 40.0 (40.0 to 40.0) | 32.0 (32.0 to 32.0) | 0.80 (0.80 to 0.80) | 3 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestMetrics(t *testing.T) {
	m := metrics("goos: linux\nBenchmarkMutate \t   40000\t     12003 ns/op\t        10.12 µs/KB\t      47 B/op\t       0 allocs/op\nPASS\n")
	if m["ns/op"] != 12003 || m["µs/KB"] != 10.12 || m["allocs/op"] != 0 || len(m) != 4 {
		t.Errorf("%v", m)
	}
	if m := metrics("PASS\n"); len(m) > 0 {
		t.Errorf("without a benchmark: %v", m)
	}
}
