package lockstep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject/kinds"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestOrder checks that results have the order of inputs and programs, whichever program is faster,
// and keep nothing of the previous batch.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	uneven := func(ctx context.Context, in []byte, o *program.Observation) error {
		mu.Lock()
		pause := time.Duration(r.IntN(300)) * time.Microsecond
		mu.Unlock()
		time.Sleep(pause)
		if bytes.HasPrefix(in, []byte("z")) {
			o.Outcome, o.Message = oracle.Rejected, "no z: "+string(in)
			return nil
		}
		return echo(ctx, in, o)
	}
	spec := &Spec{Values: true, Text: true, MaxFlat: 100}
	var executors []program.Executor
	for i := range 5 {
		spec.Programs = append(spec.Programs, Program{Name: fmt.Sprint("p", i)})
		run := echo
		if i%2 == 1 {
			run = uneven
		}
		executors = append(executors, &scripted{features: 26, batch: 64, run: run})
	}
	c := processOf(t, spec, executors...)
	for round := range 20 {
		var inputs []string
		for range 1 + r.IntN(30) {
			inputs = append(inputs, strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(5)))
		}
		all := runAll(t, c, inputs...)
		details, err := c.Detail(flats(inputs...), wire.WantDetail)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range inputs {
			for p := range spec.Programs {
				o, trace, d := all[i].Obs[p], all[i].Traces[p], details[i][p]
				want := oracle.Accepted
				if p%2 == 1 && in[0] == 'z' {
					want = oracle.Rejected
				}
				if o.Outcome != want || oracle.Outcome(d.Outcome) != want || o.Class != d.Class || o.Value != d.Value {
					t.Fatalf("round %d, %q on program %d: %+v and in detail %+v", round, in, p, o, d)
				}
				if want == oracle.Rejected {
					if len(trace.Hits) > 0 || d.Error != "no z: "+in || o.Value != 0 {
						t.Fatalf("round %d, %q on program %d: features %d, error %q, value %d", round, in, p, trace.Hits, d.Error, o.Value)
					}
					continue
				}
				if o.Value != hash(in) || d.Rendered != in {
					t.Fatalf("round %d, %q on program %d: value %x, in detail %q", round, in, p, o.Value, d.Rendered)
				}
				if len(trace.Hits) != 1 || trace.Hits[0] != uint32(26*p+int(in[0]-'a')) || int(trace.Counts[0]) != len(in) {
					t.Fatalf("round %d, %q on program %d: features %d, counts %d", round, in, p, trace.Hits, trace.Counts)
				}
			}
		}
	}
}

// TestLayout checks that the regions of builds come first, in the order of their first programs,
// once each; then those of other programs.
func TestLayout(t *testing.T) {
	spec := victims(t, "a", "b", "a again", "b again")
	for p, build := range []int{2, 1, 2} {
		spec.Programs[p].Settings = workerOf(t, p%2, build, workertest.Build(t, true))
	}
	quiet, telling := &scripted{batch: 100, run: accept}, &scripted{features: 26, batch: 7, run: echo}
	spec.Programs = append([]Program{{Name: "telling"}, {Name: "quiet"}}, spec.Programs...)
	c := processOf(t, spec, telling, quiet)
	n := len(workertest.Table(t).Blocks)
	want := fmt.Sprintf("[{build 2: %s %d} {build 1: %s %d} {features of telling 26}]", workertest.Subject, n, workertest.Subject, n)
	if got := fmt.Sprint(c.target.Regions); got != want {
		t.Fatalf("regions %s, want %s", got, want)
	}
	if c.Batch() != 7 {
		t.Errorf("batches of %d, want those of the program with the smallest", c.Batch())
	}
	all := runAll(t, c, "a", "b")
	for p, region := range []struct{ from, to int }{{2 * n, 2*n + 26}, {0, 0}, {0, n}, {n, 2 * n}, {0, n}, {0, 0}} {
		for i := range all {
			hits := all[i].Traces[p].Hits
			if (len(hits) > 0) != (region.to > 0) {
				t.Errorf("program %d has hit %d", p, hits)
			}
			for _, h := range hits {
				if int(h) < region.from || int(h) >= region.to {
					t.Errorf("program %d has hit %d, which is not in its region %v", p, h, region)
				}
			}
		}
	}
	// The same holds in detail.
	details, err := c.Detail(flats("a"), wire.WantHits)
	if err != nil {
		t.Fatal(err)
	}
	for p, from := range map[int]int{2: 0, 3: n, 4: 0} {
		hits := details[0][p].Hits
		if len(hits) == 0 || int(hits[0]) < from || int(hits[len(hits)-1]) >= from+n {
			t.Errorf("in detail program %d has hit %d, not blocks from %d on", p, hits, from)
		}
	}
}

