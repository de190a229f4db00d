package campaign

import (
	"fmt"
	"slices"
	"testing"

	"parallax/cmd/internal/event"
	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/findings/findingstest"
	"parallax/cmd/internal/state"
	"parallax/internal/oracle"
)

const trace = "panic: boom\n\ngoroutine 7 [running]:\nexample.com/m.%s()\n\t/s/f.go:3 +0x1\n"

// A worker's death counts its input once, tells replays from inputs, and is triaged a few times for each way to die.
func TestDied(t *testing.T) {
	inputs := func(list ...string) (flats [][]byte) {
		for _, s := range list {
			flats = append(flats, []byte(s))
		}
		return flats
	}
	type step struct {
		d       execute.Death
		counts  bool
		pending int // candidates after it
	}
	crash := func(function, status string, program int, recent ...string) execute.Death {
		d := execute.Death{Outcome: oracle.Crashed, Status: status, InFlight: true, Program: program, Recent: inputs(recent...)}
		if function != "" {
			d.Text = []byte(fmt.Sprintf(trace, function))
		}
		return d
	}
	idle := func(d execute.Death) execute.Death { d.InFlight = false; return d }
	tests := []struct {
		name   string
		fuzz   bool
		known  []string // of the corpus
		steps  []step
		inputs uint64
		runs   uint64
		bad    int // of the corpus
	}{
		{"in a program", true, nil, []step{{crash("F", "exit status 2", 1, "x", "before"), true, 1}}, 1, 2, 0},
		{"again and again", true, nil, []step{
			{crash("F", "exit status 2", 0, "1"), true, 1}, {crash("F", "exit status 2", 0, "2"), true, 2},
			{crash("F", "exit status 2", 0, "3"), true, 3}, {crash("F", "exit status 2", 0, "4"), true, 3},
			{crash("G", "exit status 2", 0, "5"), true, 4},
		}, 5, 5, 0},
		{"without a trace, the status and the program tell", true, nil, []step{
			{crash("", "exit status 0", 0, "1"), true, 1}, {crash("", "exit status 0", 0, "2"), true, 2},
			{crash("", "exit status 0", 0, "3"), true, 3}, {crash("", "exit status 0", 0, "4"), true, 3},
			{crash("", "exit status 1", 0, "5"), true, 4}, {crash("", "exit status 0", 1, "6"), true, 5},
		}, 6, 7, 0},
		{"of what an earlier input left", true, nil, []step{{idle(crash("F", "exit status 2", 0, "x")), false, 1}}, 0, 0, 0},
		{"killed between two inputs", true, nil, []step{{idle(crash("", "signal: killed", 0, "x")), false, 0}}, 0, 0, 0},
		{"before the first input", true, nil, []step{{crash("F", "exit status 2", 0), false, 0}}, 0, 0, 0},
		{"in a replay", false, []string{"x", "y"}, []step{{crash("F", "exit status 2", 0, "y"), false, 1}}, 0, 0, 1},
		{"in a seed", false, []string{"x"}, []step{{crash("F", "exit status 2", 0, "seed"), true, 1}}, 1, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &Campaign{target: findingstest.Target(), facts: findingstest.Target().About()}
			c.facts.Plan.Own = []string{"example.com/m"}
			c.totals.load(nil, state.Clock{})
			for _, flat := range inputs(test.known...) {
				c.known.inputs = append(c.known.inputs, held{flat: flat})
			}
			var err error
			if c.triage, err = newQueueOf(findingstest.OpenFolder(t, t.TempDir())); err != nil {
				t.Fatal(err)
			}
			c.stream = event.Stream{&keeper{folder: c.triage.folder}, c.triage}
			for i, s := range test.steps {
				if counts := c.died(&instance{fuzz: test.fuzz}, &s.d); counts != s.counts || c.triage.pending() != s.pending {
					t.Errorf("death %d: counts %v, %d pending, want %v, %d", i, counts, c.triage.pending(), s.counts, s.pending)
				}
			}
			bad := 0
			for _, k := range c.known.inputs {
				if k.bad {
					bad++
				}
			}
			if c.totals.inputs != test.inputs || c.totals.executions != test.runs || bad != test.bad {
				t.Errorf("%d inputs, %d executions, %d bad, want %d, %d, %d", c.totals.inputs, c.totals.executions, bad, test.inputs, test.runs, test.bad)
			}
			for _, e := range c.triage.waiting {
				if !e.cand.Deadly || e.cand.Flat == nil {
					t.Errorf("candidate %+v", e.cand)
				}
			}
		})
	}
}

func TestAppendOnce(t *testing.T) {
	var list []string
	for _, s := range []string{"a", "b", "a", "", "b", ""} {
		list = appendOnce(list, s)
	}
	if !slices.Equal(list, []string{"a", "b", ""}) {
		t.Errorf("%q", list)
	}
}
