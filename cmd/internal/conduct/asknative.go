package conduct

import (
	"context"

	"parallax/cmd/internal/native"
	"parallax/internal/operand"
)

// nativeAsker runs inputs in the operands build of a C program, in a process of its own. It implements worker.Asker.
type nativeAsker struct {
	ctx context.Context
	n   *Native
	p   *native.Program // once it was asked
	bad bool            // the build does not run
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
			a.bad = true
			return nil
		}
		a.p = p
	}
	ops, err := a.p.Operands(a.ctx, flat)
	a.bad = err != nil
	return ops
}

func (a *nativeAsker) close() {
	if a.p != nil {
		a.p.Close()
	}
}
