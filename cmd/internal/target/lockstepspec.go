package target

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"parallax/cmd/internal/confine"
	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/program"
	"parallax/internal/input"
	"parallax/internal/wire"
)

// conductorMemory is what a conductor may use itself: the engine's corpus and sets. Its programs have limits of their own.
const conductorMemory = 4 << 30

// conductor says how a conductor is started.
func (m *mix) conductor(o *Options, shape input.Shape, file string) execute.Spec {
	return execute.Spec{
		Binary: m.tool, Args: []string{"lockstep", file}, Dir: m.dir, MaxFlat: MaxFlat(shape, o.MaxBytes),
		Timeout: o.Timeout, Memory: conductorMemory, Starts: true, Patience: m.patience(),
	}
}

// Ordered builds the workers that record the order of blocks, and returns how their conductor is started.
func (t *Target) Ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error) {
	if t.mix == nil {
		binary, err := t.built.buildOrdered(ctx)
		spec.Binary = binary
		return spec, err
	}
	b, m := t.built, t.mix
	if err := b.take(ctx); err != nil {
		return spec, err
	}
	defer b.give()
	if b.ordered == "" && b.unfit == nil {
		b.ordered, b.unfit = m.buildOrdered(ctx, t.hello.Regions)
		if ctx.Err() != nil {
			b.ordered, b.unfit = "", nil
			return spec, ctx.Err()
		}
	}
	spec.Args = []string{"lockstep", b.ordered}
	return spec, b.unfit
}

// buildOrdered writes the specification of a conductor whose programs record the order of blocks, which are in these regions.
func (m *mix) buildOrdered(ctx context.Context, regions []wire.Region) (string, error) {
	release, err := m.space.Lock()
	if err != nil {
		return "", err
	}
	defer release()
	binaries := map[*part]string{}
	for _, p := range m.parts {
		if binaries[p] = p.binary; p.members[0].program < 0 {
			continue
		}
		built, err := p.plan.BuildOrdered(ctx)
		if err == nil {
			binaries[p], err = m.space.Own(built)
		}
		if err != nil {
			return "", err
		}
	}
	spec := m.spec
	spec.Programs = natives(spec.Programs, func(n *lockstep.Native) {
		n.Order, n.Counters = n.Ordered, nil
		for _, r := range regions {
			if program, _, ok := lockstep.Blocks(r.Package); ok && program == n.Name {
				n.Counters = append(n.Counters, r.Counters)
			}
		}
	})
	return m.write(spec, func(p *part) string { return binaries[p] })
}

// natives are programs of which those of kind c run in another way.
func natives(programs []lockstep.Program, change func(*lockstep.Native)) []lockstep.Program {
	programs = slices.Clone(programs)
	for i := range programs {
		if n := programs[i].Native; n != nil {
			other := *n
			change(&other)
			programs[i].Native = &other
		}
	}
	return programs
}

// confined are the options of the boxes that programs run in.
func (m *mix) confined(l program.Limits) confine.Options {
	return confine.Options{Tool: m.tool, Limits: l, Dir: m.dir}
}

// clock is the time that the configuration pins, in seconds since 1970; empty without one.
func (o *Options) clock() string {
	if o.Config == nil || o.Config.Environment.Clock.IsZero() {
		return ""
	}
	return strconv.FormatInt(o.Config.Environment.Clock.Unix(), 10)
}

// configPath is the configuration's file, or the programs if it has none; empty without a configuration.
func (o *Options) configPath() string {
	switch {
	case o.Config == nil:
		return ""
	case o.Config.Path == "":
		return joinPaths(o.binaries())
	}
	return o.Config.Path
}

// NoCoverage are the programs of which it is not known what they execute.
func (t *Target) NoCoverage() []bool {
	if t.mix == nil {
		return nil
	}
	blind := make([]bool, len(t.Names))
	for p := range blind {
		blind[p] = t.mix.spec.Programs[p].Go == nil && t.mix.spec.Programs[p].Native == nil
	}
	return blind
}

// slowBudgets divides the budgets of judging where an input takes a process or a request, some ten milliseconds instead of one.
const slowBudgets = 4

func (t *Target) Slow() int {
	if t.mix != nil {
		for _, p := range t.mix.spec.Programs {
			if p.Command != nil || p.Service != nil {
				return slowBudgets
			}
		}
	}
	return 1
}

// FlakyNote says what candidates that do not repeat mostly mean where programs of kind c are among the target's.
func (t *Target) FlakyNote(flaky uint64) []string {
	if flaky == 0 || t.mix == nil || !slices.ContainsFunc(t.mix.spec.Programs, func(p lockstep.Program) bool { return p.Native != nil }) {
		return nil
	}
	return []string{fmt.Sprintf("%d candidates did not repeat by themselves (flaky): in a C program that is what an earlier input has left in the process, such as memory that it has overwritten: mend what is found first", flaky)}
}

// ProcessPerInput are the programs that have a process for each input, or none that ends.
func (t *Target) ProcessPerInput() []bool {
	if t.mix == nil {
		return nil
	}
	cheap := make([]bool, len(t.Names))
	for i, p := range t.mix.spec.Programs {
		cheap[i] = p.Command != nil || p.Service != nil && len(p.Service.Start) == 0
	}
	return cheap
}

// sweep removes what processes have left that were killed.
func (m *mix) sweep() {
	old, _ := filepath.Glob(filepath.Join(m.dir, "lockstep-*.json"))
	for _, path := range old {
		var pid, n int
		if _, err := fmt.Sscanf(filepath.Base(path), "lockstep-%d-%d.json", &pid, &n); err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			os.Remove(path)
		}
	}
}

// patience is what a conductor may take until its programs have started: a driver has ten times the time of an input for its
// greeting, and twenty seconds at least.
func (m *mix) patience() time.Duration {
	longest := time.Minute
	for _, p := range m.spec.Programs {
		longest = max(longest, 11*p.Limits.Timeout)
	}
	return longest + time.Minute
}
