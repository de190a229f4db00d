package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Output of the fuzzers, reduced to the used parts.
const (
	ofLibFuzzer = `#2000	pulse  cov: 7 ft: 7 corp: 6/21b lim: 21 exec/s: 0 rss: 27Mb
==12== libFuzzer: run interrupted; exiting
stat::number_of_executed_units: 2345
stat::average_exec_per_sec:     0
`
	crashed = `==13== ERROR: libFuzzer: deadly signal
SUMMARY: libFuzzer: deadly signal
stat::number_of_executed_units: 55
`
	ofAFL      = "run_time          : 2\nexecs_done        : 98765\nsaved_crashes     : 2\n"
	ofParallax = `{"version":1,"inputs":900,"executions":900,"operand_runs":4,"findings":{"total":1,"buckets":[{"kind":"crash","first_seen":41}]}}`
)

func TestRead(t *testing.T) {
	for _, test := range []struct {
		file, text string
		read       func(string) (told, error)
		want       told
	}{
		{stderrFile, ofLibFuzzer, readLibFuzzer, told{executions: 2345}},
		{stderrFile, ofLibFuzzer + crashed, readLibFuzzer, told{executions: 2400, findings: 1}},
		{"out/default/fuzzer_stats", ofAFL, readAFL, told{executions: 98765, findings: 2}},
		{stdoutFile, ofParallax, readSummary, told{executions: 900, cmplogRuns: 4, findings: 1}},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, filepath.FromSlash(test.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := test.read(dir); got != test.want || err != nil {
			t.Errorf("%s: %+v, %v", test.file, got, err)
		}
		if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := test.read(dir); err == nil {
			t.Errorf("%s: %+v of nothing", test.file, got)
		}
	}
}
