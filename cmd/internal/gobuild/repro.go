package gobuild

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// describe completes the programs for reports and coverage. It adds the call for reproducers, the
// folder of a module that no proxy has, and the packages that each program may run.
func (p *Plan) describe() {
	for i, c := range p.calls {
		prog := &p.Programs[i]
		shape := p.Shape
		if p.gen != nil {
			shape = p.Takes
		}
		if p.seq == nil {
			prog.Call, prog.Results, prog.Last, prog.Imports = p.call(c, i+1, shape)
		} else {
			prog.Call, prog.Last = p.seq.expression(i)
		}
		if m := c.Package.Module; m != nil {
			path := m.Path
			for m.Replace != nil {
				m = m.Replace
			}
			if m.Main || m.Version == "" || m.Path != path {
				prog.ModuleDir = m.Dir
			}
		}
		prog.Closure = p.graph.Closure(c.Package.ImportPath)
	}
}

// call returns the program as a Go expression over its package pN and the variables in or in1, in2,
// and so on. It also returns the types of the results, the form of the verdict, and the packages of
// the standard library whose types it names. The expression is empty if none can be written.
func (p *Plan) call(c *signature.Function, n int, shape input.Shape) (expr string, results []string, last string, imports []string) {
	if c.Makes() && !c.FromText() {
		return "", nil, "", nil
	}
	pkg := fmt.Sprintf("p%d", n)
	nameable := true
	name := func(t types.Type, other func(q *types.Package) string) string {
		return types.TypeString(types.Unalias(t), func(q *types.Package) string {
			if c.Package.ImportPath == q.Path() {
				return pkg
			}
			return other(q)
		})
	}
	text := func(t types.Type) string {
		return name(t, func(q *types.Package) string {
			if nameable = nameable && p.public(q, imports); nameable && !slices.Contains(imports, q.Path()) {
				imports = append(imports, q.Path())
			}
			return q.Name()
		})
	}
	callee := pkg + "." + c.Func.Name
	switch {
	case c.Variable:
		callee = pkg + "." + c.Func.Receiver + "." + c.Func.Name
	case c.Receiver != nil && !c.OfReceiver:
		callee = fmt.Sprintf("new(%s.%s).%s", pkg, c.Func.Receiver, c.Func.Name)
	case c.Receiver != nil:
		callee = "x." + c.Func.Name
	}
	var args []string
	setup := "" // statements before the call
	if c.FromText() {
		var names []string
		for i := range c.Args {
			names = append(names, fmt.Sprintf("a%d", i+1))
			setup += fmt.Sprintf("var %s %s; ", names[i], text(c.Args[i].Type))
		}
		setup += fmt.Sprintf("if err := json.Unmarshal(in, %s); err != nil { panic(err) }; ", decoded(names))
		args = names
	}
	for i := range c.Args {
		if c.FromText() {
			break
		}
		t, arg := c.Args[i].Type, "in"
		if len(c.Args) != 1 {
			arg = fmt.Sprintf("in%d", i+1)
		}
		if c.Args[i].How == signature.Instant {
			text(t) // imports its package
			arg = fmt.Sprintf("time.Unix(0, %s).UTC()", arg)
		} else if own := shape[i].String(); text(t) != own {
			arg = fmt.Sprintf("%s(%s)", parenthesised(text(t)), arg)
		}
		args = append(args, arg)
	}
	if c.Decodes {
		args = append(args, "&v")
	}
	expr = fmt.Sprintf("%s(%s)", callee, strings.Join(args, ", "))
	for _, t := range c.Values { // the expression does not name them
		own := true
		result := name(t, func(*types.Package) string {
			own = false
			return ""
		})
		if !own {
			result = "any"
		}
		results = append(results, result)
	}
	var verdict string
	switch c.Ending {
	case signature.ErrorLast:
		last, verdict = "error", "error"
	case signature.PointerError:
		return "", nil, "", nil // a nil pointer is not a nil error
	case signature.BoolLast:
		last, verdict = "bool", "bool"
	}
	var vars, given []string
	for i := range results {
		vars = append(vars, fmt.Sprintf("r%d", i+1))
	}
	given = slices.Clone(vars)
	switch {
	case c.OfReceiver:
		kind := text(c.Receiver)
		setup += fmt.Sprintf("x := new(%s.%s); ", pkg, c.Func.Receiver)
		results, given = append(results, kind), append(given, "*x")
	case c.Decodes:
		setup += "var v any; "
		results, given = append(results, "any"), append(given, "v")
	}
	if setup != "" {
		types := slices.Clone(results)
		if verdict != "" {
			vars, given, types = append(vars, "end"), append(given, "end"), append(types, verdict)
		}
		if len(vars) > 0 {
			expr = strings.Join(vars, ", ") + " := " + expr
		}
		all := strings.Join(types, ", ")
		if len(types) > 1 {
			all = "(" + all + ")"
		}
		expr = fmt.Sprintf("func() %s { %s%s; return %s }()", all, setup, expr, strings.Join(given, ", "))
	}
	if !nameable {
		return "", nil, "", nil
	}
	return expr, results, last, imports
}

// public reports whether a reproducer can import a package of the standard library in addition to
// others.
func (p *Plan) public(q *types.Package, others []string) bool {
	known := p.graph.Package(q.Path())
	if known == nil || !known.Standard || slices.ContainsFunc(strings.Split(q.Path(), "/"), func(part string) bool { return part == "internal" || part == "vendor" }) {
		return false
	}
	return !slices.ContainsFunc(others, func(path string) bool { return path != q.Path() && p.graph.Package(path).Name == q.Name() })
}

// parenthesised returns a type that is usable in a conversion.
func parenthesised(t string) string {
	if strings.HasPrefix(t, "*") || strings.HasPrefix(t, "<-") || strings.HasPrefix(t, "func") {
		return "(" + t + ")"
	}
	return t
}
