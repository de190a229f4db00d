package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/process/box"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/sequence"
)

// InProcess is a target whose programs share the process of a worker: functions of one build, or a
// FuzzXxx.
type InProcess struct {
	Facts
	binary  string
	built   *build   // kept open, so that files in use are not removed
	dir     string   // working folder of the programs
	box     string   // the parallax executable, if they run in a box
	service []string // a command that the box also runs
}

// buildFunctions builds the worker of the functions that the options name. Versions of one module
// cannot share a worker.
func buildFunctions(ctx context.Context, o *Options, tool string, progress func(string)) (Target, error) {
	order := fmt.Sprint(o.order())
	space, err := buildcache.Open(ctx, append([]string{o.Dir, fmt.Sprint(o.Instrument), o.Repair, o.Generator, o.sequence() + o.partial(), order, o.Tags}, o.Functions...)...)
	if err != nil {
		return nil, err
	}
	t, err := buildInProcess(ctx, o, tool, space, progress)
	if err == nil {
		return t, nil
	}
	space.Close()
	var versions *gomod.VersionsError
	if errors.As(err, &versions) && (o.Sequence != nil || o.Partial != nil) {
		return nil, exit.Usage("%w\nan original and its model share a process: compare two modules, or copy one version of the module into yours", err)
	}
	if errors.As(err, &versions) && o.Repair == "" {
		return buildLockstep(ctx, o, tool, progress)
	}
	return nil, err
}

func buildInProcess(ctx context.Context, o *Options, tool string, space *buildcache.Folder, progress func(string)) (*InProcess, error) {
	release, err := space.Lock(ctx, progress)
	if err != nil {
		return nil, err
	}
	defer release()
	dir := filepath.Join(space.Dir, "run", fmt.Sprintf("%016x", buildcache.Digest(o.Out))) // other campaigns may share the cache folder
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, exit.Infra("creating the working folder of the programs: %w", err)
	}
	boxed := ""
	var service []string
	if o.Sequence != nil && o.Sequence.Box {
		service = o.Sequence.Service
		if err := box.Try(ctx, tool, dir, nil); err != nil {
			return nil, exit.Infra("%s acts on the machine, so that it runs in a box only, and this machine permits none: %w\n(a box has namespaces of processes, files and network, which root may make, or everybody where user namespaces are enabled)", o.Functions[1], err)
		}
		if err := box.Try(ctx, tool, dir, service); err != nil {
			return nil, exit.Infra("%w", err)
		}
		boxed = tool
	}
	plan, err := gobuild.Resolve(ctx, gobuild.Request{
		Options:   buildroot.Options{Dir: o.Dir, Out: space.Dir, Parallax: tool, Tags: o.Tags, Progress: progress},
		Functions: o.Functions, Libraries: space.Libraries(ctx, progress), Instrument: o.Instrument, Repair: o.Repair, Generator: o.Generator, Derive: o.Sequence == nil, Sequence: o.Sequence, Partial: o.Partial, Harmless: o.Harmless, Order: o.order(),
	})
	if err != nil {
		return nil, err
	}
	t := &InProcess{Facts: Facts{Plan: plan, Name: plan.Target, Mode: Diff, Shape: plan.Shape}, built: newBuild(plan, space, progress), dir: dir, box: boxed, service: service}
	if o.Sequence != nil {
		t.Traits.Layout = &minimize.Layout{Record: sequence.Size}
	}
	for _, p := range plan.Programs {
		t.Names = append(t.Names, p.Name)
	}
	built, err := plan.Build(ctx)
	if err != nil {
		return nil, err
	}
	if t.binary, err = space.Own(built); err != nil {
		return nil, err
	}
	progress("reading the control flow")
	w, err := execute.StartContext(ctx, t.Spec(o))
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err()
	}
	var drawing *execute.DrawError
	if errors.As(err, &drawing) {
		return nil, exit.Usage("%s: %w", plan.Draws(), err)
	}
	if err != nil && plan.Draws() != "" {
		return nil, exit.Usage("the worker does not start with the generator %s: %w", plan.Draws(), err)
	}
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	defer w.Close()
	if w.Hello.Refused != "" {
		return nil, exit.Usage("%s", w.Hello.Refused)
	}
	plan.Notes = append(plan.Notes, execute.LimitNotes(boxed != "")...)
	t.confine(o, dir, slices.Repeat([]execute.Confinement{o.confinement()}, len(t.Names)), plan)
	t.hello.Tapes, t.hello.Guided = w.Hello.Tapes, w.Hello.Guided
	if err := t.readTables(w.Hello.Regions); err != nil {
		return nil, err
	}
	return t, nil
}

// Close implements Target. FuzzTests.Close releases the builds of tests.
func (t *InProcess) Close() {
	if t.Test == nil {
		os.Remove(t.dir) // only if it is empty: programs may have left files
		t.built.space.Close()
	}
}

// Spec implements Target. Functions run in a scratch folder, tests in their package's folder as
// under go test.
func (t *InProcess) Spec(o *Options) execute.Spec {
	s := execute.Spec{
		Binary: t.binary, Dir: t.dir, MaxFlat: t.maxFlat(o), Timeout: o.Timeout, Memory: o.Memory, Box: t.box, Service: t.service,
		Confined: o.confinement(),
	}
	if t.Test != nil {
		s.Args, s.Test, s.Mode = t.Test.args(), true, t.Mode
	}
	return s
}

// Check implements Target.
func (t *InProcess) Check(w *execute.Worker) error {
	if !slices.Equal(w.Hello.Regions, t.regions) {
		return exit.Infra("the worker has changed since it was built: is another parallax building the same target?")
	}
	return nil
}

// Fault implements Target. A program caused each end of the process.
func (t *InProcess) Fault(*execute.Death) ([]byte, error) { return nil, nil }

// Ordered implements Target.
func (t *InProcess) Ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error) {
	var err error
	spec.Binary, err = t.built.makeOrdered(ctx)
	return spec, err
}

// CmpLog implements Target. A worker in a box cannot start another binary once a sequence has run.
func (t *InProcess) CmpLog() CmpLog {
	if t.box != "" {
		return nil
	}
	return t.built
}
