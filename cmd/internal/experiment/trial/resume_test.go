package trial

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
)

// interrupted writes the folder of a trial as a killed campaign leaves it after some inputs.
func interrupted(t *testing.T, r *Run, s *Sample, inputs uint64) {
	t.Helper()
	p, err := r.place(context.Background(), s, false)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := state.Open(atomicfile.OS, p.campaign(), state.Config{
		Target: "t", Identity: state.Identity{Mode: "diff", Programs: []state.Program{{Name: "A"}, {Name: "B"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	snap := state.Snapshot{BuildID: "b", Counters: map[string]uint64{state.Inputs: inputs}, Clock: state.Clock{ElapsedMS: 4000, CPUMS: 1500}}
	if err := errors.Join(f.Save(snap), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// resumable returns a run, and the sample of a trial at its start.
func resumable(t *testing.T, told *[]string) (*Run, func() *Sample) {
	r := &Run{Config: &Config{Inputs: 1000}, Work: t.TempDir(), Report: func(s string) { *told = append(*told, s) }}
	return r, func() *Sample {
		return &Sample{
			Subject: "x", Configuration: "a", Seed: 7, Command: []string{"diff", "--fuzztime", "1000x", "A"}, Load: "1 1 1",
			Origin: Origin{Tool: "t", Go: "go1", Machine: "m"},
		}
	}
}

// TestResume checks that a killed trial continues with the rest of its budget, and that its sample
// records that.
func TestResume(t *testing.T) {
	var told []string
	r, begin := resumable(t, &told)
	interrupted(t, r, begin(), 400)
	s := begin()
	s.Load = "9 9 9"
	p, err := r.place(context.Background(), s, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Resumption{{400, 1.5}}; p.inputs != 400 || p.elapsed() != 4*time.Second || s.Load != "1 1 1" || !reflect.DeepEqual(s.Resumed, want) {
		t.Errorf("goes on with %+v, and the sample has %+v of load %s", p, s.Resumed, s.Load)
	}
	if got := strings.Join(r.Config.remaining(s.Command, p), " "); got != "diff A --fuzztime 600x" {
		t.Errorf("the rest is %q", got)
	}
	for build, same := range map[string]bool{"b": true, "c": false} {
		if err := p.same(&Sample{Build: build}); (err == nil) != same {
			t.Errorf("with programs %s, when they were b: %v", build, err)
		}
	}
	if len(told) != 1 || told[0] != "x, a, trial 1 goes on after 400 inputs" {
		t.Errorf("told %q", told)
	}
	// Killed before further inputs: one resumption. Killed later: another.
	for _, more := range []struct {
		inputs uint64
		want   int
	}{{400, 1}, {700, 2}} {
		interrupted(t, r, begin(), more.inputs)
		s := begin()
		if _, err := r.place(context.Background(), s, false); err != nil || len(s.Resumed) != more.want {
			t.Errorf("after %d inputs: resumed %v, %v", more.inputs, s.Resumed, err)
		}
	}
	// The sample's resumptions survive its file.
	s.Version = SampleVersion
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := parseSample(data); err != nil || !reflect.DeepEqual(again.Resumed, s.Resumed) {
		t.Errorf("read back: %+v, %v", again, err)
	}
	if note := resumedNote(s); note != ", interrupted 1 time" {
		t.Errorf("note %q", note)
	}
}

func TestRestOfBudget(t *testing.T) {
	args := []string{"diff", "A", "--fuzztime", "1000x", "--cputime", "8s", "--seeds", "s"}
	for _, test := range []struct {
		c    Config
		p    place
		want string
	}{
		{Config{Inputs: 1000}, place{}, strings.Join(args, " ")},
		{Config{Inputs: 1000}, place{inputs: 1}, "diff A --seeds s --fuzztime 999x"},
		// The budget is used up, so only waiting candidates are triaged.
		{Config{Inputs: 1000}, place{inputs: 1000}, "diff A --seeds s --fuzztime 1x"},
		{Config{CPU: duration{8 * time.Second}}, place{inputs: 5, clock: state.Clock{CPUMS: 500}}, "diff A --seeds s --cputime 7.5s"},
		{Config{CPU: duration{8 * time.Second}}, place{inputs: 5, clock: state.Clock{CPUMS: 8500}}, "diff A --seeds s --cputime 1ms"},
		{
			Config{Inputs: 1000, CPU: duration{8 * time.Second}}, place{inputs: 5, clock: state.Clock{CPUMS: 500}},
			"diff A --seeds s --fuzztime 995x --cputime 7.5s",
		},
	} {
		if got := strings.Join(test.c.remaining(args, &test.p), " "); got != test.want {
			t.Errorf("%+v: %q, want %q", test.p, got, test.want)
		}
	}
}

// TestRestart checks that a trial restarts in an empty folder if its folder belongs to something
// else, or its record is unreadable.
func TestRestart(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, r *Run, s *Sample) (blackbox bool){
		"another executable": func(t *testing.T, r *Run, s *Sample) bool { s.Tool = "u"; return false },
		"another machine":    func(t *testing.T, r *Run, s *Sample) bool { s.Machine = "n"; return false },
		"another command":    func(t *testing.T, r *Run, s *Sample) bool { s.Command = []string{"diff", "B"}; return false },
		"another seed":       func(t *testing.T, r *Run, s *Sample) bool { s.Seed = 8; return false },
		"blackbox":           func(t *testing.T, r *Run, s *Sample) bool { return true },
		"no record": func(t *testing.T, r *Run, s *Sample) bool {
			os.Remove(filepath.Join(r.folder(s.key()), recordFile))
			return false
		},
		"damaged counters": func(t *testing.T, r *Run, s *Sample) bool {
			if err := os.WriteFile(filepath.Join(r.folder(s.key()), "campaign", "coverage.bin"), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
			return false
		},
		"killed at its beginning": func(t *testing.T, r *Run, s *Sample) bool {
			os.RemoveAll(filepath.Join(r.folder(s.key()), "campaign"))
			return false
		},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			r, begin := resumable(t, &told)
			interrupted(t, r, begin(), 400)
			s := begin()
			blackbox := change(t, r, s)
			p, err := r.place(context.Background(), s, blackbox)
			if err != nil || p.inputs != 0 || p.elapsed() != 0 || s.Resumed != nil {
				t.Fatalf("%+v, %v, %v", p, s.Resumed, err)
			}
			if _, err := os.Stat(p.campaign()); err == nil {
				t.Error("the campaign is still there")
			}
			if got := r.Config.remaining(s.Command, p); !reflect.DeepEqual(got, s.Command) {
				t.Errorf("the budget is not whole: %q", got)
			}
		})
	}
}

// TestForget checks that the folder of an ended trial is removed, and that of a killed one stays,
// also at the end of the measurement.
func TestForget(t *testing.T) {
	var told []string
	r, begin := resumable(t, &told)
	k := begin().key()
	there := func() bool { _, err := os.Stat(r.folder(k)); return err == nil }
	for _, test := range []struct {
		err  error
		stay bool
	}{{nil, false}, {&Failure{Code: 4, Text: "disk full"}, false}, {&Failure{Code: -1, Killed: true}, true}} {
		interrupted(t, r, begin(), 400)
		r.forget(k, test.err)
		if there() != test.stay {
			t.Errorf("after %v it is there: %v", test.err, there())
		}
	}
	if err := os.MkdirAll(filepath.Join(r.Work, "0", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Clean()
	if _, err := os.Stat(filepath.Join(r.Work, "0")); err == nil || !there() {
		t.Error("of what is left only the trial that can go on stays")
	}
	r.Done = []*Sample{begin()}
	r.Clean()
	if _, err := os.Stat(r.Work); err == nil {
		t.Error("nothing is left to go on with, and the folder is there")
	}
}
