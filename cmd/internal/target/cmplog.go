package target

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/harness"
	"parallax/cmd/internal/lockstep"
	"parallax/cmd/internal/target/cache"
)

// What comparisons compare is recorded by a second build of the programs, which is made when a campaign wants it.

// HasCmplog reports whether there is a program that can tell what its comparisons compare.
func (t *Target) HasCmplog() bool { return t.mix == nil || t.mix.compares() }

// AskCmplog has the workers that spec starts ask what comparisons compare, once that build is there.
func (t *Target) AskCmplog(spec *execute.Spec) error {
	if t.mix != nil {
		return t.mix.ask(spec)
	}
	spec.Operands = t.built.operandsPath()
	return nil
}

// BuildCmplog makes the second build, unless it is there. Its error is nothing to stop for.
func (t *Target) BuildCmplog(ctx context.Context) error { return t.built.buildOperands(ctx) }

// CmplogToBuild reports whether BuildCmplog would take its time: C programs bring their second build.
func (t *Target) CmplogToBuild() bool {
	return !t.built.triedOperands() && (t.mix == nil || len(t.mix.parts) > 0)
}

// compares reports whether there is a program that can tell what its comparisons compare.
func (m *mix) compares() bool {
	return slices.ContainsFunc(m.spec.Programs, func(p lockstep.Program) bool {
		return p.Go != nil || p.Native != nil && p.Native.Operands != ""
	})
}

// ask has fuzzing conductors ask what comparisons compare, once the operand builds are there.
func (m *mix) ask(spec *execute.Spec) error {
	with := m.spec
	with.Builds = slices.Clone(with.Builds)
	with.Programs = natives(with.Programs, func(n *lockstep.Native) { n.Ask = true })
	for i, p := range m.parts {
		if p.members[0].program >= 0 {
			with.Builds[i].Operands = p.operandsPath()
			os.Remove(with.Builds[i].Operands) // of a process that had this one's number
		}
	}
	file, err := m.write(with, func(p *part) string { return p.binary })
	if err == nil {
		spec.Args = []string{"lockstep", file}
	}
	return err
}

func (p *part) operandsPath() string {
	return cache.OwnName(filepath.Join(p.dir, harness.OperandsFile))
}

// buildOperands builds the workers that record operands, of all parts that hold programs.
func (m *mix) buildOperands(ctx context.Context) error {
	for _, p := range m.parts {
		if p.members[0].program < 0 {
			continue
		}
		built, err := p.plan.BuildOperands(ctx)
		if err == nil {
			_, err = m.space.Own(built)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
