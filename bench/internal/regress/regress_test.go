package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/bench/internal/origin"
	"parallax/bench/internal/samples"
	"parallax/bench/internal/setting"
)

const root = "../../regress"

// TestSubjects reads the lists that are there.
func TestSubjects(t *testing.T) {
	list, err := readSubjects(root, "", goPairs, cPairs)
	if err != nil {
		t.Fatal(err)
	}
	var development []string
	byName := map[string]subject{}
	for _, s := range list {
		byName[s.Name] = s
		if s.Development {
			development = append(development, s.Name)
		}
		if path := s.witness(root); path != "" {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		if s.C {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, "go", s.Name)); err != nil {
			t.Error(err)
		}
	}
	if n := len(development); n == 0 || n > 3 {
		t.Errorf("development: %v", development)
	}
	if s := byName["gjson"]; s.Module != "github.com/tidwall/gjson" || s.Good != "v1.2.1" || s.Bad != "v1.3.0" || s.Fuzz != "FuzzGet" || s.Kind != "crash" || s.C {
		t.Errorf("%+v", s)
	}
	if s := byName["libxml2-pattern"]; !s.C || s.Kind != "output" {
		t.Errorf("%+v", s)
	}
	if s := byName["toml-same"]; s.Control != noDifference || s.witness(root) != "" {
		t.Errorf("%+v", s)
	}
	if some, err := readSubjects(root, "^go-toml", goPairs, cPairs); err != nil || len(some) != 2 {
		t.Errorf("%v, %v", some, err)
	}
	if none, err := readSubjects(root, "^nothing$", goPairs, cPairs); err == nil {
		t.Error(none)
	}
}

