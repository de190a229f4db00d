package trial

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/sample"
)

// trialOf returns a sample with some unique discrepancies, and buckets found after 100, 200, ...
// inputs, at ten inputs per millisecond.
func trialOf(subject, configuration string, trial int, unique int, inputs ...string) *Sample {
	s := &Sample{
		Version: 1, Subject: subject, Configuration: configuration, Trial: trial, Seed: uint64(5 + trial), Inputs: 1000, Executions: 2000,
		CPU: 0.1, AllCPU: 0.5, Wall: 1, Diversity: sample.Diversity{{Key: "coarse", N: uint64(100 + unique)}, {Key: "fine", N: 50}, {Key: "output", N: 20}}, Covered: 30, Blocks: 90, Unique: unique,
		Tuples: []string{}, Buckets: []Found{}, Load: "1.00 2.00 3.00", Build: "b", Programs: map[string]string{"x.A": "m/x.A", "x.B": "m/x.B@v1.0.0"},
		Modules: map[string]string{"m": "v1.0.0"}, Origin: Origin{Tool: "t", Revision: "r", Go: "go1", Machine: "a machine"},
	}
	for i := range unique {
		s.Tuples = append(s.Tuples, strings.Repeat("0", 15)+string(rune('a'+i)))
	}
	for i, in := range inputs {
		s.Buckets = append(s.Buckets, Found{
			ID: "id-" + in, Kind: "discrepancy", Layer: "verdict", Outcomes: map[string]string{"x.A": "accepted", "x.B": "rejected"},
			Classes: map[string]string{"x.B": "bad digit"}, Input: `"` + in + `"`, Count: 1, FirstSeen: uint64(100 * (i + 1)),
		})
	}
	for i := range 10 {
		part := func(n int) int { return n * (i + 1) / 10 }
		s.Series.Inputs = append(s.Series.Inputs, uint64(100*(i+1)))
		s.Series.CPU = append(s.Series.CPU, 0.01*float64(i+1))
		s.Series.Unique = append(s.Series.Unique, part(unique))
		s.Series.Buckets = append(s.Series.Buckets, part(len(inputs)))
		s.Series.Covered = append(s.Series.Covered, part(30))
		s.Series.Diversity.Add(sample.Diversity{
			{Key: "coarse", N: uint64(part(100 + unique))}, {Key: "fine", N: uint64(part(50))}, {Key: "output", N: uint64(part(20))},
		})
	}
	return s
}

func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	read := func() ([]*Sample, []string) {
		t.Helper()
		all, problems, err := ReadSamples(path)
		if err != nil {
			t.Fatal(err)
		}
		return all, problems
	}
	if all, problems := read(); all != nil || problems != nil {
		t.Fatalf("no file: %v %v", all, problems)
	}
	l, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Sample{trialOf("s", "a", 0, 2, "x", "y\\n"), trialOf("s", "a", 1, 0)}
	for _, s := range want {
		if err := l.Append(s); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenLog(path); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "another parallax bench adds samples") {
		t.Errorf("opened twice: %v", err)
	}
	l.Close()
	if all, problems := read(); !reflect.DeepEqual(all, want) || problems != nil {
		t.Fatalf("got %v, %v", all, problems)
	}

	// The rest of a killed run is skipped, and removed before more is appended.
	add(t, path, `{"version":1,"subject":"half`)
	if all, problems := read(); len(all) != 2 || len(problems) != 1 || !strings.Contains(problems[0], "s.jsonl:3: a half line") {
		t.Fatalf("half a line: %d samples, %q", len(all), problems)
	}
	if l, err = OpenLog(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(trialOf("s", "b", 0, 1)); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if all, problems := read(); len(all) != 3 || problems != nil {
		t.Fatalf("after half a line: %d samples, %q", len(all), problems)
	}

	// Lines that are not samples are reported, and the others count.
	again, _ := json.Marshal(want[0])
	ragged := trialOf("s", "c", 0, 1)
	ragged.Series.CPU = ragged.Series.CPU[1:]
	bad, _ := json.Marshal(ragged)
	back := trialOf("s", "c", 1, 1)
	back.Series.Inputs[3] = 5
	worse, _ := json.Marshal(back)
	add(t, path, "rubbish\n\n"+`{"version":9}`+"\n{}\n"+string(again)+"\n"+string(bad)+"\n"+string(worse)+"\n")
	all, problems := read()
	if len(all) != 3 || len(problems) != 6 {
		t.Fatalf("%d samples, %q", len(all), problems)
	}
	for i, part := range []string{":4: no sample", ":6: no sample: version 9", ":7: no sample: version 0", ":8: s, a, trial 1 is in line 1 already", ":9: no sample: its series has columns", ":10: no sample: its series goes back"} {
		if !strings.Contains(problems[i], part) {
			t.Errorf("%q, want %q", problems[i], part)
		}
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestFullDisk checks that a failed sample is not written, that the message gives the reason, and
// that earlier samples remain.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("this machine has no /dev/full: %v", err)
	}
	l := &Log{path: "s.jsonl", file: full}
	err = l.Append(trialOf("s", "a", 0, 1))
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "s.jsonl") || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v", err)
	}
	l.Close()

	// An incomplete write is undone.
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if l, err = OpenLog(path); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Append(trialOf("s", "a", 0, 1)); err != nil {
		t.Fatal(err)
	}
	limited(t, l.size+100, func() {
		if err := l.Append(trialOf("s", "a", 1, 1)); exit.Code(err) != exit.InfraCode {
			t.Errorf("got %v", err)
		}
	})
	if all, problems, err := ReadSamples(path); len(all) != 1 || problems != nil || err != nil {
		t.Errorf("%d samples, %q, %v", len(all), problems, err)
	}
	if err := l.Append(trialOf("s", "a", 1, 1)); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// limited runs f with a size limit for files of this process.
