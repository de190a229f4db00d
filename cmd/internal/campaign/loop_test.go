package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestQuota checks that the instances share the budget. Seeds go to the first instance and count.
func TestQuota(t *testing.T) {
	f := &fakes{}
	s, err := live(t, f, func(o *Options) { o.Parallel = 3 }).run(context.Background(), nil)
	if err != nil || s.Inputs != 10 || s.Executions != 20 || s.Stopped != "budget" || s.Workers != 3 || s.Corpus.Size != 1 {
		t.Fatalf("%v: %+v", err, s)
	}
	quotas := map[int]uint64{} // by seeds
	var all []uint64
	for _, p := range f.processes() {
		quotas[len(p.seeds)] += p.quota
		all = append(all, p.quota)
	}
	if slices.Sort(all); fmt.Sprint(all) != "[3 3 3]" || quotas[1] != 3 {
		t.Errorf("after the seeds the instances may execute %v inputs, the one with the seed %d", all, quotas[1])
	}
}

// TestQuotaOfNothing checks that instances without inputs start no process.
func TestQuotaOfNothing(t *testing.T) {
	f := &fakes{}
	s, err := live(t, f, func(o *Options) { o.Parallel, o.Budget.Inputs = 4, 2 }).run(context.Background(), nil)
	if err != nil || s.Inputs != 2 || len(f.processes()) != 2 {
		t.Errorf("%v: %d processes, %+v", err, len(f.processes()), s)
	}
}

// TestStart checks that a failed start is repeated, but not forever.
func TestStart(t *testing.T) {
	for _, test := range []struct {
		fails  int
		starts int
		code   int
	}{{0, 1, exit.OK}, {2, 3, exit.OK}, {100, startLimit, exit.InfraCode}} {
		f := &fakes{refuse: func(n int) error {
			if n < test.fails {
				return errors.New("no memory")
			}
			return nil
		}}
		s, err := live(t, f, nil).run(context.Background(), nil)
		if got := len(f.processes()); got != test.starts || exit.Code(err) != test.code || test.code != exit.OK && s.Stopped != "error" {
			t.Errorf("%d do not start: %d processes, %v, stopped by %s", test.fails, got, err, s.Stopped)
		}
	}
}

// TestDeathOfAProcess checks that an input that ends its process counts and waits for triage. The
// next process gets the corpus and the rest of the budget.
func TestDeathOfAProcess(t *testing.T) {
	f := &fakes{}
	f.fuzz = func(p *fake, quota uint64) error {
		if p.n > 0 {
			p.execute(quota)
			return nil
		}
		p.keep("kept")
		p.execute(3)
		return &execute.Death{Outcome: oracle.Crashed, Status: "exit status 2", InFlight: true, Recent: [][]byte{[]byte("deadly"), []byte("kept")}}
	}
	c := live(t, f, nil)
	s, err := c.run(context.Background(), nil)
	if err != nil || s.Inputs != 10 || s.Restarts != 1 || s.Corpus.Size != 2 || s.Findings.Unjudged != 1 {
		t.Fatalf("%v: %+v", err, s)
	}
	all := f.processes()
	if len(all) != 2 || all[1].quota != 5 || fmt.Sprintf("%q", all[1].replayed) != `["" "kept"]` || len(all[1].seeds) != 0 || !all[0].closed {
		t.Errorf("%d processes; the second may execute %d inputs, replays %s and has the seeds %s", len(all), all[1].quota, fmt.Sprintf("%q", all[1].replayed), fmt.Sprintf("%q", all[1].seeds))
	}
	if got := fmt.Sprintf("%q", all[1].domains); got != `["coverage" "coverage"]` {
		t.Errorf("it has heard that these were new in %s", got)
	}
	pending, _ := filepath.Glob(filepath.Join(c.opt.Out, "pending", "*"))
	if len(pending) != 1 {
		t.Errorf("%d candidates on disk", len(pending))
	}
}

