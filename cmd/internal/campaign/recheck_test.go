package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/review"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// replayed executes inputs in place of a replayer. run gets the number of inputs executed before.
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

// did returns the results of the two programs of a campaign on fakes.
func did(first, second oracle.Outcome) []wire.RunResult {
	return []wire.RunResult{{Outcome: uint64(first)}, {Outcome: uint64(second)}}
}

// filed files a finding, as by a run that is then killed.
func filed(t *testing.T, dir string) {
	t.Helper()
	c := live(t, &fakes{}, func(o *Options) { o.Out = dir })
	_, err := c.open()
	if err == nil {
		err = c.load()
	}
	if err == nil {
		found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the input", "in")
		_, _, err = c.findings.Add(found, finding.Candidate{Flat: found.Flat})
	}
	if err != nil {
		t.Fatal(err)
	}
	c.folder.Close()
}

// TestVerified checks that a finding is run once more after the fuzzing, also after an interrupt.
// The next run begins with findings that this one does not reach, and a note says so.
func TestVerified(t *testing.T) {
	shows := func(context.Context, int) ([]wire.RunResult, error) {
		return did(oracle.Accepted, oracle.Rejected), nil
	}
	wavers := func(_ context.Context, n int) ([]wire.RunResult, error) {
		if n < 3 {
			return shows(nil, n)
		}
		return did(oracle.Accepted, oracle.Accepted), nil
	}
	swaps := func(_ context.Context, n int) ([]wire.RunResult, error) {
		if n < 3 {
			return shows(nil, n)
		}
		return did(oracle.Rejected, oracle.Accepted), nil
	}
	fails := func(context.Context, int) ([]wire.RunResult, error) { return nil, errors.New("no process") }
	const steady, flaky, left = "", "flaky", "left"
	for _, test := range []struct {
		name   string
		before func(context.Context, int) ([]wire.RunResult, error) // the fuzzing
		after  func(context.Context, int) ([]wire.RunResult, error)
		first  bool // ^C while it fuzzes
		second bool // ^C again during verify
		want   string
	}{
		{"killed before, shows", shows, fails, false, false, steady},
		{"killed before, wavers", wavers, fails, false, false, flaky},
		{"killed before, shows otherwise", swaps, fails, false, false, flaky},
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
		c.runner = func(ctx context.Context) review.Runner {
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
		check := func(b finding.Row, notes []string) {
			if b.Flaky != (test.want == flaky) || b.Unverified != (test.want == left) || b.Open() != (test.want != flaky) {
				t.Errorf("%s: %+v", test.name, b)
			}
			if told := strings.Contains(strings.Join(notes, "\n"), "1 finding is unverified"); told != (test.want == left) {
				t.Errorf("%s: the notes say %q", test.name, notes)
			}
		}
		check(s.Findings.Buckets[0], s.Notes)
		// The next run checks the findings that are left or flaky, and no others.
		c = live(t, &fakes{}, func(o *Options) { o.Out = dir })
		runs := 0
		c.runner = func(ctx context.Context) review.Runner {
			return &replayed{ctx: ctx, run: func(context.Context, int) ([]wire.RunResult, error) { runs++; return shows(nil, 0) }}
		}
		if test.want != steady {
			test.want = steady
		} else {
			c.runner = func(context.Context) review.Runner {
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

// TestFlakyIsVerified checks that a flaky finding counts again when a later run shows it as often
// as a new one needs. One that is gone is not run.
func TestFlakyIsVerified(t *testing.T) {
	for _, test := range []struct {
		name  string
		shown int // runs that show it, out of those of the later run
		gone  bool
		code  string // of the programs of the later run
		flaky bool
		runs  int
	}{
		{"shows", 1000, false, "", false, 6},
		{"shows at first", 5, false, "", true, 6},
		{"never shows", 0, false, "", true, 1},
		{"gone", 1000, true, "", true, 0},
		{"shows in other programs", 1000, false, "changed", false, 6},
		{"shows in other programs at first", 5, false, "changed", true, 6},
		{"never shows in other programs", 0, false, "changed", false, 1},
	} {
		dir := t.TempDir()
		filed(t, dir)
		c := live(t, &fakes{}, func(o *Options) { o.Out = dir })
		runs := 0
		c.runner = func(ctx context.Context) review.Runner {
			return &replayed{ctx: ctx, run: func(context.Context, int) ([]wire.RunResult, error) {
				if runs++; runs > test.shown {
					return did(oracle.Accepted, oracle.Accepted), nil
				}
				return did(oracle.Accepted, oracle.Rejected), nil
			}}
		}
		_, err := c.open()
		if err == nil {
			err = c.load()
		}
		if err == nil {
			err = c.findings.MarkFlaky(findingstest.FirstID, "chance")
		}
		if err == nil {
			err = c.findings.Mark(findingstest.FirstID, test.gone)
		}
		c.facts.CodeID = test.code
		r := c.review()
		if err == nil {
			err = r.Verify(t.Context(), nil, []string{findingstest.FirstID})
		}
		if err != nil {
			t.Fatal(err)
		}
		if row := c.findings.Rows()[0]; row.Flaky != test.flaky || row.Open() == (test.flaky || row.Gone) || row.Gone != (test.gone || test.code != "" && test.shown == 0) || runs != test.runs {
			t.Errorf("%s: %+v after %d runs", test.name, row, runs)
		}
		c.folder.Close()
	}
}

// TestMismatchIsFlaky checks that a finding that shows in another way than on record is flaky, and
// that the programs are named. Records of earlier runs do not count, since programs may have been
// edited.
func TestMismatchIsFlaky(t *testing.T) {
	valued := func(a, b, class uint64) []wire.RunResult {
		r := did(oracle.Accepted, oracle.Accepted)
		r[0].Value, r[1].Value, r[1].Class = a, b, class
		return r
	}
	for _, test := range []struct {
		name        string
		layer       oracle.Layers
		first, then []wire.RunResult // the rest
		flaky       bool
		blamed      []int
	}{
		{"the same", oracle.VerdictLayer, did(oracle.Accepted, oracle.Rejected), did(oracle.Accepted, oracle.Rejected), false, nil},
		{"the other way round", oracle.VerdictLayer, did(oracle.Rejected, oracle.Accepted), did(oracle.Rejected, oracle.Accepted), true, []int{0, 1}},
		{"a crash", oracle.VerdictLayer, did(oracle.Accepted, oracle.Crashed), did(oracle.Accepted, oracle.Crashed), true, []int{1}},
		{"later a crash", oracle.VerdictLayer, did(oracle.Accepted, oracle.Rejected), did(oracle.Crashed, oracle.Rejected), true, []int{0}},
		{"at times no time", oracle.VerdictLayer, did(oracle.Timeout, oracle.Rejected), did(oracle.Accepted, oracle.Rejected), false, nil},
		{"values that stay", oracle.ValueLayer, valued(1, 2, 0), valued(1, 2, 0), false, nil},
		{"another value", oracle.ValueLayer, valued(1, 2, 0), valued(1, 3, 0), true, []int{1}},
		{"no difference, and nobody knows whose fault it is", oracle.ValueLayer, valued(1, 1, 0), valued(1, 1, 0), true, nil},
		{"another class", oracle.ValueLayer, valued(1, 2, 0), valued(1, 2, 1), true, []int{1}},
	} {
		dir := t.TempDir()
		c := live(t, &fakes{}, func(o *Options) { o.Out, o.Layers = dir, oracle.VerdictLayer|oracle.ValueLayer })
		n := 0
		c.runner = func(ctx context.Context) review.Runner {
			return &replayed{ctx: ctx, run: func(context.Context, int) ([]wire.RunResult, error) {
				if n++; n == 1 {
					return test.first, nil
				}
				return test.then, nil
			}}
		}
		_, err := c.open()
		if err == nil {
			err = c.load()
		}
		if err != nil {
			t.Fatal(err)
		}
		found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "the input", "in")
		if found.Layer = test.layer; test.layer == oracle.ValueLayer {
			found.Results = valued(1, 2, 0)
		}
		if _, _, err = c.findings.Add(found, finding.Candidate{Flat: found.Flat}); err != nil {
			t.Fatal(err)
		}
		if err = c.review().Verify(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		var blamed []int
		for _, w := range c.steady.Rows() {
			if w.Candidates > 0 {
				blamed = append(blamed, slices.Index(c.facts.Names, w.Program))
			}
		}
		if row := c.findings.Rows()[0]; row.Flaky != test.flaky || row.Unverified || !slices.Equal(blamed, test.blamed) {
			t.Errorf("%s: flaky %v, unverified %v, blamed %v", test.name, row.Flaky, row.Unverified, blamed)
		}
		c.folder.Close()
	}
	dir := t.TempDir()
	filed(t, dir)
	c := live(t, &fakes{}, func(o *Options) { o.Out = dir })
	c.runner = func(ctx context.Context) review.Runner {
		return &replayed{ctx: ctx, run: func(context.Context, int) ([]wire.RunResult, error) {
			return did(oracle.Rejected, oracle.Accepted), nil
		}}
	}
	if s, err := c.run(t.Context(), nil); err != nil || s.Findings.Buckets[0].Flaky || s.Findings.Buckets[0].Unverified {
		t.Errorf("edited since: %v, %+v", err, s)
	}
}
