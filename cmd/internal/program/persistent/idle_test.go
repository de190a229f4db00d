package persistent

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program/programtest"
)

// lateSandbox is a sandbox that reports the end of a process later than others see it.
type lateSandbox struct{ sandbox }

type slowProcess struct{ running }

func (b lateSandbox) Start(c confine.Command) (running, error) {
	p, err := b.sandbox.Start(c)
	return slowProcess{p}, err
}

func (p slowProcess) Wait() confine.Status {
	s := p.running.Wait()
	time.Sleep(100 * time.Millisecond)
	return s
}

// TestIdle checks that a driver that ends after all answers is reported, and does not crash the
// next input. Its end may be known by then or not.
func TestIdle(t *testing.T) {
	for name, late := range map[string]bool{"known": false, "not yet known": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := open(t.Context(), fakeConfig(t, "parallax-driver 1"), func(ctx context.Context, c Config) (sandbox, error) {
				b, err := openSandbox(ctx, c)
				if late && err == nil {
					b = lateSandbox{b}
				}
				return b, err
			})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			for i := 1; i < patience; i++ {
				programtest.Execute(t, e, "a", "last 5")
				if !late {
					<-e.proc.ended
				}
				var got []string
				for _, o := range programtest.Execute(t, e, "b", "exit 3", "c") {
					got = append(got, show(o))
				}
				if want := []string{"accepted b", "crashed: exit status 3", "accepted c"}; !slices.Equal(got, want) || e.idle != i {
					t.Fatalf("round %d, %d ends: %q", i, e.idle, got)
				}
			}
			if note := "program p: its driver ended between inputs: exit status 5"; !slices.Contains(e.Notes(), note) || len(e.notes) != 1 {
				t.Errorf("%q", e.Notes())
			}
			// An input that ends the driver is to blame, although it is the first of its batch and
			// earlier ones were answered.
			programtest.Execute(t, e, "a")
			if o := programtest.Execute(t, e, "exit 3")[0]; show(o) != "crashed: exit status 3" || o.Detail != "goodbye\n" || e.idle != patience-1 {
				t.Errorf("%d ends: %s %q", e.idle, show(o), o.Detail)
			}
			// The eighth is too much.
			programtest.Execute(t, e, "last 5")
			if !late {
				<-e.proc.ended
			}
			if text := failure(t, e, "b"); !strings.Contains(text, "program p: its driver ends between inputs: exit status 5\nIt printed:\n    goodbye") {
				t.Error(text)
			}
			if o := programtest.Execute(t, e, "again")[0]; show(o) != "accepted again" {
				t.Error("afterwards:", show(o))
			}
		})
	}
}

// TestIdleForgiven checks that many answers clear earlier ends between inputs.
func TestIdleForgiven(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "parallax-driver 1"))
	e.idle, e.sinceIdle = patience-1, forgiven-3
	programtest.Execute(t, e, "a", "b", "last 5")
	<-e.proc.ended
	if programtest.Execute(t, e, "c"); e.idle != 1 || e.sinceIdle != 1 {
		t.Errorf("%d ends, %d answers since", e.idle, e.sinceIdle)
	}
}

// TestIdleAtOnce checks that a driver that greets and ends has no input to blame.
func TestIdleAtOnce(t *testing.T) {
	e := mustOpen(t, fakeConfig(t, "brief"))
	<-e.proc.ended
	e.idle = patience - 1
	if text := failure(t, e, "a"); !strings.Contains(text, "its driver ends between inputs: exit status 6") {
		t.Error(text)
	}
}
