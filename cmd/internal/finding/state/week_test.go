package state

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/internal/atomicfile"
)

// TestStatsOfAWeek runs a campaign of a week with a sample every two seconds. stats.jsonl always
// stays below its bound. Its lines are unchanged and evenly spread over the whole life, by time or,
// if the campaign repeats, by inputs.
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
				elapsed = math.Mod(elapsed*7919, 1000) // times must not matter
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
			if i%100003 == 0 { // the campaign is resumed from time to time
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

// TestStatsOfBefore checks that an overlong file of an earlier parallax is read in bounded memory,
// and thinned with the first sample.
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

// TestLogIsBounded checks that log.txt stays below its bound, and counts the omitted lines exactly.
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

// TestLargeLogIsCut checks that an overlong log.txt of an earlier parallax is cut and counts the
// omitted lines. Its first lines and the new one stay.
func TestLargeLogIsCut(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	path := filepath.Join(dir, logFile)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const many = 3 * firstLog / 1000
	line := strings.Repeat("x", 999) + "\n"
	fmt.Fprint(file, strings.Repeat(line, many), "then ", leftOut, "7\n")
	if err := file.Truncate(MaxFile + 1); err != nil { // one line of zeros
		t.Fatal(err)
	}
	file.WriteString("\n" + strings.Repeat(line, many))
	f := mustOpen(t, dir)
	defer f.Close()
	w := f.Log(time.Now)
	w.Hold()
	w.Write([]byte("level=INFO msg=last\n"))
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || int64(len(data)) != f.log.size || len(data) > firstLog+lastLog+2000 {
		t.Fatalf("%d bytes of %d, %v", len(data), f.log.size, err)
	}
	text := string(data)
	if !strings.HasPrefix(text, line) || !strings.HasSuffix(text, " level=INFO msg=last\n") {
		t.Errorf("%.80q and %.80q", text, text[len(text)-80:])
	}
	before, after, ok := strings.Cut(text, leftOut)
	left, there := 0, strings.Count(text, "\n")-1
	if fmt.Sscan(after, &left); !ok || left+there != many+7+1+many+1 || len(before) < firstLog-2000 {
		t.Errorf("%d lines are there and %d were left out, %d bytes before", there, left, len(before))
	}
}

// TestLinesAreRemoved checks that a campaign continues with new files of lines if a user has
// removed or emptied the old ones.
func TestLinesAreRemoved(t *testing.T) {
	for what, change := range map[string]func(string) error{"removed": os.Remove, "emptied": func(path string) error { return os.Truncate(path, 0) }} {
		f := mustOpen(t, t.TempDir())
		defer f.Close()
		for _, name := range []string{logFile, statsFile} {
			if err := change(f.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		w := f.Log(time.Now)
		for range mostLog/100000 + 2 {
			if _, err := w.Write([]byte(strings.Repeat("x", 100000))); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		for n := range mostStats + 1 {
			if err := f.AppendStats(map[string]int{"elapsed_seconds": n}); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		if info, err := os.Stat(f.path(logFile)); err != nil || info.Size() != f.log.size {
			t.Errorf("%s: %v, %v", what, info, err)
		}
		if lines, problems, err := f.ReadStats(); err != nil || len(problems) > 0 || len(lines) == 0 {
			t.Errorf("%s: %d lines, %q, %v", what, len(lines), problems, err)
		}
	}
}