// TestBarren checks processes that end in a row without an input. The baseline is broken if each
// seed also fails alone. If one does not, or the answer is unknown, the error is another one.
func TestBarren(t *testing.T) {
	for _, test := range []struct {
		name  string
		alone func(context.Context, []string) (bool, error)
		code  int
		says  string
	}{
		{"each seed fails", func(context.Context, []string) (bool, error) { return true, nil }, exit.BaselineCode, "the baseline is broken: worker processes end repeatedly"},
		{"one survives", nil, exit.InfraCode, "and no input does so alone"},
		{"no process starts", func(context.Context, []string) (bool, error) { return true, errors.New("no memory") }, exit.InfraCode, "no memory"},
		{"programs cannot be run", func(context.Context, []string) (bool, error) { return true, exit.Usage("no such command") }, exit.UsageCode, "no such command"},
	} {
		f := &fakes{alone: test.alone, fuzz: func(p *fake, quota uint64) error {
			return &execute.Death{Outcome: oracle.Crashed, Status: "signal: killed", Recent: [][]byte{{}}}
		}}
		s, err := live(t, f, nil).run(context.Background(), nil)
		// The first process has executed the seed. If the seed fails alone, it is not replayed
		// after the second.
		want := 1 + barrenLimit
		if test.code == exit.BaselineCode {
			want++
		}
		if got := len(f.processes()); exit.Code(err) != test.code || !strings.Contains(err.Error(), test.says) || got != want || s.Inputs != 1 || s.Stopped != "error" {
			t.Errorf("%s: %d processes, %v, %+v", test.name, got, err, s)
		}
		if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "between two inputs: signal: killed") }) {
			t.Errorf("%s: notes %q", test.name, s.Notes)
		}
	}
}

// TestBarrenForAWhile checks that an executed input resets the count of barren processes.
func TestBarrenForAWhile(t *testing.T) {
	f := &fakes{fuzz: func(p *fake, quota uint64) error {
		if p.n%barrenLimit == 0 {
			p.execute(1)
		}
		return &execute.Death{Outcome: oracle.Crashed, Status: "signal: killed", Recent: [][]byte{{}}}
	}}
	s, err := live(t, f, func(o *Options) { o.Budget.Inputs = 4 }).run(context.Background(), nil)
	if err != nil || s.Inputs != 4 || len(f.processes()) != 2*barrenLimit+1 {
		t.Errorf("%d processes, %v, %+v", len(f.processes()), err, s)
	}
}

// TestReplaced checks that a process that asks for a replacement gets one, with the rest of its
// budget.
func TestReplaced(t *testing.T) {
	f := &fakes{fuzz: func(p *fake, quota uint64) error {
		p.execute(min(quota, 4))
		return nil
	}}
	s, err := live(t, f, nil).run(context.Background(), nil)
	if err != nil || s.Inputs != 10 || s.Restarts != 2 || len(f.processes()) != 3 {
		t.Errorf("%d processes, %v, %+v", len(f.processes()), err, s)
	}
}

// TestMail checks that instances get each other's inputs by mail, and not their own. A mailed input
// is in the corpus.
func TestMail(t *testing.T) {
	f := &fakes{}
	var c *Campaign
	f.fuzz = func(p *fake, quota uint64) error {
		p.execute(quota)
		if len(p.seeds) > 0 {
			p.keep("found by the first")
			p.mail("found by the second")
			return nil
		}
		if !p.mail("found by the first") {
			return errors.New("no mail")
		}
		p.keep("found by the second")
		return nil
	}
	c = live(t, f, func(o *Options) { o.Parallel = 2 })
	s, err := c.run(context.Background(), nil)
	if err != nil || s.Corpus.Size != 3 {
		t.Fatalf("%v: %+v", err, s)
	}
	for _, p := range f.processes() {
		own := "found by the second"
		if len(p.seeds) > 0 {
			own = "found by the first"
		}
		if slices.Contains(p.mailed, own) {
			t.Errorf("an instance gets back %q", own)
		}
	}
}

// TestInterrupt checks that ^C stops the processes after their inputs, and that the campaign ends
// cleanly.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := &fakes{fuzz: func(p *fake, quota uint64) error {
		p.execute(2)
		cancel()
		if !p.stopped() {
			return errors.New("nobody says stop")
		}
		return nil
	}}
	s, err := live(t, f, func(o *Options) { o.Parallel = 2 }).run(ctx, nil)
	if err != nil || s.Stopped != "interrupted" || s.Inputs < 3 || s.Inputs > 5 {
		t.Errorf("%v: %+v", err, s)
	}
	for _, p := range f.processes() {
		if !p.closed {
			t.Error("a process is left")
		}
	}
}

// TestKill checks that a second ^C ends everything at once and keeps earlier inputs.
func TestKill(t *testing.T) {
	kill := make(chan struct{})
	f := &fakes{}
	f.fuzz = func(p *fake, quota uint64) error {
		p.keep("at the last moment")
		p.execute(1)
		close(kill)
		return p.Wait()
	}
	s, err := live(t, f, nil).run(context.Background(), kill)
	if err != nil || s.Stopped != "interrupted" || s.Corpus.Size != 2 || s.Inputs != 2 {
		t.Errorf("%v: %+v", err, s)
	}
}

