package trial

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/internal/stats"
)

var update = flag.Bool("update", false, "write testdata anew")

const small = `
version = 1
trials = 6
seed = 5
cpu = "100ms"
compare_at_inputs = 500
baseline = "base"
choosing = ["seen"]
[[configuration]]
name = "base"
group = "coverage"
[[configuration]]
name = "more"
group = "delta"
flags = ["--guidance", "path-fine"]
[[configuration]]
name = "same"
group = "delta"
flags = ["--guidance", "a|b"]
[[subject]]
name = "one"
targets = ["./x.A", "./x.B"]
[[subject.cause]]
name = "digits | <b>"
outcomes = { A = "accepted", B = "rejected" }
input = '^[0-9]+$'
[[subject.cause]]
name = "never"
kind = "crash"
[[subject]]
name = "two"
targets = ["./x.A", "./x.B"]
[[subject.cause]]
name = "letters"
outcomes = { Nobody = "accepted" }
[[subject]]
name = "seen"
targets = ["./x.A", "./x.B"]
`

func experiment(t *testing.T) (*Config, []*Sample) {
	t.Helper()
	c, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var all []*Sample
	for trial := range 6 {
		for _, subject := range []string{"one", "two", "seen"} {
			// On one, the second configuration finds more and earlier; on two, there is no
			// difference.
			base, more := 2+trial%2, 8+trial%2
			late, early := []string{"x", "<script>", "|", "7"}, []string{"7", "x", "y"}
			if subject != "one" {
				more, late, early = base, []string{"x"}, []string{"x"}
			}
			all = append(all, trialOf(subject, "base", trial, base, late...), trialOf(subject, "more", trial, more, early...),
				trialOf(subject, "same", trial, base, late...))
		}
	}
	all[0].Cut = true
	all[1].Inputs = 400
	return c, all[:len(all)-1]
}

// TestUntriaged checks that buckets and causes of subjects with untriaged candidates are not
// counted, and that the table names the subjects.
func TestUntriaged(t *testing.T) {
	c, all := experiment(t)
	for _, s := range all {
		if s.Subject == "one" && s.Trial == 2 {
			s.Untriaged = 3
		}
	}
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range a.Parts[0].Tables {
		subjects := 0
		for _, r := range table.Rows {
			if r.Subject == "one" {
				subjects++
			}
		}
		triaged := table.Metric == "buckets" || table.Metric == "causes"
		if want := []string{"one"}; triaged != slices.Equal(table.Untriaged, want) || triaged == (subjects > 0) {
			t.Errorf("%s at %s: %d rows of subject one, untriaged %q", table.Metric, table.At, subjects, table.Untriaged)
		}
	}
	var b strings.Builder
	if err := a.Markdown(&b); err != nil || !strings.Contains(b.String(), "Without one: candidates of their trials were not triaged.") {
		t.Errorf("the tables do not say what they lack (%v)", err)
	}
}

func TestCompare(t *testing.T) {
	c, all := experiment(t)
	if err := c.Compare("nobody"); err == nil || err.Error() != `"nobody" is not a configuration: choose one of base, more, same` {
		t.Errorf("%v", err)
	}
	if err := c.Compare(""); err != nil || c.baseline() != "base" {
		t.Errorf("%s, %v", c.baseline(), err)
	}
	if err := c.Compare("same"); err != nil {
		t.Fatal(err)
	}
	a, err := Analyze(c, all, nil)
	if err != nil || a.Baseline != "same" || a.Parts[0].Tables[0].Rows[0].Cells[2].Test != nil {
		t.Errorf("compared with %s, %v", a.Baseline, err)
	}
}

// TestMarkdown checks the tables against a golden file. Names of causes, inputs and flags may be
// any text.
func TestMarkdown(t *testing.T) {
	c, all := experiment(t)
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := a.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "tables.md")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the tables are not those of %s; see what differs, and write it anew with -update:\n%s", golden, b.String())
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if strings.Contains(line, "\t") || strings.Contains(line, "<script>") && !strings.Contains(line, "`\"<script>\"`") {
			t.Errorf("a line that a reader of Markdown would take for something else: %q", line)
		}
	}
	// The order of samples does not matter.
	slices.Reverse(all)
	again, err := Analyze(c, all, nil)
	if err != nil || !reflect.DeepEqual(a, again) {
		t.Errorf("in another order, the analysis is another (%v)", err)
	}
}

