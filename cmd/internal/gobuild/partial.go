package gobuild

import (
	"fmt"
	"go/types"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/signature"
)

// Partial says which part the second function of a Request, a model of the first, omits on purpose,
// and how results are compared.
type Partial struct {
	// variables: errors by which it rejects a call as not implemented, as in errors.ErrUnsupported
	NotImplemented []string `json:"not_implemented,omitempty"`
	// a function of the arguments that reports whether the model covers them; empty means all
	Scope string `json:"scope,omitempty"`
	// numbers by "sign" or "truth", slices as a "set"; empty or "exact" means exactly
	Compare string `json:"compare,omitempty"`
}

// partial is a resolved Partial.
type partial struct {
	*Partial
	declined [][2]string         // variables of NotImplemented: import path and name
	scope    *signature.Function // nil if there is none
}

// parsePartial checks the request, and parses the names: those of the errors, followed by that of
// the scope.
func (req *Request) parsePartial() (funcs []funcname.Func, err error) {
	m := req.Partial
	switch {
	case len(req.Functions) != 2:
		return nil, exit.Usage("a model is compared with one original: name two functions, not %d", len(req.Functions))
	case req.Repair != "" || req.Generator != "":
		return nil, exit.Usage("unsupported, scope and compare are of a model that gets its input as it is: leave the generator or the repair function out")
	}
	for _, name := range m.NotImplemented {
		f, err := funcname.Parse(name)
		if err != nil || f.Receiver != "" {
			return nil, exit.Usage("unsupported: %q is no variable: write its package and name, as in errors.ErrUnsupported", name)
		}
		funcs = append(funcs, f)
	}
	if m.Scope != "" {
		f, err := funcname.Parse(m.Scope)
		if err != nil {
			return nil, exit.Usage("scope: %w", err)
		}
		funcs = append(funcs, f)
	}
	return funcs, nil
}

// bindPartial finds the variables and the function that Partial names.
func (p *Plan) bindPartial(find *signature.Finder, model *signature.Function, funcs []funcname.Func) error {
	p.partial = &partial{Partial: p.req.Partial}
	for _, f := range funcs[:len(p.req.Partial.NotImplemented)] {
		importPath, err := find.Variable(f)
		if err != nil {
			return err
		}
		p.partial.declined = append(p.partial.declined, [2]string{importPath, f.Name})
	}
	for _, f := range funcs[len(p.req.Partial.NotImplemented):] {
		found, err := find.Find([]funcname.Func{f}, []string{"scope"})
		if err != nil {
			return exit.Usage("scope: %w", err)
		}
		c := found[0]
		results := c.Type.Results()
		if c.Receiver != nil || c.Variable || c.Type.TypeParams().Len() > 0 || results.Len() != 1 || !isBool(results.At(0).Type()) || parameters(c.Type) != parameters(model.Type) {
			return exit.Usage("scope: %s is %s, and has to be a func(%s) bool: it gets the arguments of %s, and says whether the model is meant for them", f.Written, c.Signature(), parameters(model.Type), model.Func.Written)
		}
		p.partial.scope = c
	}
	return nil
}

// fits returns the mismatch between the model's function and the others, or nil.
func (m *partial) fits(calls []*signature.Function) error {
	model := calls[1]
	if len(m.declined) > 0 && model.Ending != signature.ErrorLast && model.Ending != signature.PointerError {
		return exit.Usage("unsupported: %s returns no error, by which it could say that it does not have a call", model.Func.Written)
	}
	for _, c := range calls {
		found := m.Compare == "" || m.Compare == "exact"
		for _, t := range c.Values {
			found = found || m.compared(t)
		}
		if !found {
			kind := map[bool]string{true: "slice of numbers or strings", false: "number"}[m.Compare == "set"]
			return exit.Usage("compare = %q: no result of %s is a %s: it is %s", m.Compare, c.Func.Written, kind, c.Signature())
		}
	}
	return nil
}

// compared reports whether Compare applies to results of a type.
func (m *partial) compared(t types.Type) bool {
	ordered := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsOrdered != 0
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return (m.Compare == "sign" || m.Compare == "truth") && u.Info()&(types.IsInteger|types.IsFloat) != 0
	case *types.Slice:
		b, _ := u.Elem().Underlying().(*types.Basic)
		return m.Compare == "set" && ordered(u.Elem()) && b.Kind() != types.Uint8
	}
	return false
}

// compareText has the functions that main.go needs for these comparisons.
const compareText = `
func plxUnordered[S ~[]E, E plxcmp.Ordered](s S) S {
	s = append(S(nil), s...)
	plxslices.Sort(s)
	return s
}

func plxSign(less, more bool) int64 {
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

`

// result writes the call that stores a result for comparison.
func (g *generator) result(m *partial, name string, t types.Type) {
	if m == nil || !m.compared(t) {
		g.value(name, t)
		return
	}
	switch m.Compare {
	case "sign":
		g.Printf("r.Int(plxSign(%[1]s < 0, %[1]s > 0))\n", name)
	case "truth":
		g.Printf("r.Bool(%s != 0)\n", name)
	default:
		g.Printf("r.Any(plxUnordered(%s))\n", name)
	}
}

// writeScope writes the check whether the model covers the arguments.
func (g *generator) writeScope(m *partial, c *signature.Function) {
	g.Printf("if !func() bool {\n")
	args := g.arguments(c, nil)
	g.Printf("return %s.%s(%s)\n}() {\nr.Decline()\nreturn\n}\n", g.Alias(m.scope.Package.ImportPath), m.scope.Func.Name, strings.Join(args, ", "))
}

// writeImplemented writes the check whether the model rejected the call as not implemented.
func (g *generator) writeImplemented(m *partial) {
	var tests []string
	for _, d := range m.declined {
		tests = append(tests, fmt.Sprintf("%s.Is(end, %s.%s)", g.Alias("errors"), g.Alias(d[0]), d[1]))
	}
	g.Printf("if end != nil && (%s) {\nr.Decline()\nreturn\n}\n", strings.Join(tests, " || "))
}

// parameters lists a function's parameter types, with the paths of their packages.
func parameters(s *types.Signature) string {
	var list []string
	for i := range s.Params().Len() {
		text := types.TypeString(types.Unalias(s.Params().At(i).Type()), func(p *types.Package) string { return p.Path() })
		if s.Variadic() && i == s.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}
