package c

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/program"
	"parallax/internal/cmplog"
)

// comparisons runs inputs in the cmplog build of a C program, in a process of its own. It
// implements program.Comparisons.
type comparisons struct {
	ctx  context.Context
	p    *Program     // nil until the first use
	bad  bool         // the build does not run
	note atomic.Value // the reason, for the user
	pendingBuilds
}

// CmpLog implements program.CmpLog.
func (g *Executor) CmpLog(ctx context.Context) program.Comparisons {
	if g.n.CmpLog == "" {
		return nil
	}
	own := *g.n // it belongs to another goroutine than the executor
	own.Later = slices.Clone(g.n.Later)
	return &comparisons{ctx: ctx, pendingBuilds: pendingBuilds{n: &own}}
}

// Ready implements program.Comparisons. A missing build is not waited for: the other programs'
// operands are used.
func (a *comparisons) Ready() bool { return a.bad || a.available(clang.CmpLog) || a.n.CmpLog == "" }

// fail stops the use of the build.
func (a *comparisons) fail(err error) {
	a.bad = true
	if a.ctx.Err() == nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		a.note.Store(a.n.Name + ": operands of comparisons are not used: " + first)
	}
}

// Notes implements program.Comparisons.
func (a *comparisons) Notes() []string {
	if text, _ := a.note.Swap("").(string); text != "" {
		return []string{text}
	}
	return nil
}

// Compare implements program.Comparisons. For an input that ends the build's process, it returns
// the comparisons up to the end.
func (a *comparisons) Compare(flat []byte) []cmplog.Comparison {
	if a.bad || a.n.CmpLog == "" {
		return nil
	}
	if a.p == nil {
		c := a.n.Config
		c.Path, c.Build, c.Order = a.n.CmpLog, "operands", false
		p, err := Open(a.ctx, c)
		if err != nil {
			a.fail(err)
			return nil
		}
		a.p = p
	}
	ops, err := a.p.Comparisons(a.ctx, flat)
	if err != nil {
		a.fail(err)
	}
	return ops
}

// Close implements program.Comparisons.
func (a *comparisons) Close() {
	if a.p != nil {
		a.p.Close()
	}
}