// TestFigures checks values that were computed by hand.
func TestFigures(t *testing.T) {
	c, all := experiment(t)
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Samples != 53 || a.Missing != 1 || a.Cut != 1 {
		t.Errorf("%d samples, %d missing, %d cut", a.Samples, a.Missing, a.Cut)
	}
	if names := []string{a.Parts[0].Name, a.Parts[1].Name}; !slices.Equal(names, []string{"held-out", "choosing"}) {
		t.Errorf("parts %q", names)
	}
	held := a.Parts[0]
	find := func(metric, at string) *Table {
		for _, table := range held.Tables {
			if table.Metric == metric && table.At == at {
				return table
			}
		}
		t.Fatalf("no table of %s", metric)
		return nil
	}
	unique := find("unique_discrepancies", "cpu")
	more := unique.Rows[0].Cells[1]
	// Six against six, all larger: two of choose(12, 6) = 924 orders are as extreme; the family has
	// four comparisons.
	if *more.Median != 8.5 || more.Test.A12 != 1 || math.Abs(more.Test.P-2.0/924) > 1e-12 || math.Abs(more.Test.Corrected-8.0/924) > 1e-12 {
		t.Errorf("got %v, %+v", *more.Median, more.Test)
	}
	if unique.Rows[0].Cells[2].Test.Corrected != 1 || unique.Rows[0].Cells[0].Test != nil {
		t.Error("no difference, or the baseline with itself")
	}
	if o := unique.Overall[1]; o.Better != 1 || o.Worse != 0 || o.Subjects != 2 || o.A12 != 0.75 || o.Place != (1.0+2)/2 {
		t.Errorf("overall %+v", o)
	}
	// At 500 of 1000 inputs, the values are half of the final ones.
	if m := *find("unique_discrepancies", "inputs").Rows[0].Cells[1].Median; m != 8/2 && m != 4 {
		t.Errorf("at equal inputs %v", m)
	}
	// The time of a bucket is that of its discovery: 100, 200, 300 and 400 inputs.
	if m := *find("buckets", "inputs").Rows[0].Cells[0].Median; m != 4 {
		t.Errorf("buckets at equal inputs: %v", m)
	}
	if info := a.info("one"); info.Short != 1 || info.Inputs != 500 || info.CPU != 0.1 || !slices.Equal(info.NeverSeen, []string{"never"}) {
		t.Errorf("got %+v", info)
	}
	if len(a.Problems) != 1 || !strings.Contains(a.Problems[0], `subject two: cause "letters" names Nobody, which is not one of the programs: x.A, x.B`) {
		t.Errorf("problems: %q", a.Problems)
	}
	times := held.Times[0]
	row := times.Rows[0]
	if row.Cause != "digits | <b>" || row.Cells[0].Found != 5 || row.Cells[0].N != 5 || row.Cells[0].LeftOut != 1 || times.LeftOut != 1 || math.Abs(*row.Cells[0].Median-0.04) > 1e-12 || math.Abs(*row.Cells[1].Median-0.01) > 1e-12 || row.Cells[1].Test.A12 != 1 {
		t.Errorf("times %+v", row)
	}
	tuples := held.Overlaps[0]
	// base: 3 kinds on each of two subjects; delta, with more: 9 and 3.
	want := []Region{{Groups: []string{"coverage", "delta"}, Count: 6}, {Groups: []string{"delta"}, Count: 6}}
	if !reflect.DeepEqual(tuples.Regions, want) || !reflect.DeepEqual(tuples.Pairs[0], Between{"more", 6, 6, 6, 0}) {
		t.Errorf("overlap %+v", tuples)
	}
	if data, err := a.JSON(); err != nil || !json.Valid(data) {
		t.Errorf("JSON: %v", err)
	}
}

func TestSelectedConfigurations(t *testing.T) {
	c, all := experiment(t)
	a, err := Analyze(c, all, regexp.MustCompile("^two/(base|more)$"))
	if err != nil || a.Samples != 12 || a.Missing != 0 || len(a.Configurations) != 2 || len(a.Parts) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := Analyze(c, all, regexp.MustCompile("nothing")); err == nil {
		t.Error("nothing matches, and it is no error")
	}
}

