package lockstep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/program"
	"parallax/internal/feature"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
	"parallax/internal/worker"
)

// lockstep runs the programs of a Spec.
type lockstep struct {
	spec      *Spec
	target    worker.RemoteTarget
	kinds     program.Table
	running   []*running
	digests   []*digest
	repair    *external
	drawer    *drawer // nil if the inputs are those of the programs
	cmplogs   []program.Comparisons
	answers   [][]program.Observation // by program and input of the batch
	order     *order
	screen    screen
	followers []*follower
	most      int // maximum inputs of a batch
	now       int // inputs of the next batch
	ctx       context.Context
	stop      context.CancelFunc
}

// open starts all programs. They end with ctx.
func open(ctx context.Context, spec *Spec, kinds program.Table) (*lockstep, error) {
	l := &lockstep{spec: spec, kinds: kinds, order: newOrder(len(spec.Programs))}
	l.ctx, l.stop = context.WithCancel(ctx)
	shape, err := input.ParseShape(spec.Shape)
	if err != nil {
		return nil, fmt.Errorf("the shape of inputs: %w", err)
	}
	l.target = worker.RemoteTarget{Target: worker.Target{Shape: shape, CompareValues: spec.Values, Notes: spec.Notes}, Remote: l}
	for _, p := range spec.Programs {
		l.target.Programs = append(l.target.Programs, worker.Program{Name: p.Name})
	}
	if err := l.openAll(); err != nil {
		l.close()
		return nil, err
	}
	l.layOut()
	if err := l.followAll(); err != nil {
		l.close()
		return nil, err
	}
	for i := range spec.Programs {
		d, err := l.newDigest(&spec.Programs[i])
		if err != nil {
			l.close()
			return nil, err
		}
		l.digests = append(l.digests, d)
	}
	if spec.Repair != nil {
		if l.repair, err = l.openExternal("the repair function", spec.Repair); err != nil {
			l.close()
			return nil, err
		}
		// marks that there is one; Repair below calls it
		l.target.Target.Repair = func(*input.Args, *input.Builder) {}
	}
	if spec.Generator != nil {
		if l.drawer, err = l.openDrawer(spec.Generator); err != nil {
			l.close()
			return nil, err
		}
		l.target.Shape, l.target.Tapes = input.Shape{input.Bytes}, true
	}
	return l, nil
}

// openAll opens the programs, each in a goroutine: a virtual machine may take a second to start.
func (l *lockstep) openAll() error {
	n := len(l.spec.Programs)
	l.running = make([]*running, n)
	var wait sync.WaitGroup
	var once sync.Once
	var cause error // the first error: later ones follow from the stop
	for i := range l.spec.Programs {
		wait.Go(func() {
			p := &l.spec.Programs[i]
			var err error
			if l.running[i], err = l.openProgram(p); err == nil {
				return
			}
			once.Do(func() {
				cause = asFailure(p.Name, err)
				l.stop()
			})
		})
	}
	wait.Wait()
	return cause
}

// asFailure turns an error into a program.Failure.
func asFailure(name string, err error) error {
	var f *program.Failure
	if errors.As(err, &f) || errors.Is(err, context.Canceled) {
		return err
	}
	f = &program.Failure{Program: name, Code: exit.InfraCode, What: strings.TrimPrefix(err.Error(), "program "+name+": ")}
	if errors.Is(err, quota.ErrNone) {
		f.Hint = quota.Fix + ". With --no-limits, programs run all the same, and can bring this machine down."
	}
	return f
}

// first returns the first error. It prefers failures of a program.
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

func (l *lockstep) openProgram(p *Program) (*running, error) {
	var counters []int
	for _, r := range l.spec.Regions {
		if program, _, ok := Blocks(r.Package); ok && program == p.Name {
			counters = append(counters, r.Counters)
		}
	}
	return l.opened(p.Kind, p.Settings, program.Opening{
		Name: p.Name, Limits: p.Limits, MaxInput: l.mostInput(), Text: l.spec.Text, Ordered: l.spec.Ordered, Counters: counters,
	})
}

// opened opens a program of any kind.
func (l *lockstep) opened(kind string, settings json.RawMessage, o program.Opening) (*running, error) {
	k := l.kinds.Find(kind)
	if k == nil {
		return nil, fmt.Errorf("program %s has no known kind", o.Name)
	}
	e, err := k.Open(l.ctx, o, settings)
	if err != nil {
		return nil, err
	}
	return newRunning(o.Name, e), nil
}

