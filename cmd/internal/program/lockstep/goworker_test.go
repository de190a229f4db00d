package lockstep

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/program/gofunc"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestDeaths checks that a worker that dies in a batch costs only the input that caused it.
func TestDeaths(t *testing.T) {
	for _, test := range []struct {
		input   string
		outcome oracle.Outcome
		message string // part of the message
		inside  bool   // the process lives
	}{
		{"a:panic now", oracle.Crashed, "as told: now", true},
		{"a:goexit", oracle.Crashed, "runtime.Goexit", true},
		{"a:exit 0", oracle.Crashed, "exit status 0", false},
		{"a:exit 3", oracle.Crashed, "exit status 3", false},
		{"a:overflow x", oracle.Crashed, "exit status 2", false},
		{"a:hog", oracle.OOM, "more than 100 MiB in use", false},
		{"a:loop", oracle.Timeout, "still running after 500ms", false},
	} {
		t.Run(test.input, func(t *testing.T) {
			t.Parallel()
			spec := victims(t, "a", "b")
			for i := range spec.Programs {
				spec.Programs[i].Settings = workerOf(t, i, 0, workertest.Build(t, true))
			}
			switch test.outcome { // otherwise it takes long
			case oracle.Timeout:
				spec.Programs[0].Limits.Timeout = 500 * time.Millisecond
			case oracle.OOM:
				spec.Programs[0].Limits.Memory = 100 << 20
			}
			c := processOf(t, spec)
			inputs := []string{"1", "300", "x", test.input, "2", "", "299", "b:panic", "ab:echo", test.input}
			rest := []string{"accepted", "accepted", "rejected", "", "accepted", "rejected", "accepted", "accepted", "accepted", ""}
			rest[3], rest[9] = test.outcome.String(), test.outcome.String()
			all := runAll(t, c, inputs...)
			same(t, "a", outcomes(all, 0), rest)
			if want := hash("ab:echo"); all[8].Obs[0].Value != want || all[8].Obs[1].Value != want {
				t.Errorf("values of ab:echo: %v", all[8].Obs)
			}
			if all[1].Obs[1].Outcome != oracle.Rejected || all[7].Obs[1].Outcome != oracle.Crashed {
				t.Errorf("b, which did nothing wrong: %q", outcomes(all, 1))
			}
			if class := all[3].Obs[0].Class; class == 0 || class != all[9].Obs[0].Class {
				t.Errorf("one crash, classes %x and %x", class, all[9].Obs[0].Class)
			}
			if hits := all[3].Traces[0].Hits; (len(hits) > 0) != (test.outcome == oracle.Crashed) || test.outcome == oracle.Crashed && !slices.Equal(hits, all[9].Traces[0].Hits) {
				t.Errorf("it executed %v, and %v again", hits, all[9].Traces[0].Hits)
			}
			details, err := c.Detail(flats(inputs...), wire.WantDetail|wire.WantHits)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range details {
				if got := oracle.Outcome(d[0].Outcome).String(); got != rest[i] {
					t.Errorf("in detail, %q: %s, want %s", inputs[i], got, rest[i])
				}
				if i == 3 && !slices.Equal(d[0].Hits, all[3].Traces[0].Hits) && test.outcome == oracle.Crashed {
					t.Errorf("in detail, it executed %v, and %v before", d[0].Hits, all[3].Traces[0].Hits)
				}
				if rest[i] == test.outcome.String() && (!strings.Contains(d[0].Panic, test.message) || d[0].Ended == test.inside) {
					t.Errorf("in detail, %q: %q, ended %v; want %q", inputs[i], d[0].Panic, d[0].Ended, test.message)
				}
			}
		})
	}
}

