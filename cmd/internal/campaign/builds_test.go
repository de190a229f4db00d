package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parallax/cmd/internal/campaign/queue"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/subject"
)

// building is a target with a build that is made during the fuzzing and changes its knowledge of
// builds.
type building struct {
	subject.Target
	builds []string
	asking func() // called when workers get their setup; may be nil
	making func() // called while a build is made
	fails  bool

	blocks  bool // builds end only when they are canceled
	stopped atomic.Int32
}

func (b *building) CmpLog() subject.CmpLog { return b }

func (b *building) Ask(*execute.Spec) error {
	if b.asking != nil {
		b.asking()
	}
	if b.fails {
		return errors.New("no space")
	}
	return nil
}

func (b *building) Build(ctx context.Context) error {
	if b.blocks {
		return b.untilStopped(ctx)
	}
	return nil
}

func (b *building) untilStopped(ctx context.Context) error {
	<-ctx.Done()
	b.stopped.Add(1)
	return ctx.Err()
}

func (b *building) TakesTime() bool  { return false }
func (b *building) Unfinished() bool { return len(b.builds) == 0 }

func (b *building) Finish(ctx context.Context, _ bool, say func(string)) []string {
	say("making the build with operands")
	if b.blocks {
		b.untilStopped(ctx)
		return nil
	}
	if b.making != nil {
		b.making()
	}
	b.builds = append(b.builds, "operands")
	return []string{"the build is missing"}
}

// TestBuildsBeside checks that workers get the state of builds from before the fuzzing.
func TestBuildsBeside(t *testing.T) {
	for _, fails := range []bool{false, true} {
		b := &building{fails: fails}
		f := &fakes{fuzz: func(p *fake, quota uint64) error { p.execute(1); p.stopped(); return nil }}
		c := live(t, f, func(o *Options) {
			o.NoCmpLog, o.Budget = false, Budget{Time: 100 * time.Millisecond}
		})
		b.Target, c.target = c.target, b
		awaits, asked := "", 0
		b.asking = func() {
			asked++
			if c.builds != nil && c.builds.make == nil {
				t.Error("builds begin before workers get their setup")
			}
		}
		b.making = func() { awaits = c.builds.doing() }
		s, err := c.run(t.Context(), nil)
		if awaits != "making the build with operands" || c.builds.doing() != "" {
			t.Errorf("%q is told while a build is made, and %q later", awaits, c.builds.doing())
		}
		if err != nil || asked != 1 || len(b.builds) != 1 || !slices.Contains(s.Notes, "the build is missing") {
			t.Errorf("fails %t: %v, setup given %d times, %d made, %+v", fails, err, asked, len(b.builds), s)
		}
	}
}

// TestBuildsBlock checks that a build that ends only when it is canceled does not delay the end.
func TestBuildsBlock(t *testing.T) {
	queue.BuildPatience = 100 * time.Millisecond
	t.Cleanup(func() { queue.BuildPatience = time.Minute })
	for _, o := range []Options{{}, {TriageTime: 100 * time.Millisecond}, {TriageAll: true}} {
		b := &building{blocks: true}
		f := &fakes{fuzz: func(p *fake, quota uint64) error { p.execute(1); p.stopped(); return nil }}
		c := live(t, f, func(to *Options) {
			to.NoCmpLog, to.Budget, to.TriageTime, to.TriageAll = false, Budget{Time: 100 * time.Millisecond}, o.TriageTime, o.TriageAll
		})
		b.Target, c.target = c.target, b
		s, err := c.run(t.Context(), nil)
		if err != nil || b.stopped.Load() != 2 || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "were not ready in time") }) {
			t.Errorf("%+v: %v, %d builds were stopped, %+v", o, err, b.stopped.Load(), s)
		}
	}
}

// TestBuildsNotBegun checks that a campaign that ends before its fuzzing makes no builds and does
// not wait for them.
func TestBuildsNotBegun(t *testing.T) {
	b := &building{}
	c := live(t, &fakes{}, func(o *Options) { o.Budget = Budget{Time: time.Second} })
	c.target = b
	c.finish(t.Context(), false)
	c.builds.close()
	c.builds.begin()
	c.builds.close()
	if !c.builds.made() || !c.builds.left || len(b.builds) > 0 {
		t.Errorf("made %t, left %t, %d builds", c.builds.made(), c.builds.left, len(b.builds))
	}
}