func TestParseSubjects(t *testing.T) {
	list, err := parseSubjects(`# a comment
development = ["a", 'b'] # wrong quotes
`)
	if err == nil {
		t.Errorf("%v", list)
	}
	list, err = parseSubjects(`development = ["a",]
[[subject]]
name = "a" # "a"
module = "m"
good = "v1"
bad = "v2"
fuzz = "FuzzX"
kind = "crash"
what = "a \"quoted\" \\u text # no comment"
[[subject]]
name = "b"
witness = "verdict"
files = ["x", "y"]
new = true
hunks = 12
`)
	want := []subject{
		{Name: "a", Module: "m", Good: "v1", Bad: "v2", Fuzz: "FuzzX", Kind: "crash", Development: true}, {Name: "b", Kind: "output", C: true},
	}
	if err != nil || !reflect.DeepEqual(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
	for _, text := range []string{
		"[[subject]]\nname = \"a\"", "[[subject]]\nname = a", "[[subject]]\nname", "[[subject]]\nname = \"a", "[[subject]]\nname = [\"a\"",
		"[[subject]]\nname = \"a\" b", "[table]", "[[subject]]\nname = \"a\"\nname = \"b\"", "[[subject]]\nname =",
	} {
		if list, err := parseSubjects(text); err == nil {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

func TestConfigurations(t *testing.T) {
	all, err := chooseConfigurations(configurationNames())
	if err != nil || !reflect.DeepEqual(all, configurations) {
		t.Errorf("%v, %v", all, err)
	}
	for _, list := range []string{"", "afl;points", "afl,", "alf"} {
		if some, err := chooseConfigurations(list); err == nil {
			t.Errorf("%q: %v", list, some)
		}
	}
}

func TestBudget(t *testing.T) {
	for text, want := range map[string][]string{"20s": {"--cputime", "20s"}, "3000x": {"--fuzztime", "3000x"}} {
		var b budget
		if err := b.UnmarshalText([]byte(text)); err != nil || !slices.Equal(b.flags(), want) {
			t.Errorf("%s: %v, %v", text, b.flags(), err)
		}
	}
	for _, text := range []string{"", "0x", "-3x", "0s", "20", "x"} {
		var b budget
		if b.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is a budget: %+v", text, b)
		}
	}
}

func TestArguments(t *testing.T) {
	m := measurement{root: "/r"}
	b := budget{text: "20s", cpu: 20 * time.Second}
	s := subject{Name: "s", Module: "example.com/m", Good: "v1.0.0", Bad: "v1.1.0", Fuzz: "FuzzX"}
	tail := " --seed 3 --parallel 1 --json --ui none --out /f/campaign --cputime 20s --schedule points --no-base"
	c, err := chooseConfigurations(alone)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(m.arguments(s, c[0], 3, b, "/f"), " "),
		"regress example.com/m@v1.0.0 example.com/m@v1.1.0 --harness /r/go/s --fuzz ^FuzzX$"+tail; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(m.arguments(subject{Name: "s", C: true}, c[0], 3, b, "/f"), " "), "regress parallax.toml --base base --head head"+tail; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRead reads what parallax regress has left, from testdata.
func TestRead(t *testing.T) {
	var s sample
	if err := s.read("testdata/run"); err != nil {
		t.Fatal(err)
	}
	want := sample{
		Inputs: 3000, Executions: 4372, OfOld: 1372, Crashes: 2, Tuples: map[string]int{"coarse": 1094, "fine": 569, "output": 86}, Corpus: 556, CPU: 0.16, Flaky: 1, Unjudged: 2,
		New: &moment{1000, 0.1}, Changed: &moment{100, 0.025}, Statuses: map[string]int{"new": 2, "changed": 1, "fixed": 1},
		Change: change{Points: 32, Covered: 2, Impacted: 620, ImpactedCovered: 305, Paths: 73, Segments: 421, Blocks: 212, BlocksCovered: 98, All: 1822, AllCovered: 598, AllOld: 1623},
		First: []reached{
			{8, "github.com/tidwall/gjson/gjson.go:860", 0, 0.024}, {3, "github.com/tidwall/gjson/gjson.go:719", 150, 0.04}, {211, "github.com/tidwall/gjson/gjson.go:2001", 1799, 0.15},
		},
		Over: [][5]float64{{0.05, 200, 1, 2, 178}, {0.15, 1800, 2, 3, 300}, {0.16, 3000, 2, 3, 305}},
	}
	for i := 1; i <= steps; i++ {
		at := [4]float64{0.05, 200, 500, 300}
		switch {
		case i >= 16:
			at = [4]float64{0.16, 3000, 598, 421}
		case i >= 15:
			at = [4]float64{0.15, 1800, 590, 420}
		}
		want.Series = append(want.Series, at)
	}
	again := sample{Seed: 2}
	if err := again.read("testdata/run"); err != nil || len(again.First) != 3 || again.First[0].Location != "" {
		t.Errorf("the second trial: %+v, %v", again.First, err)
	}
	found := s.Found
	if s.Found = nil; !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	wantFound := []bucket{
		{ID: "6db3f0867764", Kind: "change", Layer: "value", Status: "changed", Location: "gjson.go:1450", FirstSeen: 100, CPU: 0.025, folder: "/campaign/findings/6db3f0867764"},
		{ID: "e8906724c502", Kind: "crash", Status: "new", Location: "gjson.go:1722", FirstSeen: 1000, CPU: 0.1, folder: "/campaign/findings/e8906724c502"},
		{ID: "8dbab3f987a5", Kind: "crash", Status: "new", Location: "gjson.go:1722", FirstSeen: 1800, CPU: 0.15, folder: "/campaign/findings/8dbab3f987a5"},
		{ID: "0ad9e1b83a1c", Kind: "crash", Status: "fixed", Location: "gjson.go:1704", FirstSeen: 1900, CPU: 0.151, folder: "/campaign/findings/0ad9e1b83a1c"},
	}
	if !reflect.DeepEqual(found, wantFound) {
		t.Errorf("got  %+v\nwant %+v", found, wantFound)
	}
}

// TestOverTime: of many lines there are forty, evenly spaced, and the last.
func TestOverTime(t *testing.T) {
	var lines []line
	for i := 1; i <= 100; i++ {
		lines = append(lines, line{Inputs: int64(i)})
	}
	all := overTime(lines)
	if len(all) != thin || all[0][1] != 2 || all[19][1] != 50 || all[thin-1][1] != 100 {
		t.Errorf("%v", all)
	}
	if few := overTime(lines[:3]); len(few) != 3 || overTime(nil) != nil {
		t.Errorf("%v", few)
	}
}

func TestSummaryRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"": "JSON", `{"version":1,"targets":[]}`: "one target", `{"version":1}`: "nothing was fuzzed", `{"version":1,"inputs":1}`: "nothing of the change",
	} {
		var s sample
		if err := s.summary([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLike(t *testing.T) {
	crash := bucket{ID: "a", Kind: "crash", Location: "x.go:1"}
	difference := bucket{ID: "b", Kind: "change", Location: "x.go:1"}
	for _, test := range []struct {
		a, b bucket
		want bool
	}{
		{crash, crash, true}, {crash, bucket{ID: "c", Kind: "crash", Location: "x.go:1"}, true}, {crash, bucket{ID: "c", Kind: "crash", Location: "x.go:2"}, false},
		{crash, difference, false}, {difference, difference, true}, {difference, bucket{ID: "c", Kind: "change", Location: "x.go:1"}, false},
		{bucket{ID: "d", Kind: "oom"}, bucket{ID: "e", Kind: "oom"}, false},
	} {
		if got := test.a.like(test.b); got != test.want {
			t.Errorf("%v, %v: %v", test.a, test.b, got)
		}
	}
}

func TestHolds(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("findings/raw/h/input", "A=two words\n")
	write("findings/raw/h/minimized", "other")
	write("findings/two/h/input", "go test fuzz v1\nstring(\"a\")\nbool(true)\n")
	text := write("text", "go test fuzz v1\nstring(\"A=two words\\n\")\n")
	data := write("data", "go test fuzz v1\n[]byte(\"A=two words\\n\")")
	two := write("two", "go test fuzz v1\nstring(\"a\")\nbool(true)")
	write("folder/one", "none")
	write("folder/two", "A=two words\n")
	other := write("other", "go test fuzz v1\nstring(\"other\")\n")
	for path, want := range map[string]string{text: "raw", data: "raw", two: "two", filepath.Join(dir, "folder"): "raw", other: "", filepath.Join(dir, "missing"): ""} {
		for _, bucket := range []string{"raw", "two"} {
			if got := holds(filepath.Join(dir, "findings", bucket), path); got != (bucket == want) {
				t.Errorf("%s, %s: %v", bucket, path, got)
			}
		}
	}
}

// TestTail: no name of a folder of this machine is written down.
func TestTail(t *testing.T) {
	m := measurement{Setting: setting.Setting{Work: "/somewhere/work"}, root: "/project/bench/regress"}
	if got := m.tail([]byte("/somewhere/work/run: no /project/bench/regress/go/x\n")); got != "WORK/run: no bench/regress/go/x" {
		t.Error(got)
	}
	if got := m.clean("open /somewhere/work/run/x: none"); got != "open WORK/run/x: none" {
		t.Error(got)
	}
}

// trials makes a sample for each number of inputs to the first new finding; 0 is none.
func trials(subject, configuration string, inputs ...int64) (all []sample) {
	for i, n := range inputs {
		s := sample{
			Subject: subject, Configuration: configuration, Seed: i + 1, Kind: "crash", Budget: "20s", Inputs: 1000, Executions: 1250, CPU: 20,
			Change: change{Points: 9, Covered: i + 1, Impacted: 80, ImpactedCovered: 20 + i, Paths: 30}, Statuses: map[string]int{},
			Origin: origin.Origin{Go: "go1", CPU: "a machine", Parallax: "p", Revision: "r"},
		}
		for k := range steps {
			s.Series = append(s.Series, [4]float64{float64(k), 0, 0, float64(10 * (k + 1))})
		}
		if n > 0 {
			s.Found = []bucket{{ID: "a", Kind: "crash", Location: "x.go:1", Status: "new", FirstSeen: n, CPU: float64(n) / 100}}
			s.New, s.Statuses["new"] = &moment{n, float64(n) / 100}, 1
		}
		all = append(all, s)
	}
	return all
}

func TestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	development := trials("d", baseline, 7, 7)
	for i := range development {
		development[i].Development = true
	}
	witness := trials("s", witnessed, 1)
	failed := trials("s", ours, 0)[0]
	failed.Seed, failed.Error = 9, "exit code 3: a `b`\nc"
	again := failed
	again.Seed = 1 // was measured again: the next line counts
	controls := trials("c", ours, 0, 0)
	controls = append(controls, trials("c", alone, 3, 0)...)
	for i := range controls {
		controls[i].Kind, controls[i].Control = control, bothFail
	}
	all := slices.Concat(
		[]sample{again}, trials("s", ours, 10, 20, 30, 40), trials("s", baseline, 50, 60, 0, 0), trials("s", alone, 0, 0, 0, 0), []sample{failed}, witness, development, controls,
	)
	if err := samples.Append(file, all...); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table(&b, file); err != nil {
		t.Fatal(err)
	}
	// All of ours are before all of the baseline's: two of choose(8, 4) = 70 orders.
	want := []string{
		"| inputs to the first new finding | afl | points |",
		"| d (development) | 7 (0.07 s), 2 of 2 |  |",
		"| s | -, 2 of 4 | 25 (0.25 s), 4 of 4; U 16, p 0.029, A12 1.00, **better** |",
		"| 1 held out (van Elteren) |  | p 0.0202, A12 1.00, **better** |",
		"| inputs to the first finding of the witness's kind | afl | points |",
		"| impacted blocks covered | afl | points |",
		"| s | 21.5 | 21.5; U 8, p 1.000, A12 0.50 |",
		"| s | 2.5 of 9; 30 | 2.5 of 9; 30 | 2.5 of 9; 30 |",
		"| s | 10, 40, 80, 160 | 10, 40, 80, 160 |",
		"| s | 20.0 (20.0 to 20.0) | 20.0 (20.0 to 20.0) |",
		"| s | 4 of 4 | 0 of 4 | 1, 0, 0, 0 | 0 | 1000 | 1000 | only by the comparison |",
		"| c (both fail) |  | 0; 0 of 2 | 1; 1 of 2 |",
		"- s, points, trial 9 failed: `exit code 3: a 'b' c`",
		"A trial has a budget of 20s of the fuzzing worker's CPU time. go1 on a machine, parallax p (revision r).",
	}
	for _, line := range want {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, b.String())
		}
	}
}

func TestTableRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := table(&strings.Builder{}, file); err == nil {
		t.Error("no samples, and no error")
	}
}

// TestResume: nothing is measured twice, and nothing is mixed with what was measured in another
// way.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	one := trials("s", ours, 7, 0)
	one[1].Error = "failed"
	if err := samples.Append(file, slices.Concat(one, trials("s", witnessed, 1))...); err != nil {
		t.Fatal(err)
	}
	m := measurement{Setting: setting.Setting{File: file, Here: one[0].Origin}, budget: budget{text: "20s"}}
	if err := m.resume(); err != nil {
		t.Fatal(err)
	}
	if !m.done[key{"s", ours, 1}] || !m.done[key{"s", ours, 2}] || m.done[key{"s", ours, 3}] || m.done[key{"s", baseline, 1}] || len(m.known["s"]) != 1 {
		t.Errorf("done: %v, known: %v", m.done, m.known)
	}
	if m.retry = true; m.resume() != nil || m.done[key{"s", ours, 2}] {
		t.Errorf("done: %v", m.done)
	}
	if m.budget.text = "60s"; m.resume() == nil {
		t.Error("another budget is taken for the same")
	}
	m.budget.text, m.Here.Parallax = "20s", "q"
	if m.resume() == nil {
		t.Error("another build is taken for the same")
	}
}

// TestOrder: each configuration comes first as often as the others.
func TestOrder(t *testing.T) {
	m := measurement{configurations: configurations}
	first := map[string]int{}
	for turn := range 3 * len(configurations) {
		order := m.order(turn)
		if len(order) != len(configurations) {
			t.Fatalf("%d of %d", len(order), len(configurations))
		}
		first[order[0].name]++
	}
	for _, c := range configurations {
		if first[c.name] != 3 {
			t.Errorf("%s comes first %d times, not 3", c.name, first[c.name])
		}
	}
}
