package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// mutant is one small change to a file. It replaces text inside one line, so that all lines keep
// their numbers.
type mutant struct {
	Library  string `json:"library"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Col      int    `json:"col"`
	Operator string `json:"operator"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Function string `json:"function"`

	offset int
}

// Name is unique among all mutants, and stays when others come or go.
func (m mutant) Name() string {
	return fmt.Sprintf("%s/%s:%d:%d %s %q", m.Library, m.File, m.Line, m.Col, m.Operator, m.After)
}

// Folder is the name of the package's folder.
func (m mutant) Folder() string {
	return "m" + digest(m.Name())[:10]
}

// The half dev may be used in work on the tool, and heldOut verifies the result.
const (
	dev     = "dev"
	heldOut = "held-out"
)

func half(name string) string {
	if digest("half of " + name)[0] < '8' { // not the digest by whose order mutants are chosen
		return dev
	}
	return heldOut
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// apply returns the file with the change.
func (m mutant) apply(source []byte) ([]byte, error) {
	if m.offset+len(m.Before) > len(source) || string(source[m.offset:m.offset+len(m.Before)]) != m.Before {
		return nil, fmt.Errorf("%s: the file does not hold %q there", m.Name(), m.Before)
	}
	return []byte(string(source[:m.offset]) + m.After + string(source[m.offset+len(m.Before):])), nil
}

// mutants lists what can be changed in a file, in the order of the source.
func mutants(lib library, file string, source []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	v := mutator{library: lib.Name, file: file, source: source, fset: fset}
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		v.function = f.Name.Name
		if f.Recv != nil && len(f.Recv.List) == 1 {
			v.function = receiver(f.Recv.List[0].Type) + "." + v.function
		}
		if lib.Skip == nil || !lib.Skip.MatchString(v.function) {
			v.walk(f.Body)
		}
	}
	return v.found, nil
}

func receiver(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return "?"
}

type mutator struct {
	library, file, function string
	source                  []byte
	fset                    *token.FileSet
	found                   []mutant
}

// add lists the replacement of the text between two positions, if it lies in one line.
func (v *mutator) add(operator string, from, to token.Pos, after string) {
	a, b := v.fset.Position(from), v.fset.Position(to)
	if a.Line != b.Line {
		return
	}
	v.found = append(v.found, mutant{
		Library: v.library, File: v.file, Line: a.Line, Col: a.Column, Operator: operator, Function: v.function,
		Before: string(v.source[a.Offset:b.Offset]), After: after, offset: a.Offset,
	})
}

func (v *mutator) text(n ast.Node) string {
	return string(v.source[v.fset.Position(n.Pos()).Offset:v.fset.Position(n.End()).Offset])
}

// Other operators of the same types.
var others = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "/",
	token.AND: "|", token.OR: "&", token.SHL: ">>", token.SHR: "<<",
}

func (v *mutator) walk(body *ast.BlockStmt) {
	posts := map[ast.Stmt]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if after := others[n.Op]; after != "" {
				v.add("operator", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), after)
			}
		case *ast.BasicLit:
			v.literal(n)
		case *ast.IfStmt:
			v.add("negate", n.Cond.Pos(), n.Cond.End(), "!("+v.text(n.Cond)+")")
			if jumps(n.Body) && n.Else == nil {
				v.add("no check", n.Cond.Pos(), n.Cond.End(), "false && ("+v.text(n.Cond)+")")
			}
		case *ast.ForStmt:
			posts[n.Post] = true // without it, or with another one, loops would not end
			if n.Init != nil {
				posts[n.Init] = true
			}
		case *ast.SliceExpr:
			v.bound(n.Low)
			v.bound(n.High)
		case *ast.IndexExpr:
			v.bound(n.Index)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && !posts[n] {
				v.add("delete", n.Pos(), n.End(), "")
			}
		case *ast.IncDecStmt:
			if !posts[n] {
				v.add("delete", n.Pos(), n.End(), "")
			}
		case *ast.ExprStmt:
			v.add("delete", n.Pos(), n.End(), "")
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "len" {
				v.add("off by one", n.Pos(), n.End(), "("+v.text(n)+" - 1)")
			}
			return !reports(n)
		}
		return true
	})
}

// literal changes constants. Text stays as it is: most of it is in messages.
func (v *mutator) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if value, err := strconv.ParseUint(n.Value, 0, 63); err == nil {
			v.add("constant", n.Pos(), n.End(), strconv.FormatUint(value+1, 10))
		}
	case token.CHAR:
		if c, _, _, err := strconv.UnquoteChar(n.Value[1:len(n.Value)-1], '\''); err == nil && c < 0x7e {
			v.add("constant", n.Pos(), n.End(), strconv.QuoteRune(c+1))
		}
	}
}

// bound moves an index that is more than a constant.
func (v *mutator) bound(e ast.Expr) {
	if e == nil {
		return
	}
	if _, constant := e.(*ast.BasicLit); !constant {
		v.add("off by one", e.Pos(), e.End(), v.text(e)+"+1")
	}
}

// jumps reports whether a body ends by leaving.
func jumps(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	switch body.List[len(body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// reports reports whether a call makes an error. A mutant within such a call changes messages only.
func reports(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "errors" {
		return true
	}
	name := strings.ToLower(sel.Sel.Name)
	return strings.Contains(name, "error") || strings.Contains(name, "panic") || name == "bug"
}
