package lockstep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/program"
	native "parallax/cmd/internal/program/c"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/judge"
	"parallax/internal/wire"
	"parallax/internal/worker"
)

// Main is `parallax lockstep SPEC`: it serves the supervisor that started it, and returns the exit code.
func Main(args []string) int {
	if len(args) != 1 || !worker.Wanted() {
		fmt.Fprintln(os.Stderr, "parallax lockstep is started by parallax diff.")
		return exit.UsageCode
	}
	if err := serve(args[0]); err != nil {
		fmt.Fprintln(os.Stderr, "parallax lockstep:", err)
		return exit.InfraCode
	}
	return exit.OK
}

func serve(path string) error {
	spec, err := read(path)
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(os.Getenv("PARALLAX_INPUT")); err == nil {
		spec.MaxFlat = n // of the supervisor: inputs that are judged may be longer than those that are fuzzed
	}
	if n, err := strconv.ParseInt(os.Getenv("PARALLAX_MEMORY"), 10, 64); err == nil && n > 0 {
		debug.SetMemoryLimit(n / 4 * 3)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c, err := open(ctx, spec)
	var failed *program.Failure
	if errors.As(err, &failed) {
		return worker.Refuse(coded{failed})
	}
	if err != nil {
		return err
	}
	defer c.close()
	return worker.ServeRemote(c.target)
}

// coded is a failure with the exit code that it leads to.
type coded struct{ *program.Failure }

func (c coded) ExitCode() int { return c.Code }

// conductor runs the programs of a Spec.
type conductor struct {
	spec    *Spec
	target  worker.RemoteTarget
	members []member
	digests []*digest
	repair  *external
	askers  []*nativeAsker
	answers [][]answer // by program and input of the batch
	order   *order
	screen  screen
	most    int // inputs of a batch
	now     int // inputs of the next one
	ctx     context.Context
	stop    context.CancelFunc
}

// open starts all programs at once. When ctx ends, so does what they do.
func open(ctx context.Context, spec *Spec) (*conductor, error) {
	c := &conductor{spec: spec, order: newOrder(len(spec.Programs))}
	c.ctx, c.stop = context.WithCancel(ctx)
	shape, err := input.ParseShape(spec.Shape)
	if err != nil {
		return nil, fmt.Errorf("the shape of inputs: %w", err)
	}
	c.target = worker.RemoteTarget{Target: worker.Target{Shape: shape, CompareValues: spec.Values, Notes: spec.Notes}, Remote: c}
	for _, p := range spec.Programs {
		c.target.Programs = append(c.target.Programs, worker.Program{Name: p.Name})
	}
	if err := c.openMembers(); err != nil {
		c.close()
		return nil, err
	}
	if err := c.layOut(); err != nil {
		c.close()
		return nil, err
	}
	for i := range spec.Programs {
		d, err := c.newDigest(&spec.Programs[i])
		if err != nil {
			c.close()
			return nil, err
		}
		c.digests = append(c.digests, d)
	}
	if spec.Repair != nil {
		if c.repair, err = c.openExternal("the repair function", spec.Repair); err != nil {
			c.close()
			return nil, err
		}
		c.target.Target.Repair = func(*input.Args, *input.Builder) {} // that there is one; Repair below calls it
	}
	return c, nil
}

// openMembers opens the programs, each in a goroutine: a virtual machine may take a second to start.
func (c *conductor) openMembers() error {
	n := len(c.spec.Programs)
	c.members = make([]member, n)
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range c.spec.Programs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if c.members[i], errs[i] = c.openMember(&c.spec.Programs[i]); errs[i] != nil {
				c.stop() // there is nothing to wait for
			}
		}()
	}
	wait.Wait()
	return first(errs)
}

// first is the first error, one that says what is wrong with a program before others.
func first(errs []error) error {
	var any error
	for _, err := range errs {
		var f *program.Failure
		if errors.As(err, &f) {
			return err
		}
		if any == nil {
			any = err
		}
	}
	return any
}

func (c *conductor) openMember(p *Program) (member, error) {
	switch {
	case p.Go != nil:
		g := c.goWorker(p.Name, p.Go, p.Limits)
		g.text = c.spec.Text
		return g, g.start()
	case p.Native != nil:
		p.Native.MaxInput = c.spec.MaxFlat
		g, err := openNative(c.ctx, p.Name, p.Native)
		if err != nil {
			return nil, err // a nil *nativeProgram is no nil member
		}
		return g, nil
	case p.Command != nil:
		e, err := command.Open(c.ctx, *p.Command)
		return opened(p.Name, e, err)
	case p.Driver != nil:
		e, err := persistent.Open(c.ctx, *p.Driver)
		return opened(p.Name, e, err)
	case p.Service != nil:
		e, err := http.Open(c.ctx, *p.Service)
		return opened(p.Name, e, err)
	}
	return nil, fmt.Errorf("program %s is of no kind", p.Name)
}

