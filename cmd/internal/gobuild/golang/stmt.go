package golang

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/errsyntax"
)

// list walks the statements of a block. A statement that follows a control statement gets a Join.
// Insertion stops there: a counter behind the last statement would keep it from being a terminating
// one.
func (w *walker) list(stmts []ast.Stmt) {
	for _, s := range stmts {
		if _, empty := s.(*ast.EmptyStmt); empty {
			continue
		}
		if w.fn.nodes[w.cur].join && !w.counted(s) {
			from := w.cur
			w.fn.edge(from, w.count(flow.Join, s.Pos(), s.Pos()))
		}
		w.stmt(s)
	}
}

// counted reports whether s is a label that gets a counter of its own.
func (w *walker) counted(s ast.Stmt) bool {
	l, ok := s.(*ast.LabeledStmt)
	if !ok || !w.gotos[l.Label.Name] {
		return false
	}
	switch l.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return false // break and continue need the label right before the statement
	}
	return true
}

func (w *walker) stmt(s ast.Stmt) {
	label := w.label
	w.label = ""
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.list(s.List)
	case *ast.LabeledStmt:
		w.labeled(s)
	case *ast.IfStmt:
		w.ifStmt(s)
	case *ast.ForStmt:
		w.forStmt(s, label)
	case *ast.RangeStmt:
		w.rangeStmt(s, label)
	case *ast.SwitchStmt:
		w.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s, label)
	case *ast.SelectStmt:
		w.selectStmt(s, label)
	case *ast.BranchStmt:
		w.fn.extend(w.cur, s.End())
		w.branch(s)
	case *ast.ReturnStmt:
		w.values(s.Results)
		w.fn.extend(w.cur, s.End())
		w.fn.fail(w.cur, s.Results)
		w.fn.edge(w.cur, exitNode)
		w.dead()
	default:
		w.simple(s)
	}
}

// simple walks a statement without control flow of its own; nil is allowed.
func (w *walker) simple(s ast.Stmt) {
	if _, empty := s.(*ast.EmptyStmt); s == nil || empty {
		return
	}
	w.fn.extend(w.cur, s.Pos())
	switch s := s.(type) {
	case *ast.ExprStmt:
		w.value(s.X)
		w.fn.extend(w.cur, s.End())
		if call, ok := s.X.(*ast.CallExpr); ok && w.file.terminates(call) {
			w.dead()
		}
		return
	case *ast.AssignStmt:
		w.values(s.Lhs)
		w.values(s.Rhs)
	case *ast.IncDecStmt:
		w.value(s.X)
	case *ast.SendStmt:
		w.value(s.Chan)
		w.value(s.Value)
	case *ast.GoStmt:
		w.value(s.Call)
		w.site(s.Go, "")
	case *ast.DeferStmt:
		w.value(s.Call)
		w.site(s.Defer, "")
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					w.values(v.Values)
				}
			}
		}
	}
	w.fn.extend(w.cur, s.End())
}

// labelNode returns the virtual node of a label.
func (w *walker) labelNode(label string) int {
	n, ok := w.labels[label]
	if !ok {
		n = w.fn.add(node{owner: exitNode})
		w.labels[label] = n
	}
	return n
}

func (w *walker) labeled(s *ast.LabeledStmt) {
	name := s.Label.Name
	if w.gotos[name] {
		n := w.labelNode(name)
		w.fn.nodes[n].owner = w.fn.nodes[w.cur].owner
		w.fn.edge(w.cur, n)
		w.cur = n
		if w.counted(s) {
			w.fn.edge(n, w.count(flow.Label, s.Pos(), s.Colon+1))
		}
	}
	w.label = name
	w.stmt(s.Stmt)
	w.label = ""
}

