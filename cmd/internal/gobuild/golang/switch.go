package golang

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
)

func (w *walker) switchStmt(s *ast.SwitchStmt, label string) {
	w.simple(s.Init)
	w.value(s.Tag)
	w.fn.extend(w.cur, s.Body.Lbrace)
	done := w.done()
	bodies, other := w.clauses(s.Body, s.Pos())

	// The tests run in source order, and default last, wherever it is.
	for i, c := range s.Body.List {
		for _, e := range c.(*ast.CaseClause).List {
			next := w.point()
			if s.Tag == nil {
				w.cond(e, bodies[i], next)
			} else {
				w.value(e)
				w.fn.edge(w.cur, bodies[i])
				w.fn.edge(w.cur, next)
			}
			w.cur = next
		}
	}
	w.fn.edge(w.cur, other)
	w.caseBodies(s.Body, label, bodies, other, done)
}

func (w *walker) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	w.simple(s.Init)
	w.simple(s.Assign)
	w.fn.extend(w.cur, s.Body.Lbrace)
	done := w.done()
	bodies, other := w.clauses(s.Body, s.Pos())
	for _, b := range bodies {
		w.fn.edge(w.cur, b)
	}
	w.fn.edge(w.cur, other)
	w.caseBodies(s.Body, label, bodies, other, done)
}

// clauses adds the blocks of a switch's clauses, and the block of the default, written or implicit.
// The implicit one is inserted as the first clause, where it needs no separator and nothing falls
// through into it.
func (w *walker) clauses(body *ast.BlockStmt, at token.Pos) (bodies []int, other int) {
	other = -1
	for _, c := range body.List {
		clause := c.(*ast.CaseClause)
		kind := flow.Case
		if clause.List == nil {
			kind = flow.Default
		}
		n := w.block(kind, clause.Case, clause.Colon+1)
		w.edit(clause.Colon+1, formCount, n)
		bodies = append(bodies, n)
		if kind == flow.Default {
			other = n
		}
	}
	if other < 0 {
		other = w.block(flow.ImplicitDefault, at, body.Lbrace+1)
		w.edit(body.Lbrace+1, formDefault, other)
	}
	return bodies, other
}

// caseBodies walks the bodies of a switch's clauses.
func (w *walker) caseBodies(body *ast.BlockStmt, label string, bodies []int, other, done int) {
	fall := w.fall
	for i, c := range body.List {
		w.fall = -1
		if i+1 < len(bodies) {
			w.fall = bodies[i+1]
		}
		w.cur = bodies[i]
		w.inside(target{label, done, notLoop}, c.(*ast.CaseClause).Body)
		w.fn.edge(w.cur, done)
	}
	w.fall = fall
	if w.fn.nodes[other].kind == flow.ImplicitDefault {
		w.fn.edge(other, done)
	}
	w.cur = done
}

// selectStmt walks a select. Operands of all communications are evaluated first, in source order.
// The destination of a received value is evaluated after the choice. A default is never added,
// since it would change the meaning.
func (w *walker) selectStmt(s *ast.SelectStmt, label string) {
	for _, c := range s.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			w.value(comm.Chan)
			w.value(comm.Value)
		case *ast.ExprStmt:
			w.value(comm.X)
		case *ast.AssignStmt:
			w.values(comm.Rhs)
		}
		w.fn.extend(w.cur, c.Pos())
	}
	w.fn.extend(w.cur, s.Body.Lbrace)
	header, done := w.cur, w.done()
	for _, c := range s.Body.List {
		clause := c.(*ast.CommClause)
		kind := flow.Comm
		if clause.Comm == nil {
			kind = flow.Default
		}
		body := w.block(kind, clause.Case, clause.Colon+1)
		w.edit(clause.Colon+1, formCount, body)
		w.cur = w.fn.add(node{owner: w.fn.nodes[header].owner})
		w.fn.edge(header, w.cur)
		if a, ok := clause.Comm.(*ast.AssignStmt); ok {
			w.values(a.Lhs)
		}
		w.fn.edge(w.cur, body)
		w.cur = body
		w.inside(target{label, done, notLoop}, clause.Body)
		w.fn.edge(w.cur, done)
	}
	w.cur = done
}