// TestResumed checks that the budget of time ends the fuzzing, and that a resumed campaign
// continues.
func TestResumed(t *testing.T) {
	f := &fakes{fuzz: func(p *fake, quota uint64) error {
		p.execute(5)
		if !p.stopped() {
			return errors.New("nobody says stop")
		}
		return nil
	}}
	c := live(t, f, func(o *Options) { o.Budget = Budget{Time: 20 * time.Millisecond} })
	if s, err := c.run(context.Background(), nil); err != nil || s.Inputs != 6 || s.Stopped != "budget" {
		t.Fatalf("%v: %+v", err, s)
	}
	again := &fakes{replay: time.Hour}
	next := live(t, again, nil)
	next.opt.Out, next.opt.Dir = c.opt.Out, c.opt.Dir
	s, err := next.run(context.Background(), nil)
	if err != nil || s.Inputs != 16 || fmt.Sprintf("%q", again.processes()[0].replayed) != `[""]` || len(again.processes()[0].seeds) != 0 {
		t.Errorf("%v: %+v", err, s)
	}
	if got := fmt.Sprintf("%q", again.processes()[0].domains); got != `["coverage"]` {
		t.Errorf("the run has heard that the input was new in %s", got)
	}
	// The earlier run used the time to find the corpus. Executing it again counts neither inputs
	// nor time.
	if before, now := c.totals.clock(0).CPUMS, next.totals.clock(0).CPUMS; before != 1 || now != 1 {
		t.Errorf("%d ms of CPU time, and %d after the campaign was resumed", before, now)
	}
}

// TestDiskFull checks that a campaign stops with an error if the folder cannot be written.
func TestDiskFull(t *testing.T) {
	f := &fakes{}
	var c *Campaign
	f.fuzz = func(p *fake, quota uint64) error {
		if err := os.RemoveAll(filepath.Join(c.opt.Out, "corpus")); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(c.opt.Out, "corpus"), nil, 0o600); err != nil {
			return err
		}
		p.keep("lost")
		p.execute(1)
		if !p.stopped() {
			return errors.New("nobody says stop")
		}
		return nil
	}
	c = live(t, f, func(o *Options) { o.Budget = Budget{} })
	s, err := c.run(context.Background(), nil)
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "corpus") || s.Stopped != "error" {
		t.Errorf("%v: %+v", err, s)
	}
}

// TestCandidateOnAFullDisk checks that a candidate that the disk refuses ends the campaign. It is
// written at the end if there is space again, else a note reports it.
func TestCandidateOnAFullDisk(t *testing.T) {
	for _, space := range []bool{true, false} {
		f := &fakes{}
		var c *Campaign
		f.fuzz = func(p *fake, quota uint64) error {
			pending := filepath.Join(c.opt.Out, "pending")
			if err := errors.Join(os.RemoveAll(pending), os.WriteFile(pending, nil, 0o600)); err != nil {
				return err
			}
			e := wire.InputEvent{Flat: []byte("a candidate"), Layers: uint64(oracle.VerdictLayer)}
			p.mem.TryPut(wire.EventCandidate, e.Append(nil))
			p.execute(1)
			if !p.stopped() {
				return errors.New("nobody says stop")
			}
			if space {
				return errors.Join(os.Remove(pending), os.Mkdir(pending, 0o755))
			}
			return nil
		}
		c = live(t, f, func(o *Options) { o.Budget = Budget{} })
		s, err := c.run(context.Background(), nil)
		if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "pending") || s.Stopped != "error" {
			t.Errorf("space %v: %v: %+v", space, err, s)
		}
		there, _ := os.ReadDir(filepath.Join(c.opt.Out, "pending"))
		if told := strings.Contains(strings.Join(s.Notes, "\n"), "1 candidates could not be written"); told == space || len(there) == 1 != space {
			t.Errorf("space %v: %d candidates on disk, notes %q", space, len(there), s.Notes)
		}
	}
}

// TestLimit checks that a budget of time ends the fuzzing while the loop waits, as for a disk.
func TestLimit(t *testing.T) {
	for name, budget := range map[string]Budget{"CPU time": {CPU: time.Second}, "time": {Time: time.Millisecond}} {
		var waits atomic.Bool
		ended := false
		f := &fakes{}
		f.fuzz = func(p *fake, _ uint64) error {
			waits.Store(true)
			p.mu.Lock()
			p.cpu = 2 * time.Second
			p.mu.Unlock()
			p.execute(7)
			ended = p.stopped()
			waits.Store(false)
			return nil
		}
		c := live(t, f, func(o *Options) { o.Budget = budget })
		c.now = func() time.Time {
			eventually(func() bool { return !waits.Load() })
			return time.Now()
		}
		s, err := c.run(context.Background(), nil)
		if err != nil || !ended || len(f.processes()) != 1 || s.Stopped != "budget" || s.Inputs != 8 {
			t.Errorf("%s: ended by the limit %v, %d processes, %v: %+v", name, ended, len(f.processes()), err, s)
		}
	}
}
