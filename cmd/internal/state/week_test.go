package state

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"parallax/internal/atomicfile"
)

// A campaign of a week, with a sample every two seconds: stats.jsonl stays below its bound at each moment. What is kept is as
// it was, and evenly spread over the whole life, by time or, where a campaign repeats, by inputs.
func TestStatsOfAWeek(t *testing.T) {
	for _, byInputs := range []bool{false, true} {
		dir := t.TempDir()
		f := mustOpen(t, dir)
		if byInputs {
			f.Repeats()
		}
		const every, samples = 2.0, 7 * 24 * 3600 / 2
		const inputs = 1000
		line := func(i int) string {
			reached := ""
			if i%50000 == 7 {
				reached = `,"reached":[{"block":1}]`
			}
			elapsed := float64(i) * every
			if byInputs {
				elapsed = math.Mod(elapsed*7919, 1000) // it must not matter
			}
			return fmt.Sprintf(`{"elapsed_seconds":%g,"inputs":%d%s}`, elapsed, i*inputs, reached)
		}
		largest, total := int64(0), 0
		for i := range samples {
			if err := f.AppendStats(json.RawMessage(line(i))); err != nil {
				t.Fatal(err)
			}
			if largest = max(largest, f.stats.size); f.stats.lines > mostStats {
				t.Fatalf("%d lines after %d samples", f.stats.lines, i+1)
			}
			if i%100003 == 0 { // it is resumed now and then
				f.Close()
				f = mustOpen(t, dir)
				if byInputs {
					f.Repeats()
				}
			}
			total = i + 1
		}
		lines, problems, err := f.ReadStats()
		if err != nil || len(problems) > 0 || len(lines) > mostStats || len(lines) < mostStats/4 {
			t.Fatalf("%d lines, %q, %v", len(lines), problems, err)
		}
		last, gap, reached := -1, 0, 0
		for k, l := range lines {
			var p struct{ Inputs int }
			if err := json.Unmarshal(l, &p); err != nil {
				t.Fatal(err)
			}
			i := p.Inputs / inputs
			if string(l) != line(i) || i <= last || k == 0 && i != 0 {
				t.Fatalf("line %d is %s, after that of sample %d", k, l, last)
			}
			if k > 0 {
				gap = max(gap, i-last)
			}
			if last = i; strings.Contains(string(l), "reached") {
				reached++
			}
		}
		if last != total-1 || reached != (total+50000-8)/50000 {
			t.Errorf("by inputs %v: the last is of sample %d, %d of those that reached something", byInputs, last, reached)
		}
		if gap > 4*samples/(mostStats/2) {
			t.Errorf("by inputs %v: %d samples between two that are kept", byInputs, gap)
		}
		t.Logf("by inputs %v: %d lines of %d, at most %d bytes, gap %d", byInputs, len(lines), total, largest, gap)
		f.Close()
	}
}

// A file that an earlier parallax let grow is read in bounded memory, and thinned with the first sample.
func TestStatsOfBefore(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	f.Close()
	var text []byte
	const samples = 30000
	for i := range samples {
		text = fmt.Appendf(text, `{"elapsed_seconds":%d,"inputs":%d}`+"\n", i, i)
	}
	if err := os.WriteFile(f.path(statsFile), text, 0o644); err != nil {
		t.Fatal(err)
	}
	old, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	if lines, _, err := old.ReadStats(); err != nil || len(lines) > 2*mostStats || len(lines) < mostStats/2 {
		t.Errorf("%d lines are held, %v", len(lines), err)
	}
	f = mustOpen(t, dir)
	if err := f.AppendStats(json.RawMessage(`{"elapsed_seconds":30000,"inputs":30000}`)); err != nil {
		t.Fatal(err)
	}
	if lines, _, err := f.ReadStats(); err != nil || len(lines) > mostStats/2 || string(lines[len(lines)-1]) != `{"elapsed_seconds":30000,"inputs":30000}` {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	f.Close()
}

// log.txt stays below its bound, whatever is logged, and says exactly how much it leaves out.
func TestLogIsBounded(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	clock := time.Unix(1e9, 0)
	w := f.Log(func() time.Time { clock = clock.Add(time.Second); return clock })
	const records = 60000
	pad := strings.Repeat("x", 1000)
	for i := range records {
		if _, err := w.Write([]byte(fmt.Sprintf("level=INFO msg=some n=%d pad=%s\n", i, pad))); err != nil {
			t.Fatal(err)
		}
		if f.log.size > mostLog+2000 {
			t.Fatalf("%d bytes after %d records", f.log.size, i)
		}
	}
	f.Close()
	data, err := os.ReadFile(f.path(logFile))
	if err != nil {
		t.Fatal(err)
	}
	left, there, last := 0, 0, -1
	for line := range strings.Lines(string(data)) {
		_, record, _ := strings.Cut(line, " ")
		var n int
		if k, _ := fmt.Sscanf(record, leftOut+"%d", &n); k == 1 {
			left += n
			continue
		}
		if _, err := fmt.Sscanf(record, "level=INFO msg=some n=%d pad=", &n); err != nil || n <= last || !strings.HasSuffix(line, "x\n") {
			t.Fatalf("%.80q after record %d: %v", line, last, err)
		}
		last = n
		there++
	}
	if left+there != records || last != records-1 {
		t.Errorf("%d lines are there and %d were left out of %d, the last is %d", there, left, records, last)
	}
}
