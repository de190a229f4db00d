package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/intake"
	"parallax/cmd/internal/campaign/review"
	"parallax/cmd/internal/finding/event"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// others is an exchange with findings that arrive at the end.
type others struct {
	claims  []string
	err     error
	asked   int
	settled []string
}

func (o *others) Handle(event.Event) error         { return nil }
func (o *others) Take(int) ([]intake.Input, error) { return nil, nil }
func (o *others) Close() ([]string, error)         { return nil, nil }
func (o *others) Triaged(string, []byte, string)   {}
func (o *others) Settle(in intake.Input, _ bool) error {
	o.settled = append(o.settled, string(in.Flat))
	return nil
}

func (o *others) Turn(context.Context, string, []byte, time.Duration) intake.Turn { return intake.Mine }

func (o *others) Claims(_ context.Context, most int) (list []intake.Input, err error) {
	o.asked++
	for _, text := range o.claims[:min(most, len(o.claims))] {
		list = append(list, intake.Input{Hash: text, Offer: wire.Offer{Flat: []byte(text), Claim: true}})
	}
	return list, o.err
}

// TestClaimsAtTheEnd checks that findings of others are executed after the fuzzing, and that those
// that show here are candidates. Inputs that cannot be executed wait for the next run.
func TestClaimsAtTheEnd(t *testing.T) {
	shows := func(context.Context, int) ([]wire.RunResult, error) {
		return did(oracle.Accepted, oracle.Rejected), nil
	}
	for _, test := range []struct {
		name    string
		edit    func(*Options)
		run     func(context.Context, int) ([]wire.RunResult, error)
		many    int
		settled int
		pending int
	}{
		{"all show", nil, shows, 2, 2, 2},
		{"none shows", nil, func(context.Context, int) ([]wire.RunResult, error) {
			return did(oracle.Accepted, oracle.Accepted), nil
		}, 2, 2, 0},
		{"the second cannot run", nil, func(_ context.Context, n int) ([]wire.RunResult, error) {
			if n > 0 {
				return nil, errors.New("no memory")
			}
			return shows(nil, n)
		}, 3, 1, 1},
		{"without fuzzing", func(o *Options) { o.NoFuzz = true }, shows, 1, 1, 1},
		{"too many", nil, shows, 257, 256, 256},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := &others{}
			for i := range test.many {
				o.claims = append(o.claims, fmt.Sprint("claim ", i))
			}
			c := live(t, &fakes{}, func(opt *Options) {
				opt.Join = func(intake.Joining) (intake.Exchange, error) { return o, nil }
				if test.edit != nil {
					test.edit(opt)
				}
			})
			c.runner = func(ctx context.Context) review.Runner { return &replayed{ctx: ctx, run: test.run} }
			s, err := c.run(context.Background(), nil)
			if err != nil || o.asked != 1 {
				t.Fatalf("asked %d times: %v", o.asked, err)
			}
			pending, _ := filepath.Glob(filepath.Join(c.opt.Out, "pending", "*"))
			if len(o.settled) != test.settled || len(pending) != test.pending || s.Findings.Unjudged != test.pending {
				t.Errorf("%d are settled, %d candidates wait, and the summary has %d", len(o.settled), len(pending), s.Findings.Unjudged)
			}
			if s.Inputs != c.opt.Budget.Inputs && !c.opt.NoFuzz {
				t.Errorf("claims count: %d inputs", s.Inputs)
			}
		})
	}
}

// TestNoClaims checks that findings of others wait for the next run after an interrupt or an error.
func TestNoClaims(t *testing.T) {
	o := &others{claims: []string{"claim"}}
	join := func(opt *Options) { opt.Join = func(intake.Joining) (intake.Exchange, error) { return o, nil } }
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := live(t, &fakes{fuzz: func(p *fake, _ uint64) error {
		for !p.mem.StopRequested() {
			time.Sleep(time.Millisecond)
		}
		return nil
	}}, join).run(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := live(t, &fakes{refuse: func(int) error { return errors.New("no memory") }}, join).run(context.Background(), nil); err == nil {
		t.Error("no process starts, and there is no error")
	}
	if o.asked > 0 {
		t.Error("findings of others are executed")
	}
	o.err = errors.New("disk full")
	if _, err := live(t, &fakes{}, join).run(context.Background(), nil); !errors.Is(err, o.err) {
		t.Errorf("an error of the folder is not reported: %v", err)
	}
}
