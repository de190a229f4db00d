package trial

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

const generated = `
version = 1
trials = 8
cpu = "100s"
baseline = "plain"
[[configuration]]
name = "plain"
[[configuration]]
name = "own"
[[subject]]
name = "goja"
fuzz = "./goja"
harness = "FuzzX"
`

// generatedTrials returns trials whose second configuration finds the panic early. Half of its
// trials find a second kind of failure, and its B(2) grows faster.
func generatedTrials(t *testing.T) (*Config, []*Sample) {
	t.Helper()
	c, err := parseConfig([]byte(generated))
	if err != nil {
		t.Fatal(err)
	}
	var all []*Sample
	for trial := range 8 {
		for k, name := range []string{"plain", "own"} {
			s := &Sample{Version: 1, Subject: "goja", Configuration: name, Trial: trial, Inputs: 10000, CPU: 100, Programs: map[string]string{"FuzzX": "FuzzX"}}
			for i := range 11 {
				s.Series.Inputs, s.Series.CPU = append(s.Series.Inputs, uint64(1000*i)), append(s.Series.CPU, float64(10*i))
				s.Series.Unique, s.Series.Buckets, s.Series.Covered = append(s.Series.Unique, 0), append(s.Series.Buckets, 0), append(s.Series.Covered, i)
				for key, v := range map[string]float64{"valid_traces": float64(i), "b2": float64(i * (k + 1)), "b0": 3} {
					if s.Series.Behavior == nil {
						s.Series.Behavior = Behavior{}
					}
					s.Series.Behavior[key] = append(s.Series.Behavior[key], v)
				}
			}
			crash := func(id, said string, at uint64) {
				s.Buckets = append(s.Buckets, Found{ID: id, Kind: "crash", FirstSeen: at, Classes: map[string]string{"FuzzX": said}})
			}
			// Two places with one kind of error; and a discrepancy, which is no failure.
			crash("a", fmt.Sprintf("runtime error: index out of range [%d] with length %d", trial, trial), uint64(8000-6000*k+trial))
			crash("b", "runtime error: index out of range [7] with length 3", uint64(9000))
			s.Buckets = append(s.Buckets, Found{ID: "c", Kind: "discrepancy", FirstSeen: 1})
			if k == 1 && trial%2 == 0 {
				crash("d", "unexpected token 'x' at 17", 5000)
			}
			all = append(all, s)
		}
	}
	return c, all
}

// TestFailures checks that failures are distinguished by kind of error. A table has the mean time
// of the trials that found one, and their share.
func TestFailures(t *testing.T) {
	c, all := generatedTrials(t)
	want := map[string]uint64{"crash: runtime error: index out of range": 2000, "crash: unexpected token <q> at <n>": 5000}
	if got := failuresOf(all[1]); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	a, err := Analyze(c, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	times := a.Parts[0].Times
	if len(times) != 2 || times[0].Of != "failures" || times[0].At != "cpu" || times[1].At != "inputs" || len(times[0].Rows) != 2 {
		t.Fatalf("%+v", times)
	}
	panicked, token := times[0].Rows[0], times[0].Rows[1]
	own := panicked.Cells[1]
	if own.Found != 8 || own.N != 8 || own.Mean == nil || math.Abs(*own.Mean-20.035) > 1e-6 || own.Test == nil || own.Test.A12 != 1 || own.Test.verdictAt(strict) != 1 {
		t.Errorf("%+v, %+v", own, own.Test)
	}
	if cell := token.Cells[1]; cell.Found != 4 || *cell.Mean != 50 || token.Cells[0].Mean != nil || cell.Test.verdict() != 0 {
		t.Errorf("%+v", cell)
	}
	var b bytes.Buffer
	if err := a.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"### Time to each kind of failure, in seconds of CPU time",
		"| goja | `crash: runtime error: index out of range` | 80, 100 % | 20, 100 %; A12 1.00, p <0.001, **better** (0.01) |",
		"| goja | `crash: unexpected token <q> at <n>` | -, 0 % | 50, 50 %; A12 0.75, p 0.077 |",
		"| goja | 8 | 1 (1 to 1) | 1.5 (1 to 2); A12 0.75, p 0.077 |", // kinds of failures
		"### Growth of B(2) over CPU time: medians",
		"| subject | configuration | at 3.12 % of it | at 6.25 % of it | at 12.5 % of it | at 25 % of it | at 50 % of it | at 75 % of it | at the end |",
		"| goja | own | 0.625 | 1.25 | 2.5 | 5 | 10 | 15 | 20 |",
		"| goja | plain | 0.312 | 0.625 | 1.25 | 2.5 | 5 | 7.5 | 10 |",
		"| B(2) at equal CPU time | 1 | 1, 0 (1, 0) |",
		"Of these differences 1 of 1 hold at the level of 0.01 too.",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %s", line)
		}
	}
	if t.Failed() {
		t.Log(b.String())
	}
	g := a.Parts[0].Growth
	if len(g) != 8 || g[4].At != "inputs" || g[0].Rows[0].At[6] != 100 || g[4].Rows[1].At[6] != 10000 || g[4].Rows[1].N != 8 {
		t.Errorf("%d curves: %+v", len(g), g)
	}
}