// layOut numbers the blocks and features of programs: first those of shared builds, in the order of
// their first programs.
func (l *lockstep) layOut() {
	next := uint32(0)
	starts := map[string]uint32{} // of shared builds
	for _, own := range []bool{false, true} {
		for _, m := range l.running {
			shared, regions := m.regions()
			m.silent = l.spec.Text && len(regions) == 0
			if own != (shared == "") {
				continue
			}
			start, there := starts[shared]
			if own || !there {
				start, starts[shared] = next, next
				for _, r := range regions {
					l.target.Regions = append(l.target.Regions, r)
					next += uint32(r.Counters)
				}
			}
			m.number(start)
			l.target.Before = append(l.target.Before, m.before()...)
		}
	}
	for _, m := range l.running {
		if t, ok := m.exec.(program.Taped); ok && t.Tapes() {
			l.target.Tapes = true
		}
	}
	slices.Sort(l.target.Before)
	l.target.Before = slices.Compact(l.target.Before)
	l.target.CmpLogBuilds = l.spec.CmpLogBuilds
	l.most = mostBatch
	for _, m := range l.running {
		for _, n := range m.notes {
			if !slices.Contains(l.target.Notes, n) {
				l.target.Notes = append(l.target.Notes, n)
			}
		}
		l.most = min(l.most, max(m.exec.Batch(), 1))
	}
	// In the worst case every program writes its maximum.
	worst := 0
	for _, p := range l.spec.Programs {
		worst += p.Limits.Output
	}
	l.most = max(1, min(l.most, worstBatch/max(worst, 1)))
	for _, m := range l.running {
		if e, ok := m.exec.(program.CmpLog); ok && l.spec.CmpLog {
			if a := e.CmpLog(l.ctx); a != nil {
				l.cmplogs, l.target.CmpLogs = append(l.cmplogs, a), append(l.target.CmpLogs, a)
			}
		}
	}
	if l.now = l.most; l.most > fewInputs {
		l.now = 8 // the size of outputs is unknown
	}
}

func (l *lockstep) close() {
	l.stop()
	var wait sync.WaitGroup
	for _, m := range l.running {
		if m != nil {
			wait.Go(func() {
				m.exec.Close()
			})
		}
	}
	wait.Wait()
	for _, a := range l.cmplogs {
		a.Close()
	}
	for _, d := range l.digests {
		d.close()
	}
	if l.repair != nil {
		l.repair.close()
	}
	if l.drawer != nil {
		l.drawer.close()
	}
}

// Stop implements worker.Remote.
func (l *lockstep) Stop() { l.stop() }

