package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// place is one that a finding names, in short: the file's name without its folder.
type place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Branch string `json:"branch,omitempty"` // as in outputs.json; empty for a deciding line without one
	// Rejects reports that it ends the check at which the program rejects.
	Rejects bool `json:"rejects,omitempty"`
}

func parsePlace(location, branch string) place {
	name, number := location, ""
	if i := strings.LastIndexByte(location, ':'); i >= 0 {
		name, number = location[:i], location[i+1:]
	}
	line, _ := strconv.Atoi(number)
	return place{File: name[strings.LastIndexByte(name, '/')+1:], Line: line, Branch: strings.TrimPrefix(branch, "not ")}
}

// span is a range of lines.
type span struct{ first, last int }

// blocks maps the places of a file to the lines that they represent. These are the lines of the
// block, which run only when the block does, and those of the condition on which it runs.
type blocks struct {
	fset  *token.FileSet
	spans map[place][]span
}

func readBlocks(name string, source []byte) (*blocks, error) {
	b := &blocks{fset: token.NewFileSet(), spans: map[place][]span{}}
	tree, err := parser.ParseFile(b.fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, b.visit)
	return b, nil
}

// covers reports whether a place represents a line.
func (b *blocks) covers(p place, line int) bool {
	if p.Line == line {
		return true
	}
	for _, s := range b.spans[place{Line: p.Line, Branch: p.Branch}] {
		if s.first <= line && line <= s.last {
			return true
		}
	}
	return false
}

func (b *blocks) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Body != nil {
			b.add("entry", n.Pos(), b.body(n.Body.Lbrace, n.Body.List))
		}
	case *ast.FuncLit:
		b.add("entry", n.Pos(), b.body(n.Body.Lbrace, n.Body.List))
	case *ast.IfStmt:
		cond := b.span(n.Cond.Pos(), n.Cond.End())
		b.add("then", n.Body.Lbrace, cond, b.body(n.Body.Lbrace, n.Body.List))
		switch e := n.Else.(type) {
		case *ast.BlockStmt:
			b.add("else", e.Lbrace, cond, b.body(e.Lbrace, e.List))
		case *ast.IfStmt:
			b.add("else", e.Pos(), cond, b.header(e))
		default:
			b.add("implicit-else", n.Pos(), cond)
		}
	case *ast.ForStmt:
		if n.Cond != nil {
			b.add("body", n.Body.Lbrace, b.span(n.Cond.Pos(), n.Cond.End()))
		}
		b.add("body", n.Body.Lbrace, b.body(n.Body.Lbrace, n.Body.List))
	case *ast.RangeStmt:
		b.add("body", n.Body.Lbrace, b.span(n.Pos(), n.Body.Lbrace), b.body(n.Body.Lbrace, n.Body.List))
	case *ast.SwitchStmt:
		b.clauses(n.Pos(), n.Body, b.span(n.Pos(), n.Body.Lbrace))
	case *ast.TypeSwitchStmt:
		b.clauses(n.Pos(), n.Body, b.span(n.Pos(), n.Body.Lbrace))
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			kind := "and"
			if n.Op == token.LOR {
				kind = "or"
			}
			b.add(kind, n.Y.Pos(), b.span(n.Pos(), n.End()))
		}
	case *ast.BlockStmt:
		b.joins(n.List)
	case *ast.CaseClause:
		b.joins(n.Body)
	}
	return true
}

func (b *blocks) clauses(at token.Pos, body *ast.BlockStmt, tag span) {
	b.add("implicit-default", at, tag)
	for _, s := range body.List {
		c, ok := s.(*ast.CaseClause)
		if !ok {
			continue
		}
		kind := "case"
		if c.List == nil {
			kind = "default"
		}
		b.add(kind, c.Case, tag, b.span(c.Case, c.Colon), b.body(c.Colon, c.Body))
	}
}

// joins adds the blocks that begin after control statements.
func (b *blocks) joins(list []ast.Stmt) {
	for i := range list {
		if i > 0 && controls(list[i-1]) {
			b.add("join", list[i].Pos(), b.body(list[i].Pos(), list[i:]))
		}
	}
}

func (b *blocks) line(p token.Pos) int { return b.fset.Position(p).Line }

func (b *blocks) span(from, to token.Pos) span { return span{b.line(from), b.line(to)} }

// add notes lines of the block at a position. A place without a branch is any of those in its line.
func (b *blocks) add(branch string, at token.Pos, spans ...span) {
	for _, key := range []place{{Line: b.line(at), Branch: branch}, {Line: b.line(at)}} {
		b.spans[key] = append(b.spans[key], spans...)
	}
}

// body returns the span from the start of a list of statements to the first branch, with the
// branch's condition.
func (b *blocks) body(from token.Pos, list []ast.Stmt) span {
	s := b.span(from, from)
	for _, stmt := range list {
		if controls(stmt) {
			s.last = max(s.last, b.header(stmt).last)
			break
		}
		s.last = b.line(stmt.End())
	}
	return s
}

// header is the part of a control statement that runs before it branches.
func (b *blocks) header(s ast.Stmt) span {
	for {
		labeled, ok := s.(*ast.LabeledStmt)
		if !ok {
			break
		}
		s = labeled.Stmt
	}
	end := s.Pos()
	switch s := s.(type) {
	case *ast.IfStmt:
		end = s.Cond.End()
	case *ast.ForStmt:
		if s.Cond != nil {
			end = s.Cond.End()
		}
	case *ast.RangeStmt:
		end = s.X.End()
	case *ast.SwitchStmt:
		end = s.Body.Lbrace
	case *ast.TypeSwitchStmt:
		end = s.Body.Lbrace
	}
	return b.span(s.Pos(), end)
}

func controls(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return controls(s.Stmt)
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt:
		return true
	}
	return false
}
