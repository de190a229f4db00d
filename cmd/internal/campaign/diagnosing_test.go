package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
)

// hangs returns a program that hangs on every seed. It closes begun when the first seed is executed
// alone.
func hangs(begun chan<- struct{}) func(context.Context, []string) (bool, error) {
	var once sync.Once
	return func(ctx context.Context, _ []string) (bool, error) {
		once.Do(func() { close(begun) })
		<-ctx.Done()
		return false, ctx.Err()
	}
}

// TestDiagnosisEnds checks that ^C, a second ^C and the end of the time end a campaign at once
// while inputs are executed alone.
func TestDiagnosisEnds(t *testing.T) {
	for _, why := range []string{"^C", "second ^C", "time"} {
		for _, seeds := range []bool{true, false} { // the question is about seeds; about a process that ended
			begun := make(chan struct{})
			f := &fakes{alone: hangs(begun), unkept: seeds}
			f.fuzz = func(p *fake, quota uint64) error {
				if seeds {
					return errors.New("a process fuzzes while it is not known whether it may")
				}
				return &execute.Death{Outcome: oracle.Crashed, Status: "exit status 2", Recent: [][]byte{{}}}
			}
			ctx, cancel := context.WithCancel(context.Background())
			kill := make(chan struct{})
			c := live(t, f, func(o *Options) {
				if why == "time" {
					o.Budget = Budget{Time: time.Second} // in which even a busy machine begins
				}
			})
			go func() {
				<-begun
				switch why {
				case "^C":
					cancel()
				case "second ^C":
					close(kill)
				}
			}()
			s, err := c.run(ctx, kill)
			cancel()
			want := "interrupted"
			if why == "time" {
				want = "budget"
			}
			if err != nil || s.Stopped != want {
				t.Errorf("%s, seeds %v: %v, stopped by %s", why, seeds, err, s.Stopped)
			}
			for _, p := range f.processes() {
				if !p.closed {
					t.Errorf("%s, seeds %v: a process is left", why, seeds)
				}
			}
		}
	}
}

// TestNoSeedKept checks that nothing is fuzzed before the seeds were executed alone, if none was
// kept. A seed that survives is a note; else the baseline is broken.
func TestNoSeedKept(t *testing.T) {
	for _, fails := range []bool{true, false} {
		var c *Campaign
		f := &fakes{unkept: true, alone: func(context.Context, []string) (bool, error) { return fails, nil }}
		c = live(t, f, nil)
		s, err := c.run(context.Background(), nil)
		if fails && (exit.Code(err) != exit.BaselineCode || s.Inputs != 1 || s.Stopped != "error" || !strings.Contains(err.Error(), "fails on every seed")) {
			t.Errorf("%v, %d inputs, stopped by %s", err, s.Inputs, s.Stopped)
		}
		if !fails && (err != nil || s.Inputs != 10 || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "but not on each of them alone") })) {
			t.Errorf("%v, %d inputs, notes %q", err, s.Inputs, s.Notes)
		}
	}
}

// TestIsolatedInput checks that an input that ends processes later is no longer replayed, and that
// the campaign goes on.
func TestIsolatedInput(t *testing.T) {
	f := &fakes{alone: func(_ context.Context, inputs []string) (bool, error) { return inputs[0] == "late", nil }}
	f.fuzz = func(p *fake, quota uint64) error {
		if p.n == 0 {
			p.keep("late")
			p.keep("later")
			p.execute(1)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.n == 0 || slices.Contains(p.replayed, "late") {
			return &execute.Death{Outcome: oracle.Crashed, Status: "signal: killed", Recent: [][]byte{[]byte("later"), []byte("late"), {}}}
		}
		p.execute(quota)
		return nil
	}
	c := live(t, f, nil)
	s, err := c.run(context.Background(), nil)
	all := f.processes()
	// The first process counted inputs. The second and third did not, which raises the question.
	if err != nil || s.Inputs != 10 || fmt.Sprintf("%q", all[len(all)-1].replayed) != `["" "later"]` || len(all) > 4 {
		t.Errorf("%v: %d inputs, %d processes, the last replayed %q", err, s.Inputs, len(all), all[len(all)-1].replayed)
	}
}