func limited(t *testing.T, size int64, f func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(size), Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	f()
}

func TestSelect(t *testing.T) {
	c, err := parseConfig([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	own := trialOf("semver", "default", 0, 1)
	own.Command = c.command(c.subject("semver"), c.configuration("default"))
	late := trialOf("semver", "default", 10, 1)
	late.Command = own.Command
	got, others, err := c.Select("f", []*Sample{own, trialOf("gone", "default", 0, 1), late})
	if err != nil || len(got) != 1 || others != 2 {
		t.Errorf("%v, %d others, %v", got, others, err)
	}
	flags := trialOf("semver", "default", 0, 1)
	flags.Command = append(append([]string{}, own.Command...), "--no-cmplog")
	if _, _, err := c.Select("f", []*Sample{flags}); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "--no-cmplog\nand the configuration says") {
		t.Errorf("other flags: %v", err)
	}
	seed := trialOf("semver", "default", 0, 1)
	seed.Command, seed.Seed = own.Command, 77
	if _, _, err := c.Select("f", []*Sample{seed}); err == nil || !strings.Contains(err.Error(), "had seed 77, and the configuration says 5") {
		t.Errorf("another seed: %v", err)
	}
}

func TestSameBuild(t *testing.T) {
	r := &Run{builds: map[string]string{"s/a": "b"}}
	if err := r.same(trialOf("s", "a", 0, 1)); err != nil {
		t.Error(err)
	}
	other := trialOf("s", "a", 0, 1)
	other.Build = "c"
	if err := r.same(other); err == nil || !strings.Contains(err.Error(), "its programs are not those of the samples") {
		t.Errorf("other programs: %v", err)
	}
	if err := r.same(&Sample{Subject: "new", Build: "d"}); err != nil {
		t.Error(err)
	}
	mixed := &Run{Origin: Origin{Tool: "u", Go: "go1", Machine: "a machine"}, Done: []*Sample{trialOf("s", "a", 0, 1)}}
	if err := mixed.Check("f"); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "parallax was t, and is u") {
		t.Errorf("another build: %v", err)
	}
	mixed.Origin.Tool, mixed.Origin.Revision = "t", "another"
	if err := mixed.Check("f"); err != nil {
		t.Errorf("another revision with the same executable: %v", err)
	}
}

func FuzzSamples(f *testing.F) {
	line, _ := json.Marshal(trialOf("s", "default", 0, 2, "x"))
	f.Add(append(line, '\n'))
	f.Add([]byte("{\"version\":1}\nrubbish"))
	c, err := parseConfig([]byte(strings.ReplaceAll(good, "semver", "s")))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, _ := parseSamples(data)
		for _, s := range all {
			if subject, one := c.subject(s.Subject), c.configuration(s.Configuration); subject != nil && one != nil {
				s.Command, s.Seed = c.command(subject, one), c.Seed+uint64(s.Trial)
			}
		}
		own, _, err := c.Select("f", all)
		if err != nil || len(own) == 0 {
			return
		}
		a, err := Analyze(c, own, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.JSON(); err != nil {
			t.Fatal(err)
		}
		if err := a.Markdown(&strings.Builder{}); err != nil {
			t.Fatal(err)
		}
	})
}

// TestLockFolder checks that two measurements for one file of samples exclude each other, even if
// the file was replaced. They would remove each other's folders.
func TestLockFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	lock, err := LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockFolder(dir); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "another parallax bench") {
		t.Errorf("twice: %v", err)
	}
	lock.Close()
	if lock, err = LockFolder(dir); err != nil {
		t.Error(err)
	} else {
		lock.Close()
	}
}
