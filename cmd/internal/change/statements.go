package change

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
)

// code is a function, or the initializer of a variable, as a list of atoms.
type code struct {
	atoms  []atom
	locals []string // names, one for each declaration
	lists  []list
}

// atom is a simple statement, the head of a compound statement, or a mark between statements.
type atom struct {
	words []word
	role  role
	list  int // its list in code.lists
	pos   token.Pos
	block int // block that executes it; for a head, the deciding block
	body  int // own block of a clause or branch; flow.None for others
}

type role uint8

const (
	statement role = iota
	condition      // selects a branch
	clause         // of a switch or select
	mark           // begins or ends a statement
	signature
)

// list is a list of statements.
type list struct {
	head    int // atom that it belongs to
	ordinal int // index among the lists of that atom
	block   int // block in which it begins
}

// enter continues in the block that begins at a position, if there is one.
func (n *normalizer) enter(kind flow.Kind, pos token.Pos) bool {
	id, ok := n.p.block(kind, pos)
	if ok {
		n.block = id
	}
	return ok
}

// add writes an atom.
func (n *normalizer) add(role role, pos token.Pos, write func()) int {
	a := atom{role: role, list: n.current, pos: pos, block: n.block, body: flow.None}
	out := n.out
	n.out = &a.words
	pending := n.pending
	n.pending = nil
	write()
	n.out = out
	at := len(n.code.atoms)
	n.code.atoms = append(n.code.atoms, a)
	closures := n.pending
	n.pending = pending
	for _, lit := range closures {
		n.closure(lit)
	}
	return at
}

// mark writes the beginning or the end of a statement.
func (n *normalizer) mark(pos token.Pos, text string) int {
	return n.add(mark, pos, func() { n.emit(pos, text) })
}

// within writes a list of statements.
func (n *normalizer) within(head, ordinal int, stmts []ast.Stmt) {
	before := n.current
	n.code.lists = append(n.code.lists, list{head, ordinal, n.block})
	n.current = len(n.code.lists) - 1
	n.stmts(stmts)
	n.current = before
}

func (n *normalizer) stmts(list []ast.Stmt) {
	for _, s := range list {
		if !n.enter(flow.Join, s.Pos()) {
			n.enter(flow.Label, s.Pos())
		}
		n.stmt(s)
	}
}

func (n *normalizer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.BlockStmt:
		n.push()
		n.stmts(s.List)
		n.pop()
	case *ast.LabeledStmt:
		id := n.labeled(s.Label)
		n.add(statement, s.Pos(), func() { n.emit(s.Pos(), "label"); n.local(s.Pos(), id) })
		n.stmt(s.Stmt)
	case *ast.IfStmt:
		n.ifStmt(s)
	case *ast.ForStmt:
		n.forStmt(s)
	case *ast.RangeStmt:
		n.rangeStmt(s)
	case *ast.SwitchStmt:
		n.switchStmt(s)
	case *ast.TypeSwitchStmt:
		n.typeSwitch(s)
	case *ast.SelectStmt:
		n.selectStmt(s)
	case *ast.DeclStmt:
		n.declStmt(s)
	default:
		n.add(statement, s.Pos(), func() { n.simple(s) })
	}
}

// simple writes a statement without control flow into the current atom.
func (n *normalizer) simple(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		n.expr(s.X)
	case *ast.AssignStmt:
		n.assign(s)
	case *ast.IncDecStmt:
		n.expr(s.X)
		n.emit(s.TokPos, s.Tok.String())
	case *ast.SendStmt:
		n.expr(s.Chan)
		n.emit(s.Arrow, "<-")
		n.expr(s.Value)
	case *ast.GoStmt:
		n.emit(s.Pos(), "go")
		n.expr(s.Call)
	case *ast.DeferStmt:
		n.emit(s.Pos(), "defer")
		n.expr(s.Call)
	case *ast.ReturnStmt:
		n.emit(s.Pos(), "return")
		n.exprs(s.Results)
		if len(s.Results) == 0 {
			for _, id := range n.results {
				n.local(s.Pos(), id)
			}
		}
	case *ast.BranchStmt:
		n.emit(s.Pos(), s.Tok.String())
		if s.Label != nil {
			n.local(s.Pos(), n.labeled(s.Label))
		}
	}
}

// labeled returns the local that represents a label. A label may be used before its statement.
func (n *normalizer) labeled(label *ast.Ident) int {
	if id, ok := n.labels[label.Name]; ok {
		return id
	}
	n.code.locals = append(n.code.locals, label.Name)
	n.labels[label.Name] = len(n.code.locals)
	return len(n.code.locals)
}

// assign writes the right side first, since it cannot refer to locals that the left side declares.
func (n *normalizer) assign(s *ast.AssignStmt) {
	out := n.out
	var left, right []word
	n.out = &right
	n.exprs(s.Rhs)
	n.out = &left
	for i, e := range s.Lhs {
		if i > 0 {
			n.emit(e.Pos(), ",")
		}
		id, ok := e.(*ast.Ident)
		if !ok || s.Tok != token.DEFINE {
			n.expr(e)
			continue
		}
		if l, known := n.scope[len(n.scope)-1][id.Name]; known { // assigned, not declared
			n.local(id.Pos(), l)
			continue
		}
		n.define(id)
	}
	n.out = out
	*n.out = append(*n.out, left...)
	n.emit(s.TokPos, s.Tok.String())
	*n.out = append(*n.out, right...)
}

// define declares a local at its name.
func (n *normalizer) define(id *ast.Ident) {
	if id.Name == "_" {
		n.emit(id.Pos(), "_")
		return
	}
	n.local(id.Pos(), n.declare(id.Name))
}

func (n *normalizer) declStmt(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	var valued *ast.ValueSpec
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if valued == nil || len(spec.Values) > 0 || d.Tok == token.VAR {
				valued = spec
			}
			n.add(statement, spec.Pos(), func() {
				var value []word
				out := n.out
				n.out = &value
				if d.Tok == token.CONST {
					n.iota = i
				}
				n.expr(valued.Type)
				n.emit(spec.Pos(), "=")
				n.exprs(valued.Values)
				n.iota = -1
				n.out = out
				n.emit(spec.Pos(), d.Tok.String())
				for _, name := range spec.Names {
					n.define(name)
				}
				*n.out = append(*n.out, value...)
			})
		case *ast.TypeSpec:
			n.add(statement, spec.Pos(), func() {
				n.emit(spec.Pos(), "type")
				n.define(spec.Name)
				n.push()
				n.typeParams(spec.TypeParams)
				if spec.Assign.IsValid() {
					n.emit(spec.Assign, "=")
				}
				n.expr(spec.Type)
				n.pop()
			})
		}
	}
}

func (a atom) String() string {
	text := ""
	for i, w := range a.words {
		if i > 0 {
			text += " "
		}
		text += w.text
	}
	return text
}
