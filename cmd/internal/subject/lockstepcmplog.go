package subject

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program"
	"parallax/internal/worker"
)

// CmpLog implements Target.
func (t *Lockstep) CmpLog() CmpLog {
	if !t.assembly.hasCmpLog() {
		return nil
	}
	return t.assembly
}

// hasCmpLog reports whether some program can report the operands of its comparisons.
func (m *assembly) hasCmpLog() bool {
	return slices.ContainsFunc(m.programs, func(p program.Prepared) bool {
		c, ok := p.(program.CmpLogged)
		return ok && c.HasCmpLog()
	})
}

// Ask implements CmpLog.
func (m *assembly) Ask(spec *execute.Spec) error {
	with := m.spec
	with.CmpLog, with.CmpLogBuilds = true, nil
	for _, p := range m.parts {
		if p.functions[0].program >= 0 {
			m.space.RemoveOnClose(p.cmplogPath(m.space))
			with.CmpLogBuilds = append(with.CmpLogBuilds, p.cmplogBuild(m))
		}
	}
	file, err := m.write(with, func(p *part) string { return p.binary })
	if err == nil {
		spec.Args = []string{"lockstep", file}
	}
	return err
}

// cmplogBuild describes how the processes of the part's cmplog build start.
func (p *part) cmplogBuild(m *assembly) worker.CmpLogBuild {
	b := worker.CmpLogBuild{Path: p.cmplogPath(m.space)}
	if p.test != nil {
		b.Args, b.Dir, b.Env = p.test.args(), p.test.run, append([]string{"PARALLAX_MODE=" + Fuzz}, m.env...)
	}
	return b
}

func (p *part) cmplogPath(space *buildcache.Folder) string {
	return space.OwnName(filepath.Join(p.dir, gobuild.CmpLogFile))
}

// Build implements CmpLog for the workers of all parts that hold programs. It replaces a worker
// that does not build with a file that does not start, so that no process waits for it.
func (m *assembly) Build(ctx context.Context) error {
	err := m.makeCmpLog(ctx, func(ctx context.Context) (string, error) {
		for _, p := range m.parts {
			if p.functions[0].program < 0 {
				continue
			}
			built, err := p.plan.BuildCmpLog(ctx)
			if err == nil {
				_, err = m.space.Own(built)
			}
			if err != nil {
				return "", err
			}
		}
		return "", nil
	})
	if err != nil && ctx.Err() == nil {
		for _, p := range m.parts {
			if _, missing := os.Stat(p.cmplogPath(m.space)); missing != nil && p.functions[0].program >= 0 {
				os.WriteFile(p.cmplogPath(m.space), nil, 0o644)
			}
		}
	}
	return err
}

// TakesTime implements CmpLog. C programs include their cmplog build.
func (m *assembly) TakesTime() bool { return !m.cmplog.done.Load() && len(m.parts) > 0 }
