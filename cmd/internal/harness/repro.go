package harness

import (
	"fmt"
	"go/types"
	"strings"

	"parallax/internal/input"
)

// describe completes the programs with what reports and coverage need: the call as a reproducer writes it, the folder
// of a module that no proxy has, and the packages that each program may run.
func (p *Plan) describe() {
	for i, c := range p.calls {
		prog := &p.Programs[i]
		prog.Call, prog.Results, prog.Last = c.call(i+1, p.Shape)
		if m := c.pkg.Module; m != nil {
			path := m.Path
			for m.Replace != nil {
				m = m.Replace
			}
			if m.Main || m.Version == "" || m.Path != path {
				prog.ModuleDir = m.Dir
			}
		}
		prog.Closure = p.graph.Closure(c.pkg.ImportPath)
	}
}

// call is the program as one Go expression over its package pN and the variables in or in1, in2, ..., with the types
// of the values it returns and how its verdict is given. The expression is empty when no such one can be written.
func (c *callable) call(n int, shape input.Shape) (expr string, results []string, last string) {
	pkg := fmt.Sprintf("p%d", n)
	external := true // types of other packages cannot be named in the expression
	text := func(t types.Type) string {
		return types.TypeString(types.Unalias(t), func(q *types.Package) string {
			if c.pkg.ImportPath != q.Path() {
				external = false
			}
			return pkg
		})
	}
	callee := pkg + "." + c.fn.Name
	switch {
	case c.variable:
		callee = pkg + "." + c.fn.Receiver + "." + c.fn.Name
	case c.receiver != nil && !c.ofReceiver:
		callee = fmt.Sprintf("new(%s.%s).%s", pkg, c.fn.Receiver, c.fn.Name)
	case c.receiver != nil:
		callee = "x." + c.fn.Name
	}
	var args []string
	for i, t := range c.params {
		arg := "in"
		if len(c.params) != 1 {
			arg = fmt.Sprintf("in%d", i+1)
		}
		if own := shape[i].String(); text(t) != own {
			arg = fmt.Sprintf("%s(%s)", parenthesised(text(t)), arg)
		}
		args = append(args, arg)
	}
	if c.decodes {
		args = append(args, "&v")
	}
	expr = fmt.Sprintf("%s(%s)", callee, strings.Join(args, ", "))
	for _, t := range c.values { // they are not named in the expression
		was := external
		result := text(t)
		if !external && was {
			external, result = true, "any"
		}
		results = append(results, result)
	}
	var verdict string
	switch c.ending {
	case errorLast:
		last, verdict = "error", "error"
	case pointerErr:
		return "", nil, "" // a nil pointer is no nil error
	case boolLast:
		last, verdict = "bool", "bool"
	}
	if c.decodes || c.ofReceiver {
		value, setup, kind := "v", "var v any", "any"
		if c.ofReceiver {
			kind = text(c.receiver)
			value, setup = "*x", fmt.Sprintf("x := new(%s.%s)", pkg, c.fn.Receiver)
		}
		results = []string{kind}
		switch {
		case verdict == "":
			expr = fmt.Sprintf("func() %s { %s; %s; return %s }()", kind, setup, expr, value)
		default:
			expr = fmt.Sprintf("func() (%s, %s) { %s; end := %s; return %s, end }()", kind, verdict, setup, expr, value)
		}
	}
	if !external {
		return "", nil, ""
	}
	return expr, results, last
}

// parenthesised makes a type fit for a conversion.
func parenthesised(t string) string {
	if strings.HasPrefix(t, "*") || strings.HasPrefix(t, "<-") || strings.HasPrefix(t, "func") {
		return "(" + t + ")"
	}
	return t
}