// forEach calls a function for every program, with n inputs of a batch or 0 (see order.run). It
// reports whether all calls completed.
func (l *lockstep) forEach(n int, do func(p int) error) (ok bool, err error) {
	errs := make([]error, len(l.running))
	l.order.run(n, func(p int) { errs[p] = do(p) })
	if l.ctx.Err() != nil {
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
func (l *lockstep) RunAll(flats [][]byte, joints []feature.Joint, given bool) (bool, error) {
	if l.drawer != nil {
		return l.runDrawn(flats, joints, given)
	}
	return l.runAll(flats, joints, given)
}

// runAll runs inputs on all programs, or mutants without some programs that follow others.
func (l *lockstep) runAll(flats [][]byte, joints []feature.Joint, given bool) (bool, error) {
	for len(l.answers) < len(l.running) {
		l.answers = append(l.answers, nil)
	}
	ok, err := l.forEach(len(flats), func(p int) error {
		for len(l.answers[p]) < len(flats) {
			l.answers[p] = append(l.answers[p], program.Observation{})
		}
		if l.spec.Programs[p].After != nil {
			return nil
		}
		return l.observe(p, flats, l.answers[p][:len(flats)])
	})
	if ok && err == nil && len(l.followers) > 0 {
		ok, err = l.follow(flats, given)
	}
	if !ok || err != nil {
		return false, err
	}
	texts, work := 0, uint64(0)
	for p := range l.running {
		for i := range flats {
			a := &l.answers[p][i]
			joints[i].Obs[p] = oracle.Observation{Outcome: a.Outcome, Class: a.Class, Value: a.Digest, Parts: a.Parts, Place: a.Place}
		}
	}
	if slices.ContainsFunc(l.running, func(m *running) bool { return m.silent }) {
		l.fillOutputs(flats, joints)
	}
	for p := range l.running {
		for i := range flats {
			a := &l.answers[p][i]
			texts += len(a.Value) + len(a.Message) + len(a.Detail)
			if cap(a.Value) > keptText {
				a.Value = nil
			}
			joints[i].Traces[p], a.Trace = a.Trace, joints[i].Traces[p]
			if t := &joints[i].Traces[p]; t.Lazy != nil {
				work += t.Length
			}
		}
	}
	l.resize(texts, work)
	return true, nil
}

// observe runs inputs on a program and computes the compared values.
func (l *lockstep) observe(p int, flats [][]byte, answers []program.Observation) error {
	if err := l.running[p].observe(l.ctx, flats, answers); err != nil {
		return err
	}
	if err := l.digests[p].observe(l.ctx, answers); err != nil || !l.running[p].silent {
		return err
	}
	l.digests[p].listen(flats, answers)
	return nil
}

// Bounds on the memory of a batch, which may have several copies at a time. They are counted, not
// measured, so that campaigns repeat.
const (
	mostBatch  = 256       // inputs, whatever programs write
	fewInputs  = 64        // inputs of batches that start at their maximum
	worstBatch = 512 << 20 // bytes, if every program writes its maximum
	largeBatch = 32 << 20  // bytes above which batches shrink
	smallBatch = 4 << 20   // bytes below which batches grow again
	keptText   = 1 << 20   // bytes of an answer's memory that are reused

	// Batches of C programs hold more inputs than others. The unit is executed blocks, of some
	// nanoseconds each.
	largeWork = 32 << 20
	smallWork = 8 << 20
)

// resize shrinks or grows the next batch, by the output and work of this one.
func (l *lockstep) resize(texts int, work uint64) {
	switch {
	case (texts > largeBatch || work > largeWork) && l.now > 1:
		l.now /= 2
	case texts < smallBatch && work < smallWork && l.now < l.most:
		l.now = min(2*l.now, l.most)
	}
}

// Recall implements worker.Remote.
func (l *lockstep) Recall() (flats [][]byte) {
	for _, m := range l.running {
		if e, ok := m.exec.(program.Recaller); ok {
			flats = append(flats, e.Recall()...)
		}
	}
	if l.drawer != nil && len(flats) > 0 {
		return l.drawer.sources.tapesOf(flats)
	}
	return flats
}

// Batch implements worker.Remote.
func (l *lockstep) Batch() int { return l.now }

// together is the maximum number of orders of triage that are carried out at once.
const together = 32

// Together implements worker.Remote.
func (l *lockstep) Together() int { return min(l.most, together) }

// Notes implements worker.Remote.
func (l *lockstep) Notes() (notes []string) {
	for _, m := range l.running {
		notes = append(notes, m.newNotes()...)
	}
	for _, a := range l.cmplogs {
		notes = append(notes, a.Notes()...)
	}
	if l.drawer != nil {
		notes = append(notes, l.drawer.takeNotes()...)
	}
	for _, d := range l.digests {
		for _, e := range d.externals {
			notes = append(notes, e.note()...)
		}
	}
	return notes
}

// Detail implements worker.Remote.
func (l *lockstep) Detail(flats [][]byte, flags uint64) ([][]wire.RunResult, error) {
	if l.drawer != nil && flags&wire.ProgramInput == 0 {
		return l.detailDrawn(flats, flags)
	}
	return l.detailAll(flats, flags)
}

// detailAll runs inputs on all programs in detail.
func (l *lockstep) detailAll(flats [][]byte, flags uint64) ([][]wire.RunResult, error) {
	flags = l.asText(flags)
	columns := make([][]wire.RunResult, len(l.running))
	ok, err := l.forEach(0, func(p int) error {
		columns[p] = make([]wire.RunResult, len(flats))
		if flags>>(wire.SkipShift+p)&1 != 0 {
			return nil
		}
		begun := time.Now()
		if err := l.running[p].detail(l.ctx, flats, flags, columns[p]); err != nil {
			return err
		}
		for i := range columns[p] {
			columns[p][i].Took = uint64(time.Since(begun)) / uint64(len(flats))
		}
		return l.digests[p].detail(l.ctx, columns[p])
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

// asText requests values and messages as texts, if these are compared.
func (l *lockstep) asText(flags uint64) uint64 {
	if l.spec.Text {
		flags |= wire.WantText
	}
	return flags
}

// Repair implements worker.Remote.
func (l *lockstep) Repair(flats [][]byte) ([][]byte, bool, error) {
	repaired, err := l.repair.transform(l.ctx, flats)
	if l.ctx.Err() != nil {
		return nil, false, nil
	}
	return repaired, true, explain(err)
}

// Mutates implements worker.Remote.
func (l *lockstep) Mutates() bool { return l.mutator() != nil }

// mutator returns the first program with a mutator.
func (l *lockstep) mutator() program.Mutator {
	for _, m := range l.running {
		if e, ok := m.exec.(program.Mutator); ok && e.Mutates() {
			return e
		}
	}
	return nil
}

// Mutate implements worker.Remote.
func (l *lockstep) Mutate(flats [][]byte, seed uint64, most int) ([][]byte, bool, error) {
	mutants, err := l.mutator().Mutate(l.ctx, flats, seed, most)
	if l.ctx.Err() != nil {
		return nil, false, nil
	}
	return mutants, true, explain(err)
}