// opened is a program of another kind than Go.
func opened(name string, e program.Executor, err error) (member, error) {
	if err != nil {
		return nil, err
	}
	o := &outside{name: name, exec: e}
	if n, ok := e.(interface{ Notes() []string }); ok {
		o.notes = n.Notes()
	}
	return o, nil
}

func (c *conductor) goWorker(name string, g *Go, l program.Limits) *goWorker {
	b := c.spec.Builds[g.Build]
	spec := execute.Spec{Binary: b.Binary, Dir: b.Dir, Env: b.Env, MaxFlat: c.spec.MaxFlat, Timeout: l.Timeout, Memory: l.Memory}
	if spec.Timeout == 0 {
		spec.Timeout = defaultTimeout
	}
	if spec.Memory == 0 {
		spec.Memory = defaultMemory
	}
	return &goWorker{name: name, spec: spec, program: g.Program}
}

// layOut numbers the blocks of builds and the features of programs, one after another.
func (c *conductor) layOut() error {
	next := uint32(0)
	starts := map[int]uint32{}
	add := func(regions []wire.Region) uint32 {
		start := next
		for _, r := range regions {
			c.target.Regions = append(c.target.Regions, r)
			next += uint32(r.Counters)
		}
		return start
	}
	for i, p := range c.spec.Programs {
		if p.Go == nil {
			continue
		}
		g := c.members[i].(*goWorker)
		if p.Go.Program >= len(g.hello.Programs) {
			return fmt.Errorf("the worker of %s holds %d programs", p.Name, len(g.hello.Programs))
		}
		if _, ok := starts[p.Go.Build]; !ok {
			var regions []wire.Region
			for _, r := range g.hello.Regions {
				regions = append(regions, wire.Region{Package: BuildOf(p.Go.Build) + r.Package, Counters: r.Counters})
			}
			starts[p.Go.Build] = add(regions)
		}
		g.first = starts[p.Go.Build]
	}
	for _, b := range c.spec.Builds {
		if b.Operands != "" {
			c.target.Operands = append(c.target.Operands, b.Operands)
		}
	}
	c.most = native.Batch
	for _, m := range c.members {
		var notes []string
		switch o := m.(type) {
		case *outside:
			notes = o.notes
			o.first = add(o.regions())
		case *nativeProgram:
			notes = o.notes
			o.first = add(o.regions())
		}
		for _, n := range notes {
			if !slices.Contains(c.target.Notes, n) {
				c.target.Notes = append(c.target.Notes, n)
			}
		}
		c.most = min(c.most, max(m.batch(), 1))
	}
	// At the worst every program writes as much as it may.
	worst := 0
	for _, p := range c.spec.Programs {
		worst += p.Limits.Output
	}
	c.most = max(1, min(c.most, worstBatch/max(worst, 1)))
	for _, p := range c.spec.Programs {
		if p.Native != nil && p.Native.Ask && p.Native.Operands != "" {
			a := &nativeAsker{ctx: c.ctx, n: p.Native}
			c.askers, c.target.Askers = append(c.askers, a), append(c.target.Askers, a)
		}
	}
	if c.now = c.most; c.most > goBatch {
		c.now = 8 // it is not known how much an input is
	}
	return nil
}

func (c *conductor) close() {
	c.stop()
	var wait sync.WaitGroup
	for _, m := range c.members {
		if m != nil {
			wait.Add(1)
			go func() {
				defer wait.Done()
				m.close()
			}()
		}
	}
	wait.Wait()
	for _, a := range c.askers {
		a.close()
	}
	for _, d := range c.digests {
		d.close()
	}
	if c.repair != nil {
		c.repair.close()
	}
}

// Stop implements worker.Remote.
func (c *conductor) Stop() { c.stop() }

// each calls a function for every program, with n inputs of a batch or 0 (see order.run), and reports whether all of it was done.
func (c *conductor) each(n int, do func(p int) error) (ok bool, err error) {
	errs := make([]error, len(c.members))
	c.order.run(n, func(p int) { errs[p] = do(p) })
	if c.ctx.Err() != nil {
		return false, nil
	}
	return true, explain(first(errs))
}

// explain gives a failure its exit code.
func explain(err error) error {
	var failed *program.Failure
	if errors.As(err, &failed) {
		return coded{failed}
	}
	return err
}

