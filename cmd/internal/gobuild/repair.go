package gobuild

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/library"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// The function that repairs mutants is resolved and linked like the programs, but is not one. Its
// exclusive imports are not instrumented, and it does not affect the target's name and identity.

// parseRepair parses the repair function's name.
func (req *Request) parseRepair() (funcname.Func, error) {
	f, err := funcname.Parse(req.Repair)
	if err != nil {
		return f, exit.Usage("--repair %w", err)
	}
	if slices.Contains(req.Functions, req.Repair) {
		return f, exit.Usage("--repair %s is one of the compared functions: name another function, which makes their input valid", req.Repair)
	}
	return f, nil
}

// called returns the programs and their generator or repair function.
func (p *Plan) called() []*signature.Function {
	h := p.helper()
	if h == nil {
		return p.calls
	}
	return append(append([]*signature.Function(nil), p.calls...), h)
}

// checkRepair refuses a repair function that does not map the programs' input to itself.
func (p *Plan) checkRepair() error {
	c := p.repair
	if c == nil || c.ReadRepair(p.Shape) {
		return nil
	}
	return exit.Usage("--repair %s is a %s: it must take and return what the programs take, as a %s does", c.Func.Written, c.Signature(), signature.RepairType(p.Shape))
}

// repair writes the field of worker.Target for the repair function.
func (g *generator) repair(c *signature.Function, shape input.Shape) string {
	if c == nil {
		return ""
	}
	var args, results []string
	for i, t := range c.Params {
		args = append(args, g.argument(i, c.Shape[i], t))
		results = append(results, fmt.Sprintf("v%d", i))
	}
	g.Printf("Repair: func(a *input.Args, b *input.Builder) {\n%s := %s.%s(%s)\n",
		strings.Join(results, ", "), g.Alias(c.Package.ImportPath), c.Func.Name, strings.Join(args, ", "))
	for i, k := range shape {
		g.Printf("%s\n", built(results[i], k))
	}
	g.Printf("},\n")
	return g.Flush()
}

// built returns the call of input.Builder that stores a value of a kind.
func built(name string, k input.Kind) string {
	switch k {
	case input.Bytes, input.String:
		return fmt.Sprintf("b.Bytes([]byte(%s))", name)
	case input.Bool:
		return fmt.Sprintf("b.Bool(bool(%s))", name)
	case input.Float32:
		return fmt.Sprintf("b.Float32(float32(%s))", name)
	case input.Float64:
		return fmt.Sprintf("b.Float64(float64(%s))", name)
	case input.Uint, input.Uint8, input.Uint16, input.Uint32, input.Uint64:
		return fmt.Sprintf("b.Uint(uint64(%s), input.%s)", name, kindName(k))
	}
	return fmt.Sprintf("b.Int(int64(%s), input.%s)", name, kindName(k))
}

// onlyHelper returns a function that reports packages imported only by the repair function or the
// generator.
func (p *Plan) onlyHelper() func(path string) bool {
	if p.helper() == nil {
		return func(string) bool { return false }
	}
	needed := map[string]bool{}
	for _, c := range p.calls {
		for _, path := range p.graph.Closure(c.Package.ImportPath) {
			needed[path] = true
		}
	}
	return func(path string) bool {
		if p.gen != nil && p.gen.Generator != nil && library.Has(p.gen.Library, path) {
			return true // programs do not use it
		}
		return !needed[path]
	}
}