// TestStop checks that Stop ends the current batch, whatever its programs do, and all later calls.
func TestStop(t *testing.T) {
	spec := victims(t, "a")
	spec.Programs[0].Limits.Timeout = time.Hour
	spec.Programs = append(spec.Programs, Program{Name: "waits"})
	began := make(chan struct{}, 1)
	c := processOf(t, spec, &scripted{batch: 64, run: func(ctx context.Context, in []byte, o *program.Observation) error {
		select {
		case began <- struct{}{}:
		default:
		}
		<-ctx.Done()
		return ctx.Err()
	}})
	go func() {
		<-began
		c.Stop()
	}()
	inputs := []string{"a:loop", "1", "2"}
	ok, err := c.RunAll(flats(inputs...), joints(3, 2), false)
	if ok || err != nil {
		t.Errorf("a batch that was stopped: %v, %v", ok, err)
	}
	if ok, err = c.RunAll(flats("1"), joints(1, 2), false); ok || err != nil {
		t.Errorf("a batch after that: %v, %v", ok, err)
	}
	if _, err = c.Detail(flats("1"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("details after that: %v", err)
	}

	spec = victims(t, "a", "b")
	spec.Programs[0].Limits.Timeout = time.Hour
	c = processOf(t, spec)
	mem := c.running[0].exec.(*gofunc.Executor).Process().Mem
	go func() {
		for mem.State() != wire.InFlight {
			time.Sleep(time.Millisecond)
		}
		c.Stop()
	}()
	if _, err = c.Detail(flats(inputs...), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("details that were stopped: %v", err)
	}
}

// TestFailure checks that a program's failure ends the campaign with its exit code, and takes
// precedence over other errors.
func TestFailure(t *testing.T) {
	failure := &program.Failure{Program: "b", Code: exit.UsageCode, What: "it is not what it seems"}
	fails := func(err error) *scripted {
		return &scripted{batch: 8, run: func(context.Context, []byte, *program.Observation) error { return err }}
	}
	c := processOf(t, &Spec{Values: true, Text: true, Programs: []Program{{Name: "a"}, {Name: "b"}}}, fails(errors.New("a pipe broke")), fails(failure))
	_, err := c.RunAll(flats("x"), joints(1, 2), false)
	var is interface{ ExitCode() int }
	if !errors.As(err, &is) || is.ExitCode() != exit.UsageCode || err.Error() != "program b: it is not what it seems" {
		t.Errorf("running: %v", err)
	}
	if _, err := c.Detail(flats("x"), 0); !errors.As(err, &is) || is.ExitCode() != exit.UsageCode {
		t.Errorf("in detail: %v", err)
	}
	// Programs that a Run order leaves out do not run.
	if all, err := c.Detail(flats("x"), 3<<wire.SkipShift); err != nil || len(all) != 1 || len(all[0]) != 2 {
		t.Errorf("none of the programs: %v, %v", all, err)
	}
}

func TestSpecFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spec.json")
	spec := victims(t, "a", "b")
	spec.Classes = []Class{{Name: "end", Match: []string{"EOF"}}}
	if err := spec.Write(path); err != nil {
		t.Fatal(err)
	}
	again, err := read(path)
	if err != nil || fmt.Sprintf("%+v", again.Classes) != fmt.Sprintf("%+v", spec.Classes) || !bytes.Equal(again.Programs[1].Settings, spec.Programs[1].Settings) {
		t.Errorf("%+v, %v", again, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte(`"Version":1`), []byte(`"Version":2`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(path); err == nil || !strings.Contains(err.Error(), "of version 2, not 1") {
		t.Errorf("a file of another version: %v", err)
	}
	if err := os.WriteFile(path, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("half a file: %v", err)
	}
	if _, err := open(context.Background(), &Spec{Version: 1, Shape: "([]byte)", Programs: []Program{{Name: "none"}}}, kinds.Table); err == nil {
		t.Error("a program of no kind is opened")
	}
}

// TestMainAlone checks that only parallax starts a lockstep process.
func TestMainAlone(t *testing.T) {
	if code := Main([]string{"spec.json"}, kinds.Table); code != exit.UsageCode {
		t.Errorf("exit code %d", code)
	}
}
