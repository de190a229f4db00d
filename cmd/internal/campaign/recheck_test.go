package campaign

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/findings/findingstest"
	"parallax/cmd/internal/report"
	"parallax/cmd/internal/triage"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// replayed executes inputs in the place of a replayer: run is told how many were executed before.
type replayed struct {
	ctx   context.Context
	run   func(ctx context.Context, n int) ([]wire.RunResult, error)
	n     int
	fresh int
}

func (r *replayed) Fresh()     { r.fresh++ }
func (r *replayed) Close()     {}
func (r *replayed) Ended() int { return 0 }

func (r *replayed) Run([]byte, uint64) ([]wire.RunResult, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.n++
	return r.run(r.ctx, r.n-1)
}

// did is what the two programs of a campaign on fakes do.
func did(first, second oracle.Outcome) []wire.RunResult {
	return []wire.RunResult{{Outcome: uint64(first)}, {Outcome: uint64(second)}}
}

// filed has a run file a finding, as if it were killed at once.
func filed(t *testing.T, dir string) {
	t.Helper()
	c := live(t, &fakes{}, func(o *Options) { o.Out = dir })
	_, err := c.open()
	if err == nil {
		err = c.load()
	}
	if err == nil {
		found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the input", "in")
		_, _, err = c.findings.Add(found, triage.Candidate{Flat: found.Flat})
	}
	if err != nil {
		t.Fatal(err)
	}
	c.folder.Close()
}

// A finding is run once more when the fuzzing has ended, also when the user interrupts. What a run does not come to, the next one begins with,
// and says so.
func TestOnceMore(t *testing.T) {
	shows := func(context.Context, int) ([]wire.RunResult, error) {
		return did(oracle.Accepted, oracle.Rejected), nil
	}
	wavers := func(_ context.Context, n int) ([]wire.RunResult, error) {
		if n < 3 {
			return shows(nil, n)
		}
		return did(oracle.Accepted, oracle.Accepted), nil
	}
	fails := func(context.Context, int) ([]wire.RunResult, error) { return nil, errors.New("no process") }
	const steady, flaky, left = "", "flaky", "left"
	for _, test := range []struct {
		name   string
		before func(context.Context, int) ([]wire.RunResult, error) // the fuzzing
		after  func(context.Context, int) ([]wire.RunResult, error)
		first  bool // ^C while it fuzzes
		second bool // and again, when it is run once more
		want   string
	}{
		{"killed before, shows", shows, fails, false, false, steady},
		{"killed before, wavers", wavers, fails, false, false, flaky},
		{"the budget is used, shows", fails, shows, false, false, steady},
		{"the budget is used, wavers", fails, wavers, false, false, flaky},
		{"interrupted, shows", fails, shows, true, false, steady},
		{"interrupted, wavers", fails, wavers, true, false, flaky},
		{"interrupted twice", fails, func(ctx context.Context, n int) ([]wire.RunResult, error) {
			if n > 0 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return shows(ctx, n)
		}, true, true, left},
		{"it cannot be run", fails, fails, true, false, left},
	} {
		dir := t.TempDir()
		filed(t, dir)
		ctx, interrupt := context.WithCancel(t.Context())
		kill := make(chan struct{})
		f := &fakes{fuzz: func(p *fake, quota uint64) error {
			if test.first {
				interrupt()
				p.stopped()
			} else {
				p.execute(quota)
			}
			return nil
		}}
		c := live(t, f, func(o *Options) { o.Out = dir })
		var players []*replayed
		c.player = func(ctx context.Context) player {
			p := &replayed{ctx: ctx, run: test.before}
			if len(players) > 0 {
				p.run = func(ctx context.Context, n int) ([]wire.RunResult, error) {
					if test.second && n == 1 {
						close(kill)
					}
					return test.after(ctx, n)
				}
			}
			players = append(players, p)
			return p
		}
		s, err := c.run(ctx, kill)
		if err != nil || len(s.Findings.Buckets) != 1 {
			t.Fatalf("%s: %v, %+v", test.name, err, s)
		}
		check := func(b report.Bucket, notes []string) {
			if b.Flaky != (test.want == flaky) || b.Unlooked != (test.want == left) || b.Open() != (test.want != flaky) {
				t.Errorf("%s: %+v", test.name, b)
			}
			if told := strings.Contains(strings.Join(notes, "\n"), "1 finding was not run once more"); told != (test.want == left) {
				t.Errorf("%s: the notes say %q", test.name, notes)
			}
		}
		check(s.Findings.Buckets[0], s.Notes)
		// A run after this one looks at what is left, and at nothing else.
		c = live(t, &fakes{}, func(o *Options) { o.Out = dir })
		runs := 0
		c.player = func(ctx context.Context) player {
			return &replayed{ctx: ctx, run: func(context.Context, int) ([]wire.RunResult, error) { runs++; return shows(nil, 0) }}
		}
		if test.want == left {
			test.want = steady
		} else {
			c.player = func(context.Context) player {
				t.Errorf("%s: it is looked at again", test.name)
				return &replayed{ctx: ctx, run: fails}
			}
		}
		if s, err = c.run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		check(s.Findings.Buckets[0], s.Notes)
	}
}

// The second ^C ends what goes on after the first at once, also when both came before.
func TestOutlasting(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	kill := make(chan struct{})
	patient, stop := outlasting(ctx, interruptPatience, kill)
	defer stop()
	if patient.Err() != nil {
		t.Error("there is no patience")
	}
	close(kill)
	<-patient.Done()
	if at, stop := outlasting(ctx, interruptPatience, kill); at.Err() == nil {
		stop()
		t.Error("it goes on after the second ^C")
	}
	short, stop := outlasting(ctx, 1, nil)
	defer stop()
	<-short.Done()
}