// RunAll implements worker.Remote.
func (c *conductor) RunAll(flats [][]byte, joints []feature.Joint) (bool, error) {
	for len(c.answers) < len(c.members) {
		c.answers = append(c.answers, nil)
	}
	ok, err := c.each(len(flats), func(p int) error {
		for len(c.answers[p]) < len(flats) {
			c.answers[p] = append(c.answers[p], answer{})
		}
		answers := c.answers[p][:len(flats)]
		if err := c.members[p].observe(c.ctx, flats, answers); err != nil {
			return err
		}
		return c.digests[p].observe(c.ctx, answers)
	})
	if !ok || err != nil {
		return false, err
	}
	texts, work := 0, uint64(0)
	for p := range c.members {
		for i := range flats {
			a := &c.answers[p][i]
			texts += len(a.text) + len(a.message) + len(a.detail)
			if cap(a.text) > keptText {
				a.text = nil
			}
			joints[i].Obs[p] = judge.Observation{Outcome: a.outcome, Class: a.class, Value: a.value}
			joints[i].Traces[p], a.trace = a.trace, joints[i].Traces[p]
			if t := &joints[i].Traces[p]; t.Later != nil {
				work += t.Length
			}
		}
	}
	c.resize(texts, work)
	return true, nil
}

// Bounds of what a batch holds in memory, several copies of it at a time. They are counted, not measured, so that campaigns
// repeat.
const (
	worstBatch = 512 << 20 // bytes, if every program writes as much as it may
	largeBatch = 32 << 20  // bytes after which batches become smaller
	smallBatch = 4 << 20   // bytes up to which they become larger again
	keptText   = 1 << 20   // bytes of an answer's memory that is used again

	// Of C programs, which take more inputs at a time than others do: blocks executed, of some nanoseconds each.
	largeWork = 32 << 20
	smallWork = 8 << 20
)

// resize makes the next batch smaller or larger, by what the programs said and did in this one.
func (c *conductor) resize(texts int, work uint64) {
	switch {
	case (texts > largeBatch || work > largeWork) && c.now > 1:
		c.now /= 2
	case texts < smallBatch && work < smallWork && c.now < c.most:
		c.now = min(2*c.now, c.most)
	}
}

// Batch implements worker.Remote.
func (c *conductor) Batch() int { return c.now }

// together is how many orders of judging are carried out at once, at most.
const together = 32

// Together implements worker.Remote.
func (c *conductor) Together() int { return min(c.most, together) }

// Notes implements worker.Remote.
func (c *conductor) Notes() (notes []string) {
	for _, m := range c.members {
		if o, ok := m.(interface{ news() []string }); ok {
			notes = append(notes, o.news()...)
		}
	}
	for _, a := range c.askers {
		notes = append(notes, a.news()...)
	}
	for _, d := range c.digests {
		for _, e := range d.externals {
			notes = append(notes, e.note()...)
		}
	}
	return notes
}

// Detail implements worker.Remote.
func (c *conductor) Detail(flats [][]byte, flags uint64) ([][]wire.RunResult, error) {
	flags = c.asText(flags)
	columns := make([][]wire.RunResult, len(c.members))
	ok, err := c.each(0, func(p int) error {
		columns[p] = make([]wire.RunResult, len(flats))
		if flags>>(wire.SkipShift+p)&1 != 0 {
			return nil
		}
		if err := c.members[p].detail(c.ctx, flats, flags, columns[p]); err != nil {
			return err
		}
		return c.digests[p].detail(c.ctx, columns[p])
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, context.Canceled
	}
	all := make([][]wire.RunResult, len(flats))
	for i := range flats {
		for p := range columns {
			all[i] = append(all[i], columns[p][i])
		}
	}
	return all, nil
}

// asText has programs tell values and messages as texts, where these are what is compared.
func (c *conductor) asText(flags uint64) uint64 {
	if c.spec.Text {
		flags |= wire.WantText
	}
	return flags
}

// Repair implements worker.Remote.
func (c *conductor) Repair(flats [][]byte) ([][]byte, bool, error) {
	repaired, err := c.repair.transform(c.ctx, flats)
	if c.ctx.Err() != nil {
		return nil, false, nil
	}
	return repaired, true, explain(err)
}

// Mutates implements worker.Remote.
func (c *conductor) Mutates() bool { return c.mutator() != nil }

// mutator is the first program that has a mutator of its own.
func (c *conductor) mutator() *nativeProgram {
	for _, m := range c.members {
		if g, ok := m.(*nativeProgram); ok {
			if mutate, cross := g.run.Can(); mutate || cross {
				return g
			}
		}
	}
	return nil
}

// Mutate implements worker.Remote.
func (c *conductor) Mutate(flats [][]byte, seed uint64, most int) ([][]byte, bool, error) {
	mutants, err := c.mutator().mutate(c.ctx, flats, seed, most)
	if c.ctx.Err() != nil {
		return nil, false, nil
	}
	return mutants, true, explain(err)
}
