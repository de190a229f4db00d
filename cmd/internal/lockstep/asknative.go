package lockstep

import (
	"context"
	"strings"
	"sync/atomic"

	native "parallax/cmd/internal/program/c"
	"parallax/internal/operand"
)

// nativeAsker runs inputs in the operands build of a C program, in a process of its own. It implements worker.Asker.
type nativeAsker struct {
	ctx  context.Context
	n    *Native
	p    *native.Program // once it was asked
	bad  bool            // the build does not run
	note atomic.Value    // why not, for the user
}

// fail does without the build from now on.
func (a *nativeAsker) fail(err error) {
	a.bad = true
	if a.ctx.Err() == nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		a.note.Store(a.n.Name + ": what its comparisons compare is not known: " + first)
	}
}

// news is a note that was not told yet.
func (a *nativeAsker) news() []string {
	if text, _ := a.note.Swap("").(string); text != "" {
		return []string{text}
	}
	return nil
}

// Compare implements worker.Asker. An input on which the build ends tells what it compared until then.
func (a *nativeAsker) Compare(flat []byte) []operand.Op {
	if a.bad {
		return nil
	}
	if a.p == nil {
		c := a.n.Config
		c.Path, c.Build, c.Order = a.n.Operands, "operands", false
		p, err := native.Open(a.ctx, c)
		if err != nil {
			a.fail(err)
			return nil
		}
		a.p = p
	}
	ops, err := a.p.Operands(a.ctx, flat)
	if err != nil {
		a.fail(err)
	}
	return ops
}

func (a *nativeAsker) close() {
	if a.p != nil {
		a.p.Close()
	}
}
