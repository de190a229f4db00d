package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNormalize(t *testing.T) {
	here := places{{"/tmp/run/left", "LEFT"}, {"/tmp/run", "RUNS"}}
	for _, test := range []struct{ name, data, want string }{
		{"out/summary.json", "\"elapsed_seconds\": 0.231,\n \"inputs\": 20,\n \"executions_per_second\": 2.5e+06\n", "\"elapsed_seconds\": \"TIME\",\n \"inputs\": 20,\n \"executions_per_second\": \"TIME\"\n"},
		{"out/findings/ab/bucket.json", `"first_seen": 3, "first_seen_time": "2026-11-22T20:53:11Z"`, `"first_seen": 3, "first_seen_time": "TIME"`},
		{"out/findings/ab/bucket.json", `"code": "0123456789abcdef", "count": 3`, `"code": "CODE", "count": 3`},
		{"out/campaign.json", "{\n  \"dir\": \"/tmp/run/left\",\n  \"go\": \"go1.26.0\"\n}", "{\n  \"dir\": \"LEFT\",\n  \"go\": \"BUILD\"\n}"},
		{"out/stats.jsonl", "{\"inputs\":1}\n{\"elapsed_seconds\":2.5,\"inputs\":2}\n", `{"elapsed_seconds": "TIME","inputs":2}`},
		{"out/log.txt", "2026-11-22T20:53:09.399Z level=INFO msg=start\n", "STAMP level=INFO msg=start\n"},
		{"out/log.txt", "2026-11-22T20:53:09Z msg=\"worker ended\"\n2026-11-22T20:53:09Z msg=finding\n", "STAMP msg=finding\nSTAMP msg=\"worker ended\"\n"},
		{"step-01.stderr", "inputs    20,000 in 1m0.2s, 260,094 executions a second\nfolder  /tmp/run/left/out\n", "inputs    20,000 in TIME\nfolder  LEFT/out\n"},
		{"step-02.stdout", "5 inputs, first 12s ago, last just now\n1 input, first just now\n", "5 inputs, first TIME ago\n1 input, first TIME ago\n"},
		{"out/findings/ab/cd/outputs.json", `"stack": "go:1\n... 59 more\nmain"`, `"stack": "go:1\n... N more\nmain"`},
		// Inputs are bytes, whatever they look like.
		{"out/corpus/00ff", "/tmp/run/left", "/tmp/run/left"},
		{"out/findings/ab/cd/minimized", "/tmp/run/left", "/tmp/run/left"},
	} {
		got, whole := normalize(test.name, []byte(test.data), here)
		if string(got) != test.want || !whole {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	if _, whole := normalize("out/lock", []byte("77"), here); whole {
		t.Error("a lock is recorded")
	}
}

// TestNormaliseNothing checks that other numbers than times stay.
func TestNormaliseNothing(t *testing.T) {
	for _, data := range []string{
		`"first_seen": 17, "count": 3, "seed": 1`, "corpus    769 inputs, 18.2 KiB; diversity 7,528 coarse\n", "0.231", "2026-11-22T20:53:11Z",
	} {
		if got, _ := normalize("out/summary.json", []byte(data), nil); string(got) != data {
			t.Errorf("%q became %q", data, got)
		}
	}
}

func tupleBlock(domain byte, hashes ...uint64) (b []byte) {
	b = append(b, 'T', domain, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(hashes)))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return append(b, "sum4"...)
}

func tupleLog(build string, blocks ...[]byte) []byte {
	b := append([]byte("PLXTUPLE"), 1, 0, 0, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(build)))
	b = append(append(b, build...), "sum4"...)
	for _, block := range blocks {
		b = append(b, block...)
	}
	return b
}

// TestTuples checks that neither the build nor the time of writing blocks shows. The order of a
// domain does.
func TestTuples(t *testing.T) {
	const want = "1 0000000000000001\n1 0000000000000002\n2 0000000000000003\n"
	for _, log := range [][]byte{
		tupleLog("a", tupleBlock(1, 1, 2), tupleBlock(2, 3)),
		tupleLog("other", tupleBlock(2, 3), tupleBlock(1, 1), tupleBlock(1, 2)),
	} {
		if got := string(tuples(log)); got != want {
			t.Errorf("%s", got)
		}
	}
	if got := string(tuples(tupleLog("a", tupleBlock(1, 2, 1), tupleBlock(2, 3)))); got == want {
		t.Error("another order is the same")
	}
	for _, damaged := range []string{"", "PLXTUPLE", string(tupleLog("a", tupleBlock(1, 2))[:30])} {
		if got := string(tuples([]byte(damaged))); !strings.HasPrefix(got, "unknown format\n") {
			t.Errorf("%q: %q", damaged, got)
		}
	}
}

func record(tag byte, name string, data []byte) (b []byte) {
	b = append(b, tag)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(append(b, name...), data...)
}

// TestSnapshot checks that all of coverage.bin is kept except the build and the times.
func TestSnapshot(t *testing.T) {
	make := func(build string, inputs, elapsed uint64, seen string) string {
		b := append([]byte("PLXCOVER"), 1, 0, 0, 0)
		b = append(b, record(1, "", []byte(build))...)
		b = append(b, record(2, "A", []byte(seen))...)
		b = append(b, record(3, "inputs", binary.LittleEndian.AppendUint64(nil, inputs))...)
		b = append(b, record(3, "elapsed_ms", binary.LittleEndian.AppendUint64(nil, elapsed))...)
		return string(snapshot(append(b, "sum4"...)))
	}
	base := make("a", 10, 100, "\x01\x02")
	if base != make("b", 10, 200, "\x01\x02") {
		t.Error("build or time shows")
	}
	if base == make("a", 11, 100, "\x01\x02") || base == make("a", 10, 100, "\x01\x03") {
		t.Error("a count or what was covered does not show")
	}
	if got := snapshot([]byte("PLXCOVERxxxxyyyyyyyyyyyyyyyyy")); !strings.HasPrefix(string(got), "unknown format\n") {
		t.Errorf("%q", got)
	}
}

// TestSettle checks that a folder gets one time, whatever it had, and keeps the counts.
func TestSettle(t *testing.T) {
	folder := t.TempDir()
	files := map[string][2]string{
		"stats.jsonl": {
			"{\"elapsed_seconds\":0.1,\"cpu_seconds\":0.1,\"inputs\":3,\"corpus\":1}\n{\"elapsed_seconds\":0.2,\"cpu_seconds\":0.1,\"inputs\":8,\"corpus\":2}\n",
			"{\"elapsed_seconds\":1,\"cpu_seconds\":1,\"inputs\":2,\"corpus\":2}\n{\"elapsed_seconds\":2,\"cpu_seconds\":2,\"inputs\":4,\"corpus\":2}\n" +
				"{\"elapsed_seconds\":3,\"cpu_seconds\":3,\"inputs\":6,\"corpus\":2}\n{\"elapsed_seconds\":4,\"cpu_seconds\":4,\"inputs\":8,\"corpus\":2}\n",
		},
		"summary.json":            {`"elapsed_seconds": 0.2, "inputs": 8, "executions_per_second": 99.5`, `"elapsed_seconds": 4, "inputs": 8, "executions_per_second": 1000`},
		"findings/ab/bucket.json": {`"first_seen": 3, "first_seen_time": "2026-11-22T20:53:11Z"`, `"first_seen": 3, "first_seen_time": "2026-01-01T00:00:00Z"`},
	}
	for name, data := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data[0]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := settle(folder); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		got, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil || string(got) != data[1] {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, data[1])
		}
	}
}