// TestConclusion checks the conclusions in words, also without a result.
func TestConclusion(t *testing.T) {
	c, all := experiment(t)
	words := func(samples []*Sample) string {
		a, err := Analyze(c, samples, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a.conclusion(a.Parts[0].Tables[0])
	}
	if got, want := words(all), "Significantly better than base: more on one. None is significantly worse than base. Of these differences 1 of 1 hold at the level of 0.01 too. No difference is shown for same."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	of := func(keep func(*Sample) bool) (some []*Sample) {
		for _, s := range all {
			if keep(s) {
				some = append(some, s)
			}
		}
		return some
	}
	if got, want := words(of(func(s *Sample) bool { return s.Subject == "two" })), "No configuration differs significantly from base on any subject."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := words(of(func(s *Sample) bool { return s.Trial < 3 })), "With 3 trials and 4 comparisons nothing can be significant: ten trials are usual."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := words(of(func(s *Sample) bool { return s.Configuration != "base" })), "There is nothing to compare: base, or everything else, has no trials."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestValueAt(t *testing.T) {
	s := &trialOf("s", "a", 0, 20).Series // 20 unique discrepancies over 1000 inputs and 0.1 s
	unique := func(i int) float64 { return float64(s.Unique[i]) }
	for _, test := range []struct {
		p    point
		want float64
	}{
		{point{byInputs, 0}, 0}, {point{byInputs, 50}, 1}, {point{byInputs, 100}, 2}, {point{byInputs, 150}, 3},
		{point{byInputs, 1000}, 20}, {point{byInputs, 5000}, 20}, {point{byCPU, 0.025}, 5},
	} {
		if got := test.p.value(s, unique); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v: %v, want %v", test.p, got, test.want)
		}
	}
	if got := (point{byCPU, 1}).value(&Series{}, unique); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	if got := byCPU.time(s, 250); math.Abs(got-0.025) > 1e-9 {
		t.Errorf("250 inputs after %v s", got)
	}
	if byInputs.time(s, 250) != 250 {
		t.Error("inputs are inputs")
	}
}

func TestSeries(t *testing.T) {
	var lines []json.RawMessage
	for i := range 1000 {
		line, _ := json.Marshal(map[string]any{"inputs": i, "cpu_seconds": float64(i) / 100, "unique_discrepancies": i / 10, "covered": []int{i, 1}})
		lines = append(lines, line)
	}
	s, err := series(lines)
	n := len(s.Inputs)
	if err != nil || n > maxPoints+1 || n < maxPoints/2 || s.Inputs[n-1] != 999 || s.Covered[n-1] != 1000 {
		t.Errorf("%d points, the last %d, %v", n, s.Inputs[n-1], err)
	}
	if s, err = series(lines[:5]); err != nil || len(s.Inputs) != 5 {
		t.Errorf("%d points, %v", len(s.Inputs), err)
	}
	if s, err = series(nil); err != nil || len(s.Inputs) != 0 {
		t.Errorf("of nothing: %v, %v", s, err)
	}
	if _, err = series([]json.RawMessage{[]byte(`{"inputs":"many"}`)}); err == nil {
		t.Error("inputs that are no number")
	}
}

func TestCauseMatches(t *testing.T) {
	f := &Found{
		Kind: "discrepancy", Layer: "verdict", Outcomes: map[string]string{"order.Mod@v1.2.3": "rejected", "order.Blang": "accepted"},
		Classes: map[string]string{"order.Mod@v1.2.3": "leading zero"}, Input: `"0\xff1\n"`,
	}
	for _, test := range []struct {
		cause Cause
		want  bool
	}{
		{Cause{Kind: "discrepancy"}, true},
		{Cause{Kind: "crash"}, false},
		{Cause{Layer: "verdict"}, true},
		{Cause{Layer: "value"}, false},
		{Cause{Outcomes: map[string]string{"Mod": "rejected"}}, true},
		{Cause{Outcomes: map[string]string{"order.Mod": "rejected"}}, true},
		{Cause{Outcomes: map[string]string{"order.Mod@v1.2.3": "rejected", "order.Blang": "accepted"}}, true},
		{Cause{Outcomes: map[string]string{"Mod": "accepted"}}, false},
		{Cause{Outcomes: map[string]string{"od": "rejected"}}, false},
		{Cause{Errors: map[string]string{"Mod": "^leading"}}, true},
		{Cause{Errors: map[string]string{"Blang": "leading"}}, false},
		{Cause{Input: `^0`}, true},
		{Cause{Input: `^0[0-9]`}, false},
		{Cause{Input: `1\n$`, Outcomes: map[string]string{"Blang": "accepted"}}, true},
	} {
		test.cause.Name = "c"
		if err := test.cause.prepare(); err != nil {
			t.Fatal(err)
		}
		if got := test.cause.matches(f); got != test.want {
			t.Errorf("%+v: %v", test.cause, got)
		}
	}
	two := map[string]string{"a.Parse@v1": "", "b.Parse": ""}
	if p, ok := programOf(two, "Parse"); ok {
		t.Errorf("Parse is %s, of two", p)
	}
}

// TestSeveralCauses checks that a bucket may have several causes, each with its own time.
func TestSeveralCauses(t *testing.T) {
	c, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	s := trialOf("one", "base", 0, 1, "x")
	if got := c.causesOf(s); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	b := &s.Buckets[0]
	b.FoundAt = 700
	b.Others = []Other{{`"x"`, 100}, {`"12"`, 500}, {`"12"`, 300}, {`"9"`, 0}}
	b.Others = b.distinct()
	if want := []Other{{`"9"`, 100}, {`"12"`, 300}}; !reflect.DeepEqual(b.Others, want) || b.FoundAt != 100 {
		t.Errorf("found at %d, others %v", b.FoundAt, b.Others)
	}
	if got := c.causesOf(s); !reflect.DeepEqual(got, map[string]uint64{"digits | <b>": 100}) {
		t.Errorf("got %v", got)
	}
}

func TestText(t *testing.T) {
	shape := input.Shape{input.String, input.Int, input.Bytes}
	flat, err := shape.Pack("one", int(-2), []byte{0xff})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text(shape, flat)); got != "one\n-2\n\xff" {
		t.Errorf("got %q", got)
	}
	if got := string(text(input.Shape{input.Bytes}, []byte("raw"))); got != "raw" {
		t.Errorf("got %q", got)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 3: "3", 1234567: "1,234,567", 1234.5: "1,235", 12.345: "12.3", 1.234: "1.23", 2.5: "2.5", 0.01234: "0.0123", stats.Never: "-"} {
		if got := number(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// TestOverallDirection checks the direction over all subjects: significantly worse, although better
// on the small subject.
func TestOverallDirection(t *testing.T) {
	same := func(v float64, n int) []float64 { return slices.Repeat([]float64{v}, n) }
	values := map[string]map[string][]float64{
		"few":  {"base": {1, 2, 3, 4}, "other": same(9, 4)},
		"many": {"base": append(same(6, 14), same(5, 6)...), "other": same(5, 20)},
	}
	names := []string{"base", "other"}
	table := &Table{Rows: []Row{row("few", names, "base", values["few"]), row("many", names, "base", values["many"])}}
	table.overall(names, "base", map[string][]map[string][]float64{"few": {values["few"]}, "many": {values["many"]}})
	if o := table.Overall[1]; o.Direction != -1 || o.A12 >= 0.5 || o.Corrected >= significant {
		t.Errorf("got %+v", o)
	}
	var p page
	(&Analysis{Baseline: "base"}).writeOverall(&p, table)
	if text := p.String(); !strings.Contains(text, "**worse**") || strings.Contains(text, "**better**") {
		t.Errorf("got\n%s", text)
	}
}

// TestOverallOrigins checks that trials are compared within one machine. Both machines show no
// difference, but the fast one ran more trials of one configuration.
func TestOverallOrigins(t *testing.T) {
	c, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var all []*Sample
	for trial := range 6 {
		for _, name := range []string{"base", "more"} {
			found, machine := 2, "slow"
			if name == "base" && trial == 0 || name == "more" && trial > 0 {
				found, machine = 9, "fast"
			}
			s := trialOf("two", name, trial, found, "x")
			s.Machine = machine
			all = append(all, s)
		}
	}
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o := a.Parts[0].Tables[0].Overall[1]; o.Configuration != "more" || o.P < 0.5 || o.A12 != 0.5 {
		t.Errorf("%s: %+v", a.Parts[0].Tables[0].Metric, o)
	}
	all[0].Revision = "another, of the same executable"
	if again, err := Analyze(c, all, nil); err != nil || !reflect.DeepEqual(a.Parts, again.Parts) {
		t.Errorf("a revision makes a difference (%v)", err)
	}
}

// TestTimesCensored checks that a trial that was cut off does not count as a failure to find a
// cause. Neither does one that ended before the point of comparison.
func TestTimesCensored(t *testing.T) {
	c, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	var all []*Sample
	for trial := range 6 {
		all = append(all, trialOf("one", "base", trial, 1, "x", "7"), trialOf("one", "more", trial, 1, "x", "7"))
	}
	cut, short := all[1], all[3]
	cut.Cut, cut.Buckets = true, nil
	short.Inputs = 400 // trials are compared at 500, with enough CPU time
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 2} { // at equal CPU time, at equal inputs
		times := a.Parts[0].Times[i]
		more := times.Rows[0].Cells[1]
		if times.LeftOut != want || more.LeftOut != want || more.N != 6-want || more.Found != more.N || more.Test.A12 != 0.5 {
			t.Errorf("%s: %d left out, %+v with %+v", times.At, times.LeftOut, more, more.Test)
		}
	}
	for _, s := range all {
		s.Inputs = 400
	}
	if a, err = Analyze(c, all, nil); err != nil {
		t.Fatal(err)
	}
	var p page
	a.writeTimes(&p, a.Parts[0].Times[1])
	if text := p.String(); !strings.Contains(text, "| 6 left out | 6 left out |") || !strings.Contains(text, "unknown: 12 trials.") || !strings.Contains(text, "nothing to compare") {
		t.Errorf("all are left out:\n%s", text)
	}
}

// TestOverlapEqualTrials checks a group with more configurations whose trials each find something
// unique, like the baseline's. The group has no more unique finds than the baseline has against
// itself.
func TestOverlapEqualTrials(t *testing.T) {
	c, err := parseConfig([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	trials := func(n int, subject string, names ...string) (all []*Sample) {
		for trial := range n {
			for _, name := range names {
				s := trialOf(subject, name, trial, 1)
				s.Tuples = []string{"common", fmt.Sprint(name, trial)}
				all = append(all, s)
			}
		}
		return all
	}
	analyze := func(all []*Sample) (*Analysis, *Overlap) {
		a, err := Analyze(c, all, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a, a.Parts[0].Overlaps[0]
	}
	a, o := analyze(trials(6, "one", "base", "more", "same"))
	want := []Region{{[]string{"coverage", "delta"}, 1}, {[]string{"delta"}, 3}, {[]string{"coverage"}, 3}}
	if !reflect.DeepEqual(o.Regions, want) || o.All != 19 || o.Drawn != 3 || !slices.Equal(o.Trials, []int{6, 12}) {
		t.Errorf("got %+v", o)
	}
	if !reflect.DeepEqual(o.Itself, &Between{"base", 3, 1, 3, 3}) || !reflect.DeepEqual(o.Pairs, []Between{{"more", 3, 1, 3, 3}, {"same", 3, 1, 3, 3}}) {
		t.Errorf("got %+v, %+v", o.Itself, o.Pairs)
	}
	var p page
	if a.writeOverlap(&p, o); !strings.Contains(p.String(), "| other trials of base | 3 | 1 | 3 | 3 |") {
		t.Errorf("got\n%s", p.String())
	}

	// With one trial, the baseline cannot be compared with itself.
	a, o = analyze(trials(1, "one", "base", "more"))
	p = page{}
	if a.writeOverlap(&p, o); o.Drawn != 1 || o.Itself != nil || o.Pairs[0] != (Between{"more", 1, 1, 1, 1}) || !strings.Contains(p.String(), "effect of chance alone is not known") {
		t.Errorf("one trial: %+v\n%s", o, p.String())
	}

	// A subject without trials of a group is left out; the pairs of configurations that ran on it
	// count.
	a, o = analyze(append(trials(4, "one", "base", "more", "same"), trials(4, "two", "base")...))
	p = page{}
	if a.writeOverlap(&p, o); o.Drawn != 2 || !slices.Equal(o.LeftOut, []string{"two"}) || o.Pairs[0].Trials != 2 || o.Itself.Trials != 4 || !strings.Contains(p.String(), "Left out, since a group has no trials of it: two.") {
		t.Errorf("interrupted: %+v\n%s", o, p.String())
	}
}
