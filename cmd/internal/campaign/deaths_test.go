package campaign

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/state"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
)

const trace = "panic: boom\n\ngoroutine 7 [running]:\nexample.com/m.%s()\n\t/s/f.go:3 +0x1\n"

// TestHandleDeath checks that a death counts its input once, separates replays from inputs, and is
// triaged a few times for each look.
func TestHandleDeath(t *testing.T) {
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
	said := func(line, input string) execute.Death { // the text of a death, after the output of a start
		d := crash("", "exit status 1", 0, input)
		d.Text = []byte("subject version 1.2\n" + line + "\n")
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
			{crash("F", "exit status 2", 0, "3"), true, 2}, {crash("F", "exit status 2", 0, "4"), true, 3},
			{crash("G", "exit status 2", 0, "5"), true, 4},
		}, 5, 5, 0},
		{"without a trace, the status and the program tell", true, nil, []step{
			{crash("", "exit status 0", 0, "1"), true, 1}, {crash("", "exit status 0", 0, "2"), true, 2},
			{crash("", "exit status 0", 0, "3"), true, 2}, {crash("", "exit status 0", 0, "4"), true, 3},
			{crash("", "exit status 1", 0, "5"), true, 4}, {crash("", "exit status 0", 1, "6"), true, 5},
		}, 6, 7, 0},
		{"and what was printed last", true, nil, []step{
			{said("2026/11/28 20:00:01 no room for 7", "1"), true, 1}, {said("2026/11/28 20:00:02 no room for 12", "2"), true, 2},
			{said("2026/11/28 20:00:03 no room for 3", "3"), true, 2}, {said("2026/11/28 20:00:04 bad checksum", "4"), true, 3},
			{said("2026/11/28 20:00:05 no room for 9", "5"), true, 4},
		}, 5, 5, 0},
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
			f := findingstest.OpenFolder(t, t.TempDir())
			c.triage = newQueue(t, f)
			c.stream = event.Stream{&folderWriter{folder: f}}
			for i, s := range test.steps {
				if counts, _ := c.handleDeath(&instance{fuzz: test.fuzz}, &s.d); counts != s.counts || c.triage.Pending() != s.pending {
					t.Errorf("death %d: counts %v, %d pending, want %v, %d", i, counts, c.triage.Pending(), s.counts, s.pending)
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
			for _, name := range findingstest.Pending(t, f) {
				var cand finding.Candidate
				data, err := f.ReadPending(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(data, &cand); err != nil || !cand.Deadly || cand.Flat == nil {
					t.Errorf("candidate %+v: %v", cand, err)
				}
			}
		})
	}
}

// TestFlakyDeathsGiveBack checks that deaths that look alike are triaged at powers of two, and one
// more after each flaky one. So a certain death is triaged, however many by chance look like it
// before.
func TestFlakyDeathsGiveBack(t *testing.T) {
	for _, flaky := range []int{0, 1, 3, 100} {
		var d deaths
		triaged := 0
		for range 1 << 10 {
			if !d.count("place", "looks") {
				continue
			}
			if triaged++; triaged <= flaky {
				d.giveBack("looks")
			}
		}
		if triaged != 11+flaky && flaky < 100 || triaged < flaky+1 {
			t.Errorf("%d of 1024 deaths are triaged, of which %d are flaky", triaged, flaky)
		}
	}
}

// TestDeathInNewPlace checks that a death in a new place is triaged, however many looks deaths
// have.
func TestDeathInNewPlace(t *testing.T) {
	var d deaths
	for n := range 1 << 14 {
		looks := fmt.Sprint("looks ", n)
		d.count("place", looks)
		d.giveBack(looks)
	}
	if !d.count("another place", "other looks") {
		t.Error("a death in a new place is not triaged")
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

// TestSameInputAgain checks that an input that ends its process again is triaged again after a
// flaky verdict. Deaths on inputs that already wait take no other's turn.
func TestSameInputAgain(t *testing.T) {
	f := findingstest.OpenFolder(t, t.TempDir())
	q := newQueue(t, f)
	c := live(t, &fakes{}, nil)
	c.triage, c.verdicts.Logger = q, slog.New(slog.DiscardHandler)
	c.stream = event.Stream{&folderWriter{folder: f}}
	var err error
	if c.findings, _, err = findings.Load(f, findingstest.Target(), &accept.File{}); err != nil {
		t.Fatal(err)
	}
	die := func(flat string) {
		c.handleDeath(&instance{fuzz: true}, &execute.Death{Outcome: oracle.Timeout, Status: "killed", InFlight: true, Recent: [][]byte{[]byte(flat)}})
	}
	for range 4 {
		die("x")
	}
	if q.Pending() != 1 {
		t.Errorf("%d candidates of one input", q.Pending())
	}
	die("y") // the second of its looks that says something
	if q.Pending() != 2 {
		t.Errorf("%d candidates of two inputs", q.Pending())
	}
	go q.Run(t.Context())
	for range 2 { // by chance
		v := <-q.Verdicts()
		v.Err, v.Finding = nil, nil
		if err := c.handleVerdict(v); err != nil {
			t.Fatal(err)
		}
	}
	die("x")
	if q.Pending() != 1 {
		t.Errorf("%d candidates, of an input that was flaky before", q.Pending())
	}
}