// TestHangs checks that if many inputs hang, further ones are abandoned sooner, until one ends in
// its second run. In detail, all have the whole limit.
func TestHangs(t *testing.T) {
	t.Parallel()
	spec := victims(t, "a")
	spec.Programs[0].Limits.Timeout = time.Second
	c := processOf(t, spec)
	var inputs, want []string
	for i := range 8 {
		inputs, want = append(inputs, fmt.Sprint(i), fmt.Sprintf("a:hang %d", i)), append(want, "accepted", "timeout")
	}
	inputs, want = append(inputs, "a:compute 1h", "1", "a:hang"), append(want, "timeout", "accepted", "timeout")
	same(t, "what hangs", outcomes(runAll(t, c, inputs...), 0), want)
	if notes := c.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "a was still running after 1s on 8 inputs") {
		t.Errorf("notes %q", notes)
	}
	var given, notes []string
	for i := 75; i < 275 && len(notes) == 0; i++ { // the fourth is checked, which depends on its bytes
		in := fmt.Sprintf("a:compute 400ms %d", i)
		switch got := outcomes(runAll(t, c, in), 0)[0]; got {
		case "accepted": // for good, or because the watch had no processor in time
			notes = c.Notes()
		case "timeout":
			given = append(given, in)
		default:
			t.Fatalf("%q: %s", in, got)
		}
	}
	if len(given) == 0 || len(notes) != 1 || !strings.Contains(notes[0], "on which it ends") {
		t.Fatalf("%d inputs were given up, notes %q", len(given), notes)
	}
	same(t, "what was given up", outcomes(runAll(t, c, given[0]), 0), []string{"accepted"})
	c.running[0].exec.(*gofunc.Executor).Process().Hurry(time.Millisecond)
	details, err := c.Detail(flats(given[0]), 0)
	if err != nil || oracle.Outcome(details[0][0].Outcome) != oracle.Accepted {
		t.Errorf("in detail: %+v, %v", details, err)
	}
}

// TestLateFailure checks that a goroutine that fails after its function has returned ends the
// process during another input, which is not blamed.
func TestLateFailure(t *testing.T) {
	t.Parallel()
	c := processOf(t, victims(t, "a"))
	inputs := []string{"1"}
	for i := range 5 {
		inputs = append(inputs, fmt.Sprint(i))
	}
	inputs = append(inputs, "a:later boom")
	for range 40 { // they take longer than the goroutine sleeps
		inputs = append(inputs, "a:noise")
	}
	got := outcomes(runAll(t, c, inputs...), 0)
	for i, o := range got {
		if want := inputs[i] == "a:later boom"; (o == "crashed") != want {
			t.Errorf("input %d, %q: %s", i, inputs[i], o)
		}
	}
}

// TestKilledBetween checks that a process killed from outside is replaced, and no input is blamed.
func TestKilledBetween(t *testing.T) {
	c := processOf(t, victims(t, "a"))
	g := c.running[0].exec.(*gofunc.Executor)
	for range 2 * barren {
		pid := childOf(t, g, 0)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-g.Process().Dead
		same(t, "after a kill", outcomes(runAll(t, c, "1", "x"), 0), []string{"accepted", "rejected"})
	}
	for range 2 * barren {
		if err := syscall.Kill(childOf(t, g, 0), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		details, err := c.Detail(flats("1", "x"), 0)
		if err != nil || oracle.Outcome(details[0][0].Outcome) != oracle.Accepted || oracle.Outcome(details[1][0].Outcome) != oracle.Rejected {
			t.Fatalf("details after a kill: %+v, %v", details, err)
		}
	}
}

// barren is the number of consecutive processes of a Go function that may end without a known
// culprit.
const barren = 3

// childOf returns the process number of a worker, reported by its function of that index.
func childOf(t *testing.T, g *gofunc.Executor, program int) (pid int) {
	t.Helper()
	results, err := g.Process().Run([]byte(string(rune('a'+program))+":process"), wire.WantDetail)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(results[program].Rendered, "%q", new(string)); err != nil {
		t.Fatalf("no number: %q", results[program].Rendered)
	}
	if _, err := fmt.Sscan(strings.Trim(results[program].Rendered, "\""), &pid); err != nil {
		t.Fatal(err)
	}
	return pid
}