func (w *walker) branch(s *ast.BranchStmt) {
	to := -1
	switch s.Tok {
	case token.GOTO:
		if s.Label != nil {
			to = w.labelNode(s.Label.Name)
		}
	case token.FALLTHROUGH:
		to = w.fall
	default:
		for i := len(w.targets) - 1; i >= 0 && to < 0; i-- {
			t := w.targets[i]
			switch {
			case s.Label != nil && t.label != s.Label.Name:
			case s.Tok == token.BREAK:
				to = t.brk
			case s.Tok == token.CONTINUE:
				to = t.cont
			}
		}
	}
	if to >= 0 { // otherwise the compiler rejects the function
		w.fn.edge(w.cur, to)
	}
	w.dead()
}

// inside walks the statements of a clause or loop body in which break and continue lead to t.
func (w *walker) inside(t target, stmts []ast.Stmt) {
	w.targets = append(w.targets, t)
	w.list(stmts)
	w.targets = w.targets[:len(w.targets)-1]
}

func (w *walker) ifStmt(s *ast.IfStmt) {
	w.simple(s.Init)
	done := w.done()
	then := w.block(flow.Then, s.Body.Lbrace, s.Body.Lbrace+1)
	w.edit(s.Body.Lbrace+1, formCount, then)

	var other int
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		other = w.block(flow.Else, e.Lbrace, e.Lbrace+1)
		w.edit(e.Lbrace+1, formCount, other)
	case *ast.IfStmt:
		other = w.block(flow.Else, e.Pos(), e.Pos())
		w.edit(e.Pos(), formElseOpen, other)
	default:
		other = w.block(flow.ImplicitElse, s.Pos(), s.Body.End())
	}
	w.fn.nodes[then].cond, w.fn.nodes[other].cond = s.Cond.Pos(), s.Cond.Pos()
	switch errsyntax.ComparesWithNil(s.Cond) {
	case token.NEQ:
		w.fn.nodes[then].passes = true
	case token.EQL:
		w.fn.nodes[other].passes = true
	}
	w.fn.extend(w.cur, s.Cond.End())
	w.cond(s.Cond, then, other)

	w.cur = then
	w.list(s.Body.List)
	w.fn.edge(w.cur, done)

	w.cur = other
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		w.list(e.List)
	case *ast.IfStmt:
		w.ifStmt(e)
		w.edit(e.End(), formElseClose, other)
	default:
		w.edit(s.Body.End(), formElse, other)
	}
	w.fn.edge(w.cur, done)
	w.cur = done
}

func (w *walker) forStmt(s *ast.ForStmt, label string) {
	w.simple(s.Init)
	header, post, done := w.point(), w.point(), w.done()
	w.fn.edge(w.cur, header)
	body := w.block(flow.Body, s.Body.Lbrace, s.Body.Lbrace+1)
	w.edit(s.Body.Lbrace+1, formCount, body)

	w.fn.nodes[body].cond = s.For
	w.cur = header
	if s.Cond != nil {
		w.fn.nodes[body].cond = s.Cond.Pos()
		w.fn.extend(w.cur, s.Cond.End())
		w.cond(s.Cond, body, done)
	} else {
		w.fn.edge(header, body)
	}
	w.cur = body
	w.inside(target{label, done, post}, s.Body.List)
	w.fn.edge(w.cur, post)
	w.cur = post
	w.simple(s.Post)
	w.fn.edge(w.cur, header)
	w.cur = done
}

func (w *walker) rangeStmt(s *ast.RangeStmt, label string) {
	w.value(s.X)
	w.site(s.Range, "") // of a range over a function
	w.fn.extend(w.cur, s.X.End())
	header, done := w.point(), w.done()
	w.fn.edge(w.cur, header)
	body := w.block(flow.Body, s.Body.Lbrace, s.Body.Lbrace+1)
	w.edit(s.Body.Lbrace+1, formCount, body)

	w.fn.nodes[body].cond = s.For
	w.fn.edge(header, done)
	w.cur = header
	w.value(s.Key) // an assignment to any operand, once an iteration
	w.value(s.Value)
	w.fn.edge(w.cur, body)
	w.cur = body
	w.inside(target{label, done, header}, s.Body.List)
	w.fn.edge(w.cur, header)
	w.cur = done
}
