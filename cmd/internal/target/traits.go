package target

import (
	"slices"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/lockstep"
	"parallax/internal/judge"
)

// SeparateProcesses reports whether each program runs in a process of its own. Then all of them take long to start, and each can
// be asked alone.
func (t *Target) SeparateProcesses() bool { return t.mix != nil }

// RunsGo reports whether there are Go functions among the programs.
func (t *Target) RunsGo() bool {
	return t.mix == nil || slices.ContainsFunc(t.mix.spec.Programs, func(p lockstep.Program) bool { return p.Go != nil })
}

// Fault says what the end of a worker means that is none of the programs' doing: an error to stop for, or what the worker said.
func (t *Target) Fault(d *execute.Death) (said []byte, err error) {
	switch {
	case t.mix == nil:
		return nil, nil
	case d.Outcome == judge.OOM:
		return nil, exit.Infra("the process that runs the programs side by side needs more than %d GiB: bound what they may write (output in [limits]) or the size of inputs (max_bytes, --max-bytes)", conductorMemory>>30)
	}
	return d.Text, nil
}
