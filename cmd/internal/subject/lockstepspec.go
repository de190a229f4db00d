package subject

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// processMemory limits the lockstep process itself: the engine's corpus and sets. Its programs have
// their own limits.
const processMemory = 4 << 30

// start returns the Spec that starts a lockstep process.
func (m *assembly) start(o *Options, maxFlat int, file string) execute.Spec {
	return execute.Spec{
		Binary: m.tool, Args: []string{"lockstep", file}, Dir: m.dir, MaxFlat: maxFlat,
		Timeout: o.Timeout, Memory: processMemory, Starts: true, Patience: m.patience(),
	}
}

// Spec implements Target.
func (t *Lockstep) Spec(o *Options) execute.Spec {
	return t.assembly.start(o, t.maxFlat(o), t.assembly.file)
}

// Check implements Target.
func (t *Lockstep) Check(w *execute.Worker) error {
	if !slices.Equal(w.Hello.Regions, t.regions) {
		return exit.Infra("the programs have changed since they were first started: is another parallax building the same target?")
	}
	return nil
}

// Fault implements Target. The programs have their own processes, so they cannot end the worker.
func (t *Lockstep) Fault(d *execute.Death) ([]byte, error) {
	if d.Outcome == oracle.OOM {
		return nil, exit.Infra("the lockstep process needs more than %d GiB: set a lower limit for the output of the programs (output in [limits]) or for the size of inputs (max_bytes, --max-bytes)", processMemory>>30)
	}
	return d.Text, nil
}

// Close implements Target.
func (t *Lockstep) Close() {
	os.Remove(t.assembly.dir) // only if it is empty: programs may have left files
	if s := t.assembly.siblings; s != nil {
		s.Close()
	}
	t.assembly.space.Close()
}

// Ordered implements Target.
func (t *Lockstep) Ordered(ctx context.Context, spec execute.Spec) (execute.Spec, error) {
	m := t.assembly
	file, err := m.makeFirst(ctx, &m.ordered, func() (string, error) { return m.writeOrdered(ctx, t.regions) })
	spec.Args = []string{"lockstep", file}
	return spec, err
}

// writeOrdered builds the programs that record the order of blocks, and writes the Spec of a
// lockstep process that runs them. Their blocks are in the given regions.
func (m *assembly) writeOrdered(ctx context.Context, regions []wire.Region) (string, error) {
	binaries := map[*part]string{}
	for _, p := range m.parts {
		if binaries[p] = p.binary; p.functions[0].program < 0 {
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
	spec.Ordered, spec.Regions = true, regions
	return m.write(spec, func(p *part) string { return binaries[p] })
}

// clock returns the time that the configuration pins, in seconds since 1970. Empty means none.
func (o *Options) clock() string {
	if o.Config == nil || o.Config.Environment.Clock.IsZero() {
		return ""
	}
	return strconv.FormatInt(o.Config.Environment.Clock.Unix(), 10)
}

// configPath returns the configuration's file, or its programs if it has no file. Empty means no
// configuration.
func (o *Options) configPath() string {
	switch {
	case o.Config == nil:
		return ""
	case o.Config.GoPrograms() != nil:
		return fmt.Sprint(o.Config.GoPrograms())
	case o.Config.Path == "":
		return joinPaths(o.binaries())
	}
	return o.Config.Path
}

// patience returns the time that a lockstep process may take until its programs have started. A
// driver's greeting may take ten times the limit of an input, and at least twenty seconds.
func (m *assembly) patience() time.Duration {
	longest := time.Minute
	for _, p := range m.spec.Programs {
		longest = max(longest, 11*p.Limits.Timeout)
	}
	return longest + time.Minute
}
