package change

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
)

func (n *normalizer) ifStmt(s *ast.IfStmt) {
	n.push()
	defer n.pop()
	n.stmt(s.Init)
	decides := n.block
	head := n.add(condition, s.Pos(), func() { n.emit(s.Pos(), "if"); n.expr(s.Cond) })
	n.enter(flow.Then, s.Body.Lbrace)
	n.code.atoms[head].body = n.block
	n.branch(head, 0, s.Body.List)
	n.block = decides
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		n.enter(flow.Else, e.Lbrace)
		n.mark(e.Pos(), "else")
		n.branch(head, 1, e.List)
	case *ast.IfStmt:
		n.enter(flow.Else, e.Pos())
		n.mark(e.Pos(), "else")
		n.branch(head, 1, []ast.Stmt{e})
	}
	n.block = decides
	n.mark(s.End(), "end")
}

// branch writes a list of statements in its own scope.
func (n *normalizer) branch(head, ordinal int, list []ast.Stmt) {
	n.push()
	n.within(head, ordinal, list)
	n.pop()
}

func (n *normalizer) forStmt(s *ast.ForStmt) {
	n.push()
	defer n.pop()
	n.stmt(s.Init)
	decides := n.block
	head := n.add(condition, s.Pos(), func() { n.emit(s.Pos(), "for"); n.expr(s.Cond) })
	n.enter(flow.Body, s.Body.Lbrace)
	n.code.atoms[head].body = n.block
	body := n.block
	n.branch(head, 0, s.Body.List)
	n.block = body
	n.mark(s.Body.End(), "next")
	n.stmt(s.Post)
	n.block = decides
	n.mark(s.End(), "end")
}

func (n *normalizer) rangeStmt(s *ast.RangeStmt) {
	n.push()
	defer n.pop()
	decides := n.block
	head := n.add(condition, s.Pos(), func() {
		n.emit(s.Pos(), "range")
		n.expr(s.X)
		for i, e := range []ast.Expr{s.Key, s.Value} {
			if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" && (i == 1 || s.Value == nil) {
				continue // nothing is assigned
			}
			n.emit(e.Pos(), s.Tok.String())
			if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
				n.define(id)
			} else {
				n.expr(e)
			}
		}
	})
	n.enter(flow.Body, s.Body.Lbrace)
	n.code.atoms[head].body = n.block
	n.branch(head, 0, s.Body.List)
	n.block = decides
	n.mark(s.End(), "end")
}

func (n *normalizer) switchStmt(s *ast.SwitchStmt) {
	n.push()
	defer n.pop()
	n.stmt(s.Init)
	n.add(condition, s.Pos(), func() { n.emit(s.Pos(), "switch"); n.expr(s.Tag) })
	n.clauses(s.Body, false, func() {})
}

func (n *normalizer) typeSwitch(s *ast.TypeSwitchStmt) {
	n.push()
	defer n.pop()
	n.stmt(s.Init)
	var bound *ast.Ident
	n.add(condition, s.Pos(), func() {
		n.emit(s.Pos(), "switch")
		switch a := s.Assign.(type) {
		case *ast.ExprStmt:
			n.expr(a.X)
		case *ast.AssignStmt:
			n.exprs(a.Rhs)
			bound, _ = a.Lhs[0].(*ast.Ident)
		}
	})
	id := 0
	if bound != nil {
		n.code.locals = append(n.code.locals, bound.Name)
		id = len(n.code.locals)
	}
	n.clauses(s.Body, true, func() {
		if bound != nil && bound.Name != "_" {
			n.scope[len(n.scope)-1][bound.Name] = id
		}
	})
}

// clauses writes the clauses of a switch.
func (n *normalizer) clauses(body *ast.BlockStmt, types bool, begin func()) {
	decides := n.block
	for _, s := range body.List {
		c, ok := s.(*ast.CaseClause)
		if !ok {
			continue
		}
		n.block = decides
		kind, text := flow.Case, "case"
		if c.List == nil {
			kind, text = flow.Default, "default"
		}
		n.asks = types
		at := n.add(clause, c.Pos(), func() { n.emit(c.Pos(), text); n.exprs(c.List) })
		n.asks = false
		n.enter(kind, c.Case)
		n.code.atoms[at].body = n.block
		n.push()
		begin()
		n.within(at, 0, c.Body)
		n.pop()
	}
	n.block = decides
	n.mark(body.End(), "end")
}

func (n *normalizer) selectStmt(s *ast.SelectStmt) {
	decides := n.block
	n.add(condition, s.Pos(), func() { n.emit(s.Pos(), "select") })
	for _, c := range s.Body.List {
		c, ok := c.(*ast.CommClause)
		if !ok {
			continue
		}
		n.block = decides
		kind, text := flow.Comm, "case"
		if c.Comm == nil {
			kind, text = flow.Default, "default"
		}
		n.push()
		at := n.add(clause, c.Pos(), func() { n.emit(c.Pos(), text); n.simple(c.Comm) })
		n.enter(kind, c.Case)
		n.code.atoms[at].body = n.block
		n.within(at, 0, c.Body)
		n.pop()
	}
	n.block = decides
	n.mark(s.End(), "end")
}
